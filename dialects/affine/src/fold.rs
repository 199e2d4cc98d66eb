//! Folds of the affine operations.

use crate::bounds::simplify_extremum;
use crate::dma::{MAPS, places};
use crate::flatten::{div_ceil, div_floor};
use crate::index::{mixed, split};
use crate::value_map::ValueMap;
use crate::{Apply, DelinearizeIndex, For, If, LinearizeIndex, Parallel};
use minoan_ir::affine::{AffineExpr, AffineMap, AffineOp};
use minoan_ir::{Attr, Body, Context, OpDef, OpRef, Value};
use minoan_memref::Cast;
use minoan_memref::folding::{before_cast, with_operand};
use minoan_services::{Change, FoldResult, Folded, constant_of};
use minoan_ub::PoisonAttr;
use num_integer::Integer;
use smallvec::SmallVec;

/// The inherent attributes of an operation with some of them replaced.
pub(crate) fn with_props(op: OpRef<'_>, new: &[(&str, Attr)]) -> Attr {
    let ctx = op.context();
    let mut entries = op.props().as_dictionary(ctx).unwrap_or_default().to_vec();
    for &(name, attr) in new {
        let name = ctx.name(name);
        match entries.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old = attr,
            None => entries.push((name, attr)),
        }
    }
    Attr::dictionary(ctx, &entries)
}

/// The value of an affine expression, some of whose operands are constants.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Number(i64),
    Poison,
    Unknown,
}

fn known_expr(expr: &AffineExpr, dims: &[Option<i64>], symbols: &[Option<i64>]) -> Known {
    let operand = |list: &[Option<i64>], at: u32| {
        list.get(at as usize).copied().flatten().map_or(Known::Unknown, Known::Number)
    };
    let (op, lhs, rhs) = match expr {
        AffineExpr::Dim(at) => return operand(dims, *at),
        AffineExpr::Symbol(at) => return operand(symbols, *at),
        AffineExpr::Constant(value) => return Known::Number(*value),
        AffineExpr::Binary(op, lhs, rhs) => {
            (*op, known_expr(lhs, dims, symbols), known_expr(rhs, dims, symbols))
        }
    };
    let (lhs, rhs) = match (lhs, rhs) {
        (Known::Poison, _) | (_, Known::Poison) => return Known::Poison,
        (Known::Number(lhs), Known::Number(rhs)) => (lhs, rhs),
        _ => return Known::Unknown,
    };
    let value = match op {
        AffineOp::Add => lhs.checked_add(rhs),
        AffineOp::Mul => lhs.checked_mul(rhs),
        _ if rhs < 1 => return Known::Poison,
        AffineOp::Mod => Some(lhs.mod_floor(&rhs)),
        AffineOp::FloorDiv => Some(div_floor(lhs, rhs)),
        AffineOp::CeilDiv => Some(div_ceil(lhs, rhs)),
    };
    value.map_or(Known::Unknown, Known::Number)
}

/// The known results of a map.
fn known_results(ctx: &Context, map: &AffineMap, operands: &[Option<Attr>]) -> Vec<Known> {
    let numbers: Vec<Option<i64>> =
        operands.iter().map(|known| known.and_then(|known| known.as_i64(ctx))).collect();
    let (dims, symbols) = numbers.split_at((map.dims as usize).min(numbers.len()));
    map.results.iter().map(|expr| known_expr(expr, dims, symbols)).collect()
}

pub(crate) fn fold_apply(op: OpRef<'_>, operands: &[Option<Attr>]) -> Folded {
    let (apply, ctx) = (Apply::from_op_unchecked(op.id()), op.context());
    let Some(values) = ValueMap::of(op, "map", apply.map_operands(op.body())) else { return Folded::Stays };
    let [expr] = &values.map.results[..] else { return Folded::Stays };
    if let Some(operand) = values.operand_of(expr) {
        return Folded::one(operand);
    }
    match known_results(ctx, &values.map, operands)[..] {
        [Known::Number(number)] => Folded::one(Attr::index_value(ctx, number)),
        [Known::Poison] => Folded::one(Attr::from(PoisonAttr::get(ctx))),
        _ => Folded::Stays,
    }
}

pub(crate) fn fold_min(op: OpRef<'_>, operands: &[Option<Attr>]) -> Folded {
    fold_extremum(op, operands, |numbers| numbers.iter().copied().min())
}

pub(crate) fn fold_max(op: OpRef<'_>, operands: &[Option<Attr>]) -> Folded {
    fold_extremum(op, operands, |numbers| numbers.iter().copied().max())
}

