//! Folds, and canonical patterns.

use crate::{AllocTensor, Clone, Dealloc, ToBuffer, ToTensor, canonicalize_dealloc as dealloc};
use minoan_arith::constant_index;
use minoan_ir::strided::Strided;
use minoan_ir::{Attr, Body, Context, DYNAMIC, Op, OpDef, OpRef, OpState, Type, Value};
use minoan_memref::folding::{before_cast, fold_constant_entries, with_operand, with_segments};
use minoan_memref::{self as memref, cast_fits};
use minoan_rewrite::{Matched, NoMatch, PatternSet, Rewriter};
use minoan_services::{Alias, AliasModel, EffectSet, EffectsTable, Folded};
use minoan_tensor as tensor;

/// Upper bound on the operations that are examined for writes, which keeps the time linear.
const MAX_OPERATIONS: usize = 256;

pub(crate) fn patterns(patterns: &mut PatternSet) {
    patterns
        .on("bufferization-alloc-tensor-constant-size", constant_sizes)
        .on("bufferization-dim-of-alloc-tensor", dim_of_alloc_tensor)
        .on("bufferization-clone", simplify_clone)
        .on("bufferization-dim-of-to-tensor", dim_of_to_tensor)
        .on("bufferization-dim-of-to-buffer", dim_of_to_buffer)
        .on("bufferization-load-of-to-buffer", load_of_to_buffer)
        .on("bufferization-to-buffer-of-cast", buffer_of_cast)
        .on("bufferization-to-buffer-of-to-tensor", buffer_of_other_type);
    dealloc::add(patterns);
}

/// The definition of a value, if it is an `O`.
fn def<O: OpDef>(body: &Body, value: Value) -> Option<O> {
    body.defining_op(value).and_then(|op| O::cast(body, op))
}

/// The elements are unspecified, or those of an operand that is not a constant as a rule.
pub(crate) fn unspecified(_: OpRef<'_>, _: &[Option<Attr>]) -> Folded {
    Folded::Stays
}

/// A clone of a cast is one of its source.
pub(crate) fn clone_of_cast(op: OpRef<'_>, _: &[Option<Attr>]) -> Folded {
    let source = before_cast::<memref::Cast>(op, op.operand(0));
    source.map_or(Folded::Unchanged, |source| with_operand(op, 0, source))
}

/// Folds `to_tensor` of a buffer that the preceding `to_buffer` created to the tensor of that operation.
pub(crate) fn tensor_of_buffer(op: OpRef<'_>, _: &[Option<Attr>]) -> Folded {
    let body = op.body();
    let made = def::<ToBuffer>(body, op.operand(0)).filter(|made| body.op(made.op()).next() == Some(op.id()));
    let tensor = made.map(|made| made.tensor(body));
    tensor.filter(|&tensor| body.ty(tensor) == body.ty(op.result(0))).into()
}

/// The buffer that a tensor was read from, if nothing changes it as long as the result is used.
pub(crate) fn buffer_of_tensor(op: OpRef<'_>, _: &[Option<Attr>]) -> Folded {
    let body = op.body();
    let source = source_buffer(op).filter(|&source| body.ty(source) == body.ty(op.result(0)));
    source.into()
}

/// The buffer that the operand of a `to_buffer` was read from, if the result may be that buffer: upstream assumes so. A result
/// that is written to is another buffer, unless nothing else can observe the writes; and the source must not change.
fn source_buffer(op: OpRef<'_>) -> Option<Value> {
    let body = op.body();
    let read = def::<ToTensor>(body, op.operand(0))?;
    let source = read.buffer(body);
    may_share(body, read.op(), op).then_some(source)
}

/// Whether `op`, the buffer of a tensor, may be the buffer that `read` reads the tensor from: nothing is written between the two
/// and after, up to the end of the block.
fn may_share(body: &Body, read: Op, op: OpRef<'_>) -> bool {
    let effects = EffectsTable::new(op.context());
    let changes = EffectSet::WRITE.and(EffectSet::FREE);
    if body.op(read).block() != op.block() {
        return false;
    }
    let rest = std::iter::successors(Some(read), |&at| body.op(at).next());
    let mut rest = rest.take(MAX_OPERATIONS + 1).enumerate();
    rest.all(|(count, at)| count < MAX_OPERATIONS && !effects.all(body.op(at)).intersects(changes))
}

