//! Relay, TVM's text: `.relay` and `.rly` files.

use super::{Checked, EmitOptions, Language};
use crate::Failure;
use crate::interface::Interface;
use minoan_diag::{Diagnostics, FileId, SourceMap};
use minoan_ir::text::ParseOptions;
use minoan_ir::{Context, Module, verify::verify};
use minoan_relay::{DefId, TypedProgram, emit};

/// The language Relay.
pub struct Relay;

impl Language for Relay {
    fn name(&self) -> &'static str {
        "relay"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["relay", "rly"]
    }

    /// It says its version, or begins with a definition.
    fn recognizes(&self, text: &str) -> bool {
        let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with("//"));
        first.is_some_and(|line| line.starts_with("#[version") || line.starts_with("def @"))
    }

    /// Names that the program does not define are looked for in the standard prelude.
    fn read(
        &self,
        _: &Context,
        sources: &SourceMap,
        file: FileId,
        _: &ParseOptions,
    ) -> Result<Box<dyn Checked>, Diagnostics> {
        let (module, mut diagnostics) = minoan_relay::parse(sources, file);
        let (typed, found) = minoan_relay::check(module);
        let alone = !found.has_errors();
        diagnostics.append(found);
        if alone && !diagnostics.has_errors() {
            return Ok(Box::new(Program { typed, warnings: diagnostics }));
        }
        let (module, mut with_prelude) = minoan_relay::parse_with_prelude(sources, file);
        let (typed, found) = minoan_relay::check(module);
        with_prelude.append(found);
        if with_prelude.has_errors() {
            // What the program itself says is shorter and nearer to what is wrong, unless it needs the prelude too.
            return Err(if with_prelude.error_count() < diagnostics.error_count() {
                with_prelude
            } else {
                diagnostics
            });
        }
        Ok(Box::new(Program { typed, warnings: with_prelude }))
    }
}

struct Program {
    typed: TypedProgram,
    warnings: Diagnostics,
}

impl Program {
    /// The functions that can be compiled for themselves: those with one type.
    fn monomorphic(&self) -> impl Iterator<Item = DefId> {
        self.typed.entries().filter(|&def| self.typed.signature(def).is_some_and(|it| it.vars.is_empty()))
    }
}

impl Checked for Program {
    fn warnings(&self) -> &Diagnostics {
        &self.warnings
    }

    fn functions(&self) -> Vec<String> {
        self.monomorphic().map(|def| self.typed.def(def).name.to_string()).collect()
    }

    fn module(
        &self,
        ctx: &Context,
        sources: &SourceMap,
        roots: &[&str],
        _: &EmitOptions,
    ) -> Result<Module, Failure> {
        let roots: Vec<DefId> = match roots {
            [] => self.monomorphic().collect(),
            roots => roots.iter().map(|root| self.typed.find_entry(root)).collect::<Result<_, _>>()?,
        };
        let module = emit::emit(ctx, sources, &self.typed, &roots, &emit::EmitOptions::default())?;
        verify(&module)?;
        Ok(module)
    }

    /// The types of the function say all but the names of its parameters.
    fn interface(&self, _: &str, _: &EmitOptions) -> Result<Option<Interface>, Failure> {
        Ok(None)
    }

    fn param_names(&self, entry: &str) -> Vec<String> {
        let signature = self.typed.find_entry(entry).ok().and_then(|def| self.typed.signature(def));
        let params = signature.map(|signature| signature.params).unwrap_or_default();
        params.into_iter().map(|(name, _)| name.into()).collect()
    }

    fn into_module(self: Box<Self>) -> Result<Module, Box<dyn Checked>> {
        Err(self)
    }
}
