//! The operations.

use crate::{assembly, buffers, canonicalize, evaluate, generate, verify};
use minoan_ir::constraints::{ANY_ATTR, ANY_MEMREF, I1, INDEX, SHAPED, TENSOR};
use minoan_ir::{op, type_constraints};
use minoan_services::{
    AliasModel, BufferExchange, EffectSet, Effects, Evaluate, ExtentOf, ExtentsOfOperands, Fold, FoldFn,
    Generate, RuntimeVerification, ToBuffers,
};

type_constraints! {
    TENSOR_LIKE "TensorLikeType instance" |ctx, ty| ty.is_tensor(ctx);
    BUFFER_LIKE "BufferLikeType instance" |ctx, ty| ty.is_memref(ctx);
}

/// Creates a tensor in a new buffer, with unspecified elements or those of another tensor.
///
/// `bufferization.alloc_tensor(%n) : tensor<?x4xf32>`, `bufferization.alloc_tensor() copy(%t) : tensor<?x4xf32>`. The size
/// hint, the number of elements of a sparse tensor, and the memory space have no effect.
#[op(
    "bufferization.alloc_tensor",
    traits(PURE, OPERAND_SEGMENTS),
    assembly = custom(assembly::parse_alloc_tensor, assembly::print_alloc_tensor),
    verify = verify::alloc_tensor,
    services(
        Evaluate = evaluate::EvaluateAllocTensor,
        Fold = FoldFn(canonicalize::unspecified),
        ToBuffers = buffers::BufferAllocTensor,
        ExtentOf = buffers::AllocTensorExtents,
    )
)]
pub struct AllocTensor {
    /// One operand per dynamic extent, without a copied tensor.
    #[operand(INDEX)]
    dynamic_sizes: Vec<Value>,
    /// The tensor with the elements.
    #[operand(TENSOR)]
    copy: Option<Value>,
    /// The number of elements of a sparse tensor.
    #[operand(INDEX)]
    size_hint: Option<Value>,
    /// The memory space of the buffer.
    #[attr(ANY_ATTR)]
    memory_space: Option<Attr>,
    /// The tensor.
    result: OpResult<TENSOR>,
}

/// A buffer with the elements of another one.
///
/// It is freed like an allocation. The elements of neither buffer may change afterwards: the two may be the same.
#[op(
    "bufferization.clone",
    assembly = "$input attr-dict `:` type($input) `to` type($output)",
    services(
        Evaluate = evaluate::EvaluateClone,
        Effects = EffectSet::READ.and(EffectSet::ALLOCATE),
        Fold = FoldFn(canonicalize::clone_of_cast),
    )
)]
pub struct Clone {
    /// The buffer.
    input: Operand<ANY_MEMREF>,
    /// The new buffer.
    output: OpResult<ANY_MEMREF>,
}

/// Frees the buffers whose condition holds, except those that share memory with a retained one. Memory that several buffers share is
/// freed once.
///
/// `%c:2 = bufferization.dealloc (%a, %b : memref<2xf32>, memref<2xf32>) if (%x, %y) retain (%r, %s : memref<?xf32>,
/// memref<f32>)`. A result states whether a condition holds for a buffer that shares memory with the retained one: who owns the
/// retained buffer has to free it.
#[op(
    "bufferization.dealloc",
    traits(OPERAND_SEGMENTS),
    assembly = custom(assembly::parse_dealloc, assembly::print_dealloc),
    verify = verify::dealloc,
    services(Evaluate = evaluate::EvaluateDealloc, Effects = EffectSet::FREE)
)]
pub struct Dealloc {
    /// The buffers to free.
    memrefs: Vec<Operand<ANY_MEMREF>>,
    /// The conditions, one per buffer to free.
    conditions: Vec<Operand<I1>>,
    /// Buffers that are kept.
    retained: Vec<Operand<ANY_MEMREF>>,
    /// Whether a retained buffer has to be freed later, one per retained buffer.
    updated_conditions: Vec<OpResult<I1>>,
}