fn fold_extremum(op: OpRef<'_>, operands: &[Option<Attr>], best: fn(&[i64]) -> Option<i64>) -> Folded {
    let ctx = op.context();
    let Some(map) = op.attr_named("map").and_then(|map| map.as_affine_map(ctx)) else { return Folded::Stays };
    let known = known_results(ctx, map, operands);
    let number = |known: &Known| match known {
        Known::Number(number) => Some(*number),
        _ => None,
    };
    if let Some(numbers) = known.iter().map(number).collect::<Option<Vec<i64>>>() {
        return match best(&numbers) {
            Some(best) => Folded::one(Attr::index_value(ctx, best)),
            None => Folded::Stays,
        };
    }
    let result = |(expr, known): (&AffineExpr, &Known)| match number(known) {
        Some(number) => AffineExpr::Constant(number),
        None => expr.clone(),
    };
    let folded = AffineMap { results: map.results.iter().zip(&known).map(result).collect(), ..map.clone() };
    if crate::assembly::is_symbol_identity(&folded) {
        return Folded::one(op.operand(0));
    }
    if folded == *map {
        return Folded::Stays;
    }
    Change::new().props(with_props(op, &[("map", Attr::affine_map(ctx, folded))])).into()
}

/// Replaces operand `at` by the source of its cast.
pub(crate) fn without_cast(op: OpRef<'_>, at: usize) -> Folded {
    before_cast::<Cast>(op, op.operand(at)).map_or(Folded::Unchanged, |source| with_operand(op, at, source))
}

pub(crate) fn fold_load(op: OpRef<'_>, _: &[Option<Attr>]) -> Folded {
    without_cast(op, 0)
}

/// Replaces the memrefs of a transfer by the sources of their casts.
pub(crate) fn without_casts(op: OpRef<'_>) -> Folded {
    let Some((places, rest)) = places(op, &MAPS) else { return Folded::Unchanged };
    let mut operands = Vec::new();
    for place in places {
        operands.push(before_cast::<Cast>(op, place.memref).unwrap_or(place.memref));
        operands.extend(place.indices);
    }
    operands.extend(rest);
    if op.operands().eq(operands.iter().copied()) {
        return Folded::Unchanged;
    }
    Change::new().operands(operands).into()
}

/// A bound as a constant, if the operands that it depends on are constants.
fn constant_bound(body: &Body, bound: &ValueMap, is_lower: bool) -> Option<ValueMap> {
    if let [AffineExpr::Constant(_)] = bound.map.results[..] {
        return None;
    }
    let operands: Vec<Option<Attr>> =
        bound.operands.iter().map(|&operand| constant_of(body, operand)).collect();
    let numbers = known_results(body.context(), &bound.map, &operands).into_iter().map(|known| match known {
        Known::Number(number) => Some(number),
        _ => None,
    });
    let numbers = numbers.collect::<Option<Vec<i64>>>()?;
    let best = if is_lower { numbers.into_iter().max() } else { numbers.into_iter().min() }?;
    Some(ValueMap { map: AffineMap::constant(best), operands: Vec::new() })
}

/// The map without results that repeat the one before them, as MLIR drops them from bounds.
fn without_repetitions(map: &AffineMap) -> AffineMap {
    let mut results = map.results.to_vec();
    results.dedup();
    AffineMap { results: results.into(), ..map.clone() }
}

fn canonical_bound(body: &Body, bound: &ValueMap, is_lower: bool) -> ValueMap {
    let mut new = constant_bound(body, bound, is_lower).unwrap_or_else(|| bound.clone());
    let before = new.clone();
    // The order of the steps is MLIR's, so that the bounds are.
    if is_lower {
        new.compose(body);
        new.canonicalize(body);
        new.map = simplify_extremum(body, &new, true);
    } else {
        new.map = simplify_extremum(body, &new, false);
        new.compose(body);
        new.canonicalize(body);
    }
    new.map = without_repetitions(&new.map);
    if new.map == before.map { before } else { new }
}

pub(crate) fn fold_for(op: OpRef<'_>, _: &[Option<Attr>]) -> Folded {
    let (of, body, ctx) = (For::from_op_unchecked(op.id()), op.body(), op.context());
    let old = [of.lower(body), of.upper(body)];
    if old.iter().any(|bound| bound.map.inputs() != bound.operands.len() || bound.map.results.is_empty()) {
        return Folded::Unchanged;
    }
    let new = [canonical_bound(body, &old[0], true), canonical_bound(body, &old[1], false)];
    let inits = of.inits(body);
    let ends = |bound: &ValueMap| match bound.map.results[..] {
        [AffineExpr::Constant(end)] => Some(end),
        _ => None,
    };
    let is_empty = ends(&new[0]).zip(ends(&new[1])).is_some_and(|(lower, upper)| upper <= lower);
    if is_empty && op.n_results() > 0 && inits.len() == op.n_results() {
        return Folded::Results(inits.into_iter().map(FoldResult::Value).collect());
    }
    if old == new {
        return Folded::Unchanged;
    }
    let sizes = [new[0].operands.len() as i32, new[1].operands.len() as i32, inits.len() as i32];
    let [lower, upper] = new;
    let props = with_props(
        op,
        &[
            ("lowerBoundMap", Attr::affine_map(ctx, lower.map)),
            ("upperBoundMap", Attr::affine_map(ctx, upper.map)),
            ("operandSegmentSizes", Attr::dense_i32(ctx, &sizes)),
        ],
    );
    Change::new().operands(lower.operands.into_iter().chain(upper.operands).chain(inits)).props(props).into()
}

