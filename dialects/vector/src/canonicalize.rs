//! Canonicalization patterns for constant masks, broadcasts and single-element reductions.

use crate::elements::broadcastable;
use crate::known_masks;
use crate::rules::numbers;
use crate::types::Parts;
use crate::{
    Broadcast, CombiningKind, CompressStore, Contract, ExpandLoad, Extract, ExtractStridedSlice,
    FromElements, Gather, Insert, Interleave, Load, Mask, MaskedLoad, MaskedStore, Reduction, Scatter,
    ShapeCast, Shuffle, Store, Transpose,
};
use minoan_arith as arith;
use minoan_ir::{Attr, Body, Builder, Context, InsertionPoint, Op, OpDef, OpState, Type, Value};
use minoan_rewrite::{Matched, NoMatch, PatternSet, Rewriter};
use minoan_services::{Datum, constant_of};

pub(crate) fn patterns(patterns: &mut PatternSet) {
    masked(patterns);
    broadcasts(patterns);
    sums(patterns);
}

type Rewritten = Result<Matched, NoMatch>;

/// Downcasts the definition of a value to an op type.
fn defining<O: OpDef>(body: &Body, value: Value) -> Option<O> {
    O::cast(body, body.defining_op(value)?)
}

/// A constant mask.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Set {
    Everywhere,
    Nowhere,
}

fn known_mask(body: &Body, mask: Value) -> Result<Set, NoMatch> {
    let ctx = body.context();
    let constant = constant_of(body, mask).and_then(|attr| Datum::of_splat(ctx, attr));
    match constant {
        Some(Datum::Int(0)) => Ok(Set::Nowhere),
        Some(Datum::Int(_)) => Ok(Set::Everywhere),
        _ => Err(NoMatch::because("the mask is not constant")),
    }
}

fn masked(patterns: &mut PatternSet) {
    patterns
        .on("vector-masked-load", |op: MaskedLoad, rewriter| {
            let body = rewriter.body();
            let (base, indices, ty) = (op.base(body), op.indices(body), body.ty(op.result(body)));
            let (mask, passed) = (op.mask(body), op.pass_thru(body));
            load(rewriter, op.op(), base, &indices, [mask, passed], ty)
        })
        .on("vector-expand-load", |op: ExpandLoad, rewriter| {
            let body = rewriter.body();
            let (base, indices, ty) = (op.base(body), op.indices(body), body.ty(op.result(body)));
            let (mask, passed) = (op.mask(body), op.pass_thru(body));
            load(rewriter, op.op(), base, &indices, [mask, passed], ty)
        })
        .on("vector-masked-store", |op: MaskedStore, rewriter| {
            let body = rewriter.body();
            let (base, indices) = (op.base(body), op.indices(body));
            let (mask, value) = (op.mask(body), op.value_to_store(body));
            store(rewriter, op.op(), base, &indices, [mask, value])
        })
        .on("vector-compress-store", |op: CompressStore, rewriter| {
            let body = rewriter.body();
            let (base, indices) = (op.base(body), op.indices(body));
            let (mask, value) = (op.mask(body), op.value_to_store(body));
            store(rewriter, op.op(), base, &indices, [mask, value])
        })
        .on("vector-gather-nothing", |op: Gather, rewriter| {
            let body = rewriter.body();
            let passed = op.pass_thru(body);
            match known_mask(body, op.mask(body))? {
                Set::Nowhere => rewriter.replace(op.op(), &[passed]),
                Set::Everywhere => return Err(NoMatch::because("there is no unmasked form")),
            }
            Ok(Matched)
        })
        .on("vector-scatter-nothing", |op: Scatter, rewriter| {
            let body = rewriter.body();
            let base = op.base(body);
            match known_mask(body, op.mask(body))? {
                Set::Nowhere if op.result(body).is_some() => rewriter.replace(op.op(), &[base]),
                Set::Nowhere => rewriter.erase(op.op()),
                Set::Everywhere => return Err(NoMatch::because("there is no unmasked form")),
            }
            Ok(Matched)
        })
        .on("vector-mask-set", unmask)
        .on("vector-mask-empty", empty_mask);
    known_masks::add(patterns);
}

