//! `raise-updates`: replaces computed tensors that differ from another tensor only at some index by insertions into that tensor.
//!
//! Functional programs update a tensor by recomputing all of its elements: `if i == k then row[j] else old[i, j]`. As an
//! insertion, only the new part is computed, in place if the old tensor has no other uses, and its derivative is one of slices.
//!
//! ```text
//! tensor.generate %m, %n {                          %row = tensor.generate %n { .. %k .. }
//!   %new = arith.cmpi eq, %i, %k              ->    scf.if (%k in bounds) {
//!   scf.if %new { .. %i .. }                          tensor.insert_slice %row into %old[%k, 0] [1, %n] [1, 1]
//!   else { tensor.extract %old[%i, %j] }            } else { %old }
//! ```
//!
//! * Several choices are several insertions; the first choice wins. Later ones are not computed where an earlier one replaces the
//!   same part, and must be harmless ([`Speculation`]) if it replaces an overlapping one.
//! * Assertions in the computation of a part are checked for the part.
//! * The old tensor has the extents of the new one ([`ExtentOf`]) and is read at the same indices.

use crate::analysis::captures::free_values;
use crate::analysis::computed_tensor::ComputedTensor;
use crate::analysis::extents::{Extents, Size};
use crate::raise_loops::slice::slice;
use minoan_diag::Diagnostics;
use minoan_ir::{Attr, Block, Body, Builder, Context, DYNAMIC, Mapping, Op, ServiceTable, Type, Value};
use minoan_pass::{Pass, PassRun, queries};
use minoan_services::{
    Assertion, EffectSet, Effects, EffectsTable, ElementAccess, ExtentOf, IndexOps, IndexTerm, IndexTerms,
    IterationDomain, LayoutSpec, LoopLike, LoopOps, RegionExecution, RegionFlow, RegionTarget, Speculation,
    SpeculationTable, TensorOps,
};
use rustc_hash::FxHashSet;

/// Raises computed tensors to updates of others.
pub struct RaiseUpdates;

impl Pass for RaiseUpdates {
    fn name(&self) -> &'static str {
        "raise-updates"
    }

    fn description(&self) -> &'static str {
        "replace computed tensors that update another one by insertions into it"
    }

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[("num-raised", "Number of computed tensors replaced by insertions")]
    }

    queries!(
        IterationDomain,
        ElementAccess,
        ExtentOf,
        RegionFlow,
        IndexTerms,
        Assertion,
        Effects,
        Speculation,
        IndexOps,
        LoopOps,
        TensorOps
    );

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        // Indices are compared as numbers of 64 bits.
        if LayoutSpec::of(&ctx, run.op().attrs).index_bits() != 64 {
            return Ok(());
        }
        let raised = run.each_body(|body| {
            let Some(mut tables) = Tables::of(&ctx) else { return 0 };
            let ops = body.walk();
            let candidates: Vec<Op> = ops
                .into_iter()
                .filter(|&op| tables.choices(body, op).is_some_and(|all| !all.is_empty()))
                .collect();
            if candidates.is_empty() {
                return 0;
            }
            tables.extents.follow_regions(body);
            // Innermost first: replacing an outer tensor would erase the inner ones.
            candidates.into_iter().rev().filter(|&op| raise(body, &tables, op).is_some()).count() as u64
        });
        run.count("num-raised", raised.into_iter().sum());
        Ok(())
    }
}

/// Upper bound on the choices of an update: each compares its number with those of all earlier ones.
const CHOICES: usize = 8;

/// The services that the pass queries.
struct Tables<'c> {
    domains: &'c ServiceTable<dyn IterationDomain>,
    accesses: &'c ServiceTable<dyn ElementAccess>,
    regions: &'c ServiceTable<dyn RegionFlow>,
    terms: &'c ServiceTable<dyn IndexTerms>,
    assertions: Option<&'c ServiceTable<dyn Assertion>>,
    extents: Extents<'c>,
    effects: EffectsTable<'c>,
    speculation: SpeculationTable<'c>,
    index_ops: &'c dyn IndexOps,
    loop_ops: &'c dyn LoopOps,
    tensor_ops: &'c dyn TensorOps,
}

/// A choice between two elements by whether the index of a dimension is equal to a number.
struct Choice {
    /// The operation that makes it.
    op: Op,
    /// The number of the dimension.
    dim: usize,
    /// The number, the same for all elements.
    number: Value,
    /// The block that computes the element where they are equal.
    block: Block,
    equal: Value,
    /// The element elsewhere.
    other: Value,
}

