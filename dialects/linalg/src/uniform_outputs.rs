//! Outputs whose elements are all the same: `linalg.generic` reads the element instead.
//!
//! Reverse mode adds the contribution of an operation to the accumulated derivative, which is zero at first.

use crate::{Fill, Generic, structured};
use minoan_arith as arith;
use minoan_ir::{AttrData, DYNAMIC, OpDef, Value};
use minoan_rewrite::{Matched, NoMatch, PatternSet, Rewriter};
use minoan_services::IteratorType;
use minoan_tensor::{Empty, Splat, extract};

pub(crate) fn add(patterns: &mut PatternSet) {
    patterns.on("linalg-generic-uniform-output", uniform_output);
}

/// An elementwise computation with an output whose elements are all the same reads that element.
fn uniform_output(op: Generic, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (body, ctx) = (rewriter.body(), rewriter.context().clone());
    let view = body.op(op.op());
    let first = structured::n_inputs(view);
    let iterators = structured::iterator_types(view).unwrap_or_default();
    if view.n_results() != 1 || iterators.iter().any(|&of| of != IteratorType::Parallel) {
        return Err(NoMatch::because("the operation reduces, or has several results"));
    }
    if !structured::overwrites(view, first) {
        return Err(NoMatch::because("elements of the output remain as they are"));
    }
    let output = view.operand(first);
    let block = view.own_regions().next().and_then(|region| body.region(region).entry());
    let arg = block.and_then(|block| body.block(block).args().nth(first));
    let arg = arg.filter(|&arg| body.is_used(arg)).ok_or(NoMatch::because("the output is not read"))?;
    let def = body.defining_op(output).ok_or(NoMatch::because("the output is an argument"))?;
    let def = body.op(def);
    let shape = rewriter.ty(output).shape(&ctx).unwrap_or(&[]).to_vec();
    // The element, unless it belongs to a constant tensor, and the extents of an empty tensor of the same shape.
    let (element, extents) = if let Some(fill) = Fill::cast(body, def.id()) {
        let init = body.op(fill.op()).operand(1);
        let empty = body.defining_op(init).and_then(|def| Empty::cast(body, def));
        let empty = empty.ok_or(NoMatch::because("the output is filled in place"))?;
        (Some(def.operand(0)), body.op(empty.op()).operands().collect::<Vec<_>>())
    } else if let Some(splat) = Splat::cast(body, def.id()) {
        (Some(splat.input(body)), def.operands().skip(1).collect())
    } else {
        let data = rewriter.constant_of(output).map(|value| value.data(&ctx));
        let is_splat = matches!(data, Some(AttrData::DenseElements { splat: true, .. }));
        if !is_splat || shape.contains(&0) {
            return Err(NoMatch::because("the elements of the output may differ"));
        }
        (None, Vec::new())
    };
    if shape.iter().filter(|&&extent| extent == DYNAMIC).count() != extents.len() {
        return Err(NoMatch::because("an extent is not known"));
    }
    let ty = rewriter.ty(output);
    let mut b = rewriter.builder();
    let element = element.unwrap_or_else(|| {
        let first: Vec<Value> = shape.iter().map(|_| arith::constant_index(&mut b, 0)).collect();
        extract(&mut b, output, &first)
    });
    let empty = Empty::build(&mut b, &extents, ty).result(b.body());
    rewriter.replace_all_uses(arg, element);
    rewriter.set_operand(op.op(), first, empty);
    Ok(Matched)
}
