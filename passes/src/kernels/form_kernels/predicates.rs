//! Predicates on the operations of kernels.

use crate::analysis::captures::captures;
use minoan_ir::{Builder, Op, OpRef, Traits, Type, Value};
use minoan_services::{
    Alias, AliasModel, Domain, Extent, IndexOps, IterationDomain, IteratorType, Read, TensorOps,
};

/// The domain of an operation with one result.
pub(super) fn domain(op: OpRef<'_>) -> Option<Domain> {
    domain_of_all(op).filter(|_| op.n_results() == 1)
}

/// The domain of an operation with any number of results.
pub(super) fn domain_of_all(op: OpRef<'_>) -> Option<Domain> {
    let domain = op.context().service::<dyn IterationDomain>(op.kind())?.domain(op)?;
    (!op.has_trait(Traits::CONSTANT_LIKE)).then_some(domain)
}

/// The operand that the result is an update of.
pub(super) fn update_of(op: OpRef<'_>) -> Option<usize> {
    if op.n_results() != 1 {
        return None;
    }
    match op.context().service::<dyn AliasModel>(op.kind())?.alias(op, 0) {
        Alias::UpdateOf(operand) => Some(operand),
        _ => None,
    }
}

/// Whether the old contents of an updated operand are read.
pub(super) fn reads_init(op: OpRef<'_>, operand: usize) -> bool {
    let alias = op.context().service::<dyn AliasModel>(op.kind());
    alias.is_none_or(|alias| alias.reads_updated(op, operand))
}

/// Whether an operation sets all elements from scalars that are its operands.
pub(super) fn is_fill(op: OpRef<'_>) -> bool {
    let ctx = op.context();
    let Some(domain) = domain(op) else { return false };
    let scalars = |read: &Read| !op.body().ty(op.operand(read.operand)).is_tensor(ctx);
    let parallel = domain.iterator_types.iter().all(|&iterator| iterator == IteratorType::Parallel);
    parallel
        && domain.reads.iter().all(scalars)
        && update_of(op).is_some()
        && captures(op.body(), op.id()).is_empty()
}

/// Whether an operation creates a tensor from no other.
pub(crate) fn creates_tensor(op: OpRef<'_>) -> bool {
    let ctx = op.context();
    op.has_trait(Traits::PURE)
        && op.n_regions() == 0
        && op.n_results() == 1
        && op.operand_types().all(|ty| !ty.is_tensor(ctx))
        && op.result_types().all(|ty| ty.is_tensor(ctx))
}

/// An uninitialized tensor with an element for each point of the domain of an operation.
pub(super) fn empty_over(
    b: &mut Builder<'_>,
    (tensor_ops, index_ops): (&dyn TensorOps, &dyn IndexOps),
    op: Op,
    domain: &Domain,
    element: Type,
) -> Value {
    let (ctx, mut shape, mut sizes) = (b.context(), Vec::new(), Vec::new());
    let operands: Vec<Value> = b.body().op(op).operands().collect();
    for &extent in &domain.extents {
        shape.push(extent.in_shape());
        if !matches!(extent, Extent::Known(_)) {
            sizes.push(tensor_ops.extent_value(b, index_ops, extent, &operands));
        }
    }
    let ty = Type::tensor(&ctx, &shape, element);
    tensor_ops.empty(b, ty, &sizes)
}
