//! Initial contents: splats, and constants with one value, that an operation of a kernel updates become fills of uninitialized
//! tensors. A kernel contains the fill, so the first value of an accumulator is a register, and no tensor is stored to be read
//! again.

use super::predicates::{creates_tensor, empty_over, reads_init};
use crate::analysis::captures::captures;
use minoan_ir::affine::AffineMap;
use minoan_ir::{Body, Builder, Context, Op, OpRef, Traits, Type, Value};
use minoan_services::{
    Alias, AliasModel, ConstantMaterializer, Datum, Domain, DomainOps, Extent, IndexOps, IterationDomain,
    IteratorType, Read, TensorOps, constant_of,
};

/// Fills a tensor with a scalar; returns the new tensor.
pub(super) fn fill(
    b: &mut Builder<'_>,
    domain_ops: &dyn DomainOps,
    shape: &[i64],
    scalar: Value,
    tensor: Value,
) -> Option<Value> {
    let rank = shape.len() as u32;
    let domain = Domain {
        iterator_types: vec![IteratorType::Parallel; shape.len()],
        extents: shape.iter().enumerate().map(|(dim, &extent)| Extent::of_dim(1, dim, extent)).collect(),
        reads: vec![Read::new(0, AffineMap::projection(rank, &[]))],
        writes: vec![AffineMap::identity(rank)],
    };
    let made = domain_ops.make(b, &domain, &[scalar], &[tensor], &mut |_, elements, _| vec![elements[0]])?;
    Some(b.body().op(made).result(0))
}

/// Creates the tensor to fill; `None` for a new one.
pub(crate) type Place<'a> = &'a mut dyn FnMut(&mut Builder<'_>) -> Option<Value>;

/// The services that make fills.
pub(crate) struct Fills<'c> {
    domain_ops: &'c dyn DomainOps,
    tensor_ops: &'c dyn TensorOps,
    index_ops: &'c dyn IndexOps,
}

impl<'c> Fills<'c> {
    pub(crate) fn of(ctx: &'c Context) -> Option<Self> {
        Some(Self {
            domain_ops: <dyn DomainOps>::any(ctx)?,
            tensor_ops: <dyn TensorOps>::any(ctx)?,
            index_ops: <dyn IndexOps>::any(ctx)?,
        })
    }

    /// Makes the initial contents of the results of an operation fills, where they are one value.
    pub(super) fn fill(&self, body: &mut Body, op: Op) {
        let view = body.op(op);
        let Some(aliases) = view.context().service::<dyn AliasModel>(view.kind()) else { return };
        let updated = |result| match aliases.alias(view, result) {
            Alias::UpdateOf(operand) if reads_init(view, operand) => Some(operand),
            _ => None,
        };
        let updated: Vec<usize> = (0..view.n_results()).filter_map(updated).collect();
        for operand in updated {
            let initial = body.op(op).operand(operand);
            let Some(source) = body.defining_op(initial) else { continue };
            let loc = body.op(op).loc();
            let mut b = Builder::before(body, op).with_loc(loc);
            let filled = self.filled(&mut b, source, &mut |_| None);
            if let Some(filled) = filled {
                body.set_operand(op, operand, filled);
                if !body.is_used(initial) {
                    body.erase(source);
                }
            }
        }
    }

    /// The equivalent fill of an operation whose elements are all equal: a constant, or a splat of a scalar. `place`
    /// creates the tensor to fill, if it should not be a new one.
    pub(crate) fn filled(&self, b: &mut Builder<'_>, source: Op, place: Place<'_>) -> Option<Value> {
        match b.body().op(source).has_trait(Traits::CONSTANT_LIKE) {
            true => self.of_constant(b, source, place),
            false => self.of_splat(b, source, place),
        }
    }

    /// The fill with the value of all elements of a constant.
    fn of_constant(&self, b: &mut Builder<'_>, source: Op, place: Place<'_>) -> Option<Value> {
        let ctx = b.context();
        let view = b.body().op(source);
        let (kind, ty) = (view.kind(), view.result_types().next()?);
        let (shape, element) = (ty.shape(&ctx)?.to_vec(), ty.element(&ctx)?);
        let scalar = constant_of(b.body(), view.result(0))?;
        let scalar = Datum::of_splat(&ctx, scalar)?.to_attr(&ctx, element)?;
        let scalar = <dyn ConstantMaterializer>::constant(&ctx, kind, scalar, element)?;
        let scalar = b.create(scalar);
        let scalar = b.body().op(scalar).result(0);
        let room = place(b).unwrap_or_else(|| self.tensor_ops.empty(b, ty, &[]));
        fill(b, self.domain_ops, &shape, scalar, room)
    }

    /// The fill with the elements of an operation that computes all of them from scalars.
    fn of_splat(&self, b: &mut Builder<'_>, source: Op, place: Place<'_>) -> Option<Value> {
        let ctx = b.context();
        let view = b.body().op(source);
        let service = ctx.service::<dyn IterationDomain>(view.kind())?;
        let mut domain = service.domain(view).filter(|domain| is_splat(view, domain))?;
        let ins: Vec<Value> = domain.reads.iter().map(|read| view.operand(read.operand)).collect();
        let element = view.result_types().next()?.element(&ctx)?;
        let makers = (self.tensor_ops, self.index_ops);
        let room = place(b).unwrap_or_else(|| empty_over(b, makers, source, &domain, element));
        for (at, read) in domain.reads.iter_mut().enumerate() {
            read.operand = at;
        }
        let made = self.domain_ops.make(b, &domain, &ins, &[room], &mut |b, elements, index| {
            service.compute(b, source, &elements[..ins.len()], index)
        })?;
        Some(b.body().op(made).result(0))
    }
}

/// Whether an operation creates a tensor whose elements are all computed from scalars.
fn is_splat(op: OpRef<'_>, domain: &Domain) -> bool {
    let is_scalar = |read: &Read| {
        let ty: Type = op.body().ty(op.operand(read.operand));
        !ty.is_tensor(op.context()) && read.outside.is_none()
    };
    creates_tensor(op)
        && !domain.reads.is_empty()
        && domain.reads.iter().all(is_scalar)
        && domain.iterator_types.iter().all(|&iterator| iterator == IteratorType::Parallel)
        && domain.writes[..] == [AffineMap::identity(domain.iterator_types.len() as u32)]
        && captures(op.body(), op.id()).is_empty()
}