/// Replaces a load with a constant mask by an unmasked load or the pass-through value.
fn load(
    rewriter: &mut Rewriter<'_>,
    op: Op,
    base: Value,
    indices: &[Value],
    [mask, passed]: [Value; 2],
    ty: Type,
) -> Rewritten {
    match known_mask(rewriter.body(), mask)? {
        Set::Nowhere => rewriter.replace(op, &[passed]),
        Set::Everywhere => {
            let load = Load::build(&mut rewriter.builder(), base, indices, None, None, ty);
            let loaded = load.result(rewriter.body());
            rewriter.replace(op, &[loaded]);
        }
    }
    Ok(Matched)
}

/// Replaces a store with a constant mask by an unmasked store, or erases it.
fn store(
    rewriter: &mut Rewriter<'_>,
    op: Op,
    base: Value,
    indices: &[Value],
    [mask, value]: [Value; 2],
) -> Rewritten {
    if known_mask(rewriter.body(), mask)? == Set::Everywhere {
        Store::build(&mut rewriter.builder(), value, base, indices, None, None);
    }
    rewriter.erase(op);
    Ok(Matched)
}

/// A mask without a masked operation forwards the yielded values.
fn empty_mask(op: Mask, rewriter: &mut Rewriter<'_>) -> Rewritten {
    let body = rewriter.body();
    let entry = body.region(op.mask_region(body)).entry();
    let only = entry.and_then(|entry| body.block(entry).last().filter(|_| body.block(entry).len() == 1));
    let end = only.ok_or_else(|| NoMatch::because("an operation is executed"))?;
    let yielded: Vec<Value> = body.op(end).operands().collect();
    let results: Vec<Value> = match (op.passthru(body), &yielded[..]) {
        (Some(passed), &[value]) => {
            let mask = op.mask(body);
            let select = arith::Select::build(&mut rewriter.builder(), mask, value, passed);
            vec![select.result(rewriter.body())]
        }
        _ => yielded,
    };
    rewriter.replace(op.op(), &results);
    Ok(Matched)
}

/// Removes an all-true `vector.mask` around an operation.
fn unmask(op: Mask, rewriter: &mut Rewriter<'_>) -> Rewritten {
    let body = rewriter.body();
    if known_mask(body, op.mask(body))? != Set::Everywhere {
        return Err(NoMatch::because("the mask is not all-true"));
    }
    let entry = body.region(op.mask_region(body)).entry();
    let entry = entry.ok_or_else(|| NoMatch::because("nothing is executed"))?;
    let view = body.block(entry);
    let (first, last) = (view.first(), view.last());
    let last = last.ok_or_else(|| NoMatch::because("nothing is executed"))?;
    let results: Vec<Value> = body.op(last).operands().collect();
    if let Some(first) = first.filter(|&first| first != last) {
        let moved = rewriter.try_move_op(first, InsertionPoint::Before(op.op()));
        moved.map_err(|_| NoMatch::because("the operation cannot be moved"))?;
    }
    rewriter.replace(op.op(), &results);
    Ok(Matched)
}

/// The scalar that a vector broadcasts.
fn broadcast_scalar(body: &Body, vector: Value) -> Option<Value> {
    let source = defining::<Broadcast>(body, vector)?.source(body);
    (!body.ty(source).is_vector(body.context())).then_some(source)
}