/// Moves the constant sizes of a tensor into its type.
fn constant_sizes(op: AllocTensor, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (body, ctx) = (rewriter.body(), rewriter.context().clone());
    if op.copy(body).is_some() {
        return Err(NoMatch::because("it copies a tensor"));
    }
    let (view, ty) = (body.op(op.op()), body.ty(op.result(body)));
    let (sizes, hint) = (op.dynamic_sizes(body), op.size_hint(body));
    let mut shape = ty.shape(&ctx).unwrap_or(&[]).to_vec();
    let (left, found) = fold_constant_entries(rewriter, &mut shape, &sizes);
    let new = ty.with_shape(&ctx, &shape).filter(|_| found);
    let new = new.ok_or(NoMatch::because("no size is a constant"))?;
    let props = with_segments(&ctx, view.props(), &[left.len(), 0, hint.iter().len()]);
    let state = OpState::new(view.kind()).operands(&left).operands(hint.as_slice()).results(&[new]);
    let state = state.props(props).attrs(view.attrs());
    let created = rewriter.create(state);
    let value = rewriter.op(created).result(0);
    let cast = tensor::Cast::build(&mut rewriter.builder(), value, ty).dest(rewriter.body());
    rewriter.replace(op.op(), &[cast]);
    Ok(Matched)
}

/// The constant index of a dimension with a dynamic extent.
fn dynamic_dim(rewriter: &Rewriter<'_>, of: Value, index: Value) -> Option<usize> {
    let ctx = rewriter.context();
    let dim = usize::try_from(rewriter.constant_of(index)?.as_i64(ctx)?).ok()?;
    (rewriter.ty(of).shape(ctx)?.get(dim) == Some(&DYNAMIC)).then_some(dim)
}

/// The dynamic extent of a new tensor is one of its operands, or an extent of the tensor that it copies.
fn dim_of_alloc_tensor(op: tensor::Dim, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (body, ctx) = (rewriter.body(), rewriter.context());
    let alloc = def::<AllocTensor>(body, op.source(body));
    let alloc = alloc.ok_or(NoMatch::because("it is an extent of no alloc_tensor"))?;
    let dim = dynamic_dim(rewriter, op.source(body), op.index(body));
    let dim = dim.ok_or(NoMatch::because("the dimension is not a constant with a dynamic extent"))?;
    let size = match alloc.copy(body) {
        Some(copied) => {
            let index = op.index(body);
            tensor::Dim::build(&mut rewriter.builder(), copied, index).result(rewriter.body())
        }
        None => {
            let shape = body.ty(op.source(body)).shape(ctx).unwrap_or(&[]);
            let before = shape[..dim].iter().filter(|&&extent| extent == DYNAMIC).count();
            let sizes = alloc.dynamic_sizes(body);
            sizes.get(before).copied().ok_or(NoMatch::because("a size is missing"))?
        }
    };
    rewriter.replace(op.op(), &[size]);
    Ok(Matched)
}

fn dim_of_to_tensor(op: tensor::Dim, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let read = def::<ToTensor>(body, op.source(body));
    let read = read.ok_or(NoMatch::because("it is an extent of no to_tensor"))?;
    let (buffer, index) = (read.buffer(body), op.index(body));
    let dim = memref::Dim::build(&mut rewriter.builder(), buffer, index).result(rewriter.body());
    rewriter.replace(op.op(), &[dim]);
    Ok(Matched)
}

fn dim_of_to_buffer(op: memref::Dim, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let made = def::<ToBuffer>(body, op.source(body));
    let made = made.ok_or(NoMatch::because("it is an extent of no to_buffer"))?;
    let (of, index) = (made.tensor(body), op.index(body));
    let dim = tensor::Dim::build(&mut rewriter.builder(), of, index).result(rewriter.body());
    rewriter.replace(op.op(), &[dim]);
    Ok(Matched)
}

