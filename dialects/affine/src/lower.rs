//! Lowering to arithmetic, structured control flow, and accesses at computed indices, as MLIR lowers.

use crate::dma::{MAPS, places};
use crate::expand::{add_nsw, corrected, expand_expr, expand_map, mul_nsw, mul_with};
use crate::reductions::neutral_element;
use crate::value_map::ValueMap;
use crate::{
    Apply, DelinearizeIndex, DmaStart, DmaWait, For, If, LinearizeIndex, Load, Max, Min, Parallel, Prefetch,
    Store, VectorLoad, VectorStore, Yield,
};
use minoan_arith::{self as arith, CmpIPredicate, Overflow, constant_index};
use minoan_ir::strided::Strided;
use minoan_ir::{
    Attr, AttrEnum, Body, Builder, DYNAMIC, Flags, InsertionPoint, Op, OpDef, OpRef, OpState, Region, Type,
    Value,
};
use minoan_memref as memref;
use minoan_rewrite::{ConversionTarget, Matched, NoMatch, PatternSet, Rewriter, ToLoops};
use minoan_scf as scf;
use minoan_services::{Fold, FoldResult, Folded, LoopLike, constant_of};
use minoan_vector as vector;

/// The lowering of the dialect.
pub(crate) struct AffineToLoops;

impl ToLoops for AffineToLoops {
    fn add_patterns(&self, patterns: &mut PatternSet, target: &mut ConversionTarget) {
        target.illegal_dialect("affine");
        patterns
            .on("lower-affine-apply", |op: Apply, rewriter| folded_or(op, rewriter, lower_apply))
            .on("lower-affine-min", |op: Min, rewriter| {
                folded_or(op, rewriter, |op, rewriter| lower_extremum(op.op(), false, rewriter))
            })
            .on("lower-affine-max", |op: Max, rewriter| {
                folded_or(op, rewriter, |op, rewriter| lower_extremum(op.op(), true, rewriter))
            })
            .on("lower-affine-load", |op: Load, rewriter| folded_or(op, rewriter, lower_load))
            .on("lower-affine-store", |op: Store, rewriter| folded_or(op, rewriter, lower_store))
            .on("lower-affine-vector-load", |op: VectorLoad, rewriter| {
                folded_or(op, rewriter, lower_vector_load)
            })
            .on("lower-affine-vector-store", |op: VectorStore, rewriter| {
                folded_or(op, rewriter, lower_vector_store)
            })
            .on("lower-affine-prefetch", |op: Prefetch, rewriter| folded_or(op, rewriter, lower_prefetch))
            .on("lower-affine-dma-start", |op: DmaStart, rewriter| folded_or(op, rewriter, lower_dma_start))
            .on("lower-affine-dma-wait", |op: DmaWait, rewriter| folded_or(op, rewriter, lower_dma_wait))
            .on("lower-affine-for", |op: For, rewriter| folded_or(op, rewriter, lower_for))
            .on("lower-affine-if", |op: If, rewriter| folded_or(op, rewriter, lower_if))
            .on("lower-affine-parallel", |op: Parallel, rewriter| folded_or(op, rewriter, lower_parallel))
            .on("lower-affine-yield", |op: Yield, rewriter| folded_or(op, rewriter, lower_yield))
            .on("lower-affine-delinearize-index", |op: DelinearizeIndex, rewriter| {
                folded_or(op, rewriter, lower_delinearize)
            })
            .on("lower-affine-linearize-index", |op: LinearizeIndex, rewriter| {
                folded_or(op, rewriter, lower_linearize)
            });
    }
}

