//! Attributes of other neural network operators: pooling, normalization, layout.

use super::super::FieldKind::{Float, Int, IntLists, Ints};
use super::{AttrsType, flag, float, free, int, ints, named, need, text};

pub(in crate::operators) static AVG_POOL1D: AttrsType = named(
    "AvgPool1DAttrs",
    &[
        need(Ints, "pool_size"),
        ints("strides", &[1]),
        ints("dilation", &[1]),
        ints("padding", &[0]),
        text("layout", "NCW"),
        text("out_layout", ""),
        flag("ceil_mode", false),
        flag("count_include_pad", false),
    ],
);
pub(in crate::operators) static AVG_POOL2D: AttrsType = named(
    "AvgPool2DAttrs",
    &[
        need(Ints, "pool_size"),
        ints("strides", &[1, 1]),
        ints("dilation", &[1, 1]),
        ints("padding", &[0, 0]),
        text("layout", "NCHW"),
        text("out_layout", ""),
        flag("ceil_mode", false),
        flag("count_include_pad", false),
    ],
);
pub(in crate::operators) static AVG_POOL3D: AttrsType = named(
    "AvgPool3DAttrs",
    &[
        need(Ints, "pool_size"),
        ints("strides", &[1, 1, 1]),
        ints("dilation", &[1, 1, 1]),
        ints("padding", &[0, 0, 0]),
        text("layout", "NCDHW"),
        text("out_layout", ""),
        flag("ceil_mode", false),
        flag("count_include_pad", false),
    ],
);
pub(in crate::operators) static MAX_POOL1D: AttrsType = named(
    "MaxPool1DAttrs",
    &[
        need(Ints, "pool_size"),
        ints("strides", &[1]),
        ints("dilation", &[1]),
        ints("padding", &[0]),
        text("layout", "NCW"),
        text("out_layout", ""),
        flag("ceil_mode", false),
    ],
);
pub(in crate::operators) static MAX_POOL2D: AttrsType = named(
    "MaxPool2DAttrs",
    &[
        need(Ints, "pool_size"),
        ints("strides", &[1, 1]),
        ints("dilation", &[1, 1]),
        ints("padding", &[0, 0]),
        text("layout", "NCHW"),
        text("out_layout", ""),
        flag("ceil_mode", false),
    ],
);
pub(in crate::operators) static MAX_POOL3D: AttrsType = named(
    "MaxPool3DAttrs",
    &[
        need(Ints, "pool_size"),
        ints("strides", &[1, 1, 1]),
        ints("dilation", &[1, 1, 1]),
        ints("padding", &[0, 0, 0]),
        text("layout", "NCDHW"),
        text("out_layout", ""),
        flag("ceil_mode", false),
    ],
);
pub(in crate::operators) static GLOBAL_POOL2D: AttrsType =
    named("GlobalPool2DAttrs", &[text("layout", "NCHW"), text("out_layout", "")]);
pub(in crate::operators) static ADAPTIVE_POOL1D: AttrsType =
    named("AdaptivePool1DAttrs", &[ints("output_size", &[]), text("layout", "NCW"), text("out_layout", "")]);
pub(in crate::operators) static ADAPTIVE_POOL2D: AttrsType =
    named("AdaptivePool2DAttrs", &[ints("output_size", &[]), text("layout", "NCHW"), text("out_layout", "")]);
