//! Type relations: constraints between the types of an operator's arguments and of its result.
//!
//! [`relate`] is called repeatedly during type inference. It returns [`Answer::Stuck`] as long as the result is not
//! determined: [`Dim::Hole`](crate::Dim::Hole) and [`Type::Hole`] are unknown so far, [`Dim::Any`](crate::Dim::Any)
//! is dynamic.

mod accelerator;
mod call;
mod conv;
mod image;
mod index;
mod machine;
mod matmul;
mod norm;
mod pointwise;
mod pool;
mod quantized;
mod reduce;
mod reshape;
mod slice;
mod vision;
mod window;

pub(crate) use matmul::Transposed;
pub(crate) use window::paddings;

use crate::attrs::Attrs;
use crate::operators::Operator;
use crate::ty::Type;
use call::{Call, Solved, Stop};

/// The outcome of a relation.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// The argument types are not sufficiently known.
    Stuck,
    /// The relation is solved.
    Solved {
        /// The types of the arguments, possibly refined.
        args: Vec<Type>,
        /// The type of the result.
        result: Type,
    },
}

/// Inconsistent types.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RelationError {
    /// The message: what was expected and what was found.
    pub message: String,
    /// The argument that the message is about.
    pub arg: Option<usize>,
    /// How to correct a program.
    pub help: Option<&'static str>,
}

impl std::fmt::Display for RelationError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for RelationError {}

