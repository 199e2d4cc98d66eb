//! Assertions of the preconditions of operations on numbers.
//!
//! An assertion in a computation over an iteration domain would keep the domain from being vectorized. If the computation is pure,
//! a reduction over the same domain combines the precondition of all points instead, and is asserted before the computation. If
//! the operand that decides is the same at all points, the reduction is executed only where that operand is not sufficient.

use minoan_ir::affine::AffineMap;
use minoan_ir::{
    Attr, Block, Body, Builder, Context, InsertionPoint, Loc, Mapping, Op, OpRef, ServiceTable, Type, Value,
};
use minoan_services::{
    AssertionOps, AtomicUpdate, CombineKind, Domain, DomainOps, EffectSet, EffectsTable, Extent, IndexOps,
    IterationDomain, IteratorType, LoopOps, Precondition, Read, SpeculationTable, TensorOps, VectorOps,
};
use rustc_hash::FxHashSet;

/// The services that the assertions are created by.
pub(super) struct Makers<'c> {
    preconditions: &'c ServiceTable<dyn Precondition>,
    domains: Option<&'c ServiceTable<dyn IterationDomain>>,
    updates: Option<&'c ServiceTable<dyn AtomicUpdate>>,
    speculation: SpeculationTable<'c>,
    effects: EffectsTable<'c>,
    index: &'c dyn IndexOps,
    assertions: &'c dyn AssertionOps,
    vectors: Option<&'c dyn VectorOps>,
    domain_ops: Option<&'c dyn DomainOps>,
    tensors: Option<&'c dyn TensorOps>,
    loops: Option<&'c dyn LoopOps>,
}

/// The preconditions that have been asserted in a block: the error and the operands.
pub(super) type Asserted = FxHashSet<(&'static str, Vec<Value>)>;

/// The computation of an operation on tensors.
struct Computation<'c> {
    op: Op,
    service: &'c dyn IterationDomain,
    domain: Domain,
}

/// A precondition at all points of a domain.
struct Reduced<'c> {
    /// The operation that computes it, a tensor with one element.
    reduction: Op,
    /// The value of the operand that decides, if it is the same at all points.
    decisive: Option<Value>,
    precondition: &'c dyn Precondition,
    loc: Loc,
}

impl<'c> Makers<'c> {
    /// The services of the loaded dialects; `None` if no operation has a precondition, or none can be asserted.
    pub(super) fn of(ctx: &'c Context) -> Option<Self> {
        Some(Self {
            preconditions: ctx.service_table()?,
            domains: ctx.service_table(),
            updates: ctx.service_table(),
            speculation: SpeculationTable::new(ctx),
            effects: EffectsTable::new(ctx),
            index: <dyn IndexOps>::any(ctx)?,
            assertions: <dyn AssertionOps>::any(ctx)?,
            vectors: <dyn VectorOps>::any(ctx),
            domain_ops: <dyn DomainOps>::any(ctx),
            tensors: <dyn TensorOps>::any(ctx),
            loops: <dyn LoopOps>::any(ctx),
        })
    }