fn broadcasts(patterns: &mut PatternSet) {
    patterns
        .on("vector-broadcast-broadcast", |op: Broadcast, rewriter| {
            let body = rewriter.body();
            let inner = defining::<Broadcast>(body, op.source(body)).map(|inner| inner.source(body));
            repeat(rewriter, op.op(), inner)
        })
        .on("vector-elements-equal", |op: FromElements, rewriter| {
            let elements = op.elements(rewriter.body());
            let first = elements.first().copied().filter(|first| elements.iter().all(|one| one == first));
            repeat(rewriter, op.op(), first)
        })
        .on("vector-extract-broadcast", |op: Extract, rewriter| {
            let body = rewriter.body();
            let ty = body.ty(op.result(body));
            let source = defining::<Broadcast>(body, op.source(body)).map(|inner| inner.source(body));
            let fits = |&source: &Value| broadcastable(body.context(), body.ty(source), ty).is_ok();
            let source = source.filter(|source| ty.is_vector(body.context()) && fits(source));
            repeat(rewriter, op.op(), source)
        })
        .on("vector-slice-broadcast", |op: ExtractStridedSlice, rewriter| {
            let source = broadcast_scalar(rewriter.body(), op.source(rewriter.body()));
            repeat(rewriter, op.op(), source)
        })
        .on("vector-transpose-broadcast", |op: Transpose, rewriter| {
            let source = broadcast_scalar(rewriter.body(), op.vector(rewriter.body()));
            repeat(rewriter, op.op(), source)
        })
        .on("vector-shape-cast-broadcast", |op: ShapeCast, rewriter| {
            let body = rewriter.body();
            let inner = defining::<Broadcast>(body, op.source(body)).map(|inner| inner.source(body));
            let source = inner.filter(|&source| ends_with(body, [op.source(body), op.result(body)], source));
            repeat(rewriter, op.op(), source)
        })
        .on("vector-shuffle-broadcast", |op: Shuffle, rewriter| {
            let body = rewriter.body();
            let [first, second] = [op.v1(body), op.v2(body)].map(|side| broadcast_scalar(body, side));
            repeat(rewriter, op.op(), first.filter(|_| first == second))
        })
        .on("vector-insert-broadcast", |op: Insert, rewriter| {
            let body = rewriter.body();
            let part = broadcast_scalar(body, op.value_to_store(body));
            let whole = broadcast_scalar(body, op.dest(body));
            repeat(rewriter, op.op(), part.filter(|_| part == whole))
        })
        .on("vector-shuffle-interleaves", interleave)
        .on("vector-extract-shape-cast", part_of_cast)
        .on("vector-extract-elements", part_of_elements);
}

/// Whether the trailing dimensions of the vectors are those of `source`, so that a broadcast of it only replicates it
/// as a whole. An element replicated in between would end up at other positions.
fn ends_with(body: &Body, vectors: [Value; 2], source: Value) -> bool {
    let ctx = body.context();
    let source = Parts::of_any(ctx, body.ty(source));
    vectors.into_iter().all(|vector| {
        let parts = Parts::of_any(ctx, body.ty(vector));
        parts.shape.ends_with(source.shape) && parts.scalable.ends_with(source.scalable)
    })
}

/// Replaces an operation with one result by a broadcast.
fn repeat(rewriter: &mut Rewriter<'_>, op: Op, source: Option<Value>) -> Rewritten {
    let source = source.ok_or_else(|| NoMatch::because("nothing is broadcast"))?;
    let ty = rewriter.ty(rewriter.op(op).result(0));
    let kind = rewriter.context().kind_of::<Broadcast>();
    rewriter.replace_by(op, OpState::new(kind).operands(&[source]).results(&[ty]));
    Ok(Matched)
}

/// Replaces a shuffle that alternates between both vectors by an interleave.
fn interleave(op: Shuffle, rewriter: &mut Rewriter<'_>) -> Rewritten {
    let body = rewriter.body();
    let (v1, v2, mask) = (op.v1(body), op.v2(body), numbers(body.op(op.op()), "mask"));
    let half = mask.len() as i64 / 2;
    let turns = (0..half).flat_map(|at| [at, half + at]);
    let row = body.ty(v1).shape(body.context()) == Some(&[half]) && body.ty(v1) == body.ty(v2);
    if !row || !mask.iter().copied().eq(turns) {
        return Err(NoMatch::because("the rows do not alternate"));
    }
    let ty = body.ty(op.vector(body));
    let kind = rewriter.context().kind_of::<Interleave>();
    rewriter.replace_by(op.op(), OpState::new(kind).operands(&[v1, v2]).results(&[ty]));
    Ok(Matched)
}

