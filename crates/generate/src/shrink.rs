//! Reduces failing test cases.

use crate::{Case, Fault, Plan};
use minoan_pass::PassRegistry;

impl Case {
    /// A smaller case with the same kind of fault: fewer passes, and the module reduced by [`minoan_reduce::reduce`].
    /// Unusable cases are returned unchanged, since smaller ones fail for other reasons.
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
        // A smaller module may need fewer passes.
        shorter(small)
    }
}
