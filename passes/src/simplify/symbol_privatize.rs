//! `symbol-privatize`: makes the symbols at the top of a module private, except those that are excluded.

use crate::symbol_dce::is_private;
use minoan_diag::Diagnostics;
use minoan_ir::{Op, Traits};
use minoan_pass::{Anchor, Pass, PassRun, own_options, pass_options, queries};
use minoan_services::{ByAttributes, Symbols, Visibility};

pass_options! {
    /// The options of the pass.
    pub struct SymbolPrivatizeOptions {
        /// Names of the symbols whose visibility is kept
        "exclude" exclude: Vec<String> = Vec::new(),
    }
}

/// Makes symbols private.
#[derive(Default)]
pub struct SymbolPrivatize {
    /// The options of the pass.
    pub options: SymbolPrivatizeOptions,
}

impl Pass for SymbolPrivatize {
    fn name(&self) -> &'static str {
        "symbol-privatize"
    }

    fn description(&self) -> &'static str {
        "mark symbols private"
    }

    fn anchor(&self) -> Anchor {
        Anchor::Module
    }

    own_options!();

    queries!(Symbols);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let body = run.module_mut().body_mut();
        let is_excluded = |name: &str| self.options.exclude.iter().any(|kept| kept == name);
        let blocks = body.regions().flat_map(|region| body.region(region).blocks());
        let chosen: Vec<Op> = blocks
            .flat_map(|block| body.block(block).ops())
            .filter(|&op| body.op(op).has_trait(Traits::SYMBOL) && !is_private(body.op(op)))
            .filter(|&op| body.op(op).symbol_name().is_some_and(|name| !is_excluded(name)))
            .collect();
        for op in chosen {
            let service = ctx.service::<dyn Symbols>(body.op(op).kind()).unwrap_or(&ByAttributes);
            service.set_visibility(body, op, Visibility::Private);
        }
        Ok(())
    }
}
