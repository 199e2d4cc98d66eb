//! `hoist-assertions`: checks indices that are affine in the iteration, and invariant conditions, once before the loops.
//!
//! Assertions that an index is below an extent are examined in loops and computed tensors that count from 0 in steps of 1
//! ([`LoopLike`], [`IterationDomain`]).
//!
//! * If the index is an induction variable whose upper bound is the extent, or another such variable, the assertion is removed,
//!   wherever it is. One that is executed in every iteration is also removed if all numbers are known.
//! * In an outermost nest that has no other effects, the smallest and the largest index are computed before the nest, provided
//!   that the index is a sum of induction variables times factors from outside. If one of them is out of bounds, a copy of the
//!   nest runs first, with all its assertions, and fails exactly where the program would have; the nest itself is left
//!   without these assertions. Numbers for which this arithmetic could overflow count as out of bounds, so the worst that
//!   happens to a correct program is that a nest runs twice. A nest whose results are unused is not copied: it is executed
//!   for its assertions. A loop that updates a tensor and contains nests is not itself a nest.
//!
//! A condition in such a nest that is the same in all iterations is treated like the comparisons of the smallest and the largest
//! index, and so is one that decides a condition: a divisor that is neither 0 nor -1 makes each division by it defined.
//!
//! Any other assertion in a conditional is not moved, nor are those of loops whose indices are data. The time is linear in the
//! size of the body.

mod emit;

use crate::analysis::computed_tensor::ComputedTensor;
use crate::analysis::extents::Size;
use crate::analysis::linear::{Form, Linear};
use minoan_diag::Diagnostics;
use minoan_ir::{Attr, Block, Body, Context, Op, OpRef, ServiceTable, Traits, Type, Value};
use minoan_pass::{Pass, PassRun, queries};
use minoan_services::{
    Assertion, Bound, Choice, EffectSet, Effects, EffectsTable, IndexOps, IndexTerm, IndexTerms,
    IterationDomain, LayoutSpec, LoopLike, LoopOps, SelectLike, Speculation, SpeculationTable, constant_of,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Checks affine indices once, before the loops.
pub struct HoistAssertions;

impl Pass for HoistAssertions {
    fn name(&self) -> &'static str {
        "hoist-assertions"
    }

    fn description(&self) -> &'static str {
        "check indices that are affine in the iteration, and invariant conditions, once before the loops"
    }

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("num-proven", "Number of assertions that always hold"),
            ("num-hoisted", "Number of assertions checked before a nest"),
        ]
    }

    queries!(
        LoopLike,
        IterationDomain,
        SelectLike,
        Assertion,
        IndexTerms,
        Effects,
        Speculation,
        IndexOps,
        LoopOps
    );

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        // The arithmetic of indices wraps at 64 bits.
        if LayoutSpec::of(&ctx, run.op().attrs).index_bits() != 64 {
            return Ok(());
        }
        let Some(tables) = Tables::of(&ctx) else { return Ok(()) };
        for (proven, hoisted) in run.each_body(|body| hoist(body, &tables)) {
            run.count("num-proven", proven);
            run.count("num-hoisted", hoisted);
        }
        Ok(())
    }
}

/// The services that the pass queries.
struct Tables<'c> {
    loops: &'c ServiceTable<dyn LoopLike>,
    domains: Option<&'c ServiceTable<dyn IterationDomain>>,
    choices: Option<&'c ServiceTable<dyn SelectLike>>,
    assertions: &'c ServiceTable<dyn Assertion>,
    terms: &'c ServiceTable<dyn IndexTerms>,
    effects: EffectsTable<'c>,
    speculation: SpeculationTable<'c>,
    index_ops: &'c dyn IndexOps,
    loop_ops: &'c dyn LoopOps,
}

impl<'c> Tables<'c> {
    fn of(ctx: &'c Context) -> Option<Self> {
        Some(Self {
            loops: ctx.service_table()?,
            domains: ctx.service_table(),
            choices: ctx.service_table(),
            assertions: ctx.service_table()?,
            terms: ctx.service_table()?,
            effects: EffectsTable::new(ctx),
            speculation: SpeculationTable::new(ctx),
            index_ops: <dyn IndexOps>::any(ctx)?,
            loop_ops: <dyn LoopOps>::any(ctx)?,
        })
    }

    /// The condition of an assertion.
    fn condition(&self, op: OpRef<'_>) -> Option<Value> {
        Some(op.operand(self.assertions.get(op.kind())?.condition(op)))
    }

