//! Canonicalization patterns that move constant sizes into types and simplify views.

use crate::folding::{
    Settled, composed_groups, fold_constant_entries, is_whole, reshaped_twice, slice_of, with_segments,
};
use crate::slices::in_bounds;
use crate::{
    Alloc, Alloca, Cast, CollapseShape, Copy, Dealloc, ExpandShape, ExtractStridedMetadata, Store, SubView,
};
use minoan_ir::strided::Strided;
use minoan_ir::{Attr, Context, DYNAMIC, Op, OpDef, OpState, Type, Value};
use minoan_rewrite::{Matched, NoMatch, PatternSet, Rewriter};

pub(crate) fn patterns(patterns: &mut PatternSet) {
    patterns
        .on("memref-alloc-constant-size", |op: Alloc, rewriter| constant_sizes(op.op(), rewriter))
        .on("memref-alloca-constant-size", |op: Alloca, rewriter| constant_sizes(op.op(), rewriter))
        .on("memref-subview-constant", constant_slice)
        .on("memref-subview-whole", whole_slice)
        .on("memref-subview-cast", slice_of_cast)
        .on("memref-alloc-unused", |op: Alloc, rewriter| unused(op.op(), rewriter))
        .on("memref-alloca-unused", |op: Alloca, rewriter| unused(op.op(), rewriter))
        .on("memref-copy-nothing", erase_self_copy)
        .on("memref-metadata-known", known_metadata)
        .on("memref-collapse-collapse", |op: CollapseShape, rewriter| collapse_twice(op.op(), rewriter))
        .on("memref-expand-expand", |op: ExpandShape, rewriter| expand_twice(op.op(), rewriter));
}

/// Replaces an operation by one with a more static result type, followed by a cast.
fn replace_by_cast(rewriter: &mut Rewriter<'_>, op: Op, state: OpState) -> Matched {
    let old = rewriter.ty(rewriter.op(op).result(0));
    let new = rewriter.create(state);
    let value = rewriter.op(new).result(0);
    let cast = Cast::build(&mut rewriter.builder(), value, old);
    let value = cast.dest(rewriter.body());
    rewriter.replace(op, &[value]);
    Matched
}

