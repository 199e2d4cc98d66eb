//! Scans, contractions, accesses to several dimensions, and dynamic positions as simpler operations on vectors, as a named set of
//! patterns that is applied before lowering.
//!
//! MLIR's conversion has no scans, and of contractions only sums of products of the accumulator's type. Those of floats start
//! from a positive zero, and lose the sign of negative ones. It converts loads and stores of vectors of one dimension only, but
//! transfers of any.

use crate::canonicalize::{combine, neutral_attr};
use crate::contract::{domain, place};
use crate::transfer::default_map;
use crate::types::{Parts, vector};
use crate::{
    CombiningKind, Contract, IteratorType, Load, Mask, Scan, Store, TransferRead, TransferWrite, broadcast,
    extract_strided_slice, insert_strided_slice, multi_reduction, shape_cast, transpose,
};
use minoan_arith as arith;
use minoan_ir::affine::AffineMap;
use minoan_ir::{Builder, Context, OpDef, Type, Value};
use minoan_rewrite::{Matched, NamedPatterns, NoMatch, PatternSet, PatternStage, Rewriter};

pub(crate) const SET: NamedPatterns = NamedPatterns {
    name: "vector-expansions",
    description: "expand scans, contractions other than sums of products of integers, loads and stores of several dimensions, and \
                  dynamic positions in outer dimensions",
    stage: PatternStage::BeforeLowering,
    add: |patterns: &mut PatternSet| {
        patterns
            .on("vector-scan", expand_scan)
            .on("vector-contract", expand_contract)
            .on("vector-load-dimensions", expand_load)
            .on("vector-store-dimensions", expand_store);
        crate::dynamic_positions::patterns(patterns);
    },
};

/// Combines the slices along the scanned dimension one after the other.
fn expand_scan(op: Scan, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let ctx = rewriter.context().clone();
    let (source, first) = (op.source(body), op.initial_value(body));
    let (kind, inclusive, loc) =
        (CombiningKind::of(body.op(op.op())), op.inclusive(body), body.op(op.op()).loc());
    let (whole, reduced) = (body.ty(source), body.ty(first));
    let parts = Parts::of(&ctx, whole).ok_or_else(|| NoMatch::because("its operand is not a vector"))?;
    let dim = usize::try_from(op.reduction_dim(body)).ok().filter(|&dim| dim < parts.rank());
    let dim = dim.ok_or_else(|| NoMatch::because("the dimension does not exist"))?;
    if parts.scalable[dim] {
        return Err(NoMatch::because("the dimension is scalable"));
    }
    let mut sizes = parts.shape.to_vec();
    sizes[dim] = 1;
    let slice_ty = vector(&ctx, &sizes, parts.scalable, parts.element);
    let ones = vec![1; parts.rank()];
    let mut b = rewriter.builder().with_loc(loc);
    let mut dest = source;
    let mut last = shape_cast(&mut b, first, slice_ty);
    let mut previous = None;
    for index in 0..parts.shape[dim] {
        let mut offsets = vec![0; parts.rank()];
        offsets[dim] = index;
        let slice =
            extract_strided_slice(&mut b, source, offsets.clone(), sizes.clone(), ones.clone(), slice_ty);
        last = match (inclusive, previous.replace(slice)) {
            (true, None) => slice,
            (true, Some(_)) => combine(&mut b, kind, last, slice),
            (false, None) => last,
            (false, Some(previous)) => combine(&mut b, kind, last, previous),
        };
        dest = insert_strided_slice(&mut b, last, dest, offsets, ones.clone());
    }
    let last = shape_cast(&mut b, last, reduced);
    rewriter.replace(op.op(), &[dest, last]);
    Ok(Matched)
}