/// A part of a tensor that is replaced: the elements with one index in a dimension.
struct Part {
    choice: Choice,
    /// The operations that compute its elements, in order.
    ops: Vec<Op>,
}

impl<'c> Tables<'c> {
    fn of(ctx: &'c Context) -> Option<Self> {
        Some(Self {
            domains: ctx.service_table()?,
            accesses: ctx.service_table()?,
            regions: ctx.service_table()?,
            terms: ctx.service_table()?,
            assertions: ctx.service_table(),
            extents: Extents::new(ctx),
            effects: EffectsTable::new(ctx),
            speculation: SpeculationTable::new(ctx),
            index_ops: <dyn IndexOps>::any(ctx)?,
            loop_ops: <dyn LoopOps>::any(ctx)?,
            tensor_ops: <dyn TensorOps>::any(ctx)?,
        })
    }

    /// The selects by which a computed tensor chooses its elements, in order; `None` if there are too many.
    fn choices(&self, body: &Body, op: Op) -> Option<Vec<Choice>> {
        let tensor = ComputedTensor::of(Some(self.domains), body.op(op))?;
        let mut element = tensor.element;
        let mut choices = Vec::new();
        while let Some(choice) = self.choice(body, op, &tensor, element) {
            element = choice.other;
            choices.push(choice);
            if choices.len() > CHOICES {
                return None;
            }
        }
        Some(choices)
    }

    /// The choice that computes an element.
    fn choice(&self, body: &Body, root: Op, tensor: &ComputedTensor, element: Value) -> Option<Choice> {
        let op = body.defining_op(element).filter(|_| !<dyn LoopLike>::is_outside(body, root, element))?;
        let view = body.op(op);
        let flow = self.regions.get(view.kind())?;
        let chooses = flow.execution(view) == RegionExecution::ExactlyOne;
        if !chooses || view.n_operands() != 1 || body.ty(view.operand(0)) != Type::I1 {
            return None;
        }
        let test = body.op(body.defining_op(view.operand(0))?);
        let IndexTerm::Equal(lhs, rhs) = self.terms.get(test.kind())?.term(test)? else { return None };
        let result = view.results().position(|result| result == element)?;
        let chosen = |condition: Attr| {
            let successors = flow.entry_successors(view, &[Some(condition)]);
            let [successor] = &successors[..] else { return None };
            let RegionTarget::Region(region) = successor.target else { return None };
            let mut blocks = body.region(view.region(region)).blocks();
            let (block, None) = (blocks.next()?, blocks.next()) else { return None };
            let last = body.op(body.block(block).last()?);
            let left = flow.terminator_successors(view, region, last, &vec![None; last.n_operands()]);
            let [left] = &left[..] else { return None };
            let operand = left.operand(result).filter(|_| left.target == RegionTarget::Parent)?;
            Some((block, last.operand(operand)))
        };
        let ((block, equal), (_, other)) = (chosen(Attr::TRUE)?, chosen(Attr::FALSE)?);
        [(lhs, rhs), (rhs, lhs)].into_iter().find_map(|(index, number)| {
            let index = self.same_number(body, index);
            let dim = tensor.dims.iter().position(|&(own, _)| own == index)?;
            self.invariant(body, root, number)?;
            Some(Choice { op, dim, number, block, equal, other })
        })
    }

    /// The number that a value is a conversion of.
    fn same_number(&self, body: &Body, mut value: Value) -> Value {
        while let Some(op) = body.defining_op(value) {
            match self.terms.get(body.op(op).kind()).and_then(|terms| terms.term(body.op(op))) {
                Some(IndexTerm::Same(same)) => value = same,
                _ => break,
            }
        }
        value
    }

    /// The operations in `root` that compute a number that can be computed before it.
    fn invariant(&self, body: &Body, root: Op, number: Value) -> Option<Vec<Op>> {
        let none = FxHashSet::default();
        let ops = slice(body, root, &[number], &none, &none)?.ops;
        let is_harmless =
            |&op: &Op| body.op(op).n_regions() == 0 && self.speculation.is_harmless(body.op(op));
        ops.iter().all(is_harmless).then_some(ops)
    }

    fn is_assertion(&self, body: &Body, op: Op) -> bool {
        self.assertions.is_some_and(|table| table.get(body.op(op).kind()).is_some())
    }

