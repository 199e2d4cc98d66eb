//! `dyn.*`: operators with shapes given by arguments.

use super::super::Pattern::{Broadcast, Elemwise, Injective, Opaque, OutEwiseFusable};
use super::super::attributes::{image, nn, tensor};
use super::{Operator, op};
use crate::relation::Relation as R;

pub(super) static OPERATORS: &[Operator] = &[
    op("dyn.broadcast_to", &["data", "shape"], Broadcast, R::DynamicBroadCastTo).attrs(&tensor::INIT_OP),
    op("dyn.expand_dims", &["data", "axis"], Injective, R::DynamicExpandDims).attrs(&tensor::DYN_EXPAND_DIMS),
    op("dyn.full", &["fill_value", "shape"], Elemwise, R::DynamicFull).attrs(&tensor::INIT_OP),
    op("dyn.image.resize2d", &["data", "size", "roi"], Injective, R::DynResize2D).attrs(&image::RESIZE2D),
    op("dyn.nn.pad", &["data", "pad_width", "pad_val"], Injective, R::DynamicPad).attrs(&nn::PAD),
    op("dyn.nn.upsampling", &["data", "scale_h", "scale_w"], Injective, R::DynamicUpSampling)
        .attrs(&nn::UP_SAMPLING),
    op("dyn.nn.upsampling3d", &["data", "scale_d", "scale_h", "scale_w"], Injective, R::DynamicUpSampling3D)
        .attrs(&nn::UP_SAMPLING3D),
    op("dyn.one_hot", &["indices", "on_value", "off_value", "depth"], OutEwiseFusable, R::DynOneHot)
        .attrs(&tensor::ONE_HOT),
    op("dyn.ones", &["shape"], Elemwise, R::DynamicInitOp).attrs(&tensor::INIT_OP),
    op("dyn.reshape", &["data", "newshape"], Injective, R::DynamicReshape).attrs(&tensor::RESHAPE).view(),
    op(
        "dyn.sparse_to_dense",
        &["sparse_indices", "sparse_values", "default_value", "output_shape"],
        Opaque,
        R::DynSparseToDense,
    ),
    op("dyn.squeeze", &["data", "axes"], Injective, R::DynSqueeze).attrs(&tensor::SQUEEZE).view(),
    op("dyn.strided_slice", &["data", "begin", "end", "strides"], Injective, R::DynStridedSlice)
        .attrs(&tensor::STRIDED_SLICE),
    op("dyn.tile", &["data", "reps"], Injective, R::DynamicTile).attrs(&tensor::TILE),
    op("dyn.topk", &["data", "k"], Opaque, R::DynTopK).attrs(&tensor::TOPK),
    op("dyn.zeros", &["shape"], Elemwise, R::DynamicInitOp).attrs(&tensor::INIT_OP),
];