/// Folds an operation, as MLIR's conversions do before they apply a pattern, or lowers it.
fn folded_or<O: OpDef>(
    of: O,
    rewriter: &mut Rewriter<'_>,
    lower: impl FnOnce(O, &mut Rewriter<'_>) -> Result<Matched, NoMatch>,
) -> Result<Matched, NoMatch> {
    let op = of.op();
    loop {
        let view = rewriter.op(op);
        let operands: Vec<Option<Attr>> =
            view.operands().map(|operand| constant_of(rewriter.body(), operand)).collect();
        let folded = view.service::<dyn Fold>().map(|fold| fold.fold(view, &operands));
        let types: Vec<Type> = view.result_types().collect();
        match folded {
            Some(Folded::Results(results)) if results.len() == types.len() => {
                let mut values = Vec::new();
                for (result, ty) in results.into_iter().zip(types) {
                    values.push(match result {
                        FoldResult::Value(value) => value,
                        FoldResult::Constant(value) => rewriter.constant(op, value, ty)?,
                    });
                }
                rewriter.replace(op, &values);
                return Ok(Matched);
            }
            Some(Folded::Changed(change)) => rewriter.modify(op, |body, op| {
                if let Some(operands) = &change.operands {
                    body.set_operands(op, operands);
                }
                if let Some(props) = change.props {
                    body.set_props(op, props);
                }
            }),
            _ => return lower(of, rewriter),
        }
    }
}

fn expanded(rewriter: &mut Rewriter<'_>, values: &ValueMap) -> Result<Vec<Value>, NoMatch> {
    let found = expand_map(&mut rewriter.builder(), values);
    found.ok_or_else(|| NoMatch::because("division by non-positive value is not supported"))
}

fn extremum(rewriter: &mut Rewriter<'_>, values: &ValueMap, is_max: bool) -> Result<Value, NoMatch> {
    let all = expanded(rewriter, values)?;
    let mut b = rewriter.builder();
    let better = |a, other| {
        if is_max { arith::maxsi(&mut b, a, other) } else { arith::minsi(&mut b, a, other) }
    };
    all.into_iter().reduce(better).ok_or(NoMatch::because("the map has no results"))
}

/// The map of an operation whose operands of the map start at `first`.
fn values_of(op: OpRef<'_>, first: usize) -> Result<ValueMap, NoMatch> {
    let values = ValueMap::of(op, "map", op.operands().skip(first).collect());
    values.ok_or(NoMatch::because("the map has other operands"))
}

fn lower_apply(op: Apply, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let values = values_of(rewriter.op(op.op()), 0)?;
    let results = expanded(rewriter, &values)?;
    rewriter.replace(op.op(), &results);
    Ok(Matched)
}

fn lower_extremum(op: Op, is_max: bool, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let values = values_of(rewriter.op(op), 0)?;
    let best = extremum(rewriter, &values, is_max)?;
    rewriter.replace(op, &[best]);
    Ok(Matched)
}

/// The indices of an access, computed.
fn indices(op: Op, first: usize, rewriter: &mut Rewriter<'_>) -> Result<Vec<Value>, NoMatch> {
    let values = values_of(rewriter.op(op), first)?;
    expanded(rewriter, &values)
}

fn lower_load(op: Load, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let at = indices(op.op(), 1, rewriter)?;
    let buffer = op.memref(rewriter.body());
    let value = memref::load(&mut rewriter.builder(), buffer, &at);
    rewriter.replace(op.op(), &[value]);
    Ok(Matched)
}

fn lower_store(op: Store, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let at = indices(op.op(), 2, rewriter)?;
    let (value, buffer) = (op.value(rewriter.body()), op.memref(rewriter.body()));
    memref::Store::build(&mut rewriter.builder(), value, buffer, &at, None, None);
    rewriter.erase(op.op());
    Ok(Matched)
}

/// Fails if the elements of a vector would not be contiguous in a buffer, which `vector.load` and `vector.store` require.
fn expect_contiguous(rewriter: &Rewriter<'_>, buffer: Value) -> Result<(), NoMatch> {
    let layout = Strided::of(rewriter.context(), rewriter.ty(buffer));
    match layout.is_some_and(|layout| layout.strides.last().is_none_or(|&stride| stride == 1)) {
        true => Ok(()),
        false => Err(NoMatch::because("the last dimension of the memref does not have stride 1")),
    }
}

fn lower_vector_load(op: VectorLoad, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (buffer, ty) = (op.memref(rewriter.body()), rewriter.ty(op.result(rewriter.body())));
    expect_contiguous(rewriter, buffer)?;
    let at = indices(op.op(), 1, rewriter)?;
    let load = vector::Load::build(&mut rewriter.builder(), buffer, &at, None, None, ty);
    let value = load.result(rewriter.body());
    rewriter.replace(op.op(), &[value]);
    Ok(Matched)
}

fn lower_vector_store(op: VectorStore, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (value, buffer) = (op.value(rewriter.body()), op.memref(rewriter.body()));
    expect_contiguous(rewriter, buffer)?;
    let at = indices(op.op(), 2, rewriter)?;
    vector::Store::build(&mut rewriter.builder(), value, buffer, &at, None, None);
    rewriter.erase(op.op());
    Ok(Matched)
}

fn lower_prefetch(op: Prefetch, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let at = indices(op.op(), 1, rewriter)?;
    let body = rewriter.body();
    let (buffer, is_write, hint) = (op.memref(body), op.is_write(body), op.locality_hint(body));
    let is_data = op.is_data_cache(body);
    memref::Prefetch::build(&mut rewriter.builder(), buffer, &at, is_write, hint, is_data);
    rewriter.erase(op.op());
    Ok(Matched)
}

/// The memrefs of a transfer with computed indices, and the other operands.
type ComputedPlaces = (Vec<(Value, Vec<Value>)>, Vec<Value>);

fn computed_places(op: Op, maps: &[&str], rewriter: &mut Rewriter<'_>) -> Result<ComputedPlaces, NoMatch> {
    let view = rewriter.op(op);
    let (places, rest) = places(view, maps).ok_or(NoMatch::because("it has too few operands"))?;
    let mut values = Vec::new();
    for (place, map) in places.into_iter().zip(maps) {
        let map = ValueMap::of(view, map, place.indices).ok_or(NoMatch::because("it has other operands"))?;
        values.push((place.memref, map));
    }
    let mut computed = Vec::new();
    for (buffer, values) in values {
        computed.push((buffer, expanded(rewriter, &values)?));
    }
    Ok((computed, rest))
}

fn lower_dma_start(op: DmaStart, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (places, rest) = computed_places(op.op(), &MAPS, rewriter)?;
    let ([source, destination, tag], [count, stride @ ..]) = (&places[..], &rest[..]) else {
        return Err(NoMatch::because("it has too few operands"));
    };
    let flat = |place: &(Value, Vec<Value>)| [vec![place.0], place.1.clone()].concat();
    let operands = [flat(source), flat(destination), vec![*count], flat(tag), stride.to_vec()].concat();
    memref::DmaStart::build(&mut rewriter.builder(), &operands);
    rewriter.erase(op.op());
    Ok(Matched)
}

fn lower_dma_wait(op: DmaWait, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (places, rest) = computed_places(op.op(), &MAPS[2..], rewriter)?;
    let ([(tag, at)], [count]) = (&places[..], &rest[..]) else {
        return Err(NoMatch::because("it has too few operands"));
    };
    memref::DmaWait::build(&mut rewriter.builder(), *tag, at, *count);
    rewriter.erase(op.op());
    Ok(Matched)
}

/// Moves the blocks of a region to a region of another operation.
fn move_region(rewriter: &mut Rewriter<'_>, from: Region, to: Op, index: usize) {
    let into = rewriter.op(to).region(index);
    rewriter.move_blocks(from, into);
}

fn replace_by(rewriter: &mut Rewriter<'_>, op: Op, new: Op) {
    let results: Vec<Value> = rewriter.op(new).results().collect();
    rewriter.replace(op, &results);
}

fn lower_for(of: For, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let (lower, upper, step, inits) = (of.lower(body), of.upper(body), of.step(body), of.inits(body));
    let (region, types) = (of.region(body), body.op(of.op()).result_types().collect::<Vec<Type>>());
    let lower = extremum(rewriter, &lower, true)?;
    let upper = extremum(rewriter, &upper, false)?;
    let step = constant_index(&mut rewriter.builder(), step);
    let kind = rewriter.context().kind_of::<scf::For>();
    let state = OpState::new(kind).operands(&[lower, upper, step]).operands(&inits).results(&types);
    let new = rewriter.create(state.regions(1));
    move_region(rewriter, region, new, 0);
    replace_by(rewriter, of.op(), new);
    Ok(Matched)
}

fn lower_if(of: If, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let (set, operands) = (of.condition(body).clone(), of.operands(body));
    let (regions, types) = ([of.then_region(body), of.else_region(body)], body.op(of.op()).result_types());
    let types: Vec<Type> = types.collect();
    let (dims, symbols) = operands.split_at((set.dims as usize).min(operands.len()));
    let mut b = rewriter.builder();
    let zero = constant_index(&mut b, 0);
    let mut condition = None;
    for (expr, is_equality) in &set.constraints {
        let value = expand_expr(&mut b, expr, dims, symbols);
        let value =
            value.ok_or_else(|| NoMatch::because("division by non-positive value is not supported"))?;
        let predicate = if *is_equality { CmpIPredicate::Eq } else { CmpIPredicate::Sge };
        let holds = arith::cmpi(&mut b, predicate, value, zero);
        condition = Some(condition.map_or(holds, |all| arith::andi(&mut b, all, holds)));
    }
    let condition = condition.unwrap_or_else(|| arith::constant_bool(&mut b, true));
    let kind = rewriter.context().kind_of::<scf::If>();
    let new = rewriter.create(OpState::new(kind).operands(&[condition]).results(&types).regions(2));
    for (index, region) in regions.into_iter().enumerate() {
        if !rewriter.body().region(region).is_empty() {
            move_region(rewriter, region, new, index);
        }
    }
    replace_by(rewriter, of.op(), new);
    Ok(Matched)
}

fn lower_parallel(of: Parallel, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let op = of.op();
    let body = rewriter.body();
    let ([lower, upper], steps) = (of.bounds_of_dims(body), of.step_list(body));
    let (kinds, region) = (of.kinds(body), of.region(body));
    let types: Vec<Type> = body.op(op).result_types().collect();
    let end = body.region(region).entry().and_then(|entry| body.block(entry).last());
    let end = end.ok_or(NoMatch::because("the region has no terminator"))?;
    let contributions: Vec<Value> = body.op(end).operands().collect();
    let ctx = rewriter.context().clone();
    let neutral = |(&kind, &ty): (&arith::AtomicKind, &Type)| {
        let found = neutral_element(&ctx, kind, ty);
        found.ok_or_else(|| {
            NoMatch::because(format!("the reduction '{}' has no neutral element", kind.keyword()))
        })
    };
    let neutrals = kinds.iter().zip(&types).map(neutral).collect::<Result<Vec<Attr>, NoMatch>>()?;
    let (mut lowers, mut uppers) = (Vec::new(), Vec::new());
    for (lower, upper) in lower.iter().zip(&upper) {
        lowers.push(extremum(rewriter, lower, true)?);
        uppers.push(extremum(rewriter, upper, false)?);
    }
    let mut b = rewriter.builder();
    let steps: Vec<Value> = steps.into_iter().map(|step| constant_index(&mut b, step)).collect();
    let inits: Vec<Value> = neutrals
        .into_iter()
        .map(|neutral| arith::Constant::build(&mut b, neutral).result(b.body()))
        .collect();
    let new = scf::Parallel::build(&mut b, &lowers, &uppers, &steps, &inits, &types).op();
    move_region(rewriter, region, new, 0);
    rewriter.set_insertion_point(InsertionPoint::Before(end));
    let mut b = rewriter.builder();
    let reduce = scf::Reduce::build(&mut b, &contributions, kinds.len()).op();
    for (index, (kind, &ty)) in kinds.iter().zip(&types).enumerate() {
        b.region(reduce, index, &[ty, ty], |b, args| {
            let combined = match kind.operation().and_then(|name| b.context().registered_kind(name)) {
                Some(kind) => {
                    let op = b.create(OpState::new(kind).operands(args).results(&[ty]));
                    b.body().op(op).result(0)
                }
                None => args[1],
            };
            scf::ReduceReturn::build(b, combined);
        });
    }
    rewriter.erase(end);
    replace_by(rewriter, op, new);
    Ok(Matched)
}

fn lower_yield(op: Yield, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let operands = op.operands(rewriter.body());
    let parent = rewriter.op(op.op()).parent().map(|parent| rewriter.op(parent));
    if parent.is_some_and(|parent| parent.is::<Parallel>()) {
        return Err(NoMatch::because("it is lowered with the loop"));
    }
    scf::Yield::build(&mut rewriter.builder(), &operands);
    rewriter.erase(op.op());
    Ok(Matched)
}

/// The products of the last elements of a basis, longest first.
fn strides(b: &mut Builder<'_>, numbers: &[i64], values: &[Value], is_positive: bool) -> Vec<Value> {
    let mut flags = Flags::from(Overflow::NoSignedWrap);
    if is_positive {
        flags = flags.with(Overflow::NoUnsignedWrap);
    }
    let mut values = values.iter().rev();
    let (mut dynamic, mut product): (Option<Value>, i64) = (None, 1);
    let mut strides = Vec::new();
    for &number in numbers.iter().rev() {
        if number != DYNAMIC {
            product = product.wrapping_mul(number);
        } else if let Some(&value) = values.next() {
            dynamic = Some(dynamic.map_or(value, |so_far| mul_with(b, so_far, value, flags)));
        }
        strides.push(match dynamic {
            Some(dynamic) if product == 1 => dynamic,
            Some(dynamic) => {
                let by = constant_index(b, product);
                mul_with(b, dynamic, by, flags)
            }
            None => constant_index(b, product),
        });
    }
    strides.reverse();
    strides
}

/// The elements of a basis for all of `count` digits but the first.
fn inner_basis(numbers: &[i64], count: usize) -> &[i64] {
    if numbers.len() == count { numbers.get(1..).unwrap_or(&[]) } else { numbers }
}

fn lower_delinearize(of: DelinearizeIndex, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let (index, numbers, values) = (of.linear_index(body), of.numbers(body), of.dynamic_basis(body));
    let count = body.op(of.op()).n_results();
    if count == 1 {
        rewriter.replace(of.op(), &[index]);
        return Ok(Matched);
    }
    let mut b = rewriter.builder();
    let strides = strides(&mut b, inner_basis(&numbers, count), &values, true);
    let (Some(&first), Some(&last)) = (strides.first(), strides.last()) else {
        return Err(NoMatch::because("the basis is empty"));
    };
    let zero = constant_index(&mut b, 0);
    let remainder = |b: &mut Builder<'_>, by: Value| {
        let remainder = arith::remsi(b, index, by);
        corrected(b, remainder, by, zero, true)
    };
    let mut digits = vec![arith::floordivsi(&mut b, index, first)];
    for pair in strides.windows(2) {
        let rest = remainder(&mut b, pair[0]);
        digits.push(arith::divsi(&mut b, rest, pair[1]));
    }
    digits.push(remainder(&mut b, last));
    rewriter.replace(of.op(), &digits);
    Ok(Matched)
}

