//! Replacement of parts: a computed tensor that differs from another only where an index is equal to a number.
//!
//! ```text
//! tensor.generate %m, %n {                          scf.if (%k in bounds) {
//!   %x = scf.if (%i == %k) { %a[%j] }         ->      tensor.insert_slice %a into %old[%k, 0] [1, %n] [1, 1]
//!        else { %old[%i, %j] }                      } else { %old }
//! ```

use super::Tables;
use super::cut::emit_size;
use super::emit::{Init, Plan, domain_read, is_scalar};
use super::nest::{Dim, Nest, Output, Size};
use super::slice::{Hoisted, Slice, indices, slice};
use minoan_ir::{Attr, Body, Builder, InsertionPoint, Mapping, Op, Type, Value};
use minoan_services::{EffectSet, IndexTerm, LoopLike, RegionExecution, RegionTarget};
use rustc_hash::{FxHashMap, FxHashSet};

/// A choice between two values by whether the index of a dimension is equal to a number.
struct Choice {
    /// The number of the dimension.
    dim: usize,
    number: Value,
    /// The value where they are equal.
    equal: Value,
    /// The value elsewhere.
    other: Value,
}

/// A part of the tensor: the elements with one index in a dimension.
struct Part {
    dim: usize,
    /// The index, available before the operation. It may be out of bounds.
    at: Value,
    element: Value,
    contents: Contents,
}

enum Contents {
    /// The only dimension is the one with the index: the operations that compute the element.
    Scalar(Slice),
    /// The computation over the other dimensions.
    Tensor(Plan),
}

/// Replaces a computed tensor by another one with parts replaced, if it is that.
pub(super) fn replace(tables: &Tables<'_>, body: &mut Body, op: Op) -> bool {
    replace_parts(tables, body, op).is_some()
}

fn replace_parts(tables: &Tables<'_>, body: &mut Body, op: Op) -> Option<()> {
    if tables.loops.get(body.op(op).kind()).is_some() {
        return None;
    }
    let nest = Nest::of(tables, body, op)?;
    let &[Output::Element(mut element)] = &nest.outputs[..] else { return None };
    let mut choices = Vec::new();
    while let Some(choice) = choice(tables, body, &nest, element) {
        element = choice.other;
        choices.push(choice);
    }
    if choices.is_empty() || tables.effects.all(body.op(op)) != EffectSet::NONE {
        return None;
    }
    let mut tensor = identity_read(tables, body, &nest, element)?;
    // The numbers are computed before the operation, which changes nothing if it then remains.
    let mut hoisted = Hoisted::new(tables, op);
    let mut parts = Vec::new();
    for choice in &choices {
        let at = hoisted.value(body, choice.number)?;
        parts.push(part(tables, body, &nest, choice, at, parts.is_empty())?);
    }
    let sizes: Option<Vec<Size>> = nest
        .dims
        .iter()
        .map(|dim| match dim.size {
            Size::Known(_) => Some(dim.size),
            Size::Value(value) => hoisted.value(body, value).map(Size::Value),
        })
        .collect();
    let sizes = sizes?;
    // The choice that is made first replaces its part last.
    for part in parts.iter_mut().rev() {
        tensor = emit(tables, body, &nest, &sizes, part, tensor);
    }
    body.replace(op, &[tensor]);
    Some(())
}

/// The choice that computes a value of a nest.
fn choice(tables: &Tables<'_>, body: &Body, nest: &Nest, value: Value) -> Option<Choice> {
    let op = body.defining_op(value).filter(|_| !<dyn LoopLike>::is_outside(body, nest.op, value))?;
    let view = body.op(op);
    let flow = tables.regions?.get(view.kind())?;
    if flow.execution(view) != RegionExecution::ExactlyOne || view.n_operands() != 1 || view.n_regions() != 2 {
        return None;
    }
    let (condition, result) = (view.operand(0), view.results().position(|result| result == value)?);
    if body.ty(condition) != Type::I1 {
        return None;
    }
    let chosen = |condition: Attr| {
        let successors = flow.entry_successors(view, &[Some(condition)]);
        let [successor] = &successors[..] else { return None };
        let RegionTarget::Region(region) = successor.target else { return None };
        let last = body.block(body.region(view.region(region)).entry()?).last()?;
        let last = body.op(last);
        let left = flow.terminator_successors(view, region, last, &vec![None; last.n_operands()]);
        let [left] = &left[..] else { return None };
        let operand = left.operand(result).filter(|_| left.target == RegionTarget::Parent)?;
        Some(last.operand(operand))
    };
    let (equal, other) = (chosen(Attr::TRUE)?, chosen(Attr::FALSE)?);
    let test = body.op(body.defining_op(condition)?);
    let IndexTerm::Equal(lhs, rhs) = tables.terms?.get(test.kind())?.term(test)? else { return None };
    let none = FxHashSet::default();
    [(lhs, rhs), (rhs, lhs)].into_iter().find_map(|(index, number)| {
        let index = same_number(tables, body, index);
        let dim = nest.dims.iter().position(|dim| dim.index == index)?;
        slice(body, nest.op, &[number], &none, &none)?;
        Some(Choice { dim, number, equal, other })
    })
}

