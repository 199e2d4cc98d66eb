//! Splitting: an operation that cannot be in a kernel as a whole is replaced by several operations that form one.
//!
//! * An operation with several results becomes one for each of them. A value that several results use and that is costly to
//!   compute, by a math function or a division, such as the sigmoid in its derivative, becomes a separate operation.
//! * A reduction in a fixed order stays scalar. The math functions of its terms become an operation before it, which
//!   is vectorized: `sum(old, x sin x)` becomes `t = x sin x` and `sum(old, t)`. Every element is computed and combined as
//!   before.
//!
//! The operations are adjacent and make one kernel, in which their tensors are registers or a few vectors of temporary storage.

use super::predicates::empty_over;
use crate::analysis::captures::captures;
use crate::analysis::over_domain::OverDomain;
use minoan_ir::affine::AffineMap;
use minoan_ir::{Body, Builder, Context, InsertionPoint, Mapping, Op, ServiceTable, Type, Value};
use minoan_schedule::choose;
use minoan_services::{
    AliasModel, Cost, Domain, DomainOps, IndexOps, IterationDomain, IteratorType, MachineModel, Read,
    TensorOps, permutation,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// The services that splitting queries.
pub(super) struct Splitter<'c> {
    pub(super) domains: &'c ServiceTable<dyn IterationDomain>,
    pub(super) aliases: &'c ServiceTable<dyn AliasModel>,
    pub(super) domain_ops: &'c dyn DomainOps,
    pub(super) tensor_ops: &'c dyn TensorOps,
    pub(super) index_ops: &'c dyn IndexOps,
}

/// The operations that an operation was split into.
pub(super) struct Split {
    /// The operations over domains, in program order.
    pub(super) parts: Vec<Op>,
    /// The new results.
    pub(super) results: Vec<Value>,
    /// All operations that were created.
    pub(super) created: Vec<Op>,
}

impl Split {
    /// Uses the results of the operation that was split again, and erases the others.
    pub(super) fn undo(self, body: &mut Body, op: Op) {
        let old: Vec<Value> = body.op(op).results().collect();
        for (&new, old) in self.results.iter().zip(old) {
            body.replace_all_uses(new, old);
        }
        erase(body, &self.created);
    }
}

/// Erases created operations, the first of which is in the outermost block: those nested in others disappear with them, since
/// operations that were cloned next to them may use their results.
pub(super) fn erase(body: &mut Body, created: &[Op]) {
    let Some(block) = created.first().and_then(|&first| body.op(first).block()) else { return };
    for &op in created.iter().rev() {
        if body.op(op).block() == Some(block) {
            body.erase(op);
        }
    }
}

/// The results of an operation that need a value, as bits.
type Needs = u64;

/// The scalar computation of an operation, in a copy of it.
pub(super) struct Computation {
    pub(super) copy: Op,
    /// The operations without a terminator.
    pub(super) ops: Vec<Op>,
    /// The elements of the reads, followed by the old elements of the results.
    pub(super) elements: Vec<Value>,
    pub(super) indices: FxHashMap<Value, u32>,
    /// The new elements.
    pub(super) yielded: Vec<Value>,
}

impl<'c> Splitter<'c> {
    pub(super) fn of(ctx: &'c Context) -> Option<Self> {
        Some(Self {
            domains: ctx.service_table()?,
            aliases: ctx.service_table()?,
            domain_ops: <dyn DomainOps>::any(ctx)?,
            tensor_ops: <dyn TensorOps>::any(ctx)?,
            index_ops: <dyn IndexOps>::any(ctx)?,
        })
    }

    /// Creates the operations that compute the results of an operation, before it, and replaces its results. With `in_order`,
    /// the math functions of terms become separate operations. `None`, with nothing changed, if the operation would be replaced
    /// by itself, or a result depends on the old elements of another one.
    pub(super) fn split(&self, body: &mut Body, op: Op, in_order: bool) -> Option<Split> {
        let over = OverDomain::of(body, self.domains, self.aliases, op)?;
        if over.outs.len() > Needs::BITS as usize {
            return None;
        }
        let computation = self.copy(body, &over, &[])?;
        let plan = Plan::of(body, &over, &computation, in_order);
        let made = plan.and_then(|plan| self.make(body, &over, &computation, &plan));
        body.erase(computation.copy);
        let split = made?;
        let old: Vec<Value> = body.op(op).results().collect();
        for (old, &new) in old.into_iter().zip(&split.results) {
            body.replace_all_uses(old, new);
        }
        Some(split)
    }

