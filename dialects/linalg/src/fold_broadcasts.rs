//! Inputs that only repeat the elements of another tensor, or add or drop dimensions of extent 1: `linalg.generic` reads the other tensor.
//!
//! A broadcast or an expansion is not computed, and operations on both sides of it may share a kernel.

use crate::fusion::{have_extents, map_attrs};
use crate::{Generic, structured};
use minoan_ir::affine::{AffineExpr, AffineMap};
use minoan_ir::{Attr, Body, Op, OpDef, Value};
use minoan_memref::folding::with_props;
use minoan_rewrite::{Matched, NoMatch, PatternSet, Rewriter};
use minoan_services::IteratorType;

pub(crate) fn add(patterns: &mut PatternSet) {
    patterns.on("linalg-generic-fold-broadcast", fold_broadcast);
}

fn fold_broadcast(op: Generic, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (body, ctx) = (rewriter.body(), rewriter.context().clone());
    let view = body.op(op.op());
    let n_inputs = structured::n_inputs(view);
    let n_dims = structured::iterator_types(view).ok_or(NoMatch::SILENT)?.len();
    let mut maps = map_attrs(body, op.op()).to_vec();
    let mut sources = Vec::new();
    for at in 0..n_inputs {
        let Some((source, map)) = source_of(body, view.operand(at)) else { continue };
        let Some(read) = maps[at].as_affine_map(&ctx).and_then(|read| composed(&map, read)) else { continue };
        let before = std::mem::replace(&mut maps[at], Attr::affine_map(&ctx, read));
        match have_extents(&ctx, n_dims, &maps) {
            Ok(()) => sources.push((at, source)),
            Err(_) => maps[at] = before,
        }
    }
    if sources.is_empty() {
        return Err(NoMatch::because("no input only repeats the elements of another tensor"));
    }
    let props = with_props(&ctx, view.props(), &[("indexing_maps", Attr::array(&ctx, &maps))]);
    rewriter.modify(op.op(), |body, op| {
        body.set_props(op, props);
        for (at, source) in sources {
            body.set_operand(op, at, source);
        }
    });
    Ok(Matched)
}

/// The tensor whose elements a value repeats, and its indices as functions of the indices of the value.
fn source_of(body: &Body, value: Value) -> Option<(Value, AffineMap)> {
    let op = body.defining_op(value).and_then(|op| Generic::cast(body, op))?;
    let view = body.op(op.op());
    let iterators = structured::iterator_types(view)?;
    let is_parallel = iterators.iter().all(|&iterator| iterator == IteratorType::Parallel);
    if view.n_operands() != 2
        || structured::n_inputs(view) != 1
        || !is_parallel
        || !yields_input(body, op.op())
    {
        return None;
    }
    let [read, write] = map_attrs(body, op.op()) else { return None };
    let ctx = body.context();
    let (read, write) = (read.as_affine_map(ctx)?, write.as_affine_map(ctx)?);
    (write.is_identity() && keeps_order(read)).then(|| (view.operand(0), read.clone()))
}

/// Whether the body yields the element of the input.
fn yields_input(body: &Body, op: Op) -> bool {
    let block = body.op(op).own_regions().next().and_then(|region| body.region(region).entry());
    block.is_some_and(|block| {
        let block = body.block(block);
        block.len() == 1 && block.last().is_some_and(|last| body.op(last).operands().eq([block.arg(0)]))
    })
}

/// Whether the indices are dimensions in ascending order or the constant 0: elements that follow each other are not far apart.
fn keeps_order(map: &AffineMap) -> bool {
    let mut next = 0;
    map.results.iter().all(|expr| match expr {
        AffineExpr::Dim(dim) => {
            let follows = *dim >= next;
            next = dim + 1;
            follows
        }
        expr => *expr == AffineExpr::Constant(0),
    })
}

/// The first map at the results of the second one.
fn composed(map: &AffineMap, at: &AffineMap) -> Option<AffineMap> {
    let results = map.results.iter().map(|expr| expr.substitute(&at.results));
    Some(AffineMap { dims: at.dims, symbols: at.symbols, results: results.collect::<Option<_>>()? })
}
