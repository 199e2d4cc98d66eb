//! Small cases from large ones.

use crate::{Case, Fault, Plan};
use minoan_pass::PassRegistry;

impl Case {
    /// A smaller case in which the same kind of thing goes wrong as in this one: fewer passes, and what
    /// [`minoan_reduce::reduce`] leaves of the module. A case that is unfit stays as it is: smaller ones are so for other
    /// reasons.
    pub fn shrink(&self, fault: &Fault, passes: &PassRegistry) -> Case {
        if let Fault::Unfit(_) = fault {
            return self.clone();
        }
        let fails = |case: &Case| case.check(passes).is_err_and(|found| found.is_like(fault));
        let shorter = |mut small: Case| {
            let with = |case: &Case, plan: &Plan| fails(&Case { plan: plan.clone(), ..case.clone() });
            while let Some(plan) = small.plan.shorter().into_iter().find(|plan| with(&small, plan)) {
                small.plan = plan;
            }
            small
        };
        let mut small = shorter(self.clone());
        let plan = small.plan.clone();
        let mut interesting =
            |module: &minoan_ir::Module| fails(&Case { module: module.clone(), plan: plan.clone() });
        small.module = minoan_reduce::reduce(&small.module, &mut interesting, &mut |_| {});
        // A small module may need fewer passes.
        shorter(small)
    }
}
