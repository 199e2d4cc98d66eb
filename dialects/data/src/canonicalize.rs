//! Folding and canonicalization.

use crate::Match;
use crate::matches::region_of;
use crate::ops::{Apply, Closure, Make, MakeBox, Unbox, is_value};
use minoan_ir::{Attr, InsertionPoint, OpDef, OpRef, Type, Value};
use minoan_rewrite::{Matched, NoMatch, PatternSet, Rewriter};
use minoan_services::{Folded, FunctionMaterializer};

pub(crate) fn patterns(patterns: &mut PatternSet) {
    patterns
        .on("data-match-make", match_of_make)
        .on("data-apply-closure", apply_of_closure)
        .on("data-assert-true", crate::assert::remove_true);
}

/// The operation of kind `O` that defines a value.
fn defined_by<'b, O: OpDef>(op: OpRef<'b>, value: Value) -> Option<OpRef<'b>> {
    let body = op.body();
    body.defining_op(value).map(|def| body.op(def)).filter(|def| def.is::<O>())
}

fn tag_of(op: OpRef<'_>) -> Option<i64> {
    op.attr_named("tag")?.as_i64(op.context())
}

/// Folds the tag of a value that an operation creates.
pub(crate) fn fold_tag(op: OpRef<'_>, _: &[Option<Attr>]) -> Folded {
    let tag = defined_by::<Make>(op, op.operand(0)).and_then(tag_of);
    tag.map(|tag| Attr::integer(op.context(), tag, Type::INDEX)).into()
}

/// Folds the projection of a value that an operation creates to the field.
pub(crate) fn fold_project(op: OpRef<'_>, _: &[Option<Attr>]) -> Folded {
    let field = || {
        let make = defined_by::<Make>(op, op.operand(0))?;
        let index = op.attr_named("index")?.as_i64(op.context())?;
        let field = make.operands().nth(usize::try_from(index).ok()?)?;
        (tag_of(make) == tag_of(op) && is_value(make)).then_some(field)
    };
    field().into()
}

/// Folds the contents of a box that an operation creates to the tensor.
pub(crate) fn fold_unbox(op: OpRef<'_>, _: &[Option<Attr>]) -> Folded {
    let boxed = defined_by::<MakeBox>(op, op.operand(0)).filter(|boxed| is_value(*boxed));
    let boxed = boxed.map(|boxed| boxed.operand(0));
    boxed.filter(|&contents| op.result_types().eq([op.body().ty(contents)])).into()
}

/// Folds a box of the contents of another box to that box.
pub(crate) fn fold_box(op: OpRef<'_>, _: &[Option<Attr>]) -> Folded {
    let boxed = defined_by::<Unbox>(op, op.operand(0)).map(|unbox| unbox.operand(0));
    boxed.filter(|&boxed| is_value(op) && op.result_types().eq([op.body().ty(boxed)])).into()
}

/// Replaces a match of a value that an operation creates by the region of its case.
fn match_of_make(op: Match, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let view = body.op(op.op());
    let make = defined_by::<Make>(view, view.operand(0))
        .filter(|make| is_value(*make))
        .ok_or(NoMatch::because("the constructor is not known"))?;
    let chosen = tag_of(make).and_then(|tag| region_of(view, tag));
    let (index, is_case) = chosen.ok_or(NoMatch::because("there is no region for the constructor"))?;
    let fields: Vec<Value> = if is_case { make.operands().collect() } else { Vec::new() };
    let entry = body.region(view.region(index)).entry().ok_or(NoMatch::because("the region is empty"))?;
    let last = body.block(entry).last().ok_or(NoMatch::because("the region is empty"))?;
    let args: Vec<Value> = body.block(entry).args().collect();
    let given = |value: Value| args.iter().position(|&arg| arg == value).map_or(value, |at| fields[at]);
    let values: Vec<Value> = body.op(last).operands().map(given).collect();
    rewriter.erase(last);
    rewriter.inline_block(entry, InsertionPoint::Before(op.op()), &fields);
    rewriter.replace(op.op(), &values);
    Ok(Matched)
}

/// Replaces the application of a closure that an operation creates by a call of its function, unless the types of the enclosing
/// function cannot be those of a call.
fn apply_of_closure(op: Apply, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let ctx = body.context().clone();
    let view = body.op(op.op());
    let closure = defined_by::<Closure>(view, view.operand(0))
        .filter(|closure| is_value(*closure))
        .ok_or(NoMatch::because("the function is not known"))?;
    let symbol = closure.attr_named("function").and_then(|symbol| symbol.as_flat_symbol(&ctx));
    let symbol = symbol.ok_or(NoMatch::because("the function has no symbol"))?;
    let args: Vec<Value> = closure.operands().chain(view.operands().skip(1)).collect();
    let results: Vec<Type> = view.result_types().collect();
    let calls = functions_of(view).ok_or(NoMatch::because("the function's dialect creates no calls"))?;
    let state = calls.call(&ctx, symbol.as_str(&ctx), &args, &results);
    let mut b = rewriter.builder();
    let call = b.create(state);
    let values: Vec<Value> = b.body().op(call).results().collect();
    rewriter.replace(op.op(), &values);
    Ok(Matched)
}

/// The materializer of calls in the function around an operation.
fn functions_of(op: OpRef<'_>) -> Option<&dyn FunctionMaterializer> {
    let ctx = op.context();
    let returns = op.body().regions().next().and_then(|region| op.body().region(region).entry())?;
    let last = op.body().op(op.body().block(returns).last()?);
    let dialect = ctx
        .dialects()
        .iter()
        .find(|dialect| last.name().split_once('.').is_some_and(|(name, _)| name == dialect.name()))?;
    let own = dialect.ops().iter().find_map(|&kind| ctx.service::<dyn FunctionMaterializer>(kind));
    dialect.service::<dyn FunctionMaterializer>().or(own)
}