/// The number of loops around an operation outside of which a value is defined, from the innermost one.
fn invariant_loops(body: &Body, op: Op, value: Value) -> usize {
    let mut around = body.op(op).ancestors().skip_while(|parent| parent.id() == op);
    let is_loop = |parent: &OpRef<'_>| parent.service::<dyn LoopLike>().is_some();
    let is_outside = |parent: &OpRef<'_>| <dyn LoopLike>::is_outside(body, parent.id(), value);
    around.by_ref().filter(is_loop).take_while(is_outside).count()
}

/// Adds the scaled digits, those first that are invariant in more loops.
fn lower_linearize(of: LinearizeIndex, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let (digits, numbers, values) = (of.multi_index(body), of.numbers(body), of.dynamic_basis(body));
    let disjoint = of.is_disjoint(body);
    let order: Vec<usize> = digits.iter().map(|&digit| invariant_loops(body, of.op(), digit)).collect();
    let mut b = rewriter.builder();
    if digits.is_empty() {
        let zero = constant_index(&mut b, 0);
        rewriter.replace(of.op(), &[zero]);
        return Ok(Matched);
    }
    let strides = strides(&mut b, inner_basis(&numbers, digits.len()), &values, disjoint);
    let mut scaled: Vec<(usize, Value)> = Vec::new();
    for (at, &digit) in digits.iter().enumerate() {
        let value = strides.get(at).map_or(digit, |&stride| mul_nsw(&mut b, digit, stride));
        scaled.push((order[at], value));
    }
    scaled.sort_by(|(a, _), (b, _)| b.cmp(a));
    let sum = scaled.into_iter().map(|(_, value)| value).reduce(|sum, value| add_nsw(&mut b, sum, value));
    rewriter.replace(of.op(), &sum.into_iter().collect::<Vec<Value>>());
    Ok(Matched)
}
