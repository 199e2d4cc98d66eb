//! Expansion of operations over iteration domains without a derivative over a domain into loops, and of operations whose regions
//! use active values, or depend on an object with tangents, by their rules.

use super::work::nested;
use super::{Engine, updated_operands};
use minoan_ir::affine::{AffineExpr, AffineMap};
use minoan_ir::{Body, Builder, Op, OpRef, Value};
use minoan_services::{DiffMode, DiffOps, Domain, IterationDomain, IteratorType, TangentClass};
use rustc_hash::FxHashSet;

impl Engine<'_> {
    /// Expands the operations with active tensors that have an iteration domain, but no derivative over one, and those that
    /// rules expand. Returns the active values afterwards, and the loop-carried tensors of loops that write each element once.
    pub(super) fn expand(
        &self,
        body: &mut Body,
        seeds: &[Value],
        mode: DiffMode,
    ) -> (FxHashSet<Value>, FxHashSet<Value>) {
        let mut fresh: FxHashSet<Value> = FxHashSet::default();
        self.expand_choices(body);
        loop {
            let active = self.active_values(body, seeds);
            let mut skipped: FxHashSet<Op> = FxHashSet::default();
            let mut expanded = false;
            for op in body.walk() {
                if skipped.contains(&op) {
                    continue;
                }
                let view = body.op(op);
                let is_active = view
                    .results()
                    .any(|result| active.contains(&result) && body.ty(result).is_tensor(self.ctx));
                if is_active && self.expand_by_rule(body, op, &active, &mut skipped) {
                    expanded = true;
                    continue;
                }
                let view = body.op(op);
                let domain = self.domains.and_then(|table| table.get(view.kind())).filter(|_| is_active);
                let Some((service, domain)) =
                    domain.and_then(|service| Some((service, service.domain(view)?)))
                else {
                    continue;
                };
                skipped.extend(nested(body, op));
                if self.structured(body, op, &active, mode == DiffMode::Forward).is_some() {
                    continue;
                }
                expanded |= self.expand_op(body, op, service, &domain, &mut fresh);
            }
            if !expanded {
                return (active, fresh);
            }
        }
    }

    /// Expands the operations that choose regions by an object with tangents, if their rules have a replacement. Their regions may take
    /// parts of the object as arguments.
    fn expand_choices(&self, body: &mut Body) {
        if self.objects.is_empty() {
            return;
        }
        let rule = |op: OpRef<'_>| self.rules.and_then(|table| table.get(op.kind()));
        let mut choices = body.walk();
        choices.retain(|&op| {
            let view = body.op(op);
            let is_object = |ty| self.class(ty) == TangentClass::Object;
            view.n_regions() > 0 && rule(view).is_some() && view.operand_types().any(is_object)
        });
        // An outer one comes before those in its regions, which stay.
        for op in choices {
            let view = body.op(op);
            let (rule, loc) = (rule(view).expect("it has one"), view.loc());
            if let Some(results) = rule.expand(&mut Builder::before(body, op).with_loc(loc), op) {
                body.replace(op, &results);
            }
        }
    }

    /// Replaces an operation with a rule whose regions use active values, if the rule has a replacement. Adds the operations in
    /// its regions to those to skip.
    fn expand_by_rule(
        &self,
        body: &mut Body,
        op: Op,
        active: &FxHashSet<Value>,
        skipped: &mut FxHashSet<Op>,
    ) -> bool {
        let view = body.op(op);
        let Some(rule) = self.rules.and_then(|table| table.get(view.kind())).filter(|_| view.n_regions() > 0)
        else {
            return false;
        };
        let uses_active = |&inner: &Op| body.op(inner).operands().any(|value| active.contains(&value));
        let inner = nested(body, op);
        if !inner.iter().any(uses_active) {
            return false;
        }
        skipped.extend(inner);
        let loc = view.loc();
        let results = rule.expand(&mut Builder::before(body, op).with_loc(loc), op);
        results.is_some_and(|results| {
            body.replace(op, &results);
            true
        })
    }

    fn expand_op(
        &self,
        body: &mut Body,
        op: Op,
        service: &dyn IterationDomain,
        domain: &Domain,
        fresh: &mut FxHashSet<Value>,
    ) -> bool {
        let view = body.op(op);
        let dims = domain.iterator_types.len();
        let is_parallel = |dim: u32| domain.iterator_types[dim as usize] == IteratorType::Parallel;
        let is_direct = |map: &AffineMap| map.results.iter().all(|expr| matches!(expr, AffineExpr::Dim(_)));
        let in_place =
            domain.writes.iter().all(|map| map.results.iter().all(|expr| only(expr, &is_parallel)));
        if !in_place || view.n_results() != domain.writes.len() || domain.has_padding() {
            return false;
        }
        let updated = updated_operands(self.aliases, view);
        if domain.writes.iter().zip(&updated).any(|(map, operand)| operand.is_none() && !is_direct(map)) {
            return false;
        }
        let (operands, loc): (Vec<Value>, _) = (view.operands().collect(), view.loc());
        let results: Vec<Value> = view.results().collect();
        let mut b = Builder::before(body, op).with_loc(loc);
        let extents = self.extents(&mut b, domain, &operands);
        let mut inits = Vec::with_capacity(updated.len());
        for ((operand, map), &result) in updated.iter().zip(&domain.writes).zip(&results) {
            inits.push(match operand {
                Some(operand) => operands[*operand],
                None => self.empty(&mut b, result, map, &extents),
            });
        }
        let (parallel, reduction): (Vec<u32>, Vec<u32>) = (0..dims as u32).partition(|&dim| is_parallel(dim));
        let element = Element { ops: self.ops, service, domain, op, operands: &operands, updated: &updated };
        let mut point: Vec<Option<Value>> = vec![None; dims];
        let covered: Vec<bool> = domain.writes.iter().map(|map| covers(map, &parallel)).collect();
        let mut found = Vec::new();
        let finals = nest(
            self.ops,
            &mut b,
            &parallel,
            &extents,
            &inits,
            &mut point,
            &mut |carried| {
                let written = carried.iter().zip(&covered).filter(|&(_, &covered)| covered);
                found.extend(written.map(|(&tensor, _)| tensor));
            },
            &mut |b, point, tensors| {
                let places: Vec<Vec<Value>> =
                    domain.writes.iter().map(|map| element.indices(b, map, point)).collect();
                let values = if reduction.is_empty() {
                    element.compute(b, point, &|b, result| self.ops.load(b, inits[result], &places[result]))
                } else {
                    let starts: Vec<Value> = places
                        .iter()
                        .zip(&inits)
                        .map(|(place, &init)| self.ops.load(b, init, place))
                        .collect();
                    let mut inner = point.to_vec();
                    nest(
                        self.ops,
                        b,
                        &reduction,
                        &extents,
                        &starts,
                        &mut inner,
                        &mut |_| {},
                        &mut |b, point, sums| element.compute(b, point, &|_, result| sums[result]),
                    )
                };
                let stored = values.into_iter().zip(tensors).zip(&places);
                stored.map(|((value, &tensor), place)| self.ops.store(b, value, tensor, place)).collect()
            },
        );
        fresh.extend(found);
        body.replace(op, &finals);
        true
    }

    /// The extents of the dimensions of a domain.
    fn extents(&self, b: &mut Builder<'_>, domain: &Domain, operands: &[Value]) -> Vec<Value> {
        domain.extents.iter().map(|&extent| self.ops.extent_value(b, extent, operands)).collect()
    }

    /// An uninitialized tensor like a result that is indexed by dimensions.
    fn empty(&self, b: &mut Builder<'_>, result: Value, map: &AffineMap, extents: &[Value]) -> Value {
        let size = |expr: &AffineExpr| match expr {
            AffineExpr::Dim(dim) => extents[*dim as usize],
            _ => unreachable!("new results are indexed by dimensions"),
        };
        let sizes: Vec<Value> = map.results.iter().map(size).collect();
        let ty = b.ty(result);
        self.ops.empty(b, ty, &sizes)
    }
}