/// Extracts from the source of a shape cast if the extracted vector has all its elements.
fn part_of_cast(op: Extract, rewriter: &mut Rewriter<'_>) -> Rewritten {
    let body = rewriter.body();
    let ctx = body.context();
    let ty = body.ty(op.result(body));
    let cast = defining::<ShapeCast>(body, op.source(body));
    let source = cast.ok_or_else(|| NoMatch::because("the operand is not a cast"))?.source(body);
    let [from, to] = [body.ty(source), ty].map(|ty| Parts::of_any(ctx, ty));
    if !ty.is_vector(ctx) || from.count() != to.count() || from.is_scalable() || to.is_scalable() {
        return Err(NoMatch::because("the extracted vector does not have all elements"));
    }
    let kind = ctx.kind_of::<ShapeCast>();
    rewriter.replace_by(op.op(), OpState::new(kind).operands(&[source]).results(&[ty]));
    Ok(Matched)
}

/// Replaces a subvector extracted from `vector.from_elements` by one built from its elements.
fn part_of_elements(op: Extract, rewriter: &mut Rewriter<'_>) -> Rewritten {
    let body = rewriter.body();
    let ctx = body.context();
    let (source, ty) = (op.source(body), body.ty(op.result(body)));
    let made = defining::<FromElements>(body, source)
        .ok_or_else(|| NoMatch::because("the operand is not built from elements"))?;
    let position = numbers(body.op(op.op()), "static_position");
    let shape = body.ty(source).shape(ctx).unwrap_or(&[]);
    if !ty.is_vector(ctx) || position.len() >= shape.len() || position.iter().any(|&at| at < 0) {
        return Err(NoMatch::because("the position is not constant"));
    }
    let count = Parts::of_any(ctx, ty).count() as usize;
    let number = position.iter().zip(shape).fold(0, |number, (&at, &extent)| number * extent + at) as usize;
    let all = made.elements(body);
    let elements = all.get(number * count..(number + 1) * count);
    let elements = elements.ok_or_else(|| NoMatch::because("the result has no elements"))?.to_vec();
    let kind = ctx.kind_of::<FromElements>();
    rewriter.replace_by(op.op(), OpState::new(kind).operands(&elements).results(&[ty]));
    Ok(Matched)
}

fn sums(patterns: &mut PatternSet) {
    patterns.on("vector-reduction-of-one", single).on("vector-contract-addi", accumulate);
}

/// A reduction of a single element. If its mask is not set, the result is the accumulator, or the neutral element of its kind
/// if there is no accumulator.
fn single(op: Reduction, rewriter: &mut Rewriter<'_>) -> Rewritten {
    let body = rewriter.body();
    let ctx = rewriter.context().clone();
    let (vector, acc) = (op.vector(body), op.acc(body));
    let parts = Parts::of_any(&ctx, body.ty(vector));
    if parts.is_scalable() || parts.count() != 1 {
        return Err(NoMatch::because("the vector has several elements"));
    }
    let view = body.op(op.op());
    let kind = CombiningKind::of(view);
    let position = vec![0; parts.rank()];
    let around = view.parent().and_then(|parent| Mask::cast(body, parent));
    let root = around.map_or(op.op(), OpDef::op);
    let mask = around.map(|around| around.mask(body));
    let neutral =
        if mask.is_some() && acc.is_none() { Some(neutral_attr(&ctx, kind, parts.element)?) } else { None };
    let loc = view.loc();
    rewriter.set_before(root);
    let mut b = rewriter.builder().with_loc(loc);
    let part = |b: &mut Builder<'_>, of: Value| {
        let part = Extract::build(b, of, &[], &position[..]);
        part.result(b.body())
    };
    let set = mask.map(|mask| part(&mut b, mask));
    let element = part(&mut b, vector);
    let combined = match acc {
        Some(acc) => combine(&mut b, kind, element, acc),
        None => element,
    };
    let otherwise = acc.or_else(|| Some(arith::constant(&mut b, neutral?)));
    let result = match (set, otherwise) {
        (Some(set), Some(otherwise)) => {
            arith::Select::build(&mut b, set, combined, otherwise).result(b.body())
        }
        _ => combined,
    };
    rewriter.replace(root, &[result]);
    Ok(Matched)
}

