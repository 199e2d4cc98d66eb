//! `float-policy`: sets the permissions of all operations to deviate from IEEE 754.

use minoan_diag::Diagnostics;
use minoan_ir::Op;
use minoan_pass::{OptionValue, Pass, PassRun, own_options, pass_options, queries};
use minoan_services::{FloatFlags, FloatPolicy};

/// A [`FloatPolicy`] as an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PolicyOption(pub FloatPolicy);

impl OptionValue for PolicyOption {
    const KIND: &'static str = "'strict', 'default' or 'fast'";

    fn parse(text: &str) -> Option<Self> {
        FloatPolicy::of_keyword(text).map(Self)
    }

    fn print(&self) -> String {
        self.0.keyword().to_owned()
    }
}

pass_options! {
    /// The options of the pass.
    pub struct FloatPolicyOptions {
        /// Permissions: strict (none), default (those of the operations) or fast (all that do not reorder, in addition)
        "fp" policy: PolicyOption = PolicyOption::default(),
    }
}

/// Sets floating-point flags.
#[derive(Default)]
pub struct SetFloatPolicy {
    /// The options of this pass.
    pub options: FloatPolicyOptions,
}

impl Pass for SetFloatPolicy {
    fn name(&self) -> &'static str {
        "float-policy"
    }

    fn description(&self) -> &'static str {
        "set the floating-point flags of all operations"
    }

    own_options!();

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[("num-changed", "Number of operations with other flags")]
    }

    queries!(FloatFlags);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let (ctx, PolicyOption(policy)) = (run.context(), self.options.policy);
        let Some(table) = ctx.service_table::<dyn FloatFlags>() else { return Ok(()) };
        let changed = run.each_body(|body| {
            let ops = if policy == FloatPolicy::Default { Vec::new() } else { body.walk() };
            let mut apply = |op: Op| {
                let flags = table.get(body.op(op).kind());
                flags.is_some_and(|flags| flags.apply(body, op, policy))
            };
            ops.into_iter().filter(|&op| apply(op)).count() as u64
        });
        run.count("num-changed", changed.into_iter().sum());
        Ok(())
    }
}
