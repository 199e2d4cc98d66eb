//! `expand-math`: replaces operations by simpler ones, such as mathematical functions on vectors by polynomials.
//!
//! The machine is given by the option `target-cpu`, otherwise by the attributes of the operation on
//! which the pass runs, otherwise it is a processor with fused multiply-add.

use crate::float_policy::PolicyOption;
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::{Body, Builder, Op, ServiceTable, Value};
use minoan_pass::{Pass, PassRun, own_options, pass_options, queries};
use minoan_services::{Expand, MachineModel, MachineSpec};

pass_options! {
    /// The options of the pass.
    pub struct ExpandMathOptions {
        /// Processor, by the names of LLVM's -mcpu, or host; by default, that of the module's attributes
        "target-cpu" target_cpu: String = String::new(),
        /// Accuracy: strict, default or fast
        "fp" policy: PolicyOption = PolicyOption::default(),
    }
}

/// Expands operations.
#[derive(Default)]
pub struct ExpandMath {
    /// The options of this pass.
    pub options: ExpandMathOptions,
}

impl Pass for ExpandMath {
    fn name(&self) -> &'static str {
        "expand-math"
    }

    fn description(&self) -> &'static str {
        "expand mathematical functions on vectors into arithmetic"
    }

    own_options!();

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[("num-expanded", "Number of expanded operations")]
    }

    queries!(Expand, MachineSpec);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let machine = match self.options.target_cpu.as_str() {
            "" => MachineModel::of(&ctx, run.op().attrs)
                .unwrap_or_else(|| MachineModel { has_fma: true, ..MachineModel::default() }),
            "host" => minoan_target::host(),
            name => minoan_target::by_name(name).ok_or_else(|| {
                let known: Vec<&str> = minoan_target::names().collect();
                let message = format!("unknown processor '{name}' for 'target-cpu'");
                Diagnostics::from(
                    Diagnostic::error(message).note(format!("the known processors are {}", known.join(", "))),
                )
            })?,
        };
        let Some(table) = ctx.service_table::<dyn Expand>() else { return Ok(()) };
        let expanded = run.each_body(|body| {
            let ops = body.walk();
            // Nested operations first: an expansion may clone the regions of its operation.
            ops.into_iter().rev().filter(|&op| self.expand(body, op, table, &machine)).count() as u64
        });
        run.count("num-expanded", expanded.into_iter().sum());
        Ok(())
    }
}

impl ExpandMath {
    /// Replaces an operation; returns whether it was expanded.
    fn expand(
        &self,
        body: &mut Body,
        op: Op,
        table: &ServiceTable<dyn Expand>,
        machine: &MachineModel,
    ) -> bool {
        let Some(service) = table.get(body.op(op).kind()) else { return false };
        let mut b = Builder::before(body, op);
        let results: Option<Vec<Value>> = service.expand(&mut b, op, machine, self.options.policy.0);
        if let Some(results) = &results {
            body.replace(op, results);
        }
        results.is_some()
    }
}