/// Whether a map is a bijection from the points of some dimensions to the elements.
fn covers(map: &AffineMap, dims: &[u32]) -> bool {
    let direct = |dim: &u32| map.results.contains(&AffineExpr::Dim(*dim));
    map.results.len() == dims.len() && dims.iter().all(direct)
}

/// Whether an expression uses only dimensions that satisfy a predicate.
fn only(expr: &AffineExpr, fits: &dyn Fn(u32) -> bool) -> bool {
    let mut all = true;
    expr.for_each_dim(&mut |dim| all &= fits(dim));
    all
}

type Point = [Option<Value>];

/// Creates the body at a point from the carried values, and returns the next ones.
type Leaf<'a> = &'a mut dyn FnMut(&mut Builder<'_>, &Point, &[Value]) -> Vec<Value>;

/// Creates a nest of loops over dimensions. `leaf` creates the body of the innermost loop; `level` is called for each loop
/// with its carried values.
#[expect(clippy::too_many_arguments, reason = "the state of a recursion")]
fn nest(
    ops: &dyn DiffOps,
    b: &mut Builder<'_>,
    dims: &[u32],
    extents: &[Value],
    carried: &[Value],
    point: &mut Vec<Option<Value>>,
    level: &mut dyn FnMut(&[Value]),
    leaf: Leaf<'_>,
) -> Vec<Value> {
    let Some((&dim, rest)) = dims.split_first() else { return leaf(b, point, carried) };
    ops.counted_loop(b, extents[dim as usize], carried, &mut |b, number, carried| {
        point[dim as usize] = Some(number);
        level(carried);
        nest(ops, b, rest, extents, carried, point, level, leaf)
    })
}

/// The computation of the elements at a point.
struct Element<'a> {
    ops: &'a dyn DiffOps,
    service: &'a dyn IterationDomain,
    domain: &'a Domain,
    op: Op,
    operands: &'a [Value],
    updated: &'a [Option<usize>],
}

impl Element<'_> {
    fn indices(&self, b: &mut Builder<'_>, map: &AffineMap, point: &Point) -> Vec<Value> {
        let mut at = |_: &mut Builder<'_>, dim: u32| point[dim as usize].expect("a loop for each dimension");
        map.results.iter().map(|expr| self.ops.affine(b, expr, &mut at)).collect()
    }

    /// Computes the new elements; `old` creates the element of a result so far.
    fn compute(
        &self,
        b: &mut Builder<'_>,
        point: &Point,
        old: &dyn Fn(&mut Builder<'_>, usize) -> Value,
    ) -> Vec<Value> {
        let ctx = b.context();
        let mut elements = Vec::with_capacity(self.domain.reads.len());
        for read in &self.domain.reads {
            let operand = self.operands[read.operand];
            let result = self.updated.iter().position(|&updated| updated == Some(read.operand));
            elements.push(match result {
                Some(result) => old(b, result),
                None if b.ty(operand).is_tensor(&ctx) => {
                    let at = self.indices(b, &read.map, point);
                    self.ops.load(b, operand, &at)
                }
                None => operand,
            });
        }
        let mut index =
            |_: &mut Builder<'_>, dim: u32| point[dim as usize].expect("a loop for each dimension");
        self.service.compute(b, self.op, &elements, &mut index)
    }
}