/// Moves the constant sizes of an allocation into its type.
fn constant_sizes(op: Op, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (view, ctx) = (rewriter.op(op), rewriter.context().clone());
    let ty = rewriter.ty(view.result(0));
    let (sizes, symbols) = (view.operand_group(0), view.operand_group(1));
    let mut shape = ty.shape(&ctx).unwrap_or(&[]).to_vec();
    let (left, found) = fold_constant_entries(rewriter, &mut shape, &sizes);
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

/// Moves the constant operands of a subview into its static lists.
fn constant_slice(op: SubView, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (view, ctx) = (rewriter.op(op.op()), rewriter.context().clone());
    let source = op.source(rewriter.body());
    let settled = Settled::of(rewriter, view, 1, rewriter.ty(source).shape(&ctx).unwrap_or(&[]));
    let settled =
        settled.ok_or(NoMatch::because("no value of the slice is a constant that keeps it in bounds"))?;
    let (lists, mut operands) = (&settled.numbers, vec![source]);
    operands.extend(&settled.operands);
    let ty = part_type(rewriter, op, source, lists)?;
    let props = settled.props(&ctx, view.props(), 1);
    let state = OpState::new(view.kind()).operands(&operands).results(&[ty]).props(props).attrs(view.attrs());
    Ok(replace_by_cast(rewriter, op.op(), state))
}

/// The result type of a subview with other offsets, sizes and strides.
fn part_type(
    rewriter: &Rewriter<'_>,
    op: SubView,
    source: Value,
    lists: &[Vec<i64>; 3],
) -> Result<Type, NoMatch> {
    let ctx = rewriter.context();
    let dropped =
        op.dropped(rewriter.body()).ok_or(NoMatch::because("the result is not a slice of the source"))?;
    let whole = SubView::whole_type(ctx, rewriter.ty(source), lists.each_ref().map(Vec::as_slice));
    let whole = whole.ok_or(NoMatch::because("the source layout is not strided"))?;
    let layout = Strided::of(ctx, whole).ok_or(NoMatch::because("the result layout is not strided"))?;
    let kept = |list: &[i64]| -> Vec<i64> {
        list.iter().zip(&dropped).filter(|(_, dropped)| !**dropped).map(|(&number, _)| number).collect()
    };
    let part = Strided { offset: layout.offset, strides: kept(&layout.strides) };
    Ok(whole.with_layout(ctx, &kept(&lists[1]), Some(&part)))
}

/// Folds a cast that erases static extents or strides into the subview of its result.
fn slice_of_cast(op: SubView, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (body, ctx) = (rewriter.body(), rewriter.context().clone());
    let view = body.op(op.op());
    let cast = body.defining_op(op.source(body)).and_then(|def| Cast::cast(body, def));
    let source = cast.ok_or(NoMatch::because("it is a part of no cast"))?.source(body);
    let layouts = (Strided::of(&ctx, body.ty(source)), Strided::of(&ctx, body.ty(view.operand(0))));
    let (Some(from), Some(to)) = layouts else { return Err(NoMatch::because("a layout is not strided")) };
    let shape = |value: Value| body.ty(value).shape(&ctx).unwrap_or(&[]);
    let extents = shape(source).iter().zip(shape(view.operand(0)));
    let numbers = extents.chain(from.strides.iter().zip(&to.strides)).chain([(&from.offset, &to.offset)]);
    if from.strides.len() != to.strides.len()
        || !numbers.into_iter().all(|(from, to)| from == to || *to == DYNAMIC)
    {
        return Err(NoMatch::because("the cast adds extents or strides"));
    }
    let lists = slice_of(view, 1).map(|(numbers, _)| numbers);
    if in_bounds(lists.each_ref().map(Vec::as_slice), shape(source)).is_err() {
        return Err(NoMatch::because("the slice would be out of bounds"));
    }
    let ty = part_type(rewriter, op, source, &lists)?;
    let operands: Vec<Value> = std::iter::once(source).chain(view.operands().skip(1)).collect();
    let state = OpState::new(view.kind()).operands(&operands).results(&[ty]).props(view.props());
    let state = state.attrs(view.attrs());
    if ty == rewriter.ty(view.result(0)) {
        rewriter.replace_by(op.op(), state);
        return Ok(Matched);
    }
    Ok(replace_by_cast(rewriter, op.op(), state))
}

/// Replaces a subview of the whole buffer by the source, with a cast if necessary.
fn whole_slice(op: SubView, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (body, ctx) = (rewriter.body(), rewriter.context());
    let (source, ty) = (op.source(body), body.ty(op.result(body)));
    let from = body.ty(source);
    let whole = from.shape(ctx).is_some_and(|shape| is_whole(&slice_of(body.op(op.op()), 1), shape));
    if !whole || !crate::ops::cast_fits(ctx, from, ty) {
        return Err(NoMatch::because("it is a part"));
    }
    let cast = Cast::build(&mut rewriter.builder(), source, ty);
    let value = cast.dest(rewriter.body());
    rewriter.replace(op.op(), &[value]);
    Ok(Matched)
}

/// Erases an allocation that is only written and freed, with its users.
fn unused(op: Op, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let value = body.op(op).result(0);
    let mut users: Vec<Op> = Vec::new();
    for at in body.uses(value) {
        let user = body.op(at.op);
        let writes = user.is::<Store>() && at.index == 1 || user.is::<Dealloc>();
        if !writes {
            return Err(rewriter.no_match(|| format!("'{}' uses it", user.name())));
        }
        if !users.contains(&at.op) {
            users.push(at.op);
        }
    }
    users.into_iter().for_each(|user| rewriter.erase(user));
    rewriter.erase(op);
    Ok(Matched)
}

/// Erases a copy of a buffer to itself, or of no elements.
fn erase_self_copy(op: Copy, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (body, ctx) = (rewriter.body(), rewriter.context());
    let (source, target) = (op.source(body), op.target(body));
    let empty = [source, target]
        .into_iter()
        .any(|buffer| body.ty(buffer).shape(ctx).is_some_and(|shape| shape.contains(&0)));
    if source != target && !empty {
        return Err(NoMatch::because("it copies something"));
    }
    rewriter.erase(op.op());
    Ok(Matched)
}

/// Whether a reshape of a buffer of this type may be combined with another one.
fn is_plain(ctx: &Context, ty: Type) -> bool {
    let shape = ty.shape(ctx).unwrap_or(&[]);
    ty.is_memref(ctx) && ty.with_shape(ctx, shape) == Some(ty) && shape.iter().all(|&extent| extent >= 0)
}

/// The reshape of the same kind that defines the operand, if both have static types.
fn twice<O: OpDef>(op: Op, rewriter: &Rewriter<'_>) -> Result<Op, NoMatch> {
    reshaped_twice::<O>(op, rewriter, is_plain, "an extent or the layout is dynamic")
}

fn collapse_twice(op: Op, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let before = twice::<CollapseShape>(op, rewriter)?;
    let (first, view) = (rewriter.op(before), rewriter.op(op));
    let groups = composed_groups(rewriter.context(), first, view);
    let groups = groups.ok_or(NoMatch::because("the reassociations do not compose"))?;
    let (source, ty) = (first.operand(0), rewriter.ty(view.result(0)));
    let new = CollapseShape::build(&mut rewriter.builder(), source, groups, ty);
    let value = rewriter.op(new.op()).result(0);
    rewriter.replace(op, &[value]);
    Ok(Matched)
}

fn expand_twice(op: Op, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let before = twice::<ExpandShape>(op, rewriter)?;
    let (first, view) = (rewriter.op(before), rewriter.op(op));
    let groups = composed_groups(rewriter.context(), view, first);
    let groups = groups.ok_or(NoMatch::because("the reassociations do not compose"))?;
    let (source, ty) = (first.operand(0), rewriter.ty(view.result(0)));
    let shape = view.attr_value::<Vec<i64>>("static_output_shape").map(Vec::from);
    let shape = shape.ok_or(NoMatch::because("the type is unranked"))?;
    let new = ExpandShape::build(&mut rewriter.builder(), source, &[], groups, shape, ty);
    let value = rewriter.op(new.op()).result(0);
    rewriter.replace(op, &[value]);
    Ok(Matched)
}

/// Replaces offsets, sizes and strides that are static in the type by constants.
fn known_metadata(op: ExtractStridedMetadata, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (body, ctx) = (rewriter.body(), rewriter.context().clone());
    let source = body.ty(op.source(body));
    let layout = Strided::of(&ctx, source).ok_or(NoMatch::because("the layout is unknown"))?;
    let shape = source.shape(&ctx).unwrap_or(&[]);
    let numbers = std::iter::once(&layout.offset).chain(shape).chain(&layout.strides).copied();
    let values = body.op(op.op()).results().skip(1);
    let known: Vec<(Value, i64)> =
        values.zip(numbers).filter(|&(value, number)| number != DYNAMIC && body.is_used(value)).collect();
    if known.is_empty() {
        return Err(NoMatch::because("no used result is static"));
    }
    for (value, number) in known {
        let constant = rewriter.constant(op.op(), Attr::index_value(&ctx, number), Type::INDEX)?;
        rewriter.replace_all_uses(value, constant);
    }
    Ok(Matched)
}
