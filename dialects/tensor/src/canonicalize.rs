//! Canonicalization patterns that move constant sizes into types and combine reshapes.

use crate::fold::size_of_part;
use crate::*;
use minoan_ir::{Context, DYNAMIC, Mapping, Op, OpDef, OpState, Traits, Type, Value};
use minoan_memref::folding::{Settled, composed_groups, fold_constant_entries, reshaped_twice};
use minoan_memref::slices::{dropped_dims, numbers};
use minoan_rewrite::{Matched, NoMatch, PatternSet, Rewriter};

pub(crate) fn patterns(patterns: &mut PatternSet) {
    patterns
        .on("tensor-empty-constant-size", |op: Empty, rewriter| constant_sizes(op.op(), 0, rewriter))
        .on("tensor-generate-constant-size", |op: Generate, rewriter| constant_sizes(op.op(), 0, rewriter))
        .on("tensor-splat-constant-size", |op: Splat, rewriter| constant_sizes(op.op(), 1, rewriter))
        .on("tensor-extract-slice-constant", constant_part)
        .on("tensor-extract-slice-splat", slice_of_splat)
        .on("tensor-insert-slice-constant", constant_place)
        .on("tensor-extract-generated", extract_generated)
        .on("tensor-collapse-collapse", collapse_twice)
        .on("tensor-expand-expand", expand_twice);
    crate::static_extents::add(patterns);
}

/// Replaces an operation by one with a more static result type, followed by a cast.
fn replace_by_cast(rewriter: &mut Rewriter<'_>, op: Op, new: Op) -> Matched {
    let (old, value) = (rewriter.ty(rewriter.op(op).result(0)), rewriter.op(new).result(0));
    let cast = Cast::build(&mut rewriter.builder(), value, old);
    let value = cast.dest(rewriter.body());
    rewriter.replace(op, &[value]);
    Matched
}

/// Moves the constant sizes of a tensor into its type; `first` operands precede the sizes.
fn constant_sizes(op: Op, first: usize, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (view, ctx) = (rewriter.op(op), rewriter.context().clone());
    let ty = rewriter.ty(view.result(0));
    let operands: Vec<Value> = view.operands().collect();
    let mut shape = ty.shape(&ctx).unwrap_or(&[]).to_vec();
    let (left, found) = fold_constant_entries(rewriter, &mut shape, &operands[first..]);
    let ty = ty.with_shape(&ctx, &shape).filter(|_| found);
    let ty = ty.ok_or(NoMatch::because("no size is a constant"))?;
    let state = OpState::new(view.kind()).operands(&operands[..first]).operands(&left).results(&[ty]);
    let regions: Vec<_> = view.own_regions().collect();
    let state = state.props(view.props()).attrs(view.attrs()).regions(regions.len());
    let new = rewriter.create(state);
    for (at, from) in regions.into_iter().enumerate() {
        let to = rewriter.op(new).region(at);
        rewriter.move_blocks(from, to);
    }
    Ok(replace_by_cast(rewriter, op, new))
}

fn not_constant() -> NoMatch {
    NoMatch::because("no value of the slice is a constant that keeps it in bounds")
}

/// The extents of a slice with these sizes, given its extents `part` for the sizes `before`.
fn part_shape(sizes: &[i64], before: &[i64], part: &[i64]) -> Result<Vec<i64>, NoMatch> {
    let dropped =
        dropped_dims(before, part).ok_or(NoMatch::because("the result is not a slice of the source"))?;
    Ok(sizes.iter().zip(&dropped).filter(|(_, dropped)| !**dropped).map(|(&size, _)| size).collect())
}

/// Moves the constant operands of a slice into its static lists.
fn constant_part(op: ExtractSlice, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (view, ctx) = (rewriter.op(op.op()), rewriter.context().clone());
    let source = rewriter.ty(view.operand(0)).shape(&ctx).unwrap_or(&[]);
    let settled = Settled::of(rewriter, view, 1, source).ok_or_else(not_constant)?;
    let ty = rewriter.ty(view.result(0));
    let old = ty.shape(&ctx).unwrap_or(&[]);
    let shape = part_shape(&settled.numbers[1], &numbers(view, "static_sizes"), old)?;
    let ty: Type = ty.with_shape(&ctx, &shape).ok_or(NoMatch::because("the result is unranked"))?;
    let state = OpState::new(view.kind()).operands(&[view.operand(0)]).operands(&settled.operands);
    let state = state.props(settled.props(&ctx, view.props(), 1)).attrs(view.attrs()).results(&[ty]);
    let new = rewriter.create(state);
    Ok(replace_by_cast(rewriter, op.op(), new))
}

