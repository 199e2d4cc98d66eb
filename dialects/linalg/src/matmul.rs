//! Verification of matrix products with explicit maps (transposed and broadcast operands) and of contractions.

use crate::named::{self, Named};
use crate::structured;
use minoan_ir::affine::{AffineExpr, AffineMap};
use minoan_ir::verify::bare;
use minoan_ir::{Body, Op, OpRef, Violations};

/// Verifies maps that differ from the operation's default maps, then the rules of all structured operations.
pub(crate) fn verify(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    match structured::verify_destinations(view).and_then(|()| verify_maps(view)) {
        Ok(()) => structured::verify(body, op, errors),
        Err(message) => errors.push(message),
    }
}

fn is_dim(expr: &AffineExpr, dim: u32) -> bool {
    matches!(expr, AffineExpr::Dim(other) if *other == dim)
}

fn verify_maps(op: OpRef<'_>) -> Result<(), String> {
    let (Some(maps), Some(named)) = (named::maps(op), Named::of(op.name())) else { return Ok(()) };
    let usual = named.maps(op.n_operands(), 0, &[], &[]);
    let ([lhs, rhs, output], [usual_lhs, usual_rhs, _]) = (&maps[..], &usual[..]) else { return Ok(()) };
    if maps == usual {
        return Ok(());
    }
    let is_batch = op.name() != "linalg.matmul";
    for (is_lhs, map, usual) in [(true, lhs, usual_lhs), (false, rhs, usual_rhs)] {
        let fits = map.results.iter().all(|expr| usual.results.contains(expr));
        match (is_batch, fits) {
            (false, false) => return Err("Unexpected dim expression in map result.".to_owned()),
            (true, false) => {
                return Err(
                    "Unexpected result dim expression (outside the set of default result dims).".to_owned()
                );
            }
            (false, true) => {
                if map.results.len() < usual.results.len() && !is_shared(map, 2) {
                    return Err("Invalid broadcast requested, should be (d2).".to_owned());
                }
            }
            (true, true) => verify_batch_map(map, usual, is_lhs)?,
        }
    }
    if is_batch { verify_batch_output(op, output) } else { Ok(()) }
}

/// Whether a map has this dimension as its only result.
fn is_shared(map: &AffineMap, dim: u32) -> bool {
    matches!(&map.results[..], [only] if is_dim(only, dim))
}

fn verify_batch_map(map: &AffineMap, usual: &AffineMap, is_lhs: bool) -> Result<(), String> {
    let [batch, row, column, shared] = [0, 1, 2, 3];
    if map.results.len() > 3 {
        return Err("no. of result dim expressions exceeds 3.".to_owned());
    }
    if map.results.len() == usual.results.len() {
        let begins = map.results.first().is_some_and(|expr| is_dim(expr, batch));
        return if begins { Ok(()) } else { Err("Invalid batch dimension expression.".to_owned()) };
    }
    let allowed = match &map.results[..] {
        [only] => is_dim(only, shared),
        [first, second] if is_lhs => (is_dim(first, batch) || is_dim(first, row)) && is_dim(second, shared),
        [first, second] => {
            (is_dim(first, batch) && is_dim(second, shared))
                || (is_dim(first, shared) && is_dim(second, column))
        }
        _ => false,
    };
    if allowed { Ok(()) } else { Err("Invalid broadcast requested.".to_owned()) }
}

fn verify_batch_output(op: OpRef<'_>, map: &AffineMap) -> Result<(), String> {
    let first = if op.name() == "linalg.batch_matmul" { 0 } else { 1 };
    let (have, want) = (map.results.len(), 3 - first);
    if have != want {
        return Err(format!("expects {want} dims, but got ({have})."));
    }
    let in_order = map.results.iter().zip(first as u32..).all(|(expr, dim)| is_dim(expr, dim));
    if in_order { Ok(()) } else { Err("Invalid output map result dimension.".to_owned()) }
}

/// Verifies the maps of a contraction, then the rules of all structured operations.
pub(crate) fn verify_contract(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    if let Err(message) = structured::verify_destinations(view) {
        return errors.push(message);
    }
    match verify_contracted(view) {
        Ok(()) => structured::verify(body, op, errors),
        Err(message) => errors.push(bare(message)),
    }
}

/// Each dimension is a contracting dimension, which both inputs and not the output use, or a parallel dimension,
/// which the output and an input use.
fn verify_contracted(op: OpRef<'_>) -> Result<(), String> {
    let (Some(maps), ctx) = (named::maps(op), op.context()) else { return Ok(()) };
    let dims = maps.first().map_or(0, |map| map.dims);
    // The number of inputs that use each dimension, and whether the output uses it.
    let mut uses = vec![(0, 0); dims as usize];
    for (at, (map, ty)) in maps.iter().zip(op.operand_types()).enumerate() {
        let Some(keep) = map.as_projection().filter(|_| map.symbols == 0) else {
            return Err("provided affine_map is not a projected permutation".to_owned());
        };
        match ty.shape(ctx) {
            Some(shape) if shape.len() != map.results.len() => {
                return Err(
                    "ranks of shaped operand and results of corresponding affine_map differ".to_owned()
                );
            }
            None if !map.results.is_empty() => {
                return Err("affine_map specifies shaped access while operand has non-shaped type".to_owned());
            }
            _ => {}
        }
        if map.dims != dims {
            return Err("iteration spaces of provided affine_maps differ".to_owned());
        }
        for dim in keep {
            let (inputs, outputs) = &mut uses[dim as usize];
            *(if at < 2 { inputs } else { outputs }) += 1;
        }
    }
    for (dim, &used) in uses.iter().enumerate() {
        match used {
            (0, 0) => {
                return Err(format!("iteration space dim at index {dim} not used to access any operand"));
            }
            (1, outputs) if outputs != 1 => {
                return Err(format!(
                    "iteration space dim at index {dim} is neither a contracting dim nor of parallel iteration type"
                ));
            }
            _ => {}
        }
    }
    if !uses.contains(&(2, 0)) {
        return Err("'indexing_maps' do not specify a contracting dimension".to_owned());
    }
    Ok(())
}