pub(crate) fn fold_if(op: OpRef<'_>, _: &[Option<Attr>]) -> Folded {
    let (of, body, ctx) = (If::from_op_unchecked(op.id()), op.body(), op.context());
    let (set, operands) = (of.condition(body), of.operands(body));
    if (set.dims + set.symbols) as usize != operands.len() {
        return Folded::Unchanged;
    }
    let mut values = ValueMap::of_set(set, operands.clone());
    let applied = |value: &Value| body.defining_op(*value).is_some_and(|def| body.op(def).is::<Apply>());
    if operands.iter().any(applied) {
        values.compose(body);
    }
    values.canonicalize(body);
    let new = values.to_set(set);
    if new == *set && values.operands == operands {
        return Folded::Unchanged;
    }
    let props = with_props(op, &[("condition", Attr::integer_set(ctx, new))]);
    Change::new().operands(values.operands).props(props).into()
}

pub(crate) fn fold_parallel(op: OpRef<'_>, _: &[Option<Attr>]) -> Folded {
    let (of, body, ctx) = (Parallel::from_op_unchecked(op.id()), op.body(), op.context());
    let old = of.bounds(body);
    if old.iter().any(|bound| bound.map.inputs() != bound.operands.len()) {
        return Folded::Unchanged;
    }
    let new = old.clone().map(|mut bound| {
        bound.compose(body);
        bound
    });
    if old == new {
        return Folded::Unchanged;
    }
    let [lower, upper] = new;
    let props = with_props(
        op,
        &[
            ("lowerBoundsMap", Attr::affine_map(ctx, lower.map)),
            ("upperBoundsMap", Attr::affine_map(ctx, upper.map)),
        ],
    );
    Change::new().operands(lower.operands.into_iter().chain(upper.operands)).props(props).into()
}

pub(crate) fn fold_delinearize(op: OpRef<'_>, operands: &[Option<Attr>]) -> Folded {
    let (of, body, ctx) = (DelinearizeIndex::from_op_unchecked(op.id()), op.body(), op.context());
    let (numbers, values) = split(body, &of.basis(body));
    if numbers != of.numbers(body) {
        let props = with_props(op, &[("static_basis", Attr::dense_i64(ctx, &numbers))]);
        return Change::new().operands([op.operand(0)].into_iter().chain(values)).props(props).into();
    }
    if op.n_results() == 1 {
        return Folded::one(op.operand(0));
    }
    let index = operands.first().copied().flatten().and_then(|index| index.as_i64(ctx));
    let Some(mut rest) = index.filter(|_| values.is_empty()) else { return Folded::Stays };
    let mut digits: SmallVec<[FoldResult; 2]> = SmallVec::new();
    let first = numbers.len() + 1 - op.n_results().min(numbers.len() + 1);
    for &by in numbers[first..].iter().rev() {
        if by <= 0 {
            return Folded::Stays;
        }
        digits.push(Attr::index_value(ctx, rest.mod_floor(&by)).into());
        rest = div_floor(rest, by);
    }
    digits.push(Attr::index_value(ctx, rest).into());
    digits.reverse();
    Folded::Results(digits)
}

pub(crate) fn fold_linearize(op: OpRef<'_>, operands: &[Option<Attr>]) -> Folded {
    let (of, body, ctx) = (LinearizeIndex::from_op_unchecked(op.id()), op.body(), op.context());
    let digits = of.multi_index(body);
    let (numbers, values) = split(body, &mixed(&of.numbers(body), &of.dynamic_basis(body)));
    if numbers != of.numbers(body) {
        let sizes = [digits.len() as i32, values.len() as i32];
        let props = with_props(
            op,
            &[
                ("static_basis", Attr::dense_i64(ctx, &numbers)),
                ("operandSegmentSizes", Attr::dense_i32(ctx, &sizes)),
            ],
        );
        return Change::new().operands(digits.into_iter().chain(values)).props(props).into();
    }
    if digits.is_empty() {
        return Folded::one(Attr::index_value(ctx, 0));
    }
    if let [only] = digits[..] {
        return Folded::one(only);
    }
    let known = |at: usize| operands.get(at).copied().flatten().and_then(|known| known.as_i64(ctx));
    let known = (0..digits.len()).map(known).collect::<Option<Vec<i64>>>();
    let Some(known) = known.filter(|_| values.is_empty()) else { return Folded::Stays };
    let first = (numbers.len() + 1).saturating_sub(digits.len());
    let number = known[1..]
        .iter()
        .zip(&numbers[first..])
        .try_fold(known[0], |number, (digit, by)| number.checked_mul(*by)?.checked_add(*digit));
    number.map(|number| Attr::index_value(ctx, number)).map_or(Folded::Stays, Folded::one)
}
