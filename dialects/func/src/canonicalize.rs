//! Canonicalization: an indirect call of a constant function becomes a direct call.

use crate::{Call, CallIndirect, Constant};
use minoan_ir::{OpDef, Type, Value};
use minoan_rewrite::{Matched, NoMatch, PatternSet, Rewriter};

pub(crate) fn patterns(patterns: &mut PatternSet) {
    patterns.on("func-call-indirect-constant", known_callee);
}

fn known_callee(op: CallIndirect, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let callee = body.defining_op(op.callee(body)).and_then(|def| Constant::cast(body, def));
    let callee = callee.ok_or(NoMatch::because("the callee is not a constant"))?.value(body);
    let operands = op.callee_operands(body);
    let types: Vec<Type> = body.op(op.op()).result_types().collect();
    let attrs = body.op(op.op()).attrs();
    let call = Call::build(&mut rewriter.builder(), &operands, callee, None, None, &types).op();
    rewriter.modify(call, |body, call| body.set_attrs(call, attrs));
    let results: Vec<Value> = rewriter.op(call).results().collect();
    rewriter.replace(op.op(), &results);
    Ok(Matched)
}