type Rule = fn(&Call<'_>) -> Result<Solved, Stop>;

macro_rules! relations {
    ($($name:ident => $rule:expr,)*) => {
        /// The type relation of an operator.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Relation {
            $(#[doc = concat!("`", stringify!($name), "`.")] $name,)*
        }

        impl Relation {
            fn rule(self) -> Rule {
                match self {
                    $(Relation::$name => $rule,)*
                }
            }
        }
    };
}

relations! {
    AdaptiveAvgPool1D => pool::adaptive::<1>,
    AdaptiveAvgPool2D => pool::adaptive::<2>,
    AdaptiveAvgPool3D => pool::adaptive::<3>,
    AdaptiveMaxPool1D => pool::adaptive::<1>,
    AdaptiveMaxPool2D => pool::adaptive::<2>,
    AdaptiveMaxPool3D => pool::adaptive::<3>,
    AdvIndex => index::adv_index,
    AffineGrid => image::affine_grid,
    AllClassNms => vision::suppress_by_class,
    AllocStorage => machine::alloc_storage,
    AllocTensor => machine::alloc_tensor,
    Arange => index::arange,
    ArgReduce => reduce::arg_reduce,
    ArgWhere => index::arg_where,
    Argsort => reduce::argsort,
    AutoSchedulerLayoutTransform => machine::tuned_layout_transform,
    AvgPool1D => pool::pool::<1>,
    AvgPool2D => pool::pool::<2>,
    AvgPool3D => pool::pool::<3>,
    BatchFlatten => reshape::batch_flatten,
    BatchMatmul => matmul::batch_matmul,
    BatchNorm => norm::batch_norm,
    BatchToSpaceNd => norm::batch_to_space,
    BiasAdd => norm::bias_add,
    BinaryConv2D => conv::binary,
    BinaryDense => matmul::binary_dense,
    BitPack => conv::bit_pack,
    BroadCastTo => pointwise::broadcast_to,
    BroadCastToLike => pointwise::broadcast_to_like,
    Broadcast => pointwise::broadcast,
    BroadcastComp => pointwise::compare,
    CallLoweredRel => machine::call_lowered,
    Cast => pointwise::cast,
    CastLike => pointwise::cast_like,
    CollapseSumLike => pointwise::collapse_sum_like,
    CollapseSumTo => pointwise::collapse_sum_to,
    Concatenate => slice::concatenate,
    Conv1D => conv::conv::<1>,
    Conv1DTranspose => conv::transposed::<1>,
    Conv2D => conv::conv::<2>,
    Conv2DBackwardWeight => conv::backward_weight,
    Conv2DGemm => conv::transformed::<2>,
    Conv2DGemmWeightTransform => conv::gemm_weight,
    Conv2DTranspose => conv::transposed::<2>,
    Conv2DWinograd => conv::transformed::<2>,
    Conv2DWinogradNnpackWeightTransform => conv::nnpack_weight,
    Conv2DWinogradWeightTransform => conv::winograd_weight::<2>,
    Conv2DnchWc => conv::transformed::<2>,
    Conv3D => conv::conv::<3>,
    Conv3DTranspose => conv::transposed::<3>,
    Conv3DWinograd => conv::transformed::<3>,
    Conv3DWinogradWeightTransform => conv::winograd_weight::<3>,
    Correlation => conv::correlation,
    CropAndResize => image::crop_and_resize,
    CrossEntropy => norm::cross_entropy,
    Cumprod => reduce::scan,
    Cumsum => reduce::scan,
    Debug => machine::pass_through,
    DeformableConv2D => conv::deformable,
    Dense => matmul::dense,
    DensePack => matmul::dense_pack,
    DepthToSpace => norm::depth_to_space,
    Dequantize => quantized::dequantize,
    Dft => machine::dft,
    Dilate => norm::dilate,
    Dilation2D => image::dilation2d,
    Dropout => norm::dropout,
    DynOneHot => index::dynamic_one_hot,
    DynResize2D => image::dynamic_resize,
    DynSparseToDense => index::dynamic_sparse_to_dense,
    DynSqueeze => reshape::dynamic_squeeze,
    DynStridedSlice => slice::dynamic_strided_slice,
    DynTopK => reduce::dynamic_topk,
    DynamicBroadCastTo => pointwise::dynamic_broadcast_to,
    DynamicExpandDims => reshape::dynamic_expand_dims,
    DynamicFull => pointwise::dynamic_full,
    DynamicInitOp => pointwise::dynamic_constant,
    DynamicPad => norm::dynamic_pad,
    DynamicReshape => reshape::dynamic_reshape,
    DynamicTile => slice::dynamic_tile,
    DynamicUpSampling => image::dynamic_upsampling::<2>,
    DynamicUpSampling3D => image::dynamic_upsampling::<3>,
    Einsum => index::einsum,
    EthosuBinaryElementwise => accelerator::binary,
    EthosuConv2D => accelerator::conv,
    EthosuDepthwiseConv2D => accelerator::conv,
    EthosuIdentity => pointwise::identity,
    EthosuPooling => accelerator::pool,
    EthosuUnaryElementwise => accelerator::unary,
    ExpandDims => reshape::expand_dims,
    FifoBuffer => norm::fifo_buffer,
    FixedPointMultiplyPerAxis => pointwise::multiply_per_axis,
    Full => pointwise::full,
    FullLike => pointwise::full_like,
    Gather => index::gather,
    GatherNd => index::gather_nd,
    GetValidCount => vision::valid_counts,
    GlobalAvgPool2D => pool::global::<2>,
    GlobalMaxPool2D => pool::global::<2>,
    GridSample => image::grid_sample,
    GroupNorm => norm::group_norm,
    Identity => pointwise::identity,
    IdentityCompRel => pointwise::test,
    InitOp => pointwise::constant,
    InstanceNorm => norm::layer_norm,
    InvokeTvmOp => machine::nothing,
    Kill => machine::nothing,
    LayerNorm => norm::layer_norm,
    LayoutTransform => machine::layout_transform,
    Matmul => matmul::matmul,
    MatrixSetDiag => index::matrix_set_diag,
    MaxPool1D => pool::pool::<1>,
    MaxPool2D => pool::pool::<2>,
    MaxPool2DGrad => pool::gradient,
    MaxPool3D => pool::pool::<3>,
    Meshgrid => index::meshgrid,
    MetaRef => machine::meta_ref,
    MetaScheduleLayoutTransform => machine::mapped_layout_transform,
    MirrorPad => norm::mirror_pad,
    MultiBoxPrior => vision::multibox_prior,
    MultiBoxTransformLoc => vision::multibox_transform,
    Multinomial => vision::multinomial,
    NdarraySize => reshape::ndarray_size,
    NllLoss => norm::nll_loss,
    Nms => vision::suppress,
    Normal => vision::distribution,
    OneHot => index::one_hot,
    PRelu => norm::prelu,
    Pad => norm::pad,
    Proposal => vision::proposal,
    QBatchMatmul => quantized::batch_matmul,
    QDense => quantized::dense,
    QLeakyRelu => quantized::unary,
    QSoftmax => quantized::unary,
    QnnAvgPool2D => quantized::avg_pool2d,
    QnnBroadcast => quantized::broadcast,
    QnnConcatenate => quantized::concatenate,
    QnnConv2D => quantized::conv2d,
    QnnConv2DTranspose => quantized::conv2d_transpose,
    QnnDensePack => quantized::dense_pack,
    QnnSimulatedDequantize => quantized::simulated,
    QnnSimulatedQuantize => quantized::simulated,
    QnnUnary => quantized::unary,
    Quantize => quantized::quantize,
    Reduce => reduce::reduce,
    RegularNms => vision::suppress_regular,
    Reinterpret => pointwise::reinterpret,
    Repeat => slice::repeat,
    Requantize => quantized::requantize,
    Reshape => reshape::reshape,
    ReshapeLike => reshape::reshape_like,
    ReshapeTensor => reshape::reshape_tensor,
    Resize1D => image::resize::<1>,
    Resize2D => image::resize::<2>,
    Resize3d => image::resize::<3>,
    Reverse => slice::reverse,
    ReverseReshape => reshape::reverse_reshape,
    ReverseSequence => slice::reverse_sequence,
    RoiAlign => vision::regions,
    RoiPool => vision::regions,
    ScatterElements => index::scatter_elements,
    ScatterNd => index::scatter_nd,
    SearchSorted => reduce::search_sorted,
    SequenceMask => index::sequence_mask,
    ShapeOf => reshape::shape_of,
    SimulatedQuantize => quantized::simulated,
    SliceLike => slice::slice_like,
    SlidingWindow => slice::sliding_window,
    Softmax => norm::softmax,
    Sort => reduce::sort,
    SpaceToBatchNd => norm::space_to_batch,
    SpaceToDepth => norm::space_to_depth,
    SparseAdd => matmul::sparse_add,
    SparseConv2d => matmul::sparse_conv2d,
    SparseDense => matmul::sparse_dense,
    SparseFillEmptyRows => index::sparse_fill_empty_rows,
    SparseReshape => index::sparse_reshape,
    SparseToDense => index::sparse_to_dense,
    SparseTranspose => matmul::sparse_transpose,
    Split => slice::split,
    Squeeze => reshape::squeeze,
    Stack => slice::stack,
    Stft => machine::stft,
    StridedSet => slice::strided_set,
    StridedSlice => slice::strided_slice,
    Take => index::take,
    ThreefryGenerate => vision::generate,
    ThreefrySplit => vision::split_key,
    Tile => slice::tile,
    TopK => reduce::topk,
    Transpose => reshape::transpose,
    Trilu => index::trilu,
    UnRavelIndexRel => index::unravel_index,
    Uniform => vision::distribution,
    Unique => reduce::unique,
    Unregistered => machine::pass_through,
    UpSampling => image::upsampling::<2>,
    UpSampling3D => image::upsampling::<3>,
    Variance => reduce::variance,
    Where => pointwise::select,
    YoloReorg => norm::yolo_reorg,
}

/// Solves the type relation of a call with complete attributes.
///
/// # Errors
/// Inconsistent types or attributes.
pub fn relate(op: &Operator, args: &[Type], attrs: &Attrs) -> Result<Answer, RelationError> {
    let call = Call { op, args, attrs };
    let solved =
        call.check_arity().and_then(|()| call.check_extents()).and_then(|()| op.relation.rule()(&call));
    match solved.and_then(|solved| call.check_result(solved)) {
        Ok(Solved { args: refined, result }) => {
            let mut args = args.to_vec();
            refined.into_iter().for_each(|(index, ty)| args[index] = ty);
            Ok(Answer::Solved { args, result })
        }
        Err(Stop::Stuck) => Ok(Answer::Stuck),
        Err(Stop::Error(error)) => Err(error),
    }
}
