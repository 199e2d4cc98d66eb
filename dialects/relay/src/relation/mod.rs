//! Type relations: how the types of an operator's arguments and of its result follow from each other.
//!
//! [`relate`] is asked again and again while types are inferred. It is [`Answer::Stuck`] as long as it would have to
//! guess; [`Dim::Hole`] and [`Type::Hole`] stand for what is not known yet, [`Dim::Any`] for what is only known when
//! the program runs.

mod call;
mod matmul;
mod pointwise;

use crate::attrs::Attrs;
use crate::operators::Operator;
use crate::ty::Type;
use call::{Call, Solved, Stop};

/// What a relation knows.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// Too little is known of the arguments.
    Stuck,
    /// The types.
    Solved {
        /// Of the arguments: what is given, and what follows for it.
        args: Vec<Type>,
        /// Of the result.
        result: Type,
    },
}

/// Types that do not go together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RelationError {
    /// What is wrong, with what was expected and what was found.
    pub message: String,
    /// The argument that it is about.
    pub arg: Option<usize>,
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
        /// The relation of an operator.
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
    AdaptiveAvgPool1D => later,
    AdaptiveAvgPool2D => later,
    AdaptiveAvgPool3D => later,
    AdaptiveMaxPool1D => later,
    AdaptiveMaxPool2D => later,
    AdaptiveMaxPool3D => later,
    AdvIndex => later,
    AffineGrid => later,
    AllClassNms => later,
    AllocStorage => later,
    AllocTensor => later,
    Arange => later,
    ArgReduce => later,
    ArgWhere => later,
    Argsort => later,
    AutoSchedulerLayoutTransform => later,
    AvgPool1D => later,
    AvgPool2D => later,
    AvgPool3D => later,
    BatchFlatten => later,
    BatchMatmul => matmul::batch_matmul,
    BatchNorm => later,
    BatchToSpaceNd => later,
    BiasAdd => later,
    BinaryConv2D => later,
    BinaryDense => matmul::binary_dense,
    BitPack => later,
    BroadCastTo => pointwise::broadcast_to,
    BroadCastToLike => pointwise::broadcast_to_like,
    Broadcast => pointwise::broadcast,
    BroadcastComp => pointwise::compare,
    CallLoweredRel => later,
    Cast => pointwise::cast,
    CastLike => pointwise::cast_like,
    CollapseSumLike => pointwise::collapse_sum_like,
    CollapseSumTo => pointwise::collapse_sum_to,
    Concatenate => later,
    Conv1D => later,
    Conv1DTranspose => later,
    Conv2D => later,
    Conv2DBackwardWeight => later,
    Conv2DGemm => later,
    Conv2DGemmWeightTransform => later,
    Conv2DTranspose => later,
    Conv2DWinograd => later,
    Conv2DWinogradNnpackWeightTransform => later,
    Conv2DWinogradWeightTransform => later,
    Conv2DnchWc => later,
    Conv3D => later,
    Conv3DTranspose => later,
    Conv3DWinograd => later,
    Conv3DWinogradWeightTransform => later,
    Correlation => later,
    CropAndResize => later,
    CrossEntropy => later,
    Cumprod => later,
    Cumsum => later,
    Debug => later,
    DeformableConv2D => later,
    Dense => matmul::dense,
    DensePack => matmul::dense_pack,
    DepthToSpace => later,
    Dequantize => later,
    Dft => later,
    Dilate => later,
    Dilation2D => later,
    Dropout => later,
    DynOneHot => later,
    DynResize2D => later,
    DynSparseToDense => later,
    DynSqueeze => later,
    DynStridedSlice => later,
    DynTopK => later,
    DynamicBroadCastTo => pointwise::dynamic_broadcast_to,
    DynamicExpandDims => later,
    DynamicFull => pointwise::dynamic_full,
    DynamicInitOp => pointwise::dynamic_constant,
    DynamicPad => later,
    DynamicReshape => later,
    DynamicTile => later,
    DynamicUpSampling => later,
    DynamicUpSampling3D => later,
    Einsum => later,
    EthosuBinaryElementwise => later,
    EthosuConv2D => later,
    EthosuDepthwiseConv2D => later,
    EthosuIdentity => later,
    EthosuPooling => later,
    EthosuUnaryElementwise => later,
    ExpandDims => later,
    FifoBuffer => later,
    FixedPointMultiplyPerAxis => pointwise::multiply_per_axis,
    Full => pointwise::full,
    FullLike => pointwise::full_like,
    Gather => later,
    GatherNd => later,
    GetValidCount => later,
    GlobalAvgPool2D => later,
    GlobalMaxPool2D => later,
    GridSample => later,
    GroupNorm => later,
    Identity => pointwise::identity,
    IdentityCompRel => pointwise::test,
    InitOp => pointwise::constant,
    InstanceNorm => later,
    InvokeTvmOp => later,
    Kill => later,
    LayerNorm => later,
    LayoutTransform => later,
    Matmul => matmul::matmul,
    MatrixSetDiag => later,
    MaxPool1D => later,
    MaxPool2D => later,
    MaxPool2DGrad => later,
    MaxPool3D => later,
    Meshgrid => later,
    MetaRef => later,
    MetaScheduleLayoutTransform => later,
    MirrorPad => later,
    MultiBoxPrior => later,
    MultiBoxTransformLoc => later,
    Multinomial => later,
    NdarraySize => later,
    NllLoss => later,
    Nms => later,
    Normal => later,
    OneHot => later,
    PRelu => later,
    Pad => later,
    Proposal => later,
    QBatchMatmul => later,
    QDense => later,
    QLeakyRelu => later,
    QSoftmax => later,
    QnnAvgPool2D => later,
    QnnBroadcast => later,
    QnnConcatenate => later,
    QnnConv2D => later,
    QnnConv2DTranspose => later,
    QnnDensePack => later,
    QnnSimulatedDequantize => later,
    QnnSimulatedQuantize => later,
    QnnUnary => later,
    Quantize => later,
    Reduce => later,
    RegularNms => later,
    Reinterpret => pointwise::reinterpret,
    Repeat => later,
    Requantize => later,
    Reshape => later,
    ReshapeLike => later,
    ReshapeTensor => later,
    Resize1D => later,
    Resize2D => later,
    Resize3d => later,
    Reverse => later,
    ReverseReshape => later,
    ReverseSequence => later,
    RoiAlign => later,
    RoiPool => later,
    ScatterElements => later,
    ScatterNd => later,
    SearchSorted => later,
    SequenceMask => later,
    ShapeOf => later,
    SimulatedQuantize => later,
    SliceLike => later,
    SlidingWindow => later,
    Softmax => later,
    Sort => later,
    SpaceToBatchNd => later,
    SpaceToDepth => later,
    SparseAdd => matmul::sparse_add,
    SparseConv2d => matmul::sparse_conv2d,
    SparseDense => matmul::sparse_dense,
    SparseFillEmptyRows => later,
    SparseReshape => later,
    SparseToDense => later,
    SparseTranspose => matmul::sparse_transpose,
    Split => later,
    Squeeze => later,
    Stack => later,
    Stft => later,
    StridedSet => later,
    StridedSlice => later,
    Take => later,
    ThreefryGenerate => later,
    ThreefrySplit => later,
    Tile => later,
    TopK => later,
    Transpose => later,
    Trilu => later,
    UnRavelIndexRel => later,
    Uniform => later,
    Unique => later,
    Unregistered => later,
    UpSampling => later,
    UpSampling3D => later,
    Variance => later,
    Where => pointwise::select,
    YoloReorg => later,
}

fn later(_: &Call<'_>) -> Result<Solved, Stop> {
    Err(Stop::Stuck)
}

/// The types of the arguments and of the result of a call, whose attributes are complete.
///
/// # Errors
/// Types, or attributes, that do not go together.
pub fn relate(op: &Operator, args: &[Type], attrs: &Attrs) -> Result<Answer, RelationError> {
    let call = Call { op, args, attrs };
    let solved = call.check_arity().and_then(|()| op.relation.rule()(&call));
    match solved {
        Ok(Solved { args: refined, result }) => {
            let mut args = args.to_vec();
            refined.into_iter().for_each(|(index, ty)| args[index] = ty);
            Ok(Answer::Solved { args, result })
        }
        Err(Stop::Stuck) => Ok(Answer::Stuck),
        Err(Stop::Error(error)) => Err(error),
    }
}
