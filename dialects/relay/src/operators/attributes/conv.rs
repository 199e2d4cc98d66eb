//! Attributes of convolutions and matrix products.

use super::super::FieldKind::{DType, Int, Ints};
use super::{AttrsType, flag, int, ints, maybe, named, need, text};

pub(in crate::operators) static CONV1D: AttrsType = named(
    "Conv1DAttrs",
    &[
        ints("strides", &[1]),
        ints("padding", &[0, 0]),
        ints("dilation", &[1]),
        int("groups", 1),
        maybe(Int, "channels"),
        maybe(Ints, "kernel_size"),
        text("data_layout", "NCW"),
        text("kernel_layout", "OIW"),
        text("out_layout", ""),
        maybe(DType, "out_dtype"),
    ],
);
pub(in crate::operators) static CONV2D: AttrsType = named(
    "Conv2DAttrs",
    &[
        ints("strides", &[1, 1]),
        ints("padding", &[0, 0]),
        ints("dilation", &[1, 1]),
        int("groups", 1),
        maybe(Int, "channels"),
        maybe(Ints, "kernel_size"),
        text("data_layout", "NCHW"),
        text("kernel_layout", "OIHW"),
        text("out_layout", ""),
        maybe(DType, "out_dtype"),
    ],
);
pub(in crate::operators) static CONV3D: AttrsType = named(
    "Conv3DAttrs",
    &[
        ints("strides", &[1, 1, 1]),
        ints("padding", &[0, 0, 0]),
        ints("dilation", &[1, 1, 1]),
        int("groups", 1),
        maybe(Int, "channels"),
        maybe(Ints, "kernel_size"),
        text("data_layout", "NCDHW"),
        text("kernel_layout", "OIDHW"),
        text("out_layout", ""),
        maybe(DType, "out_dtype"),
    ],
);
pub(in crate::operators) static CONV1D_TRANSPOSE: AttrsType = named(
    "Conv1DTransposeAttrs",
    &[
        maybe(Int, "channels"),
        maybe(Ints, "kernel_size"),
        ints("strides", &[1]),
        ints("output_padding", &[0]),
        ints("padding", &[0]),
        ints("dilation", &[1]),
        int("groups", 1),
        text("data_layout", "NCW"),
        text("kernel_layout", "IOW"),
        text("out_layout", ""),
        maybe(DType, "out_dtype"),
    ],
);
pub(in crate::operators) static CONV2D_TRANSPOSE: AttrsType = named(
    "Conv2DTransposeAttrs",
    &[
        maybe(Int, "channels"),
        maybe(Ints, "kernel_size"),
        ints("strides", &[1, 1]),
        ints("output_padding", &[0, 0]),
        ints("padding", &[0, 0]),
        ints("dilation", &[1, 1]),
        int("groups", 1),
        text("data_layout", "NCHW"),
        text("kernel_layout", "IOHW"),
        text("out_layout", ""),
        maybe(DType, "out_dtype"),
    ],
);
pub(in crate::operators) static CONV3D_TRANSPOSE: AttrsType = named(
    "Conv3DTransposeAttrs",
    &[
        maybe(Int, "channels"),
        maybe(Ints, "kernel_size"),
        ints("strides", &[1, 1, 1]),
        ints("output_padding", &[0, 0, 0]),
        ints("padding", &[0, 0, 0]),
        ints("dilation", &[1, 1, 1]),
        int("groups", 1),
        text("data_layout", "NCDHW"),
        text("kernel_layout", "IODHW"),
        text("out_layout", ""),
        maybe(DType, "out_dtype"),
    ],
);
pub(in crate::operators) static CONV2D_WINOGRAD: AttrsType = named(
    "Conv2DWinogradAttrs",
    &[
        need(Int, "tile_size"),
        ints("strides", &[1, 1]),
        ints("padding", &[0, 0]),
        ints("dilation", &[1, 1]),
        int("groups", 1),
        maybe(Int, "channels"),
        maybe(Ints, "kernel_size"),
        text("data_layout", "NCHW"),
        text("kernel_layout", "OIHW"),
        text("out_layout", ""),
        maybe(DType, "out_dtype"),
    ],
);
pub(in crate::operators) static CONV3D_WINOGRAD: AttrsType = named(
    "Conv3DWinogradAttrs",
    &[
        need(Int, "tile_size"),
        ints("strides", &[1, 1, 1]),
        ints("padding", &[0, 0, 0]),
        ints("dilation", &[1, 1, 1]),
        int("groups", 1),
        maybe(Int, "channels"),
        maybe(Ints, "kernel_size"),
        text("data_layout", "NCDHW"),
        text("kernel_layout", "OIDHW"),
        text("out_layout", ""),
        maybe(DType, "out_dtype"),
    ],
);
pub(in crate::operators) static CONV_WINOGRAD_WEIGHT_TRANSFORM: AttrsType =
    named("ConvWinogradWeightTransformAttrs", &[need(Int, "tile_size")]);