    /// The precondition of an operation that is not known to hold.
    fn unknown(&self, op: OpRef<'_>) -> Option<&'c dyn Precondition> {
        self.preconditions.get(op.kind()).filter(|precondition| !precondition.is_known(op))
    }

    /// Asserts the precondition of an operation on scalars or vectors before it.
    pub(super) fn assert(&self, body: &mut Body, op: Op, asserted: &mut Asserted) {
        let view = body.op(op);
        let Some(precondition) = self.unknown(view) else { return };
        let decisive = precondition.decisive(view);
        let is_new = asserted.insert((precondition.message(), precondition.operands(view)));
        if !is_new || body.ty(decisive).is_tensor(body.context()) {
            return;
        }
        let mut b = Builder::before(body, op);
        let sufficient = precondition.sufficient(&mut b, self.index, decisive);
        let condition = precondition.exact(&mut b, self.index, op, sufficient);
        if let Some(condition) = self.all(&mut b, condition) {
            self.assertions.assert(&mut b, condition, precondition.message(), &[]);
        }
    }

    /// Prepares the assertion of the preconditions in an atomic update: the computation of its region is repeated after the update, for
    /// the element that it replaced. In the region, an operand for which an operation is undefined is replaced by a valid one. Returns
    /// the operations to which the preconditions apply.
    pub(super) fn repeat_after_update(&self, body: &mut Body, op: Op) -> Vec<Op> {
        let view = body.op(op);
        let update = self.updates.and_then(|table| table.get(view.kind()));
        let Some((old, replaced)) = update.and_then(|update| update.old(view)) else { return Vec::new() };
        let Some(block) = body.block_of(old) else { return Vec::new() };
        let mut inner = with_nested(body, op);
        inner.retain(|&inner| self.unknown(body.op(inner)).is_some());
        if inner.is_empty() {
            return Vec::new();
        }
        let mut mapping = Mapping::default();
        mapping.map(old, replaced);
        let mut copies = Vec::new();
        let mut point = InsertionPoint::After(op);
        let ops: Vec<Op> = body.block(block).ops().collect();
        for &original in &ops[..ops.len().saturating_sub(1)] {
            let copy = body.clone_op(original, point, &mut mapping);
            point = InsertionPoint::After(copy);
            copies.extend(with_nested(body, copy));
        }
        for op in inner {
            let Some(precondition) = self.unknown(body.op(op)) else { continue };
            let decisive = precondition.decisive(body.op(op));
            if body.ty(decisive).is_tensor(body.context()) {
                continue;
            }
            let mut b = Builder::before(body, op);
            let sufficient = precondition.sufficient(&mut b, self.index, decisive);
            let exact = precondition.exact(&mut b, self.index, op, sufficient);
            let ty = b.ty(decisive);
            let valid = precondition.valid(&mut b, self.index, ty);
            let operand = self.index.select(&mut b, exact, decisive, valid);
            let at = body.op(op).operands().rposition(|operand| operand == decisive);
            body.set_operand(op, at.expect("an operand decides"), operand);
        }
        copies
    }

    /// Whether a condition holds for all elements of a vector.
    fn all(&self, b: &mut Builder<'_>, condition: Value) -> Option<Value> {
        let ctx = b.context();
        if b.ty(condition) == Type::I1 {
            return Some(condition);
        }
        let (vectors, shape) = (self.vectors?, b.ty(condition).shape(&ctx)?.to_vec());
        let count = shape.iter().product();
        let flat = if shape.len() == 1 { condition } else { vectors.reshape(b, condition, &[count]) };
        Some(vectors.reduce(b, CombineKind::And, flat, false))
    }

    /// Asserts the preconditions in the computation of an operation on tensors before the operation. Adds the operations of its
    /// region whose preconditions hold then to `verified`.
    pub(super) fn assert_at_all_points(&self, body: &mut Body, op: Op, verified: &mut FxHashSet<Op>) {
        let Some((computation, inner)) = self.computation(body.op(op)) else { return };
        let mut asserted = Asserted::default();
        // Each assertion comes after those of the operations that its condition depends on.
        for number in 0.. {
            if let Some(&inner) = inner.get(number) {
                let view = body.op(inner);
                let key = self.unknown(view).map(|it| (it.message(), it.operands(view)));
                if key.is_some_and(|key| !asserted.insert(key)) {
                    verified.insert(inner);
                    continue;
                }
            }
            let mut b = Builder::before(body, op);
            let Some(reduced) = self.reduce(&mut b, &computation, number) else { return };
            self.assert_reduced(&mut b, &computation, number, reduced);
            verified.extend(inner.get(number));
        }
    }

    /// The computation of an operation on tensors, and the operations of its region with a precondition; `None` if it has none, or
    /// the region is not pure otherwise.
    fn computation(&self, op: OpRef<'_>) -> Option<(Computation<'c>, Vec<Op>)> {
        let (body, ctx) = (op.body(), op.context());
        let service = self.domains?.get(op.kind())?;
        let mut tensors = op.operand_types().filter(|ty| ty.is_tensor(ctx)).map(|ty| ty.element_or_self(ctx));
        let mut inner = Vec::new();
        if op.n_regions() == 0 {
            let is_known = self.preconditions.get(op.kind()).is_some_and(|it| it.is_known(op));
            if is_known || !tensors.any(|ty| ty.is_signless_integer(ctx) || ty == Type::INDEX) {
                return None;
            }
        } else {
            tensors.next()?;
            for block in op.own_regions().flat_map(|region| body.region(region).blocks()) {
                let ops: Vec<Op> = body.block(block).ops().collect();
                for view in ops[..ops.len().saturating_sub(1)].iter().map(|&op| body.op(op)) {
                    if self.unknown(view).is_some() {
                        inner.push(view.id());
                    } else if self.preconditions.get(view.kind()).is_none()
                        && !self.speculation.is_harmless(view)
                    {
                        return None;
                    }
                }
            }
            if inner.is_empty() {
                return None;
            }
        }
        Some((Computation { op: op.id(), service, domain: service.domain(op)? }, inner))
    }

    /// Creates the conjunction of a precondition over all points: that of operation `number` of those with one. `None`, with nothing
    /// created, if there is no such operation, or if the condition depends on elements that the computation accumulates.
    fn reduce(&self, b: &mut Builder<'_>, of: &Computation<'c>, number: usize) -> Option<Reduced<'c>> {
        let ctx = b.context();
        let Reads { domain, ins, accumulated } = of.reads(b.body());
        let yes = self.index.constant(b, Attr::TRUE);
        let init = self.tensors?.splat(b, yes, Type::tensor(&ctx, &[], Type::I1), &[]);
        let mut found = None;
        let mut is_accumulated = false;
        let reduction = self.domain_ops?.make(b, &domain, &ins, &[init], &mut |b, elements, index| {
            let Some((&before, elements)) = elements.split_last() else { return Vec::new() };
            let Some(block) = b.body().block_of(before) else { return vec![before] };
            of.service.compute(b, of.op, &elements[..of.domain.reads.len()], index);
            let ops: Vec<Op> = b.body().block(block).ops().collect();
            let mut unknown = ops.iter().filter_map(|&op| Some((op, self.unknown(b.body().op(op))?)));
            let Some((op, precondition)) = unknown.nth(number) else { return vec![before] };
            let decisive = precondition.decisive(b.body().op(op));
            // Operations that are created by the name of a computation have no location of their own.
            let own = b.body().op(op).loc();
            let loc = if own == Loc::UNKNOWN { b.body().op(of.op).loc() } else { own };
            let outer = b.set_loc(loc);
            let sufficient = precondition.sufficient(b, self.index, decisive);
            let exact = precondition.exact(b, self.index, op, sufficient);
            let condition = self.index.and(b, before, exact);
            b.set_loc(outer);
            self.erase_unused(b.body_mut(), block, condition);
            is_accumulated = accumulated.iter().any(|&at| b.body().is_used(elements[at]));
            let decisive = match elements.iter().position(|&element| element == decisive) {
                Some(at) => (b.ty(ins[at]) == b.ty(decisive)).then(|| ins[at]),
                None => (b.body().block_of(decisive) != Some(block)).then_some(decisive),
            };
            found = Some((decisive, precondition, loc));
            vec![condition]
        });
        let reduced = match (found, reduction) {
            (Some((decisive, precondition, loc)), Some(reduction)) if !is_accumulated => {
                Some(Reduced { reduction, decisive, precondition, loc })
            }
            (_, Some(reduction)) => {
                b.body_mut().erase(reduction);
                None
            }
            (_, None) => None,
        };
        if reduced.is_none() {
            self.erase_chain(b.body_mut(), init);
        }
        reduced
    }

