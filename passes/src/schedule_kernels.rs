//! `schedule-kernels`: chooses plans for the kernels that have none.
//!
//! The choice depends on the structure of a kernel and on the machine that the module describes
//! (`#dlti.target_system_spec`); without one, on a processor with 128-bit vectors. A plan that is written in the module is
//! kept.

use crate::kernels;
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_pass::{Anchor, Pass, PassRun, RemarkKind, own_options, pass_options};
use minoan_scheduling::choose;
use minoan_services::KernelOps;

pass_options! {
    /// The options of the pass.
    pub struct ScheduleKernelsOptions {
        /// Emit a remark for each kernel, with its plan and the reasons for it
        "explain" explain: bool = false,
        /// Choose loops of scalars for all kernels
        "plain" plain: bool = false,
    }
}

/// Chooses plans.
#[derive(Default)]
pub struct ScheduleKernels {
    /// The options of this pass.
    pub options: ScheduleKernelsOptions,
}

impl Pass for ScheduleKernels {
    fn name(&self) -> &'static str {
        "schedule-kernels"
    }

    fn description(&self) -> &'static str {
        "choose plans for kernels"
    }

    own_options!();

    fn anchor(&self) -> Anchor {
        Anchor::Module
    }

    fn asks(&self) -> Vec<minoan_ir::ServiceId> {
        vec![minoan_ir::ServiceId::of::<dyn KernelOps>()]
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let remarks_wanted = run.wants_remarks();
        let module = run.module_mut();
        let ctx = module.context().clone();
        let Some(service) = <dyn KernelOps>::any(&ctx) else { return Ok(()) };
        let machine = kernels::machine(module);
        let (mut all, mut remarks) = (Diagnostics::new(), Vec::new());
        kernels::each_function(module, |body| {
            for (op, parts) in kernels::kernels(body, service) {
                if parts.plan.is_some() {
                    continue;
                }
                let view = body.op(op);
                let (contents, nested) = match (kernels::contents(view, &parts), view.nested()) {
                    (Ok(contents), Some(nested)) => (contents, nested),
                    (Err(errors), _) => {
                        all.append(errors);
                        continue;
                    }
                    _ => continue,
                };
                let choice = choose::choose(&contents, nested, &machine);
                let plan = if self.options.plain { choose::plain(&contents) } else { choice.plan };
                if self.options.explain || remarks_wanted {
                    let mut remark = Diagnostic::remark(format!("plan <{plan}>")).at(view.loc().place(&ctx));
                    for reason in choice.reasons {
                        remark = remark.note(reason);
                    }
                    if remarks_wanted {
                        let kind = match choice.family {
                            choose::Family::Plain => RemarkKind::Missed,
                            _ => RemarkKind::Passed,
                        };
                        remarks.push((kind, remark.clone()));
                    }
                    if self.options.explain {
                        all.push(remark);
                    }
                }
                service.set_plan(body, op, Some(&plan.to_string()));
            }
        });
        if all.has_errors() {
            return Err(all);
        }
        all.into_iter().for_each(|remark| run.emit(remark));
        remarks.into_iter().for_each(|(kind, remark)| run.remark(kind, remark));
        Ok(())
    }
}
