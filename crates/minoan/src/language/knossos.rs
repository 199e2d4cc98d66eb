//! Knossos: `.ks` files.

use super::{Checked, EmitOptions, Language};
use crate::Failure;
use crate::interface::Interface;
use minoan_diag::{Diagnostics, FileId, SourceMap};
use minoan_ir::text::ParseOptions;
use minoan_ir::{Context, Module, verify::verify};
use minoan_knossos::emit;
use minoan_knossos::{DefId, FnRef, TypedProgram};

/// The language Knossos.
pub struct Knossos;

impl Language for Knossos {
    fn name(&self) -> &'static str {
        "knossos"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["ks"]
    }

    /// It begins with a parenthesis or one of Knossos's comments, as no module of MLIR does.
    fn recognizes(&self, text: &str) -> bool {
        let text = text.trim_start();
        ["(", ")", ";", "#|"].iter().any(|start| text.starts_with(start))
    }

    fn read(
        &self,
        _: &Context,
        sources: &SourceMap,
        file: FileId,
        _: &ParseOptions,
    ) -> Result<Box<dyn Checked>, Diagnostics> {
        let (program, mut diagnostics) = minoan_knossos::parse(sources, file);
        let (typed, found) = minoan_knossos::check(&program);
        diagnostics.append(found);
        if diagnostics.has_errors() {
            return Err(diagnostics);
        }
        Ok(Box::new(Program { typed, warnings: diagnostics }))
    }
}

struct Program {
    typed: TypedProgram,
    warnings: Diagnostics,
}

impl Checked for Program {
    fn warnings(&self) -> &Diagnostics {
        &self.warnings
    }

    fn shows_result(&self, entry: &str) -> bool {
        entry != "main"
    }

    fn functions(&self) -> Vec<String> {
        self.typed.defs.iter().map(|def| self.typed.name_text(&def.name)).collect()
    }

    fn module(
        &self,
        ctx: &Context,
        sources: &SourceMap,
        roots: &[&str],
        options: &EmitOptions,
    ) -> Result<Module, Failure> {
        let roots: Vec<FnRef> = match roots {
            [] => (0..self.typed.defs.len() as u32).map(|id| FnRef::Def(DefId(id))).collect(),
            roots => roots.iter().map(|root| self.typed.find_entry(root)).collect::<Result<_, _>>()?,
        };
        let options = emit::EmitOptions { float: options.float, check_bounds: options.check_bounds };
        let module = emit::emit(ctx, sources, &self.typed, &roots, &options)?;
        verify(&module)?;
        Ok(module)
    }

    fn interface(&self, entry: &str, options: &EmitOptions) -> Result<Option<Interface>, Failure> {
        let function = self.typed.find_entry(entry)?;
        let (arg, result) = self.typed.signature(function);
        let params = match function {
            FnRef::Def(def) => Some(&self.typed.def(def).params),
            _ => None,
        };
        let count = params.map_or(1, |params| params.len());
        let mut interface = Interface::of_knossos(&self.typed.types, arg, count, result, options.float);
        let names =
            params.into_iter().flatten().map(|&param| self.typed.names.text(self.typed.var(param).name));
        interface.names = names.map(str::to_owned).collect();
        Ok(Some(interface))
    }

    fn into_module(self: Box<Self>) -> Result<Module, Box<dyn Checked>> {
        Err(self)
    }
}
