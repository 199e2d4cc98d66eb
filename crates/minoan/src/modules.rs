//! Modules as a tool uses them: read from a file, transformed by a pipeline, with failures reported to the user.

use crate::{Failure, Float, Session, output};
use minoan_diag::Diagnostic;
use minoan_ir::{Context, Module, Registry};
use minoan_pass::{PassRegistry, Pipeline};
use std::process::ExitCode;

impl Session {
    /// Reads a file as [`Session::read`] does, and emits its functions as a module in the dialect of its language.
    ///
    /// # Errors
    /// As [`Session::read`] and [`Session::into_module`].
    pub fn read_module(&self, path: &str) -> Result<Module, Failure> {
        self.into_module(self.read(path)?, &[], Float::F32)
    }

    /// Runs a pipeline on a module, such as `canonicalize,inline`, or `builtin.module(func.func(cse))`.
    ///
    /// # Errors
    /// An invalid pipeline, and errors that the passes report.
    pub fn run_passes(
        &self,
        module: &mut Module,
        pipeline: &str,
        passes: &PassRegistry,
    ) -> Result<(), Failure> {
        let pipeline = Pipeline::parse(pipeline, passes, self.sources())?;
        self.run_pipeline(module, &pipeline)
    }
}

/// Runs a tool: calls `main` with a session of these dialects, reports a failure with its locations in the source, and
/// returns the exit code.
pub fn tool(registry: Registry, main: impl FnOnce(&mut Session) -> Result<(), Failure>) -> ExitCode {
    let ctx = match Context::new(registry) {
        Ok(ctx) => ctx,
        Err(error) => {
            output::report(&Session::new(), &Diagnostic::error(error.to_string()).into());
            return ExitCode::FAILURE;
        }
    };
    let mut session = Session::with_context(ctx);
    let result = main(&mut session);
    output::exit_code(&session, result)
}