pub(in crate::operators) static CONV2D_WINOGRAD_NNPACK_WEIGHT_TRANSFORM: AttrsType = named(
    "Conv2DWinogradNNPACKWeightTransformAttrs",
    &[need(Int, "convolution_algorithm"), maybe(DType, "out_dtype")],
);
pub(in crate::operators) static CONV_GEMM_WEIGHT_TRANSFORM: AttrsType =
    named("ConvGemmWeightTransformAttrs", &[need(Int, "tile_N"), need(Int, "tile_K")]);
pub(in crate::operators) static DEFORMABLE_CONV2D: AttrsType = named(
    "DeformableConv2DAttrs",
    &[
        ints("strides", &[1, 1]),
        ints("padding", &[0, 0]),
        ints("dilation", &[1, 1]),
        int("deformable_groups", 1),
        int("groups", 1),
        maybe(Int, "channels"),
        maybe(Ints, "kernel_size"),
        text("data_layout", "NCHW"),
        text("kernel_layout", "OIHW"),
        text("out_layout", ""),
        maybe(DType, "out_dtype"),
    ],
);
pub(in crate::operators) static BINARY_CONV2D: AttrsType = named(
    "BinaryConv2DAttrs",
    &[
        ints("strides", &[1, 1]),
        ints("padding", &[0, 0]),
        ints("kernel_size", &[3, 3]),
        maybe(Int, "channels"),
        int("activation_bits", 1),
        int("weight_bits", 1),
        text("data_layout", "NCHW"),
        text("kernel_layout", "OIHW"),
        maybe(DType, "pack_dtype"),
        maybe(DType, "out_dtype"),
        flag("unipolar", true),
    ],
);
pub(in crate::operators) static BINARY_DENSE: AttrsType = named(
    "BinaryDenseAttrs",
    &[
        need(Int, "units").or_none(),
        int("data_bits", 1),
        int("weight_bits", 1),
        maybe(DType, "pack_dtype"),
        maybe(DType, "out_dtype"),
        flag("unipolar", true),
    ],
);
pub(in crate::operators) static DENSE: AttrsType =
    named("DenseAttrs", &[need(Int, "units").or_none(), maybe(DType, "out_dtype")]);
pub(in crate::operators) static DENSE_PACK: AttrsType = named(
    "DensePackAttrs",
    &[need(Int, "units").or_none(), maybe(DType, "out_dtype"), text("weight_layout", "NC")],
);
pub(in crate::operators) static MATMUL: AttrsType = named(
    "MatmulAttrs",
    &[
        need(Int, "units").or_none(),
        maybe(DType, "out_dtype"),
        flag("transpose_a", false),
        flag("transpose_b", false),
    ],
);
pub(in crate::operators) static BATCH_MATMUL: AttrsType = named(
    "BatchMatmulAttrs",
    &[maybe(DType, "out_dtype"), flag("transpose_a", false), flag("transpose_b", false)],
);
pub(in crate::operators) static SPARSE_DENSE: AttrsType =
    named("SparseDenseAttrs", &[flag("sparse_lhs", false)]);
pub(in crate::operators) static SPARSE_CONV2D: AttrsType =
    named("SparseConv2DAttrs", &[text("layout", "NHWC"), ints("kernel_size", &[1, 1])]);
pub(in crate::operators) static SPARSE_TRANSPOSE: AttrsType = named("SparseTransposeAttrs", &[]);
pub(in crate::operators) static CORRELATION: AttrsType = named(
    "CorrelationAttrs",
    &[
        int("kernel_size", 1),
        int("max_displacement", 1),
        int("stride1", 1),
        int("stride2", 1),
        ints("padding", &[0, 0]),
        flag("is_multiply", true),
        text("layout", "NCHW"),
    ],
);
pub(in crate::operators) static BIT_PACK: AttrsType = named(
    "BitPackAttrs",
    &[
        int("bits", 1),
        int("pack_axis", 1),
        int("bit_axis", -1),
        maybe(DType, "pack_type"),
        text("name", "BitPack"),
    ],
);