/// The neutral element of a kind, for an element type or vectors of it.
pub(crate) fn neutral_attr(ctx: &Context, kind: CombiningKind, ty: Type) -> Result<Attr, NoMatch> {
    let neutral = kind.neutral(ctx, ty.element_or_self(ctx));
    let attr = neutral.and_then(|neutral| match ty.element(ctx) {
        Some(_) => neutral.to_splat(ctx, ty),
        None => neutral.to_attr(ctx, ty),
    });
    attr.ok_or_else(|| NoMatch::because("the neutral element is not a constant"))
}

/// Creates the operation that combines two values; the kind must support their type.
pub(crate) fn combine(b: &mut Builder<'_>, kind: CombiningKind, lhs: Value, rhs: Value) -> Value {
    let is_float = b.ty(lhs).element_or_self(&b.context()).is_float(&b.context());
    let create = match (kind, is_float) {
        (CombiningKind::Add, true) => arith::addf,
        (CombiningKind::Add, false) => arith::addi,
        (CombiningKind::Mul, true) => arith::mulf,
        (CombiningKind::Mul, false) => arith::muli,
        (CombiningKind::MinUI, _) => arith::minui,
        (CombiningKind::MinSI, _) => arith::minsi,
        (CombiningKind::MinNumF, _) => arith::minnumf,
        (CombiningKind::MaxUI, _) => arith::maxui,
        (CombiningKind::MaxSI, _) => arith::maxsi,
        (CombiningKind::MaxNumF, _) => arith::maxnumf,
        (CombiningKind::And, _) => arith::andi,
        (CombiningKind::Or, _) => arith::ori,
        (CombiningKind::Xor, _) => arith::xori,
        (CombiningKind::MinimumF, _) => arith::minimumf,
        (CombiningKind::MaximumF, _) => arith::maximumf,
    };
    create(b, lhs, rhs)
}

/// Turns an addition to a contraction with a zero accumulator into the accumulator. Integers only, since floats would
/// be added in another order.
fn accumulate(op: arith::AddI, rewriter: &mut Rewriter<'_>) -> Rewritten {
    let body = rewriter.body();
    let sides = op.operand_values(body);
    let from_zero = |value: Value| {
        let contract = defining::<Contract>(body, value)?;
        let first = constant_of(body, contract.acc(body))?;
        let first =
            Datum::of_splat(body.context(), first).or_else(|| Datum::of_attr(body.context(), first).ok());
        let is_sum = CombiningKind::of(body.op(contract.op())) == CombiningKind::Add;
        (is_sum && first == Some(Datum::Int(0))).then_some(contract)
    };
    let found = [(sides[0], sides[1]), (sides[1], sides[0])];
    let found = found.into_iter().find_map(|(value, other)| Some((from_zero(value)?, other)));
    let (contract, other) =
        found.ok_or_else(|| NoMatch::because("no operand is a contraction with a zero accumulator"))?;
    let (lhs, rhs, ty) = (contract.lhs(body), contract.rhs(body), body.ty(contract.result(body)));
    let view = body.op(contract.op());
    let state = OpState::new(view.kind()).operands(&[lhs, rhs, other]).results(&[ty]);
    let state = state.props(view.props()).attrs(view.attrs());
    rewriter.replace_by(op.op(), state);
    Ok(Matched)
}
