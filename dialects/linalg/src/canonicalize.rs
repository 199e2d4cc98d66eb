//! Canonicalization patterns that forward the input of an operation without effect.

use crate::fusion::extent_of;
use crate::named::Copy;
use crate::{Broadcast, Fill, Generic, Transpose, structured};
use minoan_ir::{Attr, Body, DenseArray, Op, OpDef, OpRef, OpState, Type, Value};
use minoan_rewrite::{Matched, NoMatch, Pattern, PatternSet, Rewriter, Root};
use minoan_services::{Folded, IteratorType};
use minoan_tensor::{CollapseShape, ExpandShape, Extract};
use std::borrow::Cow;

pub(crate) fn patterns(patterns: &mut PatternSet) {
    patterns
        .on("linalg-generic-passes-on", erase_identity_generic)
        .on("linalg-transpose-nothing", erase_identity_transpose)
        .on("linalg-transpose-transpose", transpose_twice)
        .on("linalg-transpose-fill", transpose_fill)
        .on("linalg-broadcast-nothing", erase_identity_broadcast)
        .on("linalg-fill-collapsed", |op: CollapseShape, rewriter| reshaped_fill(op.op(), rewriter))
        .on("linalg-fill-expanded", |op: ExpandShape, rewriter| reshaped_fill(op.op(), rewriter))
        .on("linalg-fill-extract", extract_of_fill)
        .on("linalg-copy-fill", copy_of_fill)
        .add(DoesNothing);
    crate::movements::add(patterns);
    crate::static_shapes::add(patterns);
}

/// `linalg.index` of a dimension with extent 1 is 0.
pub(crate) fn fold_index(op: OpRef<'_>) -> Folded {
    let (body, ctx) = (op.body(), op.context());
    let dim = op.attr_value::<i64>("dim").and_then(|dim| u32::try_from(dim).ok());
    let around = op.parent().and_then(|parent| Generic::cast(body, parent));
    let one = dim.zip(around).and_then(|(dim, around)| extent_of(body, around.op(), dim)) == Some(1);
    one.then(|| Attr::index_value(ctx, 0)).into()
}

/// A `linalg.generic` that yields the input element unchanged, with the same map for input and output, is its input.
fn erase_identity_generic(op: Generic, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let view = body.op(op.op());
    let maps = op.maps(body);
    let iterator_types =
        structured::iterator_types(view).ok_or(NoMatch::because("the dimensions are unknown"))?;
    let one_map = maps.iter().all(|map| *map == maps[0])
        && iterator_types.iter().all(|&walk| walk == IteratorType::Parallel);
    let block = view.own_regions().next().and_then(|region| body.region(region).entry());
    let block = block.ok_or(NoMatch::because("the operation has no region"))?;
    let last = body.block(block).last().filter(|_| body.block(block).len() == 1 && one_map);
    let last =
        last.ok_or(NoMatch::because("the operation computes, or reads and writes different elements"))?;
    let args: Vec<Value> = body.block(block).args().collect();
    let operand = |value: Value| args.iter().position(|&arg| arg == value).map(|at| view.operand(at));
    let given: Option<Vec<Value>> = body.op(last).operands().map(operand).collect();
    let given = given.ok_or(NoMatch::because("the yielded value is not an input"))?;
    // On buffers the operation has no result, and the output is written.
    let same = given.iter().map(|&value| body.ty(value)).eq(view.result_types());
    if view.n_results() == 0 || !same {
        return Err(NoMatch::because("the result types differ"));
    }
    rewriter.replace(op.op(), &given);
    Ok(Matched)
}

/// Replaces an operation on tensors by its input if the types are equal.
fn replace_by_input(rewriter: &mut Rewriter<'_>, op: Op, input: Value) -> Result<Matched, NoMatch> {
    let same = rewriter.op(op).result_types().eq([rewriter.ty(input)]);
    if !same {
        return Err(NoMatch::because("the result type differs"));
    }
    rewriter.replace(op, &[input]);
    Ok(Matched)
}

fn is_identity(permutation: DenseArray<'_, i64>) -> bool {
    permutation.iter().zip(0..).all(|(dim, at)| dim == at)
}

fn erase_identity_transpose(op: Transpose, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let input = op.input(body);
    if !is_identity(op.permutation(body)) {
        return Err(NoMatch::because("it moves dimensions"));
    }
    replace_by_input(rewriter, op.op(), input)
}

