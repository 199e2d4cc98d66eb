//! Canonicalization of `affine.min` and `affine.max`.

use super::{compose, set_map, values_of};
use crate::flatten::{is_pure, linear};
use crate::value_map::ValueMap;
use crate::{Apply, Max, Min};
use minoan_ir::affine::{AffineExpr, AffineMap};
use minoan_ir::{Op, OpDef};
use minoan_rewrite::{Matched, NoMatch, PatternSet, Rewriter};

pub(super) fn add_patterns(patterns: &mut PatternSet) {
    patterns
        .on("affine-min-single", |op: Min, rewriter| single(op.op(), rewriter))
        .on("affine-min-duplicates", |op: Min, rewriter| duplicates(op.op(), rewriter))
        .on("affine-min-merge", |op: Min, rewriter| merge(op.op(), rewriter))
        .on("affine-min-compose", |op: Min, rewriter| compose(op.op(), 0, rewriter))
        .on("affine-min-order", |op: Min, rewriter| order(op.op(), rewriter))
        .on("affine-max-single", |op: Max, rewriter| single(op.op(), rewriter))
        .on("affine-max-duplicates", |op: Max, rewriter| duplicates(op.op(), rewriter))
        .on("affine-max-merge", |op: Max, rewriter| merge(op.op(), rewriter))
        .on("affine-max-compose", |op: Max, rewriter| compose(op.op(), 0, rewriter))
        .on("affine-max-order", |op: Max, rewriter| order(op.op(), rewriter));
}

/// The extremum of one result is an `affine.apply`.
fn single(op: Op, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let values = values_of(rewriter.op(op), 0)?;
    if values.map.results.len() != 1 {
        return Err(NoMatch::because("the map has several results"));
    }
    let apply = Apply::build(&mut rewriter.builder(), &values.operands, values.map);
    let result = apply.result(rewriter.body());
    rewriter.replace(op, &[result]);
    Ok(Matched)
}

/// The map without results that occur before.
fn without_duplicates(map: &AffineMap) -> AffineMap {
    let mut results: Vec<AffineExpr> = Vec::new();
    for expr in &map.results {
        if !results.contains(expr) {
            results.push(expr.clone());
        }
    }
    AffineMap { results: results.into(), ..map.clone() }
}

fn duplicates(op: Op, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let mut values = values_of(rewriter.op(op), 0)?;
    let map = without_duplicates(&values.map);
    if map == values.map {
        return Err(NoMatch::because("the results are different"));
    }
    values.map = map;
    set_map(op, 0, &values, rewriter);
    Ok(Matched)
}

/// Replaces results that are extrema of the same kind by their results.
fn merge(op: Op, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (body, view) = (rewriter.body(), rewriter.op(op));
    let values = values_of(view, 0)?;
    let producer = |expr: &AffineExpr| {
        let def = body.op(body.defining_op(values.operand_of(expr)?)?);
        let values =
            ValueMap::of(def, "map", def.operands().collect()).filter(|_| def.kind() == view.kind())?;
        Some(values)
    };
    let (mut exprs, mut producers) = (Vec::new(), Vec::new());
    for expr in &values.map.results {
        match producer(expr) {
            Some(values) => producers.push(values),
            None => exprs.push(expr.clone()),
        }
    }
    if producers.is_empty() {
        return Err(NoMatch::because("no operand is an extremum"));
    }
    let (mut dims, mut symbols) = (values.dim_operands().to_vec(), values.symbol_operands().to_vec());
    for producer in producers {
        let [(n_dims, own_dims), (n_symbols, own_symbols)] =
            [(dims.len() as u32, producer.map.dims), (symbols.len() as u32, producer.map.symbols)];
        let new_dims: Vec<AffineExpr> = (n_dims..n_dims + own_dims).map(AffineExpr::Dim).collect();
        let new_symbols: Vec<AffineExpr> =
            (n_symbols..n_symbols + own_symbols).map(AffineExpr::Symbol).collect();
        exprs.extend(producer.map.results.iter().map(|expr| expr.replaced(&new_dims, &new_symbols)));
        dims.extend_from_slice(producer.dim_operands());
        symbols.extend_from_slice(producer.symbol_operands());
    }
    let map = AffineMap { dims: dims.len() as u32, symbols: symbols.len() as u32, results: exprs.into() };
    dims.extend(symbols);
    set_map(op, 0, &ValueMap { map, operands: dims }, rewriter);
    Ok(Matched)
}

/// Sorts the results by their coefficients, if all are linear.
fn order(op: Op, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let mut values = values_of(rewriter.op(op), 0)?;
    let space = (values.map.dims, values.map.symbols);
    let coefficients = |expr: &AffineExpr| {
        let (mut coefficients, constant) = linear(expr, space).filter(|_| is_pure(expr))?;
        coefficients.push(constant);
        Some(coefficients)
    };
    let keys = values.map.results.iter().map(coefficients).collect::<Option<Vec<Vec<i64>>>>();
    let keys = keys.ok_or(NoMatch::because("a result is not linear"))?;
    if keys.is_sorted() {
        return Err(NoMatch::because("the results are sorted"));
    }
    let mut sorted: Vec<(Vec<i64>, AffineExpr)> = keys.into_iter().zip(values.map.results).collect();
    sorted.sort_by(|(a, _), (b, _)| a.cmp(b));
    values.map.results = sorted.into_iter().map(|(_, expr)| expr).collect();
    set_map(op, 0, &values, rewriter);
    Ok(Matched)
}