    /// Asserts a precondition that a reduction has computed.
    fn assert_reduced(&self, b: &mut Builder<'_>, of: &Computation<'c>, number: usize, reduced: Reduced<'c>) {
        let Reduced { reduction, decisive, precondition, loc } = reduced;
        let (Some(decisive), Some(loops)) = (decisive, self.loops) else {
            return self.assert_result(b, reduction, precondition, loc);
        };
        let init = b.body().op(reduction).operands().last();
        b.body_mut().erase(reduction);
        if let Some(init) = init {
            self.erase_chain(b.body_mut(), init);
        }
        let outer = b.set_loc(loc);
        let sufficient = precondition.sufficient(b, self.index, decisive);
        loops.choose(b, sufficient, &[], &mut |_| Vec::new(), &mut |b| {
            if let Some(reduced) = self.reduce(b, of, number) {
                self.assert_result(b, reduced.reduction, precondition, loc);
            }
            Vec::new()
        });
        b.set_loc(outer);
    }

    fn assert_result(&self, b: &mut Builder<'_>, reduction: Op, precondition: &dyn Precondition, loc: Loc) {
        let Some(tensors) = self.tensors else { return };
        let result = b.body().op(reduction).result(0);
        let outer = b.set_loc(loc);
        let condition = tensors.extract(b, result, &[]);
        self.assertions.assert(b, condition, precondition.message(), &[]);
        b.set_loc(outer);
    }