/// Reduces the products of all points of the domain.
fn expand_contract(op: Contract, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let ctx = rewriter.context().clone();
    let view = body.op(op.op());
    let (kind, loc) = (CombiningKind::of(view), view.loc());
    let (factors, acc) = ([op.lhs(body), op.rhs(body)], op.acc(body));
    let element = body.ty(acc).element_or_self(&ctx);
    let parts = factors.map(|factor| Parts::of_any(&ctx, body.ty(factor)));
    if kind == CombiningKind::Add && parts[0].element == element && !element.is_float(&ctx) {
        return Err(NoMatch::because("MLIR lowers sums of products of integers"));
    }
    let around = view.parent().and_then(|parent| Mask::cast(body, parent));
    let (maps, iterators) = (op.maps(body), op.iterator_types(body));
    let missing = || NoMatch::because("a dimension has no extent");
    let shape: Option<Vec<i64>> = domain(&maps, parts.map(|parts| parts.shape)).into_iter().collect();
    let scalable: Option<Vec<bool>> = domain(&maps, parts.map(|parts| parts.scalable)).into_iter().collect();
    let (shape, scalable) = (shape.ok_or_else(missing)?, scalable.ok_or_else(missing)?);
    let space = Parts { shape: &shape, scalable: &scalable, element };
    // The dimensions of the accumulator in its order, then the reduced ones in theirs.
    let mut order = dims(&maps[2]);
    let kept = order.len();
    order.extend((0..shape.len()).filter(|&dim| iterators.get(dim) == Some(IteratorType::Reduction)));
    // The verifier compares extents alone.
    let sum = space.pick(&ctx, order[..kept].iter().copied(), element);
    if kept > 0 && sum != body.ty(acc) {
        return Err(NoMatch::because("the accumulator has other scalable dimensions than the factors"));
    }
    let neutral = match around {
        Some(_) => Some(neutral_attr(&ctx, kind, space.pick(&ctx, order.iter().copied(), element))?),
        None => None,
    };
    let root = around.map_or(op.op(), |around| around.op());
    let mask = around.map(|around| around.mask(body));
    rewriter.set_before(root);
    let mut b = rewriter.builder().with_loc(loc);
    let spread = |b: &mut Builder<'_>, side: usize| {
        let factor = widened(b, factors[side], element);
        spread(b, factor, &dims(&maps[side]), &order, space)
    };
    let [lhs, rhs] = [0, 1].map(|side| spread(&mut b, side));
    let mut products = combine(&mut b, CombiningKind::Mul, lhs, rhs);
    if let (Some(mask), Some(neutral)) = (mask, neutral) {
        let all: Vec<usize> = (0..shape.len()).collect();
        let active = self::spread(&mut b, mask, &all, &order, Parts { element: Type::I1, ..space });
        let neutral = arith::constant(&mut b, neutral);
        products = arith::Select::build(&mut b, active, products, neutral).result(b.body());
    }
    let reduced: Vec<i64> = (kept..order.len()).map(|dim| dim as i64).collect();
    let result = multi_reduction(&mut b, products, acc, kind, reduced);
    rewriter.replace(root, &[result]);
    Ok(Matched)
}

/// The map of the transfer that accesses a vector of several dimensions.
fn transfer_map(ctx: &Context, base: Type, vector: Type) -> Result<AffineMap, NoMatch> {
    let is_plain = vector.rank(ctx).is_none_or(|rank| rank < 2) || base.element_or_self(ctx).is_vector(ctx);
    let map = if is_plain { None } else { default_map(ctx, base, vector) };
    map.ok_or_else(|| NoMatch::because("it accesses a vector of one dimension"))
}

fn expand_load(op: Load, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let ctx = rewriter.context().clone();
    let (base, indices, ty) = (op.base(body), op.indices(body), body.ty(op.result(body)));
    let map = transfer_map(&ctx, body.ty(base), ty)?;
    let in_bounds = vec![true; map.results.len()];
    // All elements are in bounds.
    let padding = neutral_attr(&ctx, CombiningKind::Add, ty.element_or_self(&ctx))?;
    let mut b = rewriter.builder();
    let padding = arith::constant(&mut b, padding);
    let read = TransferRead::build(&mut b, base, &indices, padding, None, map, &in_bounds[..], ty);
    let vector = read.vector(b.body());
    rewriter.replace(op.op(), &[vector]);
    Ok(Matched)
}

fn expand_store(op: Store, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let ctx = rewriter.context().clone();
    let (value, base, indices) = (op.value_to_store(body), op.base(body), op.indices(body));
    let map = transfer_map(&ctx, body.ty(base), body.ty(value))?;
    let in_bounds = vec![true; map.results.len()];
    let mut b = rewriter.builder();
    TransferWrite::build(&mut b, value, base, &indices, None, map, &in_bounds[..], None);
    rewriter.erase(op.op());
    Ok(Matched)
}

/// The dimensions that a projection selects.
fn dims(map: &AffineMap) -> Vec<usize> {
    let dims = 0..map.dims as usize;
    let mut found: Vec<usize> = dims.filter(|&dim| place(map, dim).is_some()).collect();
    found.sort_by_key(|&dim| place(map, dim));
    found
}

/// A factor with the element type of the accumulator.
fn widened(b: &mut Builder<'_>, factor: Value, element: Type) -> Value {
    let ctx = b.context();
    let ty = b.ty(factor);
    let from = ty.element_or_self(&ctx);
    if from == element {
        return factor;
    }
    let parts = Parts::of_any(&ctx, ty);
    let to = Parts { element, ..parts }.ty(&ctx);
    if from.is_float(&ctx) { arith::extf(b, factor, to) } else { arith::extsi(b, factor, to) }
}

/// Broadcasts a vector with the dimensions `own` of the domain to all of its dimensions, in `order`.
pub(crate) fn spread(
    b: &mut Builder<'_>,
    value: Value,
    own: &[usize],
    order: &[usize],
    domain: Parts<'_>,
) -> Value {
    let ctx = b.context();
    let new = order.iter().copied().filter(|dim| !own.contains(dim));
    let outer: Vec<usize> = new.chain(own.iter().copied()).collect();
    let ty = domain.pick(&ctx, outer.iter().copied(), domain.element);
    let value = if b.ty(value) == ty { value } else { broadcast(b, value, ty) };
    if outer == order {
        return value;
    }
    let at = |dim: &usize| outer.iter().position(|other| other == dim).unwrap_or(0) as i64;
    let permutation: Vec<i64> = order.iter().map(at).collect();
    let ty = domain.pick(&ctx, order.iter().copied(), domain.element);
    transpose(b, value, permutation, ty)
}
