//! Canonicalization by static extents: refines each operand's extents by those that the other operands give the
//! iteration domain.

use crate::structured;
use minoan_ir::{Body, DYNAMIC, Op, OpDef, OpRef, Traits, Type, Value};
use minoan_rewrite::{Matched, NoMatch, Pattern, PatternSet, Rewriter, Root};
use minoan_services::{EffectSet, EffectsTable};
use minoan_tensor::{Cast, cast_source, cast_to, is_more_static, with_operands};
use std::borrow::Cow;

pub(crate) fn add(patterns: &mut PatternSet) {
    patterns.add(StaticShapes).on("linalg-result-cast", cast_of_result);
}

/// Whether an operation has tensor semantics and accesses its operands at projected permutations of the loops.
fn is_inferable(op: OpRef<'_>) -> bool {
    let ctx = op.context();
    op.n_results() > 0
        && !op.operand_types().any(|ty| ty.is_memref(ctx))
        && structured::maps(op).is_some_and(|maps| {
            maps.len() == op.n_operands() && maps.iter().all(|map| map.as_projection().is_some())
        })
}

/// Refines the types of operands by extents that follow from other operands or from the casts that define them.
struct StaticShapes;

impl Pattern for StaticShapes {
    fn name(&self) -> &str {
        "linalg-static-shapes"
    }

    fn root(&self) -> Root {
        let others = [
            "linalg.broadcast",
            "linalg.elementwise",
            "linalg.fill",
            "linalg.generic",
            "linalg.map",
            "linalg.reduce",
            "linalg.transpose",
        ];
        Root::Ops(Cow::Owned(others.into_iter().chain(crate::named::names()).collect()))
    }

    fn rewrite(&self, op: Op, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
        let (view, ctx) = (rewriter.op(op), rewriter.context());
        let is_open = |ty: Type| ty.shape(ctx).is_some_and(|shape| shape.contains(&DYNAMIC));
        if !view.operand_types().any(is_open) {
            return Err(NoMatch::because("all extents are known"));
        }
        if !is_inferable(view) {
            return Err(NoMatch::because("its extents are not those of its operands"));
        }
        let operands: Vec<Value> =
            view.operands().map(|value| cast_source(view, value).unwrap_or(value)).collect();
        with_operands(rewriter, op, operands)
    }
}

/// A cast of a result that adds static extents adds them to the output, from which they propagate to the operation.
fn cast_of_result(op: Cast, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (body, ctx) = (rewriter.body(), rewriter.context().clone());
    let (source, wanted) = (op.source(body), body.ty(op.dest(body)));
    let def =
        body.defining_op(source).filter(|&def| is_structured(body.op(def)) && is_inferable(body.op(def)));
    let def = def.ok_or(NoMatch::because("it casts no result of a structured operation"))?;
    let view = body.op(def);
    if !is_more_static(&ctx, wanted, body.ty(source)) || view.block() != body.op(op.op()).block() {
        return Err(NoMatch::because("the cast adds no extents, or is elsewhere"));
    }
    if !always_reaches(body, def, op.op()) {
        return Err(NoMatch::because("execution may end between the operation and the cast"));
    }
    let result = view.results().position(|result| result == source).unwrap_or(0);
    let mut operands: Vec<Value> = view.operands().collect();
    let output = structured::n_inputs(view) + result;
    rewriter.set_before(def);
    operands[output] = cast_to(rewriter, operands[output], wanted);
    with_operands(rewriter, def, operands)
}

/// Upper bound on the operations between a result and its cast, which keeps canonicalization linear.
const MAX_BETWEEN: usize = 64;

/// Whether execution always continues from an operation to a later one of the same block. Otherwise an assertion
/// between them may ensure that the extents of the later one match its types.
fn always_reaches(body: &Body, from: Op, to: Op) -> bool {
    let effects = EffectsTable::new(body.context());
    let mut left = MAX_BETWEEN;
    let mut pending: Vec<Op> = Vec::new();
    let mut at = to;
    loop {
        let op = match pending.pop() {
            Some(op) => op,
            None => match body.op(at).prev() {
                Some(before) if before != from => {
                    at = before;
                    before
                }
                before => return before == Some(from),
            },
        };
        let view = body.op(op);
        let own = effects.own(view);
        // Terminators without the service end a nested region.
        let ends_region = view.has_trait(Traits::TERMINATOR) && own == EffectSet::UNKNOWN;
        if left == 0 || view.nested().is_some() || (own.intersects(EffectSet::OUTSIDE) && !ends_region) {
            return false;
        }
        left -= 1;
        let blocks = view.own_regions().flat_map(|region| body.region(region).blocks());
        pending.extend(blocks.flat_map(|block| body.block(block).ops()).take(left + 1));
    }
}

fn is_structured(op: OpRef<'_>) -> bool {
    op.name().starts_with("linalg.")
}
