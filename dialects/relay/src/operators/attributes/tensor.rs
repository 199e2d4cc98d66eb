//! Attributes of tensor operators: shapes, data movement, reductions, sorting.

use super::super::FieldKind::{DType, Float, Int, IntOrInts, Ints, Scalar, Str};
use super::{AttrsType, dtype, flag, float, free, int, maybe, named, need, text};

pub(in crate::operators) static REDUCE: AttrsType =
    named("ReduceAttrs", &[maybe(Ints, "axis"), flag("keepdims", false), flag("exclude", false)]);
pub(in crate::operators) static ARG_REDUCE: AttrsType = named(
    "ArgReduceAttrs",
    &[maybe(Ints, "axis"), flag("keepdims", false), flag("select_last_index", false), flag("exclude", false)],
);
pub(in crate::operators) static VARIANCE: AttrsType = named(
    "VarianceAttrs",
    &[maybe(Ints, "axis"), flag("keepdims", false), flag("exclude", false), flag("unbiased", false)],
);
pub(in crate::operators) static ARANGE: AttrsType = named(
    "ArangeAttrs",
    &[need(Scalar, "start"), need(Scalar, "stop"), need(Scalar, "step"), need(DType, "dtype")],
);
pub(in crate::operators) static ARGSORT: AttrsType =
    named("ArgsortAttrs", &[int("axis", -1), flag("is_ascend", true), maybe(DType, "dtype")]);
pub(in crate::operators) static TOPK: AttrsType = named(
    "TopkAttrs",
    &[
        need(Int, "k").or_none(),
        int("axis", -1),
        text("ret_type", "both"),
        flag("is_ascend", false),
        maybe(DType, "dtype"),
    ],
);
pub(in crate::operators) static INIT_OP: AttrsType =
    named("InitOpAttrs", &[need(Ints, "shape"), maybe(DType, "dtype")]);
pub(in crate::operators) static CAST: AttrsType = named("CastAttrs", &[need(DType, "dtype")]);
pub(in crate::operators) static CLIP: AttrsType =
    named("ClipAttrs", &[need(Float, "a_min"), need(Float, "a_max")]);
pub(in crate::operators) static CONCATENATE: AttrsType = named("ConcatenateAttrs", &[int("axis", 0)]);
pub(in crate::operators) static STACK: AttrsType = named("StackAttrs", &[int("axis", 0).or_none()]);
pub(in crate::operators) static SPLIT: AttrsType =
    named("SplitAttrs", &[need(IntOrInts, "indices_or_sections"), int("axis", 0)]);
pub(in crate::operators) static RESHAPE: AttrsType =
    named("ReshapeAttrs", &[need(Ints, "newshape"), flag("allowzero", false)]);
pub(in crate::operators) static RESHAPE_LIKE: AttrsType = named(
    "ReshapeLikeAttrs",
    &[int("lhs_begin", 0), maybe(Int, "lhs_end"), int("rhs_begin", 0), maybe(Int, "rhs_end")],
);
pub(in crate::operators) static EXPAND_DIMS: AttrsType =
    named("ExpandDimsAttrs", &[need(Int, "axis"), int("num_newaxis", 1)]);
pub(in crate::operators) static SQUEEZE: AttrsType = named("SqueezeAttrs", &[maybe(Ints, "axis")]);
pub(in crate::operators) static STRIDED_SLICE: AttrsType = named(
    "StridedSliceAttrs",
    &[
        need(Ints, "begin"),
        need(Ints, "end"),
        need(Ints, "strides"),
        text("slice_mode", "end"),
        need(Ints, "axes"),
    ],
);
pub(in crate::operators) static SLICE_LIKE: AttrsType = named("SliceLikeAttrs", &[need(Ints, "axes")]);
pub(in crate::operators) static SLIDING_WINDOW: AttrsType =
    named("SlidingWindowAttrs", &[need(Int, "axis"), need(Ints, "window_shape"), need(Ints, "strides")]);
pub(in crate::operators) static TILE: AttrsType = named("TileAttrs", &[need(Ints, "reps")]);
pub(in crate::operators) static REPEAT: AttrsType =
    named("RepeatAttrs", &[need(Int, "repeats").or_none(), maybe(Int, "axis")]);
pub(in crate::operators) static REVERSE: AttrsType = named("ReverseAttrs", &[maybe(Int, "axis")]);
pub(in crate::operators) static REVERSE_SEQUENCE: AttrsType =
    named("ReverseSequenceAttrs", &[int("seq_axis", 1).or_none(), int("batch_axis", 0).or_none()]);
