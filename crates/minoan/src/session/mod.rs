//! Sessions: parse, check, lower, run and compile programs.

mod entry;
mod lower;
mod options;
mod read;
mod stage;

pub use entry::Entry;
pub(crate) use entry::public_symbols;
pub(crate) use lower::Start;
pub use minoan_frontend::FloatWidth as Float;
pub use options::Options;
pub use read::Program;
pub use stage::Stage;

use crate::inputs::Inputs;
use crate::language::{Language, Languages};
use crate::{Failure, context};
use minoan_diag::{Diagnostic, Diagnostics, FileId, Severity, SourceMap, Span};
use minoan_ir::Context;
use minoan_schedule::NamedPlan;
use std::sync::{Arc, PoisonError};

/// A compiler session: a context, the source files read so far, and compilation options.
pub struct Session {
    ctx: Context,
    sources: SourceMap,
    languages: Languages,
    language: Option<Arc<dyn Language>>,
    /// Idle MLIR contexts.
    #[cfg(feature = "mlir")]
    backends: std::sync::Mutex<Vec<minoan_mlir::Backend>>,
    /// Compilation options.
    pub options: Options,
    /// Values to bind parameters to: the compiled functions have constants in place of these parameters.
    pub bound: Inputs,
    /// The plans of a file, used for the kernels that it names instead of chosen plans.
    plans: Option<(FileId, Vec<NamedPlan>)>,
    /// The warnings of passes.
    warnings: std::sync::Mutex<Diagnostics>,
}

impl Default for Session {
    fn default() -> Self {
        Self::new()
    }
}

impl Session {
    /// Creates a session with all dialects of Minoan.
    pub fn new() -> Self {
        Self::with_context(context())
    }

    /// Creates a session with the given context, which may contain more dialects.
    pub fn with_context(ctx: Context) -> Self {
        Self {
            ctx,
            sources: SourceMap::new(),
            languages: Languages::default(),
            language: None,
            #[cfg(feature = "mlir")]
            backends: std::sync::Mutex::default(),
            options: Options::default(),
            bound: Inputs::default(),
            plans: None,
            warnings: std::sync::Mutex::default(),
        }
    }

    /// The warnings that passes have reported since the last call, each once.
    pub fn take_warnings(&self) -> Diagnostics {
        std::mem::take(&mut self.warnings.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Keeps the warnings among the diagnostics of passes.
    fn keep_warnings(&self, diagnostics: Diagnostics) {
        let mut kept = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        for warning in diagnostics {
            if warning.severity == Severity::Warning && !kept.iter().any(|other| *other == warning) {
                kept.push(warning);
            }
        }
    }

    /// Reads a file of plans for kernels by name: `main#0 plan <par i { .. }>` for the first kernel of `main`, in the order and
    /// the syntax of [`Stage::Schedule`]. All other kernels have chosen plans.
    ///
    /// # Errors
    /// The file cannot be read, or has a syntax error. Compilation reports illegal plans and names that no kernel has.
    pub fn read_plans(&mut self, path: &str) -> Result<(), Failure> {
        let file = self.open(path)?;
        let source = self.sources.file(file);
        let plans = minoan_schedule::text::parse_file(source.text()).map_err(|error| {
            let span = Span::new(file, error.range.start as u32, error.range.end as u32);
            Diagnostic::error(error.message).at(span)
        })?;
        self.plans = Some((file, plans));
        Ok(())
    }

    /// Runs `f` with an MLIR context of this session. Contexts are created on demand, one per concurrent compilation, and
    /// reused.
    #[cfg(feature = "mlir")]
    pub(crate) fn with_backend<R>(&self, f: impl FnOnce(&minoan_mlir::Backend) -> R) -> R {
        let idle = || self.backends.lock().unwrap_or_else(PoisonError::into_inner);
        let backend = idle().pop();
        let backend = backend.unwrap_or_default();
        let result = f(&backend);
        idle().push(backend);
        result
    }

    /// Registers a language. It takes precedence over the languages registered before. The context must contain its
    /// dialects.
    pub fn add_language(&mut self, language: impl Language + 'static) {
        self.languages.add(language);
    }

    /// Sets the language of all programs parsed from now on, regardless of file names; `None` selects the language by
    /// file again.
    ///
    /// # Errors
    /// The language does not exist.
    pub fn set_language(&mut self, name: Option<&str>) -> Result<(), Failure> {
        self.language = name.map(|name| self.languages.named(name)).transpose()?;
        Ok(())
    }

    /// The context.
    pub fn context(&self) -> &Context {
        &self.ctx
    }

    /// The source files, which diagnostics point into.
    pub fn sources(&self) -> &SourceMap {
        &self.sources
    }
}
