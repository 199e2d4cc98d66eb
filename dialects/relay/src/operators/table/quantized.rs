//! `qnn.*`.

use super::super::Pattern::{Broadcast, Elemwise, Injective, OutEwiseFusable, Unknown};
use super::super::attributes::{conv, nn, quantized, tensor};
use super::{Operator, op};
use crate::relation::Relation as R;

pub(super) static OPERATORS: &[Operator] = &[
    op(
        "qnn.abs",
        &["data", "scale", "zero_point", "output_scale", "output_zero_point"],
        Unknown,
        R::QnnUnary,
    )
    .no_kernel(),
    op(
        "qnn.add",
        &[
            "lhs",
            "rhs",
            "lhs_scale",
            "lhs_zero_point",
            "rhs_scale",
            "rhs_zero_point",
            "output_scale",
            "output_zero_point",
        ],
        Broadcast,
        R::QnnBroadcast,
    )
    .attrs(&quantized::BROADCAST)
    .no_kernel(),
    op(
        "qnn.avg_pool2d",
        &["data", "input_scale", "input_zero_point", "output_scale", "output_zero_point"],
        OutEwiseFusable,
        R::QnnAvgPool2D,
    )
    .attrs(&nn::AVG_POOL2D),
    op(
        "qnn.batch_matmul",
        &["x", "y", "x_scale", "x_zero_point", "y_scale", "y_zero_point"],
        OutEwiseFusable,
        R::QBatchMatmul,
    )
    .attrs(&conv::BATCH_MATMUL)
    .no_kernel(),
    op(
        "qnn.concatenate",
        &["data", "input_scales", "input_zero_points", "output_scale", "output_zero_point"],
        Injective,
        R::QnnConcatenate,
    )
    .attrs(&tensor::CONCATENATE)
    .no_kernel(),
    op(
        "qnn.contrib_dense_pack",
        &["data", "weight", "input_scale", "input_zero_point", "weight_scale", "weight_zero_point"],
        OutEwiseFusable,
        R::QnnDensePack,
    )
    .attrs(&conv::DENSE_PACK)
    .no_kernel(),
    op(
        "qnn.conv2d",
        &["data", "weight", "input_scale", "input_zero_point", "weight_scale", "weight_zero_point"],
        OutEwiseFusable,
        R::QnnConv2D,
    )
    .attrs(&conv::CONV2D)
    .no_kernel(),
    op(
        "qnn.conv2d_transpose",
        &["data", "weight", "input_scale", "input_zero_point", "weight_scale", "weight_zero_point"],
        Unknown,
        R::QnnConv2DTranspose,
    )
    .attrs(&conv::CONV2D_TRANSPOSE)
    .no_kernel(),
    op(
        "qnn.dense",
        &["data", "weight", "input_scale", "input_zero_point", "weight_scale", "weight_zero_point"],
        OutEwiseFusable,
        R::QDense,
    )
    .attrs(&conv::DENSE)
    .no_kernel(),
    op("qnn.dequantize", &["data", "input_scale", "input_zero_point"], Elemwise, R::Dequantize)
        .attrs(&quantized::DEQUANTIZE)
        .no_kernel(),
    op(
        "qnn.erf",
        &["data", "scale", "zero_point", "output_scale", "output_zero_point"],
        Unknown,
        R::QnnUnary,
    )
    .no_kernel(),
    op(
        "qnn.exp",
        &["data", "scale", "zero_point", "output_scale", "output_zero_point"],
        Unknown,
        R::QnnUnary,
    )
    .no_kernel(),
    op(
        "qnn.hardswish",
        &["data", "scale", "zero_point", "output_scale", "output_zero_point"],
        Unknown,
        R::QnnUnary,
    )
    .no_kernel(),
    op(
        "qnn.leaky_relu",
        &["data", "input_scale", "input_zero_point", "output_scale", "output_zero_point"],
        Unknown,
        R::QLeakyRelu,
    )
    .attrs(&nn::LEAKY_RELU)
    .no_kernel(),
    op(
        "qnn.log",
        &["data", "scale", "zero_point", "output_scale", "output_zero_point"],
        Unknown,
        R::QnnUnary,
    )
    .no_kernel(),
    op(
        "qnn.mul",
        &[
            "lhs",
            "rhs",
            "lhs_scale",
            "lhs_zero_point",
            "rhs_scale",
            "rhs_zero_point",
            "output_scale",
            "output_zero_point",
        ],
        Broadcast,
        R::QnnBroadcast,
    )
    .attrs(&quantized::BROADCAST)
    .no_kernel(),
    op("qnn.quantize", &["data", "output_scale", "output_zero_point"], Elemwise, R::Quantize)
        .attrs(&quantized::QUANTIZE)
        .no_kernel(),
    op(
        "qnn.requantize",
        &["data", "input_scale", "input_zero_point", "output_scale", "output_zero_point"],
        Elemwise,
        R::Requantize,
    )
    .attrs(&quantized::REQUANTIZE)
    .no_kernel(),
    op(
        "qnn.rsqrt",
        &["data", "scale", "zero_point", "output_scale", "output_zero_point"],
        Unknown,
        R::QnnUnary,
    )
    .no_kernel(),
    op(
        "qnn.sigmoid",
        &["data", "scale", "zero_point", "output_scale", "output_zero_point"],
        Unknown,
        R::QnnUnary,
    )
    .no_kernel(),
    op(
        "qnn.simulated_dequantize",
        &["data", "in_dtype", "input_scale", "input_zero_point"],
        Elemwise,
        R::QnnSimulatedDequantize,
    )
    .attrs(&quantized::DEQUANTIZE),
    op(
        "qnn.simulated_quantize",
        &["data", "out_dtype", "output_scale", "output_zero_point"],
        Elemwise,
        R::QnnSimulatedQuantize,
    )
    .attrs(&quantized::SIMULATED_QUANTIZE),
    op(
        "qnn.softmax",
        &["data", "scale", "zero_point", "output_scale", "output_zero_point"],
        Unknown,
        R::QSoftmax,
    )
    .attrs(&nn::SOFTMAX)
    .no_kernel(),
    op(
        "qnn.sqrt",
        &["data", "scale", "zero_point", "output_scale", "output_zero_point"],
        Unknown,
        R::QnnUnary,
    )
    .no_kernel(),
    op(
        "qnn.subtract",
        &[
            "lhs",
            "rhs",
            "lhs_scale",
            "lhs_zero_point",
            "rhs_scale",
            "rhs_zero_point",
            "output_scale",
            "output_zero_point",
        ],
        Broadcast,
        R::QnnBroadcast,
    )
    .attrs(&quantized::BROADCAST)
    .no_kernel(),
    op(
        "qnn.tanh",
        &["data", "scale", "zero_point", "output_scale", "output_zero_point"],
        Elemwise,
        R::QnnUnary,
    )
    .no_kernel(),
];