    /// A copy of an operation that also reads `further` tensors.
    pub(super) fn copy(
        &self,
        body: &mut Body,
        over: &OverDomain<'_>,
        further: &[(Value, AffineMap)],
    ) -> Option<Computation> {
        let ins: Vec<Value> = over.ins.iter().chain(further).map(|&(value, _)| value).collect();
        let (mut found, mut indices) = (None, FxHashMap::default());
        let loc = body.op(over.op).loc();
        let mut b = Builder::before(body, over.op).with_loc(loc);
        let copy = self.domain_ops.make(
            &mut b,
            &over.domain_with(further),
            &ins,
            &over.outs,
            &mut |b, elements, index| {
                let mut named = |b: &mut Builder<'_>, dim: u32| {
                    let value = index(b, dim);
                    indices.insert(value, dim);
                    value
                };
                let yielded = over.compute(b, elements, &mut named);
                if let InsertionPoint::End(block) = b.insertion_point() {
                    let ops: Vec<Op> = b.body().block(block).ops().collect();
                    found = Some((ops, elements.to_vec(), yielded.clone()));
                }
                yielded
            },
        )?;
        let Some((ops, elements, yielded)) = found else {
            body.erase(copy);
            return None;
        };
        Some(Computation { copy, ops, elements, indices, yielded })
    }

    /// Creates the operations of a plan. On failure no operation remains.
    fn make(&self, body: &mut Body, over: &OverDomain<'_>, from: &Computation, plan: &Plan) -> Option<Split> {
        let mut created = Vec::new();
        let loc = body.op(over.op).loc();
        let mut b = Builder::recording(body, InsertionPoint::Before(over.op), &mut created).with_loc(loc);
        let made = self.parts(&mut b, over, from, plan);
        match made {
            Some((parts, results)) => Some(Split { parts, results, created }),
            None => {
                erase(body, &created);
                None
            }
        }
    }

    fn parts(
        &self,
        b: &mut Builder<'_>,
        over: &OverDomain<'_>,
        from: &Computation,
        plan: &Plan,
    ) -> Option<(Vec<Op>, Vec<Value>)> {
        let mut parts = Vec::new();
        // For each value with a separate operation: its tensor, and the map by which the tensor is read.
        let mut known: FxHashMap<Value, (Value, AffineMap)> = FxHashMap::default();
        let mut results: Vec<Option<Value>> = vec![None; over.outs.len()];
        let dims = over.domain.iterator_types.len() as u32;
        for &value in &plan.values {
            // A value that is yielded to a result with one element per point needs no tensor besides that result.
            let result = (0..results.len()).find(|&result| {
                from.yielded[result] == value && permutation(&over.domain.writes[result]).is_some()
            });
            let (part, map) = match result {
                Some(result) => {
                    let part = self.part(b, over, from, &known, &[value], Target::Result(result))?;
                    results[result] = Some(b.body().op(part).result(0));
                    (part, over.domain.writes[result].clone())
                }
                None => {
                    let part = self.part(b, over, from, &known, &[value], Target::Points)?;
                    (part, AffineMap::identity(dims))
                }
            };
            known.insert(value, (b.body().op(part).result(0), map));
            parts.push(part);
        }
        for (number, result) in results.iter_mut().enumerate().filter(|(_, result)| result.is_none()) {
            let value = from.yielded[number];
            let part = self.part(b, over, from, &known, &[value], Target::Result(number))?;
            *result = Some(b.body().op(part).result(0));
            parts.push(part);
        }
        Some((parts, results.into_iter().collect::<Option<_>>()?))
    }

    /// Creates the operation that computes a value of a scalar computation at each point, from the tensors of those in `known`.
    fn part(
        &self,
        b: &mut Builder<'_>,
        over: &OverDomain<'_>,
        from: &Computation,
        known: &FxHashMap<Value, (Value, AffineMap)>,
        values: &[Value],
        target: Target,
    ) -> Option<Op> {
        let slice = Slice::of(b.body(), from, values, &|value| known.contains_key(&value));
        let mut ins: Vec<Value> = Vec::new();
        let mut reads: Vec<Read> = Vec::new();
        let mut read: Vec<Value> = Vec::new();
        let own =
            over.ins.iter().zip(&from.elements).map(|((tensor, map), &element)| (element, (tensor, map)));
        let ready = slice.leaves.iter().filter_map(|leaf| {
            let (tensor, map) = known.get(leaf)?;
            Some((*leaf, (tensor, map)))
        });
        for (element, (&tensor, map)) in own.chain(ready) {
            if slice.leaves.contains(&element) {
                reads.push(Read::new(ins.len(), map.clone()));
                ins.push(tensor);
                read.push(element);
            }
        }
        let (mut domain, out, old) = match target {
            Target::Result(result) => {
                let domain =
                    Domain { writes: vec![over.domain.writes[result].clone()], ..over.domain.clone() };
                (domain, over.outs[result], Some(from.elements[over.ins.len() + result]))
            }
            Target::Points => {
                let dims = over.domain.iterator_types.len();
                let domain = Domain {
                    iterator_types: vec![IteratorType::Parallel; dims],
                    writes: vec![AffineMap::identity(dims as u32)],
                    ..over.domain.clone()
                };
                let element = b.ty(values[0]);
                (
                    domain,
                    empty_over(b, (self.tensor_ops, self.index_ops), over.op, &over.domain, element),
                    None,
                )
            }
        };
        domain.reads = reads;
        self.domain_ops.make(b, &domain, &ins, &[out], &mut |b, elements, index| {
            let mut mapping = Mapping::new();
            read.iter().chain(&old).zip(elements).for_each(|(&from, &to)| mapping.map(from, to));
            for &op in &slice.ops {
                let result = b.body().op(op).results().next();
                match result.and_then(|result| Some((result, *from.indices.get(&result)?))) {
                    Some((result, dim)) => {
                        let made = index(b, dim);
                        mapping.map(result, made);
                    }
                    None => {
                        let point = b.insertion_point();
                        b.body_mut().clone_op(op, point, &mut mapping);
                    }
                }
            }
            values.iter().map(|&value| mapping.value(value)).collect()
        })
    }
}

