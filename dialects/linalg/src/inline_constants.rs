//! Inputs whose elements are all the same constant: the body of `linalg.generic` uses the constant instead.
//!
//! The rewrites of scalar operations then see it: multiplication by one, squares, comparison with zero.

use crate::fusion::{have_extents, map_attrs, with_inputs};
use crate::{Generic, structured};
use minoan_arith as arith;
use minoan_ir::{Attr, Block, OpDef, Value};
use minoan_rewrite::{Matched, NoMatch, PatternSet, Rewriter};
use minoan_tensor::element_of_splat;

pub(crate) fn add(patterns: &mut PatternSet) {
    patterns.on("linalg-generic-constant-input", constant_input);
}

fn constant_input(op: Generic, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (body, ctx) = (rewriter.body(), rewriter.context().clone());
    let view = body.op(op.op());
    let block = view.own_regions().next().and_then(|region| body.region(region).entry());
    let block = block.ok_or(NoMatch::SILENT)?;
    let (inputs, args): (Vec<Value>, Vec<Value>) = (op.inputs(body), body.block(block).args().collect());
    let element = |input: Value| element_of_splat(&ctx, rewriter.constant_of(input)?);
    let constants: Vec<_> = inputs.iter().map(|&input| element(input)).collect();
    let used = constants.iter().zip(&args).filter_map(|(&known, &arg)| Some((arg, known?)));
    let used: Vec<_> = used.filter(|&(arg, _)| body.is_used(arg)).collect();
    if used.is_empty() {
        return Err(NoMatch::because("no input is a constant whose elements are all the same"));
    }
    for (arg, element) in used {
        let constant = arith::constant(&mut rewriter.builder(), element);
        rewriter.replace_all_uses(arg, constant);
    }
    let is_kept = |at: &usize| constants.get(*at).is_none_or(Option::is_none);
    drop_inputs(op, rewriter, block, is_kept);
    Ok(Matched)
}

/// Removes the inputs that are not kept, unless they are needed to determine the extents of dimensions.
fn drop_inputs(op: Generic, rewriter: &mut Rewriter<'_>, block: Block, is_kept: impl Fn(&usize) -> bool) {
    let (body, ctx) = (rewriter.body(), rewriter.context().clone());
    let view = body.op(op.op());
    let (inputs, maps) = (op.inputs(body), map_attrs(body, op.op()));
    let kept: Vec<Value> = (0..inputs.len()).filter(&is_kept).map(|at| inputs[at]).collect();
    let maps: Vec<Attr> = (0..maps.len()).filter(&is_kept).map(|at| maps[at]).collect();
    let n_dims = structured::iterator_types(view).unwrap_or_default().len();
    if op.library_call(body).is_some() || have_extents(&ctx, n_dims, &maps).is_err() {
        return;
    }
    let (state, from) = (with_inputs(view, &kept, &maps), view.region(0));
    let made = rewriter.create(state);
    let to = rewriter.op(made).region(0);
    rewriter.move_blocks(from, to);
    for at in (0..inputs.len()).rev().filter(|at| !is_kept(at)) {
        rewriter.erase_arg(block, at);
    }
    let results: Vec<Value> = rewriter.op(made).results().collect();
    rewriter.replace(op.op(), &results);
}