    /// The index and the extent of a condition that the index is below the extent.
    fn bound(&self, body: &Body, condition: Value) -> Option<(Value, Size)> {
        let compare = body.op(body.defining_op(condition)?);
        match self.terms.get(compare.kind())?.term(compare)? {
            IndexTerm::Below(index, extent) => Some((index, Size::of(body, extent))),
            _ => None,
        }
    }

    /// Whether an operation is a loop that updates a tensor, with nests in it. The elements that these access often depend on
    /// the tensor, so they are nests by themselves.
    fn updates_by_nests(&self, op: OpRef<'_>) -> bool {
        let (body, ctx) = (op.body(), op.context());
        let carried = self.loops.get(op.kind()).map_or_else(Vec::new, |service| service.carried(op));
        carried.into_iter().any(|value| body.ty(value).is_tensor(ctx))
            && blocks_of(op).any(|block| body.block(block).ops().any(|op| self.dims(body.op(op)).is_some()))
    }

    /// The dimensions of a loop or a computed tensor that counts from 0 in steps of 1.
    fn dims(&self, op: OpRef<'_>) -> Option<Vec<Dim>> {
        match self.loops.get(op.kind()) {
            Some(service) => self.dims_of_loop(op, service),
            None => self.dims_of_tensor(op),
        }
    }

    fn dims_of_loop(&self, op: OpRef<'_>, service: &dyn LoopLike) -> Option<Vec<Dim>> {
        let (body, ctx) = (op.body(), op.context());
        let &[induction] = &service.inductions(op)[..] else { return None };
        let known = |bound: Bound| bound.constant(body)?.as_i64(ctx);
        let counts = known(induction.lower) == Some(0) && known(induction.step) == Some(1);
        if !counts || body.ty(induction.value) != Type::INDEX || op.n_regions() != 1 {
            return None;
        }
        let size = match induction.upper {
            Bound::Value(value) => Size::of(body, value),
            Bound::Constant(attr) => Size::Known(attr.as_i64(ctx)?),
        };
        Some(vec![Dim { index: induction.value, size }])
    }

    fn dims_of_tensor(&self, op: OpRef<'_>) -> Option<Vec<Dim>> {
        let tensor = ComputedTensor::of(self.domains, op)?;
        Some(tensor.dims.into_iter().map(|(index, size)| Dim { index, size }).collect())
    }
}

/// A dimension of a nest.
#[derive(Clone, Copy, Debug)]
struct Dim {
    index: Value,
    size: Size,
}

/// An assertion, and what implies its condition.
struct Check {
    op: Op,
    premise: Premise,
}

/// A condition on numbers that are the same in all iterations, or linear in the indices.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Premise {
    /// `index`, as an unsigned number, is below `extent`.
    Below { index: Linear, extent: Size },
    /// A value of type `i1` that is the same in all iterations is `expected`.
    Invariant { value: Value, expected: bool },
}

/// Removes the assertions on induction variables that the bounds of these prove; returns their number.
fn remove_bounded(body: &mut Body, tables: &Tables<'_>, ops: &[Op]) -> u64 {
    let mut bounds: FxHashMap<Value, Size> = FxHashMap::default();
    let mut removed = 0;
    // Operations come after those around them, and a bound is in scope wherever its variable is.
    for &op in ops {
        let Ok(view) = body.try_op(op) else { continue };
        if let Some(dims) = tables.dims(view) {
            bounds.extend(dims.iter().map(|dim| (dim.index, dim.size)));
        }
        let check = tables.condition(view).and_then(|condition| tables.bound(body, condition));
        if check.is_some_and(|(index, extent)| is_below(body, tables, &bounds, index, extent)) {
            emit::erase(body, tables, op);
            removed += 1;
        }
    }
    removed
}

/// Whether a number is an induction variable bounded by an extent, or by a variable that is.
fn is_below(
    body: &Body,
    tables: &Tables<'_>,
    bounds: &FxHashMap<Value, Size>,
    mut index: Value,
    extent: Size,
) -> bool {
    loop {
        if let Some(bound) = bounds.get(&index) {
            match *bound {
                bound if bound == extent => return true,
                Size::Value(next) => index = next,
                Size::Known(_) => return false,
            }
            continue;
        }
        let op = body.defining_op(index).map(|op| body.op(op));
        match op.and_then(|op| tables.terms.get(op.kind())?.term(op)) {
            Some(IndexTerm::Same(value)) => index = value,
            _ => return false,
        }
    }
}

