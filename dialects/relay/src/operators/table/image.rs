//! `image.*`, `vision.*` and `random.*`.

use super::super::Pattern::{Injective, Opaque, OutEwiseFusable};
use super::super::attributes::image;
use super::{Operator, op};
use crate::relation::Relation as R;

pub(super) static OPERATORS: &[Operator] = &[
    op("image.affine_grid", &["data"], Injective, R::AffineGrid).attrs(&image::AFFINE_GRID),
    op("image.crop_and_resize", &["data", "boxes", "box_indices"], Injective, R::CropAndResize)
        .attrs(&image::CROP_AND_RESIZE),
    op("image.dilation2d", &["data", "weight"], OutEwiseFusable, R::Dilation2D).attrs(&image::DILATION2D),
    op("image.grid_sample", &["data", "grid"], Injective, R::GridSample).attrs(&image::GRID_SAMPLE),
    op("image.resize1d", &["data"], Injective, R::Resize1D).attrs(&image::RESIZE1D),
    op("image.resize2d", &["data"], Injective, R::Resize2D).attrs(&image::RESIZE2D),
    op("image.resize3d", &["data"], Injective, R::Resize3d).attrs(&image::RESIZE3D),
    op("random.multinomial", &["key", "probs"], Opaque, R::Multinomial).attrs(&image::MULTINOMIAL),
    op("random.normal", &["key", "mean", "scale"], Opaque, R::Normal).attrs(&image::NORMAL),
    op("random.threefry_generate", &["key"], Opaque, R::ThreefryGenerate).attrs(&image::THREEFRY_GENERATE),
    op("random.threefry_split", &["key"], Opaque, R::ThreefrySplit),
    op("random.uniform", &["key", "low", "high"], Opaque, R::Uniform).attrs(&image::UNIFORM),
    op(
        "vision.all_class_non_max_suppression",
        &["boxes", "scores", "max_output_boxes_per_class", "iou_threshold", "score_threshold"],
        Opaque,
        R::AllClassNms,
    )
    .attrs(&image::ALL_CLASS_NMS),
    op("vision.get_valid_counts", &["data", "score_threshold"], Opaque, R::GetValidCount)
        .attrs(&image::GET_VALID_COUNTS),
    op("vision.multibox_prior", &["data"], Opaque, R::MultiBoxPrior).attrs(&image::MULTI_BOX_PRIOR),
    op("vision.multibox_transform_loc", &["cls_prob", "loc_pred", "anchor"], Opaque, R::MultiBoxTransformLoc)
        .attrs(&image::MULTI_BOX_TRANSFORM_LOC),
    op(
        "vision.non_max_suppression",
        &["data", "valid_count", "indices", "max_output_size", "iou_threshold"],
        Opaque,
        R::Nms,
    )
    .attrs(&image::NON_MAX_SUPPRESSION),
    op("vision.proposal", &["cls_prob", "bbox_pred", "im_info"], Opaque, R::Proposal).attrs(&image::PROPOSAL),
    op("vision.regular_non_max_suppression", &["boxes", "scores"], Opaque, R::RegularNms)
        .attrs(&image::REGULAR_NMS),
    op("vision.roi_align", &["data", "rois"], OutEwiseFusable, R::RoiAlign).attrs(&image::ROI_ALIGN),
    op("vision.roi_pool", &["data", "rois"], OutEwiseFusable, R::RoiPool).attrs(&image::ROI_POOL),
    op("vision.yolo_reorg", &["data"], Injective, R::YoloReorg).attrs(&image::YOLO_REORG),
];