pub(in crate::operators) static TRANSPOSE: AttrsType = named("TransposeAttrs", &[need(Ints, "axes")]);
pub(in crate::operators) static TAKE: AttrsType =
    named("TakeAttrs", &[int("batch_dims", 0).or_none(), maybe(Int, "axis"), text("mode", "clip")]);
pub(in crate::operators) static GATHER: AttrsType = named("GatherAttrs", &[maybe(Int, "axis")]);
pub(in crate::operators) static GATHER_ND: AttrsType =
    named("GatherNDAttrs", &[int("batch_dims", 0).or_none(), maybe(Int, "index_rank")]);
pub(in crate::operators) static ONE_HOT: AttrsType =
    named("OneHotAttrs", &[int("depth", 1), int("axis", -1), maybe(DType, "dtype")]);
pub(in crate::operators) static EINSUM: AttrsType = named("EinsumAttrs", &[need(Str, "equation")]);
pub(in crate::operators) static MESHGRID: AttrsType = named("MeshgridAttrs", &[text("indexing", "ij")]);
pub(in crate::operators) static MATRIX_SET_DIAG: AttrsType = named(
    "MatrixSetDiagAttrs",
    &[int("k1", 0), int("k2", 0), flag("super_diag_right_align", true), flag("sub_diag_right_align", false)],
);
pub(in crate::operators) static SEARCH_SORTED: AttrsType =
    named("SearchSortedAttrs", &[flag("right", false), dtype("dtype", "int32")]);
pub(in crate::operators) static SEQUENCE_MASK: AttrsType =
    named("SequenceMaskAttrs", &[float("mask_value", 0.0), int("axis", 0)]);
pub(in crate::operators) static SHAPE_OF: AttrsType = named("ShapeOfAttrs", &[maybe(DType, "dtype")]);
pub(in crate::operators) static NDARRAY_SIZE: AttrsType = named("NdarraySizeAttrs", &[maybe(DType, "dtype")]);
pub(in crate::operators) static SPARSE_TO_DENSE: AttrsType =
    named("SparseToDenseAttrs", &[need(Ints, "output_shape")]);
pub(in crate::operators) static LAYOUT_TRANSFORM: AttrsType =
    named("LayoutTransformAttrs", &[need(Str, "src_layout"), need(Str, "dst_layout")]);
pub(in crate::operators) static FIXED_POINT_MULTIPLY: AttrsType =
    named("FixedPointMultiplyAttrs", &[need(Int, "multiplier"), need(Int, "shift")]);
pub(in crate::operators) static FIXED_POINT_MULTIPLY_PER_AXIS: AttrsType = named(
    "FixedPointMultiplyPerAxisAttrs",
    &[flag("is_lshift_required", false), flag("is_rshift_required", false), need(Ints, "axes")],
);
/// Attributes of `cumsum` and `cumprod`.
pub(in crate::operators) static SCAN: AttrsType = free(
    "ScanopAttrs",
    &[maybe(Int, "axis").boxed(), maybe(DType, "dtype"), flag("exclusive", false).boxed()],
);
/// Attributes of `collapse_sum_to`.
pub(in crate::operators) static COLLAPSE_SUM_TO: AttrsType =
    free("InitOpAttrs", &[maybe(Ints, "shape"), maybe(DType, "dtype")]);
/// Attributes of `dyn.expand_dims`.
pub(in crate::operators) static DYN_EXPAND_DIMS: AttrsType =
    free("DynExpandDimsAttrs", &[int("num_newaxis", 1)]);
/// Attributes of `trilu`.
pub(in crate::operators) static TRILU: AttrsType = free("TriluAttrs", &[flag("upper", true)]);
/// Attributes of `scatter_elements`.
pub(in crate::operators) static SCATTER_ELEMENTS: AttrsType =
    free("ScatterElementsAttrs", &[int("axis", 0).boxed(), text("reduction", "update").boxed()]);
/// Attributes of `scatter_nd`.
pub(in crate::operators) static SCATTER_ND: AttrsType =
    free("ScatterNDAttrs", &[text("mode", "update").boxed()]);
/// Attributes of `unique`.
pub(in crate::operators) static UNIQUE: AttrsType =
    free("UniqueAttrs", &[flag("sorted", true), flag("return_counts", false)]);
/// Attributes of `dft`.
pub(in crate::operators) static DFT: AttrsType = free("DFTAttrs", &[flag("inverse", false).boxed()]);
/// Attributes of `stft`.
pub(in crate::operators) static STFT: AttrsType = free(
    "StftAttrs",
    &[
        need(Int, "n_fft"),
        need(Int, "hop_length"),
        need(Int, "win_length"),
        flag("normalized", false),
        flag("onesided", true),
    ],
);
