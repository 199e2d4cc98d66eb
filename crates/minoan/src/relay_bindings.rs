//! `relay-let-bindings` and `relay-graph-bindings`: choose the bindings of Relay text, which are `let %v = ..` or `%0 = ..`.
//!
//! The operations of a module are the same in both forms. The choice is an attribute of the module, which
//! [`to_text`](minoan_relay::to_text) reads.

use minoan_diag::Diagnostics;
use minoan_ir::Attr;
use minoan_pass::{Anchor, Pass, PassRun};

/// Sets or removes the attribute that asks for bindings by `let`.
pub(crate) struct RelayBindings {
    /// Whether values are bound by `let`.
    pub(crate) lets: bool,
}

impl Pass for RelayBindings {
    fn name(&self) -> &'static str {
        if self.lets { "relay-let-bindings" } else { "relay-graph-bindings" }
    }

    fn description(&self) -> &'static str {
        match self.lets {
            true => "bind each value by let in Relay text",
            false => "bind values of operators by graph variables in Relay text",
        }
    }

    fn anchor(&self) -> Anchor {
        Anchor::Module
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let key = run.context().name(minoan_relay::LET_BINDINGS);
        let module = run.module_mut();
        let op = module.op();
        module.holder_mut().set_attr(op, key, self.lets.then_some(Attr::UNIT));
        Ok(())
    }
}