/// A slice of a splat is a smaller splat.
fn slice_of_splat(op: ExtractSlice, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (body, view) = (rewriter.body(), rewriter.op(op.op()));
    let splat = body.defining_op(view.operand(0)).and_then(|def| Splat::cast(body, def));
    let element = splat.ok_or(NoMatch::because("it is a part of no splat"))?.input(body);
    let ty = rewriter.ty(view.result(0));
    let shape = ty.shape(rewriter.context()).unwrap_or(&[]);
    let dynamic = shape.iter().enumerate().filter(|(_, extent)| **extent == DYNAMIC);
    let sizes: Option<Vec<Value>> = dynamic.map(|(dim, _)| size_of_part(view, dim)).collect();
    let sizes = sizes.ok_or(NoMatch::because("an extent is not a size of the slice"))?;
    let part = Splat::build(&mut rewriter.builder(), element, &sizes, ty).aggregate(rewriter.body());
    rewriter.replace(op.op(), &[part]);
    Ok(Matched)
}

fn constant_place(op: InsertSlice, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (view, ctx) = (rewriter.op(op.op()), rewriter.context().clone());
    let whole = rewriter.ty(view.operand(1)).shape(&ctx).unwrap_or(&[]);
    let settled = Settled::of(rewriter, view, 2, whole).ok_or_else(not_constant)?;
    let (mut part, dest) = (view.operand(0), view.operand(1));
    let (props, attrs) = (settled.props(&ctx, view.props(), 2), view.attrs());
    let (kind, result) = (view.kind(), rewriter.ty(view.result(0)));
    let ty = rewriter.ty(part);
    let old = ty.shape(&ctx).unwrap_or(&[]);
    let shape = part_shape(&settled.numbers[1], &numbers(view, "static_sizes"), old)?;
    let more = ty.with_shape(&ctx, &shape).ok_or(NoMatch::because("the source is unranked"))?;
    if more != ty {
        let cast = Cast::build(&mut rewriter.builder(), part, more);
        part = cast.dest(rewriter.body());
    }
    let state = OpState::new(kind).operands(&[part, dest]).operands(&settled.operands);
    rewriter.replace_by(op.op(), state.props(props).attrs(attrs).results(&[result]));
    Ok(Matched)
}

/// Replaces an extract from a `tensor.generate` by the computation of the element, if this is the only use.
fn extract_generated(op: Extract, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let (tensor, indices) = (op.tensor(body), op.indices(body));
    let generate = body.defining_op(tensor).and_then(|def| Generate::cast(body, def));
    let generate = generate.ok_or(NoMatch::because("the operand is not defined by tensor.generate"))?.op();
    if body.only_use(tensor).is_none() || body.op(generate).block() != body.op(op.op()).block() {
        return Err(NoMatch::because("the tensor has other uses"));
    }
    let region = body.op(generate).region(0);
    let block = body.region(region).entry().ok_or(NoMatch::because("the region is empty"))?;
    let ops: Vec<Op> = body.block(block).ops().collect();
    let (&last, ops) = ops.split_last().ok_or(NoMatch::because("the block is empty"))?;
    let pure = |&op: &Op| body.op(op).has_trait(Traits::PURE) && body.op(op).n_regions() == 0;
    if !ops.iter().all(pure) {
        return Err(NoMatch::because("the computation has side effects"));
    }
    let mut mapping = Mapping::new();
    for (arg, index) in body.block(block).args().zip(indices) {
        mapping.map(arg, index);
    }
    let element = body.op(last).operand(0);
    let ops = ops.to_vec();
    for inner in ops {
        rewriter.clone_op(inner, &mut mapping);
    }
    rewriter.replace(op.op(), &[mapping.value(element)]);
    Ok(Matched)
}

fn is_static(ctx: &Context, ty: Type) -> bool {
    ty.shape(ctx).is_some_and(|shape| !shape.contains(&DYNAMIC))
}

/// The reshape of the same kind that defines the operand; both must be static.
fn twice<O: OpDef>(op: Op, rewriter: &Rewriter<'_>) -> Result<Op, NoMatch> {
    reshaped_twice::<O>(op, rewriter, is_static, "an extent is dynamic")
}

fn collapse_twice(op: CollapseShape, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let before = twice::<CollapseShape>(op.op(), rewriter)?;
    let (first, view) = (rewriter.op(before), rewriter.op(op.op()));
    let groups = composed_groups(rewriter.context(), first, view);
    let groups = groups.ok_or(NoMatch::because("the reassociations do not compose"))?;
    let (source, ty) = (first.operand(0), rewriter.ty(view.result(0)));
    let new = CollapseShape::build(&mut rewriter.builder(), source, groups, ty);
    let value = new.result(rewriter.body());
    rewriter.replace(op.op(), &[value]);
    Ok(Matched)
}

fn expand_twice(op: ExpandShape, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let before = twice::<ExpandShape>(op.op(), rewriter)?;
    let (first, view) = (rewriter.op(before), rewriter.op(op.op()));
    let groups = composed_groups(rewriter.context(), view, first);
    let groups = groups.ok_or(NoMatch::because("the reassociations do not compose"))?;
    let (source, ty) = (first.operand(0), rewriter.ty(view.result(0)));
    let shape = op.static_output_shape(rewriter.body()).to_vec();
    let new = ExpandShape::build(&mut rewriter.builder(), source, &[], groups, shape, ty);
    let value = new.result(rewriter.body());
    rewriter.replace(op.op(), &[value]);
    Ok(Matched)
}