/// Treats the nests of a body; returns the numbers of assertions that always hold and that are checked before a nest.
fn hoist(body: &mut Body, tables: &Tables<'_>) -> (u64, u64) {
    let mut counts = (0, 0);
    let ops: Vec<Op> = body.walk().into_iter().collect();
    if !ops.iter().any(|&op| tables.assertions.get(body.op(op).kind()).is_some()) {
        return counts;
    }
    counts.0 += remove_bounded(body, tables, &ops);
    let ops: Vec<Op> = body.walk().into_iter().collect();
    let only_assert = only_asserting(body, tables, &ops);
    // Pairs of a block and whether nests in it may be copied: a nest inside of a copied one is not copied again.
    let mut pending: Vec<(Block, bool)> =
        outermost_blocks(body, &ops).into_iter().map(|block| (block, true)).collect();
    while let Some((block, may_copy)) = pending.pop() {
        for op in body.block(block).ops().collect::<Vec<Op>>() {
            let view = body.op(op);
            if view.has_trait(Traits::ISOLATED) || view.n_regions() == 0 {
                continue;
            }
            let only_asserts = only_assert.contains(&op);
            let Some(dims) = tables.dims(view) else {
                pending.extend(blocks_of(view).map(|block| (block, may_copy)));
                continue;
            };
            let updates = tables.updates_by_nests(view);
            let is_whole = only_asserts && !updates;
            let nest = NestReader::read(body, tables, op, &dims, is_whole);
            let (proven, open) = nest.split();
            let proven: Vec<Op> = proven.iter().map(|check| check.op).collect();
            counts.0 += proven.len() as u64;
            for op in proven {
                emit::erase(body, tables, op);
            }
            let is_used = body.op(op).results().any(|result| body.is_used(result));
            let hoisted = if is_whole && may_copy && is_used {
                emit::check_before(body, tables, op, &nest, &dims, open)
            } else {
                0
            };
            counts.1 += hoisted;
            let apart = if updates { std::slice::from_ref(&op) } else { &nest.apart[..] };
            let apart = apart.iter().flat_map(|&op| blocks_of(body.op(op)));
            pending.extend(apart.map(|block| (block, may_copy && hoisted == 0)));
        }
    }
    counts
}

fn blocks_of(op: OpRef<'_>) -> impl Iterator<Item = Block> {
    let body = op.body();
    op.own_regions().flat_map(move |region| body.region(region).blocks())
}

/// The operations whose regions have no effects apart from assertions.
fn only_asserting(body: &Body, tables: &Tables<'_>, ops: &[Op]) -> FxHashSet<Op> {
    let mut others: FxHashSet<Op> = FxHashSet::default();
    // In reverse of pre-order, nested operations come before those around them.
    for &op in ops.iter().rev() {
        let view = body.op(op);
        let asserts = tables.assertions.get(view.kind()).is_some();
        let has_others =
            view.has_trait(Traits::ISOLATED) || (!asserts && tables.effects.own(view) != EffectSet::NONE);
        if has_others || others.contains(&op) {
            others.insert(op);
            others.extend(view.parent());
        }
    }
    ops.iter().copied().filter(|op| body.op(*op).n_regions() > 0 && !others.contains(op)).collect()
}

/// The blocks that are not inside of an operation of the body.
fn outermost_blocks(body: &Body, ops: &[Op]) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for &op in ops {
        let view = body.op(op);
        if let Some(block) =
            view.block().filter(|block| view.parent().is_none() && blocks.last() != Some(block))
        {
            blocks.push(block);
        }
    }
    blocks
}

/// Analysis of the numbers that a nest computes, and the assertions on them.
struct NestReader<'t, 'c> {
    tables: &'t Tables<'c>,
    /// The forms of values that every iteration computes. A value without an entry is defined outside of the nest.
    forms: FxHashMap<Value, Form>,
    /// The number of values of each induction variable, if it is invariant.
    sizes: FxHashMap<Value, Size>,
    checks: Vec<Check>,
    /// The operations with regions that were not looked into.
    apart: Vec<Op>,
}

impl<'t, 'c> NestReader<'t, 'c> {
    /// Reads the nest of an operation: all nests that each of its iterations executes if `is_whole`, otherwise its own
    /// region alone.
    fn read(body: &Body, tables: &'t Tables<'c>, root: Op, dims: &[Dim], is_whole: bool) -> Self {
        let mut nest = Self {
            tables,
            forms: FxHashMap::default(),
            sizes: FxHashMap::default(),
            checks: Vec::new(),
            apart: Vec::new(),
        };
        let mut pending = vec![nest.enter(body, root, dims)];
        while let Some(ops) = pending.last_mut() {
            let Some(op) = ops.next() else {
                pending.pop();
                continue;
            };
            let view = body.op(op);
            if let Some(condition) = tables.condition(view) {
                nest.examine(body, op, condition);
                continue;
            }
            for result in view.results() {
                let form = nest.form_of_result(body, view);
                nest.forms.insert(result, form);
            }
            if is_whole && let Some(dims) = tables.dims(view) {
                pending.push(nest.enter(body, op, &dims));
            } else if view.n_regions() > 0 && !view.has_trait(Traits::ISOLATED) {
                nest.apart.push(op);
            }
        }
        nest
    }