    /// Whether an operation asserts that an index of a computed tensor is in bounds of the same extent, which always holds.
    fn holds(&self, body: &Body, tensor: &ComputedTensor, op: Op) -> bool {
        let view = body.op(op);
        let condition = self.assertions.and_then(|table| Some(table.get(view.kind())?.condition(view)));
        let test = condition.and_then(|condition| body.defining_op(view.operand(condition)));
        let Some(test) = test.map(|test| body.op(test)) else { return false };
        let Some(IndexTerm::Below(index, extent)) =
            self.terms.get(test.kind()).and_then(|terms| terms.term(test))
        else {
            return false;
        };
        let index = self.same_number(body, index);
        let extent = self.extents.of_value(body, extent);
        tensor.dims.iter().any(|&(own, size)| own == index && self.extents.of_size(body, size) == extent)
    }

    /// Whether the computation of the elements is free of effects, except for the choices themselves and their branches for equal
    /// numbers.
    fn is_pure(&self, body: &Body, tensor: &ComputedTensor, choices: &[Choice]) -> bool {
        let others = choices.iter().flat_map(|choice| {
            let blocks = body.op(choice.op).own_regions().flat_map(|region| body.region(region).blocks());
            blocks.filter(|&block| block != choice.block).collect::<Vec<Block>>()
        });
        let is_choice = |op: Op| choices.iter().any(|choice| choice.op == op);
        [tensor.block].into_iter().chain(others).flat_map(|block| body.block(block).ops()).all(|op| {
            is_choice(op) || self.effects.all(body.op(op)) == EffectSet::NONE || self.holds(body, tensor, op)
        })
    }

    /// The tensor of the same type that an element is read from, at the same indices.
    fn updated(&self, body: &Body, root: Op, tensor: &ComputedTensor, element: Value) -> Option<Value> {
        let view = body.op(body.defining_op(element)?);
        let access = self.accesses.get(view.kind())?.access(view).filter(|access| access.stored.is_none())?;
        let old = view.operand(access.container);
        let indices = view.operands().skip(access.indices.start).take(access.indices.len());
        let is_same = indices.eq(tensor.dims.iter().map(|&(index, _)| index))
            && body.ty(old) == body.ty(body.op(root).result(0))
            && <dyn LoopLike>::is_outside(body, root, old)
            && tensor.dims.iter().enumerate().all(|(dim, &(_, size))| {
                self.extents.of_dim(body, old, dim) == self.extents.of_size(body, size)
            });
        is_same.then_some(old)
    }

    /// The part that a choice replaces, after those of earlier choices.
    fn part(
        &self,
        body: &Body,
        root: Op,
        tensor: &ComputedTensor,
        choice: Choice,
        earlier: &[Part],
    ) -> Option<Part> {
        let last = body.block(choice.block).last();
        let own: Vec<Op> = body.block(choice.block).ops().filter(|&op| Some(op) != last).collect();
        let mut values: Vec<Value> = own.iter().flat_map(|&op| free_values(body, op)).collect();
        values.push(choice.equal);
        values.retain(|&value| <dyn LoopLike>::is_outside(body, choice.op, value));
        let indices = tensor.dims.iter().map(|&(index, _)| index).collect();
        let mut ops = slice(body, root, &values, &indices, &FxHashSet::default())?.ops;
        ops.extend(own);
        // Parts in different dimensions overlap.
        let is_speculated = earlier.iter().any(|part| part.choice.dim != choice.dim);
        let can_be_computed = |&op: &Op| {
            let is_pure = self.effects.all(body.op(op)) == EffectSet::NONE;
            match is_speculated {
                true => is_pure && self.speculation.is_harmless(body.op(op)),
                false => is_pure || self.is_assertion(body, op),
            }
        };
        ops.iter().all(can_be_computed).then_some(Part { choice, ops })
    }
}

/// Replaces a computed tensor by insertions into the one that it updates.
fn raise(body: &mut Body, tables: &Tables<'_>, op: Op) -> Option<()> {
    let tensor = ComputedTensor::of(Some(tables.domains), body.op(op))?;
    let choices = tables.choices(body, op)?;
    if !tables.is_pure(body, &tensor, &choices) {
        return None;
    }
    let mut value = tables.updated(body, op, &tensor, choices.last()?.other)?;
    let mut parts: Vec<Part> = Vec::new();
    for choice in choices {
        let part = tables.part(body, op, &tensor, choice, &parts)?;
        parts.push(part);
    }
    let numbers: Vec<Value> = parts.iter().map(|part| number(tables, body, op, part)).collect();
    for at in (0..parts.len()).rev() {
        value = insert(tables, body, op, &tensor, &parts[..=at], &numbers[..=at], value);
    }
    body.replace(op, &[value]);
    Some(())
}

