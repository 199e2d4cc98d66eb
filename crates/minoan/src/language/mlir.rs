//! The textual form of MLIR: `.mlir` files.

use super::{Checked, EmitOptions, Language};
use crate::Failure;
use crate::interface::Interface;
use minoan_diag::{Diagnostics, FileId, SourceMap};
use minoan_ir::text::{ParseOptions, parse_module};
use minoan_ir::{Context, Module, verify::verify};

/// MLIR modules.
pub struct Mlir;

impl Language for Mlir {
    fn name(&self) -> &'static str {
        "mlir"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["mlir"]
    }

    fn recognizes(&self, _: &str) -> bool {
        false
    }

    fn read(
        &self,
        ctx: &Context,
        sources: &SourceMap,
        file: FileId,
        options: &ParseOptions,
    ) -> Result<Box<dyn Checked>, Diagnostics> {
        let module = parse_module(ctx, sources, file, options)?;
        if !options.unverified {
            verify(&module)?;
        }
        Ok(Box::new(Parsed { module, warnings: Diagnostics::new() }))
    }
}

struct Parsed {
    module: Module,
    warnings: Diagnostics,
}

impl Checked for Parsed {
    fn warnings(&self) -> &Diagnostics {
        &self.warnings
    }

    fn functions(&self) -> Vec<String> {
        let body = self.module.body();
        let ops = body.block(self.module.block()).ops();
        ops.filter_map(|op| body.op(op).symbol_name()).map(str::to_owned).collect()
    }

    /// The whole module, whose functions have visibilities of their own.
    fn module(&self, _: &Context, _: &SourceMap, _: &[&str], _: &EmitOptions) -> Result<Module, Failure> {
        Ok(self.module.clone())
    }

    fn interface(&self, _: &str, _: &EmitOptions) -> Result<Option<Interface>, Failure> {
        Ok(None)
    }

    fn into_module(self: Box<Self>) -> Result<Module, Box<dyn Checked>> {
        Ok(self.module)
    }
}