/// States that a tensor is not used any more.
///
/// The buffer of a tensor is freed after its last use without this operation. For a tensor that `to_tensor` reads, it frees
/// the buffer.
#[op(
    "bufferization.dealloc_tensor",
    assembly = "$tensor attr-dict `:` type($tensor)",
    services(
        Evaluate = evaluate::EvaluateDeallocTensor,
        Effects = EffectSet::FREE,
        ToBuffers = buffers::BufferDeallocTensor,
    )
)]
pub struct DeallocTensor {
    /// The tensor.
    tensor: Operand<TENSOR>,
}

/// Writes the elements of a tensor to a destination of equal extents.
///
/// `bufferization.materialize_in_destination %t in writable %m : (tensor<4xf32>, memref<4xf32>) -> ()`. If the destination is a
/// tensor, the result has the elements of the source, in the storage of the destination if it has no other use.
#[op(
    "bufferization.materialize_in_destination",
    assembly = "$source `in` (`restrict` $restrict^)? (`writable` $writable^)? $dest attr-dict `:` \
                functional-type(operands, results)",
    verify = verify::materialize,
    services(
        Evaluate = evaluate::EvaluateMaterialize,
        Effects = buffers::MaterializeEffects,
        RuntimeVerification = verify::SameExtents,
        AliasModel = buffers::MaterializeUpdates,
        ToBuffers = buffers::BufferMaterialize,
        BufferExchange = buffers::Materializes,
        Generate = generate::AnyWrite,
        ExtentOf = ExtentsOfOperands { first: |_| 1 },
    )
)]
pub struct MaterializeInDestination {
    /// The tensor.
    source: Operand<TENSOR>,
    /// The destination: a tensor or a buffer.
    dest: Operand<SHAPED>,
    /// Whether no other tensor accesses the same buffer.
    #[attr(unit)]
    restrict: bool,
    /// Whether the buffer may be written to, which is necessary.
    #[attr(unit)]
    writable: bool,
    /// The updated destination, if it is a tensor.
    #[result(TENSOR)]
    result: Option<Value>,
}

/// A buffer with the elements of a tensor.
#[op(
    "bufferization.to_buffer",
    assembly = "$tensor (`read_only` $read_only^)? attr-dict `:` type($tensor) `to` type($buffer)",
    verify = verify::to_buffer,
    services(
        Evaluate = evaluate::EvaluateToBuffer,
        Effects = EffectSet::ALLOCATE,
        Fold = FoldFn(canonicalize::buffer_of_tensor),
        AliasModel = buffers::BufferOfTensor,
        ToBuffers = buffers::BufferToBuffer,
        BufferExchange = buffers::IsBuffer,
        Generate = generate::AnyBuffer,
    )
)]
pub struct ToBuffer {
    /// The tensor.
    tensor: Operand<TENSOR_LIKE>,
    /// Whether nothing writes to the buffer.
    #[attr(unit)]
    read_only: bool,
    /// The buffer.
    buffer: OpResult<BUFFER_LIKE>,
}

/// A tensor with the elements that a buffer has at this point.
#[op(
    "bufferization.to_tensor",
    assembly = "$buffer (`restrict` $restrict^)? (`writable` $writable^)? attr-dict `:` type($buffer) `to` type($result)",
    verify = verify::to_tensor,
    services(
        Evaluate = evaluate::EvaluateToTensor,
        Effects = EffectSet::READ,
        Fold = FoldFn(canonicalize::tensor_of_buffer),
        AliasModel = buffers::TensorOfBuffer,
        ToBuffers = buffers::BufferToTensor,
        BufferExchange = buffers::ReadsBuffer,
        Generate = generate::AnyRead,
    )
)]
pub struct ToTensor {
    /// The buffer.
    buffer: Operand<BUFFER_LIKE>,
    /// Whether no other tensor accesses the same buffer.
    #[attr(unit)]
    restrict: bool,
    /// Whether tensors may be computed in the buffer.
    #[attr(unit)]
    writable: bool,
    /// The tensor.
    result: OpResult<TENSOR_LIKE>,
}
