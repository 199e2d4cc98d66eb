//! `schedule-kernels`: chooses plans for the kernels that have none.
//!
//! The choice depends on the structure of a kernel and on the machine that the module describes
//! (`#dlti.target_system_spec`); without one, on a processor with 128-bit vectors. A plan that is written in the module is
//! kept. An unplanned kernel with operations that are not statements is inlined.

use crate::analysis::kernels;
use minoan_diag::{Diagnostic, Diagnostics, FileId, Span, nearest};
use minoan_ir::{Body, InsertionPoint, Mapping, Module, Op, Value};
use minoan_pass::{Anchor, Pass, PassRun, RemarkKind, own_options, pass_options};
use minoan_schedule::{NamedPlan, choose, resolve};
use minoan_services::KernelOps;
use rustc_hash::FxHashMap;

pass_options! {
    /// The options of the pass.
    pub struct ScheduleKernelsOptions {
        /// Emit a remark for each kernel, with its plan and the reasons for it
        "explain" explain: bool = false,
        /// Use scalar loops for all kernels
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

    fn queries(&self) -> Vec<minoan_ir::ServiceId> {
        vec![minoan_ir::ServiceId::of::<dyn KernelOps>()]
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let remarks_wanted = run.wants_remarks();
        let module = run.module_mut();
        let ctx = module.context().clone();
        let Some(service) = <dyn KernelOps>::any(&ctx) else { return Ok(()) };
        let machine = kernels::machine(module);
        let (mut all, mut remarks) = (Diagnostics::new(), Vec::new());
        kernels::each_named_function(module, |function, body| {
            for (name, op, parts) in kernels::named_kernels(function, body, service) {
                if parts.plan.is_some() {
                    continue;
                }
                let view = body.op(op);
                let (contents, nested) = match (kernels::contents(view, &parts), view.nested()) {
                    (Ok(contents), Some(nested)) => (contents, nested),
                    // A kernel on buffers stays: `emit-kernels` reports why it cannot be computed.
                    (Err(_), Some(_)) => {
                        if is_on_tensors(body, op) {
                            dissolve(body, op);
                        }
                        continue;
                    }
                    _ => continue,
                };
                let choice = choose::choose(&contents, nested, &machine);
                let plan = if self.options.plain { choose::plain(&contents) } else { choice.plan };
                if self.options.explain || remarks_wanted {
                    let message = format!("kernel '{name}': plan <{plan}>");
                    let mut remark = Diagnostic::remark(message).at(view.loc().place(&ctx));
                    for reason in choice.reasons {
                        remark = remark.note(reason);
                    }
                    for statement in contents.statements.iter().filter(|statement| !statement.is_inline) {
                        let place = nested.op(statement.op).loc().place(&ctx);
                        remark = remark.note_at(place, format!("'{}' is computed here", statement.name));
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

/// Whether the types of the operands and results of a kernel are those of the arguments and yielded values of its body.
fn is_on_tensors(body: &Body, op: Op) -> bool {
    let view = body.op(op);
    let Some(nested) = view.nested() else { return false };
    let Some(entry) = nested.region(nested.root(0)).entry() else { return false };
    let block = nested.block(entry);
    let yielded = block.last().map_or(0, |end| nested.op(end).n_operands());
    view.n_results() == yielded && view.operand_types().eq(block.args().map(|arg| nested.ty(arg)))
}

/// Inlines a kernel on tensors. Other passes, such as `canonicalize`, may leave operations in a kernel that are not statements.
fn dissolve(body: &mut Body, op: Op) {
    let view = body.op(op);
    let Some(nested) = view.nested().map(Body::duplicate) else { return };
    let Some(entry) = nested.region(nested.root(0)).entry() else { return };
    let mut mapping = Mapping::new();
    for (arg, operand) in nested.block(entry).args().zip(view.operands()) {
        mapping.map(arg, operand);
    }
    let end = nested.block(entry).last();
    for inner in nested.block(entry).ops().filter(|&inner| Some(inner) != end) {
        body.clone_op_from(&nested, inner, InsertionPoint::Before(op), &mut mapping);
    }
    let yielded = end.into_iter().flat_map(|end| nested.op(end).operands());
    let results: Vec<Value> = yielded.map(|value| mapping.value(value)).collect();
    body.replace(op, &results);
}

/// Sets the plans of kernels from a file. The name of a kernel consists of the name of its function, `#`, and its number among
/// the kernels of the function, as in the remarks of `explain`.
///
/// # Errors
/// A kernel name is unknown, a name occurs twice, or a plan is illegal. Diagnostics point into the file.
pub fn set_plans(module: &mut Module, file: FileId, plans: &[NamedPlan]) -> Result<(), Diagnostics> {
    let ctx = module.context().clone();
    let Some(service) = <dyn KernelOps>::any(&ctx) else { return Ok(()) };
    let at = |range: &std::ops::Range<usize>| Span::new(file, range.start as u32, range.end as u32);
    let mut all = Diagnostics::new();
    let mut rest: FxHashMap<&str, &NamedPlan> = FxHashMap::default();
    for plan in plans {
        if let Some(first) = rest.insert(&plan.kernel, plan) {
            let error = Diagnostic::error(format!("kernel '{}' has two plans", plan.kernel));
            all.push(error.at(at(&plan.name)).label(at(&first.name), "the first one"));
        }
    }
    let mut names = Vec::new();
    kernels::each_named_function(module, |function, body| {
        for (name, op, parts) in kernels::named_kernels(function, body, service) {
            if let Some(given) = rest.remove(name.as_str()) {
                match kernels::contents(body.op(op), &parts) {
                    Err(errors) => all.append(errors),
                    Ok(contents) => match resolve(&given.plan, &contents) {
                        Ok(_) => service.set_plan(body, op, Some(&given.plan.to_string())),
                        Err(violation) => {
                            let error =
                                Diagnostic::error(format!("illegal plan of kernel '{name}': {violation}"));
                            all.push(error.at(at(&given.text)));
                        }
                    },
                }
            }
            names.push(name);
        }
    });
    for plan in plans.iter().filter(|plan| rest.contains_key(plan.kernel.as_str())) {
        let error = Diagnostic::error(format!("there is no kernel '{}'", plan.kernel)).at(at(&plan.name));
        let function = |name: &str| name.rsplit_once('#').map_or("", |(function, _)| function).to_owned();
        let own = function(&plan.kernel);
        let has_kernels = own.is_empty() || names.iter().any(|name| function(name) == own);
        let error = if has_kernels { error } else { error.note(format!("'{own}' has no kernels")) };
        all.push(error.did_you_mean(nearest(&plan.kernel, names.iter().map(String::as_str))));
    }
    if all.has_errors() { Err(all) } else { Ok(()) }
}