pub(in crate::operators) static ADAPTIVE_POOL3D: AttrsType = named(
    "AdaptivePool3DAttrs",
    &[ints("output_size", &[]), text("layout", "NCDHW"), text("out_layout", "")],
);
pub(in crate::operators) static BATCH_NORM: AttrsType = named(
    "BatchNormAttrs",
    &[int("axis", 1), float("epsilon", 1e-5), flag("center", true), flag("scale", true)],
);
pub(in crate::operators) static LAYER_NORM: AttrsType = named(
    "LayerNormAttrs",
    &[int("axis", -1), float("epsilon", 1e-5), flag("center", true), flag("scale", true)],
);
pub(in crate::operators) static GROUP_NORM: AttrsType = named(
    "GroupNormAttrs",
    &[
        int("num_groups", 0),
        int("axis", 1),
        float("epsilon", 1e-5),
        flag("center", true),
        flag("scale", true),
    ],
);
pub(in crate::operators) static INSTANCE_NORM: AttrsType = named(
    "InstanceNormAttrs",
    &[int("axis", 1), float("epsilon", 1e-5), flag("center", true), flag("scale", true)],
);
pub(in crate::operators) static L2_NORMALIZE: AttrsType =
    named("L2NormalizeAttrs", &[need(Float, "eps"), need(Ints, "axis")]);
pub(in crate::operators) static LRN: AttrsType = named(
    "LRNAttrs",
    &[int("size", 5), int("axis", 1), float("bias", 2.0), float("alpha", 0.0001), float("beta", 0.75)],
);
pub(in crate::operators) static SOFTMAX: AttrsType = named("SoftmaxAttrs", &[int("axis", -1)]);
pub(in crate::operators) static BIAS_ADD: AttrsType = named("BiasAddAttrs", &[int("axis", 1)]);
pub(in crate::operators) static LEAKY_RELU: AttrsType =
    named("LeakyReluAttrs", &[float("alpha", 0.25).at_least(0)]);
pub(in crate::operators) static P_RELU: AttrsType = named("PReluAttrs", &[int("axis", 1)]);
pub(in crate::operators) static DROPOUT: AttrsType = named("DropoutAttrs", &[float("rate", 0.5)]);
pub(in crate::operators) static PAD: AttrsType =
    named("PadAttrs", &[need(IntLists, "pad_width"), text("pad_mode", "constant")]);
pub(in crate::operators) static MIRROR_PAD: AttrsType =
    named("MirrorPadAttrs", &[text("mode", "SYMMETRIC"), need(IntLists, "pad_width")]);
pub(in crate::operators) static UP_SAMPLING: AttrsType = named(
    "UpSamplingAttrs",
    &[
        need(Float, "scale_h"),
        need(Float, "scale_w"),
        text("layout", "NCHW"),
        text("method", "nearest_neighbor"),
        flag("align_corners", false),
    ],
);
pub(in crate::operators) static UP_SAMPLING3D: AttrsType = named(
    "UpSampling3DAttrs",
    &[
        need(Float, "scale_d"),
        need(Float, "scale_h"),
        need(Float, "scale_w"),
        text("layout", "NCDHW"),
        text("method", "nearest_neighbor"),
        text("coordinate_transformation_mode", "half_pixel"),
    ],
);
pub(in crate::operators) static SUB_PIXEL: AttrsType =
    named("SubPixelAttrs", &[int("block_size", 1), text("layout", "NCHW"), text("mode", "DCR")]);
pub(in crate::operators) static SPACE_TO_BATCH_ND: AttrsType = named(
    "SpaceToBatchNDAttrs",
    &[ints("block_shape", &[1, 1]), need(IntLists, "paddings"), float("pad_value", 0.0)],
);
pub(in crate::operators) static BATCH_TO_SPACE_ND: AttrsType =
    named("BatchToSpaceNDAttrs", &[ints("block_shape", &[1, 1]), need(IntLists, "crops")]);
pub(in crate::operators) static FIFO_BUFFER: AttrsType = named("FIFOBufferAttrs", &[int("axis", 0)]);
pub(in crate::operators) static NLL_LOSS: AttrsType =
    named("NLLLossAttrs", &[text("reduction", "mean"), need(Int, "ignore_index")]);
/// Attributes of `nn.dilate`.
pub(in crate::operators) static DILATE: AttrsType =
    free("DilateAttrs", &[need(Ints, "strides"), float("dilation_value", 0.0)]);
