//! `drop-assertion-values`: replaces assertions whose messages show values by assertions that other tools know.
//!
//! `kopt --default-pipeline` prints operations of MLIR's dialects for a program without data types, except for assertions whose
//! messages show values. After this pass, MLIR reads the output as well. The messages have `?` in
//! place of the values.

use minoan_diag::Diagnostics;
use minoan_ir::{Body, Builder, Op, ServiceTable};
use minoan_pass::{Pass, PassRun, queries};
use minoan_services::Assertion;

/// Replaces assertions whose messages show values.
pub struct DropAssertionValues;

impl Pass for DropAssertionValues {
    fn name(&self) -> &'static str {
        "drop-assertion-values"
    }

    fn description(&self) -> &'static str {
        "replace assertions whose messages show values by MLIR's"
    }

    queries!(Assertion);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        if let Some(assertions) = ctx.service_table() {
            run.each_body(|body| drop_values(body, assertions));
        }
        Ok(())
    }
}

fn drop_values(body: &mut Body, assertions: &ServiceTable<dyn Assertion>) {
    for op in body.walk().into_iter().collect::<Vec<Op>>() {
        let view = body.op(op);
        let Some(assertion) = assertions.get(view.kind()).filter(|it| !it.values(view).is_empty()) else {
            continue;
        };
        let (condition, loc) = (view.operand(assertion.condition(view)), view.loc());
        assertion.without_values(&mut Builder::before(body, op).with_loc(loc), op, condition);
        body.erase(op);
    }
}
