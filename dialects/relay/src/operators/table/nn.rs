//! `nn.*`.

use super::super::Pattern::{Broadcast, Elemwise, Injective, Opaque, OutEwiseFusable, Unknown};
use super::super::attributes::{conv, nn};
use super::{Operator, op};
use crate::relation::Relation as R;

pub(super) static OPERATORS: &[Operator] = &[
    op("nn.adaptive_avg_pool1d", &["data"], OutEwiseFusable, R::AdaptiveAvgPool1D)
        .attrs(&nn::ADAPTIVE_POOL1D),
    op("nn.adaptive_avg_pool2d", &["data"], OutEwiseFusable, R::AdaptiveAvgPool2D)
        .attrs(&nn::ADAPTIVE_POOL2D),
    op("nn.adaptive_avg_pool3d", &["data"], OutEwiseFusable, R::AdaptiveAvgPool3D)
        .attrs(&nn::ADAPTIVE_POOL3D),
    op("nn.adaptive_max_pool1d", &["data"], OutEwiseFusable, R::AdaptiveMaxPool1D)
        .attrs(&nn::ADAPTIVE_POOL1D),
    op("nn.adaptive_max_pool2d", &["data"], OutEwiseFusable, R::AdaptiveMaxPool2D)
        .attrs(&nn::ADAPTIVE_POOL2D),
    op("nn.adaptive_max_pool3d", &["data"], OutEwiseFusable, R::AdaptiveMaxPool3D)
        .attrs(&nn::ADAPTIVE_POOL3D),
    op("nn.avg_pool1d", &["data"], OutEwiseFusable, R::AvgPool1D).attrs(&nn::AVG_POOL1D),
    op("nn.avg_pool2d", &["data"], OutEwiseFusable, R::AvgPool2D).attrs(&nn::AVG_POOL2D),
    op("nn.avg_pool2d_grad", &["data", "grad"], OutEwiseFusable, R::MaxPool2DGrad).attrs(&nn::MAX_POOL2D),
    op("nn.avg_pool3d", &["data"], OutEwiseFusable, R::AvgPool3D).attrs(&nn::AVG_POOL3D),
    op("nn.batch_flatten", &["data"], Injective, R::BatchFlatten).view(),
    op("nn.batch_matmul", &["tensor_a", "tensor_b"], OutEwiseFusable, R::BatchMatmul)
        .attrs(&conv::BATCH_MATMUL),
    op(
        "nn.batch_norm",
        &["data", "gamma", "beta", "moving_mean", "moving_var"],
        OutEwiseFusable,
        R::BatchNorm,
    )
    .attrs(&nn::BATCH_NORM),
    op("nn.batch_to_space_nd", &["data"], Injective, R::BatchToSpaceNd).attrs(&nn::BATCH_TO_SPACE_ND),
    op("nn.bias_add", &["data", "bias"], Broadcast, R::BiasAdd).attrs(&nn::BIAS_ADD),
    op("nn.bitpack", &["data"], Injective, R::BitPack).attrs(&conv::BIT_PACK),
    op("nn.bitserial_conv2d", &["data", "weight"], OutEwiseFusable, R::BinaryConv2D)
        .attrs(&conv::BINARY_CONV2D),
    op("nn.bitserial_dense", &["data", "weight"], OutEwiseFusable, R::BinaryDense).attrs(&conv::BINARY_DENSE),
    op("nn.contrib_conv2d_NCHWc", &["data", "weight"], OutEwiseFusable, R::Conv2DnchWc).attrs(&conv::CONV2D),
    op(
        "nn.contrib_conv2d_gemm_weight_transform",
        &["weights"],
        OutEwiseFusable,
        R::Conv2DGemmWeightTransform,
    )
    .attrs(&conv::CONV_GEMM_WEIGHT_TRANSFORM),
    op(
        "nn.contrib_conv2d_gemm_without_weight_transform",
        &["data", "weight"],
        OutEwiseFusable,
        R::Conv2DGemm,
    )
    .attrs(&conv::CONV2D),
    op(
        "nn.contrib_conv2d_winograd_nnpack_weight_transform",
        &["weight"],
        Opaque,
        R::Conv2DWinogradNnpackWeightTransform,
    )
    .attrs(&conv::CONV2D_WINOGRAD_NNPACK_WEIGHT_TRANSFORM),
    op(
        "nn.contrib_conv2d_winograd_weight_transform",
        &["weight"],
        OutEwiseFusable,
        R::Conv2DWinogradWeightTransform,
    )
    .attrs(&conv::CONV_WINOGRAD_WEIGHT_TRANSFORM),
    op(
        "nn.contrib_conv2d_winograd_without_weight_transform",
        &["data", "weight"],
        OutEwiseFusable,
        R::Conv2DWinograd,
    )
    .attrs(&conv::CONV2D_WINOGRAD),
    op(
        "nn.contrib_conv3d_winograd_weight_transform",
        &["weight"],
        OutEwiseFusable,
        R::Conv3DWinogradWeightTransform,
    )
    .attrs(&conv::CONV_WINOGRAD_WEIGHT_TRANSFORM),
    op(
        "nn.contrib_conv3d_winograd_without_weight_transform",
        &["data", "weight"],
        OutEwiseFusable,
        R::Conv3DWinograd,
    )
    .attrs(&conv::CONV3D_WINOGRAD),
    op("nn.contrib_dense_pack", &["data", "weight"], OutEwiseFusable, R::DensePack).attrs(&conv::DENSE),
    op("nn.contrib_depthwise_conv2d_NCHWc", &["data", "weight"], OutEwiseFusable, R::Conv2D)
        .attrs(&conv::CONV2D),
    op("nn.conv1d", &["data", "weight"], OutEwiseFusable, R::Conv1D).attrs(&conv::CONV1D),
    op("nn.conv1d_transpose", &["data", "weight"], OutEwiseFusable, R::Conv1DTranspose)
        .attrs(&conv::CONV1D_TRANSPOSE),
    op("nn.conv2d", &["data", "weight"], OutEwiseFusable, R::Conv2D).attrs(&conv::CONV2D),
    op("nn.conv2d_backward_weight", &["grad", "data"], OutEwiseFusable, R::Conv2DBackwardWeight)
        .attrs(&conv::CONV2D),
    op("nn.conv2d_transpose", &["data", "weight"], OutEwiseFusable, R::Conv2DTranspose)
        .attrs(&conv::CONV2D_TRANSPOSE),
    op("nn.conv3d", &["data", "weight"], OutEwiseFusable, R::Conv3D).attrs(&conv::CONV3D),
    op("nn.conv3d_transpose", &["data", "weight"], OutEwiseFusable, R::Conv3DTranspose)
        .attrs(&conv::CONV3D_TRANSPOSE),
    op("nn.correlation", &["data1", "data2"], OutEwiseFusable, R::Correlation).attrs(&conv::CORRELATION),
    op("nn.cross_entropy", &["x", "y"], Opaque, R::CrossEntropy),
    op("nn.cross_entropy_with_logits", &["x", "y"], Opaque, R::CrossEntropy),
    op("nn.deformable_conv2d", &["data", "offset", "weight"], OutEwiseFusable, R::DeformableConv2D)
        .attrs(&conv::DEFORMABLE_CONV2D),
    op("nn.dense", &["data", "weight"], OutEwiseFusable, R::Dense).attrs(&conv::DENSE),
    op("nn.depth_to_space", &["data"], Injective, R::DepthToSpace).attrs(&nn::SUB_PIXEL),
    op("nn.dilate", &["x"], Injective, R::Dilate).attrs(&nn::DILATE),
    op("nn.dropout", &["data"], Opaque, R::Dropout).attrs(&nn::DROPOUT).stateful(),
    op("nn.fast_softmax", &["data"], OutEwiseFusable, R::Softmax).attrs(&nn::SOFTMAX),
    op("nn.fifo_buffer", &["data", "buffer"], Opaque, R::FifoBuffer).attrs(&nn::FIFO_BUFFER),
    op("nn.global_avg_pool2d", &["data"], OutEwiseFusable, R::GlobalAvgPool2D).attrs(&nn::GLOBAL_POOL2D),
    op("nn.global_max_pool2d", &["data"], OutEwiseFusable, R::GlobalMaxPool2D).attrs(&nn::GLOBAL_POOL2D),
    op("nn.group_norm", &["data", "gamma", "beta"], Unknown, R::GroupNorm).attrs(&nn::GROUP_NORM),
    op("nn.instance_norm", &["data", "gamma", "beta"], Unknown, R::InstanceNorm).attrs(&nn::INSTANCE_NORM),
    op(
        "nn.internal.sparse_dense_padded",
        &["data", "weight_data", "weight_indices", "weight_indptr"],
        OutEwiseFusable,
        R::SparseDense,
    )
    .attrs(&conv::SPARSE_DENSE),
    op("nn.l2_normalize", &["data"], Unknown, R::Identity).attrs(&nn::L2_NORMALIZE),
    op("nn.layer_norm", &["data", "gamma", "beta"], Unknown, R::LayerNorm).attrs(&nn::LAYER_NORM),
    op("nn.leaky_relu", &["data"], Elemwise, R::Identity).attrs(&nn::LEAKY_RELU),
    op("nn.log_softmax", &["data"], OutEwiseFusable, R::Softmax).attrs(&nn::SOFTMAX),
    op("nn.lrn", &["data"], Opaque, R::Identity).attrs(&nn::LRN),
    op("nn.matmul", &["tensor_a", "tensor_b"], OutEwiseFusable, R::Matmul).attrs(&conv::MATMUL),
    op("nn.max_pool1d", &["data"], OutEwiseFusable, R::MaxPool1D).attrs(&nn::MAX_POOL1D),
    op("nn.max_pool2d", &["data"], OutEwiseFusable, R::MaxPool2D).attrs(&nn::MAX_POOL2D),
    op("nn.max_pool2d_grad", &["data", "grad"], OutEwiseFusable, R::MaxPool2DGrad).attrs(&nn::MAX_POOL2D),
    op("nn.max_pool3d", &["data"], OutEwiseFusable, R::MaxPool3D).attrs(&nn::MAX_POOL3D),
    op("nn.mirror_pad", &["data"], Injective, R::MirrorPad).attrs(&nn::MIRROR_PAD),
    op("nn.nll_loss", &["predictions", "targets", "weights"], OutEwiseFusable, R::NllLoss)
        .attrs(&nn::NLL_LOSS),
    op("nn.pad", &["data", "pad_val"], Injective, R::Pad).attrs(&nn::PAD),
    op("nn.prelu", &["data", "alpha"], Broadcast, R::PRelu).attrs(&nn::P_RELU),
    op("nn.relu", &["data"], Elemwise, R::Identity),
    op("nn.softmax", &["data"], OutEwiseFusable, R::Softmax).attrs(&nn::SOFTMAX),
    op("nn.space_to_batch_nd", &["data"], Injective, R::SpaceToBatchNd).attrs(&nn::SPACE_TO_BATCH_ND),
    op("nn.space_to_depth", &["data"], Injective, R::SpaceToDepth).attrs(&nn::SUB_PIXEL),
    op(
        "nn.sparse_add",
        &["dense_data", "sparse_data", "sparse_indices", "sparse_indptr"],
        Opaque,
        R::SparseAdd,
    ),
    op(
        "nn.sparse_conv2d",
        &["dense_data", "sparse_data", "sparse_indices", "sparse_indptr"],
        OutEwiseFusable,
        R::SparseConv2d,
    )
    .attrs(&conv::SPARSE_CONV2D),
    op(
        "nn.sparse_dense",
        &["dense_data", "sparse_data", "sparse_indices", "sparse_indptr"],
        OutEwiseFusable,
        R::SparseDense,
    )
    .attrs(&conv::SPARSE_DENSE),
    op(
        "nn.sparse_transpose",
        &["sparse_data", "sparse_indices", "sparse_indptr"],
        OutEwiseFusable,
        R::SparseTranspose,
    )
    .attrs(&conv::SPARSE_TRANSPOSE),
    op("nn.upsampling", &["data"], Injective, R::UpSampling).attrs(&nn::UP_SAMPLING),
    op("nn.upsampling3d", &["data"], Injective, R::UpSampling3D).attrs(&nn::UP_SAMPLING3D),
];