    /// Erases the operations of a block without effects whose results do not contribute to a value.
    fn erase_unused(&self, body: &mut Body, block: Block, result: Value) {
        let ops: Vec<Op> = body.block(block).ops().collect();
        for &op in ops.iter().rev() {
            let view = body.op(op);
            let is_used = view.results().any(|value| value == result || body.is_used(value));
            if !is_used && self.effects.own(view) == EffectSet::NONE {
                body.erase(op);
            }
        }
    }

    /// Erases the operations without effects that a value is computed by, as far as nothing else uses them.
    fn erase_chain(&self, body: &mut Body, value: Value) {
        let mut pending = vec![value];
        while let Some(value) = pending.pop() {
            let Some(op) = body.defining_op(value).filter(|_| !body.is_used(value)) else { continue };
            let view = body.op(op);
            if view.n_results() == 1 && self.effects.own(view) == EffectSet::NONE {
                pending.extend(view.operands());
                body.erase(op);
            }
        }
    }
}

/// An operation and those in its regions, in preorder.
fn with_nested(body: &Body, op: Op) -> Vec<Op> {
    let (mut found, mut pending) = (Vec::new(), vec![op]);
    while let Some(op) = pending.pop() {
        found.push(op);
        let blocks = body.op(op).own_regions().flat_map(|region| body.region(region).blocks());
        let inner: Vec<Op> = blocks.flat_map(|block| body.block(block).ops()).collect();
        pending.extend(inner.into_iter().rev());
    }
    found
}

/// The operands of the reduction.
struct Reads {
    domain: Domain,
    ins: Vec<Value>,
    /// The inputs that are outputs of the computation, which it accumulates into.
    accumulated: Vec<usize>,
}

impl Computation<'_> {
    /// The reads of the computation, followed by the outputs that dimensions have their extents from.
    fn reads(&self, body: &Body) -> Reads {
        let Domain { iterator_types, extents, reads, writes } = &self.domain;
        let (op, dims) = (body.op(self.op), iterator_types.len() as u32);
        let output = |number: usize| {
            let ty = op.result_types().nth(number);
            let operand = (op.n_operands() + number).checked_sub(op.n_results())?;
            (ty == Some(body.ty(op.operand(operand)))).then_some(operand)
        };
        let outputs: Vec<(usize, &AffineMap)> =
            writes.iter().enumerate().filter_map(|(number, map)| Some((output(number)?, map))).collect();
        let is_reduction = iterator_types.contains(&IteratorType::Reduction);
        let is_accumulated = |read: &Read| is_reduction && outputs.contains(&(read.operand, &read.map));
        let accumulated = (0..reads.len()).filter(|&at| is_accumulated(&reads[at])).collect();
        let mut all = reads.clone();
        for extent in extents {
            if let Extent::Of { operand, .. } = *extent
                && !all.iter().any(|read| read.operand == operand)
                && let Some((_, map)) = outputs.iter().find(|(output, _)| *output == operand)
            {
                all.push(Read::new(operand, (*map).clone()));
            }
        }
        let ins = all.iter().map(|read| op.operand(read.operand)).collect();
        let domain = Domain {
            iterator_types: vec![IteratorType::Reduction; dims as usize],
            extents: extents.clone(),
            reads: all,
            writes: vec![AffineMap::projection(dims, &[])],
        };
        Reads { domain, ins, accumulated }
    }
}
