//! Lowering of calls of derivatives to requests of the diff dialect.

use super::build::flat;
use super::{Lowering, Parts};
use minoan_diff::{Fwd, Rev, Rule};
use minoan_functional::{Functional, result_type};
use minoan_ir::{Attr, Body, Builder, OpDef, OpRef, Value};

/// The attribute of a function that computes the derivative of another one: its symbol and `"fwd"` or `"rev"`.
pub(crate) const DERIVATIVE_OF: &str = "knossos.derivative_of";

impl<'a> Lowering<'a> {
    pub(super) fn derivative(&mut self, b: &mut Builder<'_>, op: OpRef<'a>) -> Parts {
        let mut args: Vec<Value> = op.operands().collect();
        let (Some(seed), Some(callee)) = (args.pop(), op.attr_named("callee")) else { return Parts::new() };
        let args = self.all_parts(args.into_iter());
        let seeds: Vec<Value> = self.parts(seed).to_vec();
        let types = flat(&self.ctx, result_type(op));
        let is_forward = op.attr_named("mode").and_then(|mode| mode.as_str(&self.ctx)) == Some("fwd");
        let request = if is_forward {
            Fwd::build(b, &args, &seeds, callee, None, &types).op()
        } else {
            Rev::build(b, &args, &seeds, callee, None, &types).op()
        };
        b.body().op(request).results().collect()
    }
}

/// Declares the derivatives that functions of the module compute.
pub(super) fn declare_rules(b: &mut Builder<'_>, source: &Body) {
    let ctx = b.context();
    for op in source.walk() {
        let view = source.op(op);
        let Some(&[of, mode]) = view.attr_named(DERIVATIVE_OF).and_then(|attr| attr.as_array(&ctx)) else {
            continue;
        };
        if let Some(name) = view.symbol_name() {
            b.set_loc(view.loc());
            Rule::build(b, of, mode, Attr::symbol_ref(&ctx, name));
        }
    }
}