/// Downcasts the definition of a value to an op type.
fn defined_by<O: OpDef>(body: &Body, value: Value) -> Result<O, NoMatch> {
    let def = body.defining_op(value).and_then(|def| O::cast(body, def));
    def.ok_or(NoMatch::because("the operand is defined by another operation"))
}

/// Composes two transpositions.
fn transpose_twice(op: Transpose, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let first: Transpose = defined_by(body, op.input(body))?;
    let source = first.input(body);
    let (before, own) = (first.permutation(body), op.permutation(body));
    let both = own.iter().map(|dim| before.get(usize::try_from(dim).ok()?));
    let both: Vec<i64> = both.collect::<Option<_>>().ok_or(NoMatch::because("the ranks differ"))?;
    rewriter.set_operand(op.op(), 0, source);
    rewriter.modify(op.op(), |body, _| op.set_permutation(body, both));
    Ok(Matched)
}

/// A transposed fill is a fill of the transposed type.
fn transpose_fill(op: Transpose, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let fill: Fill = defined_by(body, op.input(body))?;
    let (value, init) = (body.op(fill.op()).operand(0), op.init(body));
    let new = Fill::with(&mut rewriter.builder(), value, init);
    let results: Vec<Value> = rewriter.op(new.op()).results().collect();
    rewriter.replace(op.op(), &results);
    Ok(Matched)
}

/// A reshaped fill is a fill of the reshaped type.
fn reshaped_fill(op: Op, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let view = body.op(op);
    let fill: Fill = defined_by(body, view.operand(0))?;
    let [value, init] = [0, 1].map(|at| body.op(fill.op()).operand(at));
    let operands: Vec<Value> = std::iter::once(init).chain(view.operands().skip(1)).collect();
    let results: Vec<Type> = view.result_types().collect();
    let state = OpState::new(view.kind()).props(view.props()).attrs(view.attrs());
    let reshaped = rewriter.create(state.operands(&operands).results(&results));
    let reshaped = rewriter.op(reshaped).result(0);
    let new = Fill::with(&mut rewriter.builder(), value, reshaped);
    let results: Vec<Value> = rewriter.op(new.op()).results().collect();
    rewriter.replace(op, &results);
    Ok(Matched)
}

/// A copied fill is a fill of the destination.
fn copy_of_fill(op: Copy, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (body, ctx) = (rewriter.body(), rewriter.context());
    let view = body.op(op.op());
    let [input, init] = [0, 1].map(|at| view.operand(at));
    let fill: Fill = defined_by(body, input)?;
    if body.ty(input).element(ctx) != body.ty(init).element(ctx) {
        return Err(NoMatch::because("the copy converts the elements"));
    }
    let value = body.op(fill.op()).operand(0);
    let new = Fill::with(&mut rewriter.builder(), value, init);
    let results: Vec<Value> = rewriter.op(new.op()).results().collect();
    rewriter.replace(op.op(), &results);
    Ok(Matched)
}

/// An element extracted from a fill is the fill value.
fn extract_of_fill(op: Extract, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let fill: Fill = defined_by(body, body.op(op.op()).operand(0))?;
    let value = body.op(fill.op()).operand(0);
    replace_by_input(rewriter, op.op(), value)
}

fn erase_identity_broadcast(op: Broadcast, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let input = op.input(body);
    if !op.dimensions(body).is_empty() {
        return Err(NoMatch::because("it adds dimensions"));
    }
    replace_by_input(rewriter, op.op(), input)
}

/// Erases operations on buffers that write no elements or copy a buffer to itself.
struct DoesNothing;

impl Pattern for DoesNothing {
    fn name(&self) -> &str {
        "linalg-does-nothing"
    }

    fn root(&self) -> Root {
        const NAMES: [&str; 7] = [
            "linalg.broadcast",
            "linalg.copy",
            "linalg.fill",
            "linalg.generic",
            "linalg.map",
            "linalg.reduce",
            "linalg.transpose",
        ];
        Root::Ops(Cow::Borrowed(&NAMES))
    }

    fn rewrite(&self, op: Op, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
        let (view, ctx) = (rewriter.op(op), rewriter.context());
        let is_empty = |value: Value| rewriter.ty(value).shape(ctx).is_some_and(|shape| shape.contains(&0));
        let writes_nothing = view.operands().skip(structured::n_inputs(view)).all(is_empty);
        let to_itself = view.name() == "linalg.copy" && view.operand(0) == view.operand(1);
        if view.n_results() > 0 || !(to_itself || writes_nothing) {
            return Err(NoMatch::because("it writes elements"));
        }
        rewriter.erase(op);
        Ok(Matched)
    }
}
