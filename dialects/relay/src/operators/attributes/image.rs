//! Attributes of operators on images, bounding boxes and random numbers.

use super::super::FieldKind::{DType, Float, Floats, Int, Ints};
use super::{AttrsType, flag, float, floats, free, int, ints, maybe, named, need, text};

pub(in crate::operators) static RESIZE1D: AttrsType = named(
    "Resize1DAttrs",
    &[
        maybe(Ints, "size"),
        maybe(Floats, "roi"),
        text("layout", "NCW"),
        text("method", "linear"),
        text("coordinate_transformation_mode", "half_pixel"),
        text("rounding_method", "round"),
        float("cubic_alpha", -0.5),
        int("cubic_exclude", 0),
        float("extrapolation_value", 0.0),
        maybe(DType, "out_dtype"),
    ],
);
pub(in crate::operators) static RESIZE2D: AttrsType = named(
    "Resize2DAttrs",
    &[
        maybe(Ints, "size"),
        maybe(Floats, "roi"),
        text("layout", "NCHW"),
        text("method", "linear"),
        text("coordinate_transformation_mode", "half_pixel"),
        text("rounding_method", "round"),
        float("cubic_alpha", -0.5),
        int("cubic_exclude", 0),
        float("extrapolation_value", 0.0),
        maybe(DType, "out_dtype"),
    ],
);
pub(in crate::operators) static RESIZE3D: AttrsType = named(
    "Resize3DAttrs",
    &[
        maybe(Ints, "size"),
        maybe(Floats, "roi"),
        text("layout", "NCDHW"),
        text("method", "linear"),
        text("coordinate_transformation_mode", "half_pixel"),
        text("rounding_method", "round"),
        float("cubic_alpha", -0.5),
        int("cubic_exclude", 0),
        float("extrapolation_value", 0.0),
        maybe(DType, "out_dtype"),
    ],
);
pub(in crate::operators) static CROP_AND_RESIZE: AttrsType = named(
    "CropAndResizeAttrs",
    &[
        maybe(Ints, "crop_size"),
        text("layout", "NCHW"),
        text("method", "bilinear"),
        float("extrapolation_value", 0.0),
        maybe(DType, "out_dtype"),
    ],
);
pub(in crate::operators) static DILATION2D: AttrsType = named(
    "Dilation2DAttrs",
    &[
        ints("strides", &[1, 1]),
        ints("padding", &[0, 0]),
        ints("dilations", &[1, 1]),
        text("data_layout", "NCHW"),
        text("kernel_layout", "IHW"),
        maybe(DType, "out_dtype"),
    ],
);
pub(in crate::operators) static GRID_SAMPLE: AttrsType = named(
    "GridSampleAttrs",
    &[
        text("method", "bilinear"),
        text("layout", "NCHW"),
        text("padding_mode", "zeros"),
        flag("align_corners", true),
    ],
);
pub(in crate::operators) static AFFINE_GRID: AttrsType =
    named("AffineGridAttrs", &[need(Ints, "target_shape")]);
pub(in crate::operators) static MULTI_BOX_PRIOR: AttrsType = named(
    "MultiBoxPriorAttrs",
    &[
        floats("sizes", &[1.0]),
        floats("ratios", &[1.0]),
        floats("steps", &[-1.0, -1.0]),
        floats("offsets", &[0.5, 0.5]),
        flag("clip", false),
    ],
);
pub(in crate::operators) static MULTI_BOX_TRANSFORM_LOC: AttrsType = named(
    "MultiBoxTransformLocAttrs",
    &[
        flag("clip", true),
        float("threshold", 0.01),
        floats("variances", &[0.1, 0.1, 0.2, 0.2]),
        flag("keep_background", false),
    ],
);
pub(in crate::operators) static YOLO_REORG: AttrsType =
    named("YoloReorgAttrs", &[int("stride", 1).or_none()]);
pub(in crate::operators) static MULTINOMIAL: AttrsType =
    named("MultinomialAttrs", &[int("num_samples", 1).or_none()]);
pub(in crate::operators) static NORMAL: AttrsType =
    named("NormalAttrs", &[need(Ints, "out_shape"), maybe(DType, "out_dtype")]);
pub(in crate::operators) static UNIFORM: AttrsType =
    named("UniformAttrs", &[need(Ints, "out_shape"), maybe(DType, "out_dtype")]);
pub(in crate::operators) static THREEFRY_GENERATE: AttrsType =
    named("ThreefryGenerateAttrs", &[need(Ints, "out_shape")]);
/// Attributes of `vision.roi_align`.
pub(in crate::operators) static ROI_ALIGN: AttrsType = free(
    "ROIAlignAttrs",
    &[
        need(Ints, "pooled_size"),
        need(Float, "spatial_scale"),
        int("sample_ratio", -1),
        text("layout", "NCHW"),
        text("mode", "avg"),
    ],
);
/// Attributes of `vision.roi_pool`.
pub(in crate::operators) static ROI_POOL: AttrsType =
    free("ROIPoolAttrs", &[need(Ints, "pooled_size"), need(Float, "spatial_scale"), text("layout", "NCHW")]);
/// Attributes of `vision.proposal`.
pub(in crate::operators) static PROPOSAL: AttrsType = free(
    "ProposalAttrs",
    &[
        floats("scales", &[4.0, 8.0, 16.0, 32.0]),
        floats("ratios", &[0.5, 1.0, 2.0]),
        int("feature_stride", 16),
        float("threshold", 0.7),
        int("rpn_pre_nms_top_n", 6000),
        int("rpn_post_nms_top_n", 300),
        int("rpn_min_size", 16),
        flag("iou_loss", false),
    ],
);
/// Attributes of `vision.get_valid_counts`.
pub(in crate::operators) static GET_VALID_COUNTS: AttrsType = free(
    "GetValidCountsAttrs",
    &[maybe(Float, "score_threshold").boxed(), int("id_index", 0), int("score_index", 1)],
);
/// Attributes of `vision.non_max_suppression`.
pub(in crate::operators) static NON_MAX_SUPPRESSION: AttrsType = free(
    "NonMaximumSuppressionAttrs",
    &[
        flag("force_suppress", false),
        int("top_k", -1),
        int("coord_start", 2),
        int("score_index", 1),
        int("id_index", 0),
        flag("return_indices", true),
        flag("invalid_to_bottom", false),
    ],
);
/// Attributes of `vision.all_class_non_max_suppression`.
pub(in crate::operators) static ALL_CLASS_NMS: AttrsType =
    free("AllClassNonMaximumSuppressionAttrs", &[text("output_format", "onnx")]);
/// Attributes of `vision.regular_non_max_suppression`.
pub(in crate::operators) static REGULAR_NMS: AttrsType = free(
    "RegularNonMaximumSuppressionAttrs",
    &[
        need(Int, "max_detections_per_class"),
        need(Int, "max_detections"),
        need(Int, "num_classes"),
        need(Float, "iou_threshold"),
        need(Float, "score_threshold"),
    ],
);
