//! Lowers expressions to `linalg.generic`, and scheduled ones to nests of `scf.for`.
//!
//! [`Stages`] checks everything that could fail beforehand, so the lowering itself is infallible. An expression is
//! lowered at its position; an expression that is only used by stages emits no code.

mod build;
mod generic;
mod kernel;
mod nest;
mod online;
mod scalar;

pub(crate) use kernel::different_extents;

use crate::ops::ExprOp;
use crate::stages::{Stages, check_stages};
use kernel::{Kernel, KnownExtents};
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::{Body, Builder, Module, Op};
use minoan_rewrite::{Lower, Lowering};
use std::borrow::Cow;

/// Implements the [`Lower`] service.
pub(crate) struct LowerIexpr;

impl Lower for LowerIexpr {
    fn contribute(&self, module: &mut Cow<'_, Module>, lowering: &mut Lowering) -> Result<(), Diagnostics> {
        if module.ops().any(|op| op.is::<ExprOp>()) {
            let errors = check(module);
            if errors.has_errors() {
                return Err(errors);
            }
            lower_all(module.to_mut().body_mut());
        }
        lowering.edited("iexpr", |_| true);
        Ok(())
    }
}

/// The errors of a module that cannot be lowered.
fn check(module: &Module) -> Diagnostics {
    let (ctx, mut errors) = (module.context(), Diagnostics::new());
    for body in bodies(module.body()) {
        for problem in check_stages(body) {
            let view = body.op(problem.op);
            let expr = ExprOp::expr(view).map_or_else(|_| String::new(), |(expr, _)| expr.to_string());
            let message = format!("`{expr}`: {}", problem.message);
            errors.push(Diagnostic::error(message).at(view.loc().place(ctx)));
        }
    }
    errors
}

/// A body and all bodies nested in it.
fn bodies(body: &Body) -> Vec<&Body> {
    let mut all = vec![body];
    let mut next = 0;
    while next < all.len() {
        let body = all[next];
        all.extend(body.walk().into_iter().filter_map(|op| body.nested(op)));
        next += 1;
    }
    all
}

fn lower_all(body: &mut Body) {
    lower_body(body);
    for nested in body.nested_bodies_mut() {
        minoan_ir::with_stack(|| lower_all(nested));
    }
}

fn lower_body(body: &mut Body) {
    let (stages, _) = Stages::of(body);
    let needed: Vec<Op> = stages.order.iter().copied().filter(|&op| stages.is_root(body, op)).collect();
    let mut known = KnownExtents::default();
    for op in needed {
        let mut b = Builder::before(body, op);
        let value = Kernel::new(&stages, &mut known).lower(&mut b, op);
        let result = body.op(op).result(0);
        body.replace_all_uses(result, value);
    }
    for &op in stages.order.iter().rev() {
        body.erase(op);
    }
}