/// The number that a value is a conversion of.
fn same_number(tables: &Tables<'_>, body: &Body, mut value: Value) -> Value {
    while let Some(op) = body.defining_op(value) {
        let view = body.op(op);
        match tables.terms.and_then(|terms| terms.get(view.kind())?.term(view)) {
            Some(IndexTerm::Same(same)) => value = same,
            _ => break,
        }
    }
    value
}

/// The tensor of the type of the result that a value of a nest is the element of at the indices of the nest.
fn identity_read(tables: &Tables<'_>, body: &Body, nest: &Nest, value: Value) -> Option<Value> {
    let place: FxHashMap<Value, u32> = nest.dims.iter().zip(0..).map(|(dim, at)| (dim.index, at)).collect();
    let read = body.defining_op(value)?;
    let (tensor, at) = domain_read(tables, body, nest.op, &nest.dims, &place, read)?;
    let is_identity = at.into_iter().eq(0..nest.dims.len() as u32);
    (is_identity && body.ty(tensor) == body.ty(body.op(nest.op).result(0))).then_some(tensor)
}

/// The dimensions of a part.
fn others(nest: &Nest, dim: usize) -> Vec<Dim> {
    [&nest.dims[..dim], &nest.dims[dim + 1..]].concat()
}

/// Plans the computation of a part. Any other than that of the choice that is made first may be computed for elements
/// that the nest does not compute.
fn part(
    tables: &Tables<'_>,
    body: &Body,
    nest: &Nest,
    choice: &Choice,
    at: Value,
    is_first: bool,
) -> Option<Part> {
    let (dims, element) = (others(nest, choice.dim), choice.equal);
    let slice = slice(body, nest.op, &[element], &indices(&nest.dims), &FxHashSet::default())?;
    let is_harmless = |&op: &Op| tables.speculation.is_harmless(body.op(op));
    let contents = if dims.is_empty() {
        if !slice.ops.iter().all(|&op| is_scalar(body, op) && (is_first || is_harmless(&op))) {
            return None;
        }
        Contents::Scalar(slice)
    } else {
        let kept = Nest::element(nest.op, element);
        let plan = Plan::new(tables, body, nest.op, &dims, dims.len(), &kept, slice)?;
        if !is_first && !plan.computed().all(is_harmless) {
            return None;
        }
        Contents::Tensor(plan)
    };
    Some(Part { dim: choice.dim, at, element, contents })
}

/// Creates the tensor with a part replaced, if the index of the part is in bounds.
fn emit(
    tables: &Tables<'_>,
    body: &mut Body,
    nest: &Nest,
    sizes: &[Size],
    part: &mut Part,
    tensor: Value,
) -> Value {
    let Tables { index_ops, tensor_ops, loop_ops, .. } = *tables;
    let (loc, ty) = (body.op(nest.op).loc(), body.ty(tensor));
    let mut b = Builder::new(body, InsertionPoint::Before(nest.op)).with_loc(loc);
    let b = &mut b;
    let number = part.at;
    let at = if b.ty(number) == Type::INDEX { number } else { index_ops.cast(b, number, Type::INDEX) };
    let least = index_ops.index(b, -1);
    let (above, size) = (index_ops.less(b, least, at), emit_size(tables, b, sizes[part.dim]));
    let (below, no) = (index_ops.less(b, at, size), index_ops.constant(b, Attr::FALSE));
    let is_inside = index_ops.select(b, above, below, no);
    let zero = index_ops.index(b, 0);
    let offsets: Vec<Value> = (0..sizes.len()).map(|dim| if dim == part.dim { at } else { zero }).collect();
    let extents: Vec<Option<Value>> =
        (0..sizes.len()).map(|dim| (dim != part.dim).then(|| emit_size(tables, b, sizes[dim]))).collect();
    let index = nest.dims[part.dim].index;
    let chosen = loop_ops.choose(
        b,
        is_inside,
        &[ty],
        &mut |b| {
            let contents = match &mut part.contents {
                Contents::Scalar(slice) => {
                    let mut mapping = Mapping::new();
                    mapping.map(index, at);
                    for &op in &slice.ops {
                        let to = b.insertion_point();
                        b.body_mut().clone_op(op, to, &mut mapping);
                    }
                    mapping.value(part.element)
                }
                Contents::Tensor(plan) => plan.copied(b.body()).unwrap_or_else(|| {
                    // The computation is created before an operation of this branch.
                    let first = index_ops.index(b, 0);
                    let before = b.body().defining_op(first).expect("a constant is an operation");
                    plan.fixed = vec![(index, at)];
                    let sizes = [&sizes[..part.dim], &sizes[part.dim + 1..]].concat();
                    let made = plan.emit(tables, b.body_mut(), before, &sizes, &[Init::None]);
                    made.expect("the domain writes each of its dimensions")[0]
                }),
            };
            vec![tensor_ops.replace_slice(b, contents, tensor, &offsets, &extents)]
        },
        &mut |_| vec![tensor],
    );
    chosen[0]
}
