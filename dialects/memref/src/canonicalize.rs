//! Canonical forms: sizes that are constants go into types.

use crate::slices::{SLICE_NAMES, numbers};
use crate::{Alloc, Alloca, Cast, SubView};
use minoan_ir::strided::Strided;
use minoan_ir::{Attr, Context, DYNAMIC, DialectBuilder, Op, OpDef, OpState, Type, Value};
use minoan_rewrite::{AddPatterns, CanonicalPatterns, Matched, NoMatch, Rewriter};
use std::sync::Arc;

pub(crate) fn register(dialect: &mut DialectBuilder<'_>) {
    dialect.service::<dyn CanonicalPatterns>(Arc::new(AddPatterns(|patterns| {
        patterns
            .on("memref-alloc-constant-size", |op: Alloc, rewriter| constant_sizes(op.op(), rewriter))
            .on("memref-alloca-constant-size", |op: Alloca, rewriter| constant_sizes(op.op(), rewriter))
            .on("memref-subview-constant", constant_slice);
    })));
}

/// The number that a value is, where it is a constant that is not negative.
fn number(rewriter: &Rewriter<'_>, value: Value) -> Option<i64> {
    let attr = rewriter.constant_of(value)?;
    attr.as_i64(rewriter.context()).filter(|&number| number >= 0)
}

/// Puts constants into a list of numbers; gives the values that are left. Whether there was one is the second part.
fn settle(rewriter: &Rewriter<'_>, numbers: &mut [i64], values: &[Value]) -> (Vec<Value>, bool) {
    let mut left = Vec::new();
    let open = numbers.iter_mut().filter(|number| **number == DYNAMIC);
    for (place, &value) in open.zip(values) {
        match number(rewriter, value) {
            Some(known) => *place = known,
            None => left.push(value),
        }
    }
    let found = left.len() < values.len();
    (left, found)
}

/// Replaces an operation by another one whose result says more of its type, and is cast back.
fn replace_by_cast(rewriter: &mut Rewriter<'_>, op: Op, state: OpState) -> Matched {
    let old = rewriter.ty(rewriter.op(op).result(0));
    let new = rewriter.create(state);
    let value = rewriter.op(new).result(0);
    let cast = Cast::build(&mut rewriter.builder(), value, old);
    let value = cast.dest(rewriter.body());
    rewriter.replace(op, &[value]);
    Matched
}

/// Storage whose sizes are constants has a type with these extents.
fn constant_sizes(op: Op, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (view, ctx) = (rewriter.op(op), rewriter.context().clone());
    let ty = rewriter.ty(view.result(0));
    let (sizes, symbols) = (view.operand_group(0), view.operand_group(1));
    let mut shape = ty.shape(&ctx).unwrap_or(&[]).to_vec();
    let (left, found) = settle(rewriter, &mut shape, &sizes);
    if !found {
        return Err(NoMatch::because("no size is a constant"));
    }
    let props = with_segments(&ctx, view.props(), &[left.len(), symbols.len()]);
    let state =
        OpState::new(view.kind()).operands(&left).operands(&symbols).results(&[with_shape(&ctx, ty, &shape)]);
    let state = state.props(props).attrs(view.attrs());
    Ok(replace_by_cast(rewriter, op, state))
}

/// The type with other extents and the same layout.
fn with_shape(ctx: &Context, ty: Type, shape: &[i64]) -> Type {
    match ty.data(ctx) {
        minoan_ir::TypeData::MemRef { element, layout, space, .. } => {
            ctx.intern_type(minoan_ir::TypeData::MemRef {
                shape: shape.into(),
                element: *element,
                layout: *layout,
                space: *space,
            })
        }
        _ => ty,
    }
}

fn with_segments(ctx: &Context, props: Attr, sizes: &[usize]) -> Attr {
    let sizes: Vec<i32> = sizes.iter().map(|&size| i32::try_from(size).unwrap_or(i32::MAX)).collect();
    with_props(ctx, props, &[("operandSegmentSizes", Attr::dense_i32(ctx, &sizes))])
}

fn with_props(ctx: &Context, props: Attr, changed: &[(&str, Attr)]) -> Attr {
    let mut entries: Vec<_> = props.as_dictionary(ctx).unwrap_or(&[]).to_vec();
    for &(name, value) in changed {
        let name = ctx.name(name);
        match entries.iter_mut().find(|(entry, _)| *entry == name) {
            Some(entry) => entry.1 = value,
            None => entries.push((name, value)),
        }
    }
    Attr::dictionary(ctx, &entries)
}

/// A slice whose values are constants has numbers in their place.
fn constant_slice(op: SubView, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (view, ctx) = (rewriter.op(op.op()), rewriter.context().clone());
    let source = op.source(rewriter.body());
    let mut lists = SLICE_NAMES.map(|name| numbers(view, name));
    let (mut operands, mut sizes, mut found) = (vec![source], vec![1], false);
    for (at, list) in lists.iter_mut().enumerate() {
        let (left, some) = settle(rewriter, list, &view.operand_group(at + 1));
        sizes.push(left.len());
        operands.extend(left);
        found |= some;
    }
    if !found {
        return Err(NoMatch::because("no value of the slice is a constant"));
    }
    let dropped = op.dropped(rewriter.body()).ok_or(NoMatch::because("the result is no part"))?;
    let whole = SubView::whole_type(&ctx, rewriter.ty(source), lists.each_ref().map(Vec::as_slice));
    let whole = whole.ok_or(NoMatch::because("the source is not strided"))?;
    let layout = Strided::of(&ctx, whole).ok_or(NoMatch::because("the part is not strided"))?;
    let kept = |list: &[i64]| -> Vec<i64> {
        list.iter().zip(&dropped).filter(|(_, dropped)| !**dropped).map(|(&number, _)| number).collect()
    };
    let part = Strided { offset: layout.offset, strides: kept(&layout.strides) };
    let ty = whole.with_layout(&ctx, &kept(&lists[1]), Some(&part));
    let lists = lists.map(|list| Attr::dense_i64(&ctx, &list));
    let [offsets, extents, strides] = [0, 1, 2].map(|at| (SLICE_NAMES[at], lists[at]));
    let props = with_props(&ctx, with_segments(&ctx, view.props(), &sizes), &[offsets, extents, strides]);
    let state = OpState::new(view.kind()).operands(&operands).results(&[ty]).props(props).attrs(view.attrs());
    Ok(replace_by_cast(rewriter, op.op(), state))
}