/// The tensor that a part computes.
#[derive(Clone, Copy)]
enum Target {
    /// A result of the operation.
    Result(usize),
    /// A new tensor with an element for each point.
    Points,
}

/// A part of a scalar computation.
struct Slice {
    /// The operations, in program order.
    ops: Vec<Op>,
    /// The elements and the values computed elsewhere that it needs.
    leaves: FxHashSet<Value>,
}

impl Slice {
    /// The part that computes `values`, up to values that are known.
    fn of(body: &Body, from: &Computation, values: &[Value], is_known: &dyn Fn(Value) -> bool) -> Self {
        let mut needed: FxHashSet<Value> = values.iter().copied().collect();
        let mut ops = Vec::new();
        for &op in from.ops.iter().rev() {
            if body.op(op).results().any(|result| needed.contains(&result) && !is_known(result)) {
                needed.extend(operands(body, op));
                ops.push(op);
            }
        }
        ops.reverse();
        let leaves = needed.into_iter().filter(|value| is_known(*value) || from.elements.contains(value));
        Self { leaves: leaves.collect(), ops }
    }
}

/// The operands of an operation and the values that its regions use.
fn operands(body: &Body, op: Op) -> Vec<Value> {
    body.op(op).operands().chain(captures(body, op)).collect()
}

/// Whether an operation computes a mathematical function, or occupies more than the arithmetic ports, as a division does.
fn is_costly(body: &Body, op: Op) -> bool {
    let view = body.op(op);
    let cost = body.context().service::<dyn Cost>(view.kind());
    choose::has_function(body, op)
        || cost.is_some_and(|cost| cost.work(view, &MachineModel::default()).other > 0.0)
}

/// The values of a scalar computation that become operations of their own.
struct Plan {
    /// The values in program order.
    values: Vec<Value>,
}

impl Plan {
    fn of(body: &Body, over: &OverDomain<'_>, from: &Computation, in_order: bool) -> Option<Self> {
        let ctx = body.context();
        let n_results = over.outs.len();
        let mut needs: FxHashMap<Value, Needs> = FxHashMap::default();
        for (result, value) in from.yielded.iter().enumerate() {
            *needs.entry(*value).or_default() |= 1 << result;
        }
        for &op in from.ops.iter().rev() {
            let own =
                body.op(op).results().fold(0, |own, result| own | needs.get(&result).copied().unwrap_or(0));
            operands(body, op).into_iter().for_each(|value| *needs.entry(value).or_default() |= own);
        }
        let needs = |value: Value| needs.get(&value).copied().unwrap_or(0);
        let old = &from.elements[over.ins.len()..];
        let is_own = |(result, &old): (usize, &Value)| needs(old) & !(1 << result) == 0;
        if !old.iter().enumerate().all(is_own) {
            return None;
        }
        // The values that depend on old elements.
        let mut accumulated: FxHashSet<Value> = old.iter().copied().collect();
        // Values that must be materialized because of a user or a result.
        let mut kept: FxHashSet<Value> = FxHashSet::default();
        for &op in &from.ops {
            let used = operands(body, op);
            let accumulates = used.iter().any(|value| accumulated.contains(value));
            let results: Vec<Value> = body.op(op).results().collect();
            let own = results.iter().fold(0, |own, &result| own | needs(result));
            for value in used {
                let is_term = in_order && accumulates && !accumulated.contains(&value);
                if own != 0 && (needs(value) != own || is_term) {
                    kept.insert(value);
                }
            }
            if accumulates {
                accumulated.extend(results);
            }
        }
        for (result, value) in from.yielded.iter().enumerate() {
            if in_order || needs(*value) != 1 << result {
                kept.insert(*value);
            }
        }
        let is_stored =
            |ty: Type| ty.is_float(ctx) || ty.integer_width(ctx).is_some_and(|width| width % 8 == 0);
        let mut values: Vec<Value> = Vec::new();
        for &op in &from.ops {
            for value in body.op(op).results() {
                let is_shared = needs(value).count_ones() > 1 || in_order;
                let fits = kept.contains(&value) && is_shared && !accumulated.contains(&value);
                if !fits || !is_stored(body.ty(value)) {
                    continue;
                }
                let slice = Slice::of(body, from, &[value], &|value| values.contains(&value));
                if slice.ops.iter().any(|&op| is_costly(body, op)) {
                    values.push(value);
                }
            }
        }
        (n_results > 1 || !values.is_empty()).then_some(Self { values })
    }
}
