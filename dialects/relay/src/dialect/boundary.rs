//! The inputs of functions, which attributes describe.

use super::types::from_ir;
use minoan_ir::{Attr, Body, Op, OpRef, Value};
use minoan_services::{Arity, FunctionBoundary, GraphBoundary, function_types, retain_elements};

/// Functions whose attributes `relay.params`, `relay.args` and `relay.param_attrs` have the names, the types and the attributes
/// of the parameters in the source.
pub(super) struct RelayBoundary;

impl GraphBoundary for RelayBoundary {
    fn arity(&self, op: OpRef<'_>) -> Option<Arity> {
        FunctionBoundary.arity(op)
    }

    fn inputs(&self, op: OpRef<'_>) -> Vec<(i64, Value)> {
        FunctionBoundary.inputs(op)
    }

    fn retain_inputs(&self, body: &mut Body, op: Op, kept: &[bool]) {
        FunctionBoundary.retain_inputs(body, op, kept);
        let ctx = body.context().clone();
        retain_elements(body, op, ctx.name("relay.params"), kept);
        retain_elements(body, op, ctx.name("relay.param_attrs"), kept);
        if body.op(op).attr_named("relay.args").is_some() {
            let inputs = function_types(body.op(op)).map_or(&[][..], |(inputs, _)| inputs);
            let texts: Vec<String> = inputs.iter().map(|&ty| from_ir(&ctx, ty).to_string()).collect();
            let text = Attr::string(&ctx, format!("({})", texts.join(", ")));
            body.set_attr(op, ctx.name("relay.args"), Some(text));
        }
    }
}
