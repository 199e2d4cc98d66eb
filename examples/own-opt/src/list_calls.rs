//! `list-calls`: emits a remark for each call. It uses the service [`Calls`], so it finds the calls of all dialects.

use minoan::diag::{Diagnostic, Diagnostics};
use minoan::pass::{Pass, PassRun, requires};
use minoan::services::Calls;

/// The pass.
pub struct ListCalls;

impl Pass for ListCalls {
    fn name(&self) -> &'static str {
        "list-calls"
    }

    fn description(&self) -> &'static str {
        "report the calls of functions, in any dialect"
    }

    requires!(Calls);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let remarks = run.each_body(|body| {
            let ctx = body.context();
            let mut remarks = Vec::new();
            for op in body.walk() {
                let op = body.op(op);
                let callee = ctx.service::<dyn Calls>(op.kind()).and_then(|calls| calls.callee(op));
                if let Some(callee) = callee.and_then(|callee| callee.as_flat_symbol(ctx)) {
                    let callee = callee.as_str(ctx);
                    let remark = Diagnostic::remark(format!("'{}' calls @{callee}", op.name()));
                    remarks.push(remark.at(op.loc().place(ctx)));
                }
            }
            remarks
        });
        remarks.into_iter().flatten().for_each(|remark| run.emit(remark));
        Ok(())
    }
}
