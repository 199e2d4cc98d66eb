//! Toy as a language of sessions.

use crate::ast::Program;
use crate::{emit, parse};
use minoan::diag::{Diagnostics, FileId, SourceMap};
use minoan::interface::Interface;
use minoan::ir::text::ParseOptions;
use minoan::ir::verify::verify;
use minoan::ir::{Context, Module};
use minoan::language::{Checked, EmitOptions, Language};
use minoan::pass::{PassManager, Pipeline};
use minoan::{Failure, Session};

// ANCHOR: language
/// The language: files that end in `.toy`.
pub struct Toy;

impl Language for Toy {
    fn name(&self) -> &'static str {
        "toy"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["toy"]
    }

    fn recognizes(&self, _: &str) -> bool {
        false
    }

    fn read(
        &self,
        ctx: &Context,
        sources: &SourceMap,
        file: FileId,
        _: &ParseOptions,
    ) -> Result<Box<dyn Checked>, Diagnostics> {
        let program = parse::parse(sources, file).map_err(|error| *error)?;
        emit::emit(ctx, sources, &program, &[])?;
        Ok(Box::new(Source { program, warnings: Diagnostics::new() }))
    }
}
// ANCHOR_END: language

/// A checked program.
struct Source {
    program: Program,
    warnings: Diagnostics,
}

impl Checked for Source {
    fn warnings(&self) -> &Diagnostics {
        &self.warnings
    }

    fn functions(&self) -> Vec<String> {
        self.program.functions.iter().map(|function| function.name.0.clone()).collect()
    }

    // ANCHOR: module
    fn module(
        &self,
        ctx: &Context,
        sources: &SourceMap,
        roots: &[&str],
        _: &EmitOptions,
    ) -> Result<Module, Failure> {
        let functions = self.functions();
        let all: Vec<&str> = functions.iter().map(String::as_str).collect();
        let mut module =
            emit::emit(ctx, sources, &self.program, if roots.is_empty() { &all } else { roots })?;
        verify(&module)?;
        optimize(&mut module)?;
        Ok(module)
    }
    // ANCHOR_END: module

    fn interface(&self, _: &str, _: &EmitOptions) -> Result<Option<Interface>, Failure> {
        // The types of the lowered function are sufficient.
        Ok(None)
    }

    fn into_module(self: Box<Self>) -> Result<Module, Box<dyn Checked>> {
        Err(self)
    }
}

// ANCHOR: optimize
/// The passes that run on the dialect before it is lowered.
pub const PIPELINE: &str = "builtin.module(inline,symbol-dce,infer-shapes,canonicalize,order-products,cse)";

/// Optimizes a module of the dialect.
///
/// # Errors
/// Errors that the passes report.
pub fn optimize(module: &mut Module) -> Result<(), Failure> {
    let pipeline = Pipeline::parse(PIPELINE, &crate::passes(), &SourceMap::new())?;
    PassManager::new(&pipeline).run(module).into_result()?;
    Ok(())
}

/// A session that knows the dialect and the language.
pub fn session() -> Session {
    let context = Context::new(crate::registry()).expect("every name is declared once");
    let mut session = Session::with_context(context);
    session.add_language(Toy);
    session
}
// ANCHOR_END: optimize
