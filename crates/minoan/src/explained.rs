//! Pages that explain the compilation of a function.

use crate::session::{Program, Session, Stage, Start};
use crate::{Failure, Float};
use minoan_explain::Recorder;
use minoan_ir::Module;
#[cfg(feature = "mlir")]
use minoan_ir::{Body, LocData};

impl Session {
    /// Compiles a function with the default pipeline and records each step; [`Recorder::page`] writes the page. With
    /// the feature `mlir`, the page has the `llvm` dialect, LLVM IR and assembly, too, with their source lines.
    ///
    /// # Errors
    /// The function does not exist, or a pass, MLIR or LLVM reports an error; the recorder has the steps until then.
    pub fn explain(
        &self,
        program: &Program,
        linked: &[Program],
        entry: &str,
        float: Float,
        recorder: &Recorder,
    ) -> Result<(), Failure> {
        let result = self.record(program, linked, entry, float, recorder);
        recorder.sources(self.sources());
        result
    }

    fn record(
        &self,
        program: &Program,
        linked: &[Program],
        entry: &str,
        float: Float,
        recorder: &Recorder,
    ) -> Result<(), Failure> {
        recorder.source(program.name(), "");
        let mut module = self.module(program, &[entry], float)?;
        if linked.is_empty() {
            let phase = format!("default pipeline for {entry}");
            self.advance_recorded(&mut module, Stage::Buffers, Start::Source, (&phase, recorder))?;
        } else {
            self.advance_recorded(
                &mut module,
                Stage::Shared,
                Start::Source,
                ("to the shared dialects", recorder),
            )?;
            self.link(&mut module, linked, float)?;
            self.advance_recorded(
                &mut module,
                Stage::Buffers,
                Start::Shared,
                ("linked, to buffers", recorder),
            )?;
        }
        self.record_code(module, recorder)
    }

    #[cfg(feature = "mlir")]
    fn record_code(&self, mut module: Module, recorder: &Recorder) -> Result<(), Failure> {
        use minoan_llvm::Output;
        use minoan_mlir::{CompileOptions, Entries};
        use std::time::Instant;
        let start = Instant::now();
        let text = self.llvm_dialect_text(&module, true)?;
        recorder.code("llvm dialect", &minoan_explain::mlir(&text), Some(start.elapsed()));
        simplify_locations(module.body_mut());
        // All times are from the module on buffers on.
        type Read = fn(&str) -> Vec<minoan_explain::CodeLine>;
        let outputs: [(&str, Output, Read); 2] = [
            ("LLVM IR, optimized", Output::LlvmText, minoan_explain::llvm_ir),
            ("assembly", Output::Assembly, minoan_explain::assembly),
        ];
        for (name, output, read) in outputs {
            let start = Instant::now();
            let options = CompileOptions { output, debug_info: true, ..CompileOptions::default() };
            let compiled = self.compile_buffers(module.clone(), &Entries::Library, &options)?;
            recorder.code(name, &read(&String::from_utf8_lossy(&compiled.code)), Some(start.elapsed()));
        }
        Ok(())
    }

    #[cfg(not(feature = "mlir"))]
    fn record_code(&self, _: Module, _: &Recorder) -> Result<(), Failure> {
        Ok(())
    }
}

/// Replaces locations by their first file and line: MLIR's pass that creates debug scopes crashes on a call site in a function
/// whose location is not of a file.
#[cfg(feature = "mlir")]
fn simplify_locations(body: &mut Body) {
    let ctx = body.context().clone();
    for op in body.walk() {
        let loc = body.op(op).loc();
        if matches!(loc.data(&ctx), LocData::Unknown | LocData::File { .. }) {
            continue;
        }
        let simple = match loc.place(&ctx) {
            minoan_diag::Place::Point(file, at) => minoan_ir::Loc::file(&ctx, &file, at.line, at.column),
            _ => minoan_ir::Loc::UNKNOWN,
        };
        body.set_loc(op, simple);
    }
    body.nested_in_order().into_iter().for_each(|(_, inside)| simplify_locations(inside));
}