    /// Declares the arguments of an operation's region; returns the operations in it.
    fn enter(&mut self, body: &Body, op: Op, dims: &[Dim]) -> std::vec::IntoIter<Op> {
        let Some(block) = body.region(body.op(op).region(0)).entry() else { return Vec::new().into_iter() };
        for arg in body.block(block).args() {
            self.forms.insert(arg, Form::Unknown);
        }
        for dim in dims {
            if matches!(dim.size, Size::Known(_)) || self.is_invariant(dim.size) {
                self.forms.insert(dim.index, Form::Linear(Linear::index(dim.index)));
                self.sizes.insert(dim.index, dim.size);
            }
        }
        body.block(block).ops().collect::<Vec<Op>>().into_iter()
    }

    fn is_invariant(&self, size: Size) -> bool {
        match size {
            Size::Known(_) => true,
            Size::Value(value) => self.forms.get(&value).is_none_or(|form| *form == Form::Invariant),
        }
    }

    fn form_of_result(&self, body: &Body, op: OpRef<'_>) -> Form {
        let is_invariant = |value| self.is_invariant(Size::Value(value));
        if op.n_regions() == 0 && op.operands().all(is_invariant) && self.tables.speculation.is_harmless(op) {
            return Form::Invariant;
        }
        let linear = |value| self.linear(body, value);
        let term = self.tables.terms.get(op.kind()).and_then(|terms| terms.term(op));
        let combined = term.and_then(|term| Linear::of_term(term, linear));
        combined.map_or(Form::Unknown, Form::Linear)
    }

    /// The number as a linear form of the indices.
    fn linear(&self, body: &Body, value: Value) -> Option<Linear> {
        if let Some(known) = constant_of(body, value).and_then(|attr| attr.as_i64(body.context())) {
            return Some(Linear::constant(known));
        }
        match self.forms.get(&value) {
            None | Some(Form::Invariant) => Some(Linear::invariant(value)),
            Some(Form::Linear(linear)) => Some(linear.clone()),
            Some(Form::Unknown) => None,
        }
    }

    fn examine(&mut self, body: &Body, op: Op, condition: Value) {
        let below = self.tables.bound(body, condition).and_then(|(index, extent)| {
            let index = self.linear(body, index).filter(|_| self.is_invariant(extent))?;
            Some(Premise::Below { index, extent })
        });
        if let Some(premise) = below.or_else(|| self.invariant_premise(body, condition)) {
            self.checks.push(Check { op, premise });
        }
    }

    /// A premise on a value that is the same in all iterations: the condition itself, or one where the condition holds in any case.
    fn invariant_premise(&self, body: &Body, condition: Value) -> Option<Premise> {
        let is_invariant = |value| self.is_invariant(Size::Value(value));
        if is_invariant(condition) {
            return Some(Premise::Invariant { value: condition, expected: true });
        }
        let op = body.op(body.defining_op(condition)?);
        let Choice { condition: value, yes, no } = self.tables.choices?.get(op.kind())?.choice(op)?;
        let holds = |value| constant_of(body, value) == Some(Attr::TRUE);
        let expected = if holds(yes) { true } else { holds(no).then_some(false)? };
        (is_invariant(value) && body.ty(value) == Type::I1).then_some(Premise::Invariant { value, expected })
    }

    /// The assertions that always hold, and the others.
    fn split(&self) -> (Vec<&Check>, Vec<&Check>) {
        self.checks.iter().partition(|check| {
            let Premise::Below { index, extent } = &check.premise else { return false };
            if index.as_index().is_some_and(|index| self.sizes[&index] == *extent) {
                return true;
            }
            let Size::Known(extent) = *extent else { return false };
            let known = |index: Value| match self.sizes[&index] {
                Size::Known(size) => Some(size),
                Size::Value(_) => None,
            };
            let range = index.range(known);
            range.is_some_and(|range| *range.start() >= 0 && *range.end() < i128::from(extent))
        })
    }
}