/// The index of a part, of type `index`, computed before the tensor.
fn number(tables: &Tables<'_>, body: &mut Body, root: Op, part: &Part) -> Value {
    let number = part.choice.number;
    let ops = tables.invariant(body, root, number).expect("the number of a choice is invariant");
    let loc = body.op(root).loc();
    let mut b = Builder::before(body, root).with_loc(loc);
    let mut mapping = Mapping::new();
    for op in ops {
        let at = b.insertion_point();
        b.body_mut().clone_op(op, at, &mut mapping);
    }
    let number = mapping.value(number);
    if b.ty(number) == Type::INDEX { number } else { tables.index_ops.cast(&mut b, number, Type::INDEX) }
}

/// Replaces the last of some parts of a tensor, if its index is in bounds and no earlier part has the same.
fn insert(
    tables: &Tables<'_>,
    body: &mut Body,
    root: Op,
    tensor: &ComputedTensor,
    parts: &[Part],
    numbers: &[Value],
    old: Value,
) -> Value {
    let Tables { index_ops, tensor_ops, loop_ops, .. } = *tables;
    let (part, at) = (&parts[parts.len() - 1], numbers[numbers.len() - 1]);
    let dim = part.choice.dim;
    let (loc, ty, ctx) = (body.op(root).loc(), body.ty(old), body.context().clone());
    let mut b = Builder::before(body, root).with_loc(loc);
    let b = &mut b;
    let size = |b: &mut Builder<'_>, dim: usize| match tensor.dims[dim].1 {
        Size::Known(size) => index_ops.index(b, size),
        Size::Value(value) => value,
    };
    let (zero, extent) = (index_ops.index(b, 0), size(b, dim));
    let no = index_ops.constant(b, Attr::FALSE);
    let (below_zero, below_extent) = (index_ops.less(b, at, zero), index_ops.less(b, at, extent));
    let mut replaces = index_ops.select(b, below_zero, no, below_extent);
    for (earlier, &other) in parts.iter().zip(numbers).take(parts.len() - 1) {
        if earlier.choice.dim == dim {
            let yes = index_ops.constant(b, Attr::TRUE);
            let (less, greater) = (index_ops.less(b, at, other), index_ops.less(b, other, at));
            let differ = index_ops.select(b, less, yes, greater);
            replaces = index_ops.select(b, differ, replaces, no);
        }
    }
    let offsets: Vec<Value> = (0..tensor.dims.len()).map(|own| if own == dim { at } else { zero }).collect();
    let sizes: Vec<Option<Value>> =
        (0..tensor.dims.len()).map(|own| (own != dim).then(|| size(b, own))).collect();
    let others: Vec<usize> = (0..tensor.dims.len()).filter(|&own| own != dim).collect();
    let compute = |b: &mut Builder<'_>, indices: &[Value]| {
        let mut mapping = Mapping::new();
        mapping.map(tensor.dims[dim].0, at);
        others.iter().zip(indices).for_each(|(&own, &index)| mapping.map(tensor.dims[own].0, index));
        for &op in &part.ops {
            let to = b.insertion_point();
            b.body_mut().clone_op(op, to, &mut mapping);
        }
        mapping.value(part.choice.equal)
    };
    let replaced = loop_ops.choose(
        b,
        replaces,
        &[ty],
        &mut |b| {
            let new = if others.is_empty() {
                compute(b, &[])
            } else {
                let (mut shape, mut dynamic) = (Vec::new(), Vec::new());
                for &own in &others {
                    match tensor.dims[own].1 {
                        Size::Known(extent) => shape.push(extent),
                        Size::Value(value) => {
                            shape.push(DYNAMIC);
                            dynamic.push(value);
                        }
                    }
                }
                let part_ty = Type::tensor(&ctx, &shape, ty.element_or_self(&ctx));
                tensor_ops.generate(b, part_ty, &dynamic, &mut |b, indices| compute(b, indices))
            };
            vec![tensor_ops.replace_slice(b, new, old, &offsets, &sizes)]
        },
        &mut |_| vec![old],
    );
    replaced[0]
}