/// An element of a buffer that is only read is an element of the tensor.
fn load_of_to_buffer(op: memref::Load, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let made = def::<ToBuffer>(body, op.memref(body));
    let made = made.ok_or(NoMatch::because("it loads from no to_buffer"))?;
    let is_load = |user: Op| body.op(user).is::<memref::Load>() || body.op(user).is::<memref::Dim>();
    if !made.read_only(body) && !body.uses(made.buffer(body)).all(|place| is_load(place.op)) {
        return Err(NoMatch::because("the buffer may be written to"));
    }
    let (of, indices) = (made.tensor(body), op.indices(body));
    let element = tensor::extract(&mut rewriter.builder(), of, &indices);
    rewriter.replace(op.op(), &[element]);
    Ok(Matched)
}

/// The buffer of a cast tensor is the cast buffer of the tensor.
fn buffer_of_cast(op: ToBuffer, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (body, ctx) = (rewriter.body(), rewriter.context().clone());
    let cast =
        def::<tensor::Cast>(body, op.tensor(body)).ok_or(NoMatch::because("the tensor is not cast"))?;
    let (source, old) = (cast.source(body), body.ty(op.buffer(body)));
    let of = body.ty(source);
    let shape = of.shape(&ctx).ok_or(NoMatch::because("the source is unranked"))?;
    let ty = Type::memref(&ctx, shape, of.element_or_self(&ctx));
    if !cast_fits(&ctx, ty, old) {
        return Err(NoMatch::because("the buffer has another layout or memory space"));
    }
    let read_only = op.read_only(body);
    let mut b = rewriter.builder();
    let buffer = ToBuffer::builder(source, ty).read_only(read_only).build(&mut b).buffer(b.body());
    let cast = memref::Cast::build(&mut b, buffer, old).dest(b.body());
    rewriter.replace(op.op(), &[cast]);
    Ok(Matched)
}

/// Replaces the buffer of a tensor that was read from a buffer of another type by a cast of it, or by a copy where the layout
/// may be another one, or the memory space is.
fn buffer_of_other_type(op: ToBuffer, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (body, ctx) = (rewriter.body(), rewriter.context().clone());
    let source = source_buffer(body.op(op.op()));
    let source = source.ok_or(NoMatch::because("the tensor is read from no buffer that stays the same"))?;
    let (from, to) = (body.ty(source), body.ty(op.buffer(body)));
    if from == to {
        return Err(NoMatch::because("it folds"));
    }
    let cast = if is_safe_cast(&ctx, from, to) {
        memref::Cast::build(&mut rewriter.builder(), source, to).dest(rewriter.body())
    } else {
        let (Some(_), Some(shape)) = (from.shape(&ctx), to.shape(&ctx)) else {
            return Err(NoMatch::because("a buffer is unranked"));
        };
        let mut b = rewriter.builder();
        let mut sizes = Vec::new();
        for (dim, _) in shape.iter().enumerate().filter(|(_, extent)| **extent == DYNAMIC) {
            let dim = constant_index(&mut b, dim as i64);
            sizes.push(memref::Dim::build(&mut b, source, dim).result(b.body()));
        }
        let copy = memref::Alloc::build(&mut b, &sizes, &[], None, to).memref(b.body());
        memref::Copy::build(&mut b, source, copy);
        copy
    };
    rewriter.replace(op.op(), &[cast]);
    Ok(Matched)
}

/// Whether a cast between two buffer types cannot fail: it adds no static offset or stride.
fn is_safe_cast(ctx: &Context, from: Type, to: Type) -> bool {
    if !cast_fits(ctx, from, to) {
        return false;
    }
    let (Some(from), Some(to)) = (Strided::of(ctx, from), Strided::of(ctx, to)) else {
        return to.shape(ctx).is_none();
    };
    let numbers = |layout: &Strided| [&[layout.offset][..], &layout.strides].concat();
    numbers(&from).into_iter().zip(numbers(&to)).all(|(from, to)| from != DYNAMIC || to == DYNAMIC)
}

/// The only operation that frees a buffer; `Some(None)` if there is none, `None` if there are several.
fn only_dealloc(body: &Body, buffer: Value) -> Option<Option<Op>> {
    let frees = |op: Op| body.op(op).is::<memref::Dealloc>() || body.op(op).is::<memref::Realloc>();
    let mut found = body.uses(buffer).map(|place| place.op).filter(|&op| frees(op));
    let first = found.next();
    found.next().is_none().then_some(first)
}

/// The buffer that a value is a view of.
fn viewed(body: &Body, mut value: Value) -> Value {
    while let Some(op) = body.defining_op(value) {
        let view = body.op(op);
        let aliases = body.context().service::<dyn AliasModel>(view.kind());
        let Some(Alias::ViewOf(base)) =
            aliases.filter(|_| view.n_results() == 1).map(|one| one.alias(view, 0))
        else {
            break;
        };
        if !body.ty(view.operand(base)).is_memref(body.context()) {
            break;
        }
        value = view.operand(base);
    }
    value
}

/// Erases an unused clone, and merges a clone with its source if one of them is freed in the block.
fn simplify_clone(op: Clone, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (body, ctx) = (rewriter.body(), rewriter.context().clone());
    let (source, clone) = (op.input(body), op.output(body));
    if !body.is_used(clone) {
        rewriter.erase(op.op());
        return Ok(Matched);
    }
    let (from, to) = (body.ty(source), body.ty(clone));
    if from != to && !cast_fits(&ctx, from, to) {
        return Err(NoMatch::because("the types are not compatible"));
    }
    let several = || NoMatch::because("a buffer is freed in several places");
    let of_clone = only_dealloc(body, clone).ok_or_else(several)?;
    let of_source = only_dealloc(body, viewed(body, source)).ok_or_else(several)?;
    let block = |op: Option<Op>| op.and_then(|op| body.op(op).block());
    if of_clone.is_some() && of_source.is_some() && block(of_clone) == block(of_source) {
        return Err(NoMatch::because("both buffers are freed in one block"));
    }
    let own = block(Some(op.op()));
    let redundant =
        [of_clone, of_source].into_iter().find(|&dealloc| dealloc.is_some() && block(dealloc) == own);
    let redundant = redundant.flatten().filter(|&dealloc| body.op(dealloc).is::<memref::Dealloc>());
    let redundant = redundant.ok_or(NoMatch::because("neither buffer is freed in the block"))?;
    let mut at = body.op(op.op()).next();
    while at != Some(redundant) {
        let Some(current) = at else { return Err(NoMatch::because("the buffer is freed before")) };
        let effects = EffectsTable::new(&ctx).declared(body.op(current));
        if effects.is_some_and(|effects| effects != EffectSet::UNKNOWN && effects.intersects(EffectSet::FREE))
        {
            return Err(NoMatch::because("another buffer is freed in between"));
        }
        at = body.op(current).next();
    }
    let merged = match from == to {
        true => source,
        false => memref::Cast::build(&mut rewriter.builder(), source, to).dest(rewriter.body()),
    };
    rewriter.replace(op.op(), &[merged]);
    rewriter.erase(redundant);
    Ok(Matched)
}

/// The kind of an operation with other operands in its groups.
pub(crate) fn dealloc_state(
    rewriter: &Rewriter<'_>,
    op: Dealloc,
    freed: &[(Value, Value)],
    retained: &[Value],
) -> OpState {
    let view = rewriter.op(op.op());
    let (buffers, conditions): (Vec<Value>, Vec<Value>) = freed.iter().copied().unzip();
    let segments = [freed.len(), freed.len(), retained.len()];
    let props = with_segments(rewriter.context(), view.props(), &segments);
    let state = OpState::new(view.kind()).operands(&buffers).operands(&conditions).operands(retained);
    state.results(&vec![Type::I1; retained.len()]).props(props).attrs(view.attrs())
}
