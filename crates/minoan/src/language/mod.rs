//! Languages that programs are written in: each knows its files, and how a program of it becomes a module.
//!
//! A [`Session`](crate::Session) reads every language that it knows; [`Session::add_language`](crate::Session::add_language)
//! teaches it one more.

mod iexpr;
mod knossos;
mod mlir;
mod relay;

pub use iexpr::IExpr;
pub use knossos::Knossos;
pub use mlir::Mlir;
pub use relay::Relay;

use crate::interface::Interface;
use crate::{Failure, Float};
use minoan_diag::{Diagnostic, Diagnostics, FileId, SourceMap, nearest};
use minoan_ir::text::ParseOptions;
use minoan_ir::{Context, Module};
use std::path::Path;
use std::sync::Arc;

/// How a program becomes a module.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EmitOptions {
    /// The width of floats whose width the source leaves open.
    pub float: Float,
    /// Whether an index out of bounds ends the run with a message; without it, that is not checked.
    pub check_bounds: bool,
}

/// A language.
pub trait Language: Send + Sync {
    /// Its name, as `--language` takes it.
    fn name(&self) -> &'static str;

    /// The endings of its files, without the dot.
    fn extensions(&self) -> &'static [&'static str];

    /// Whether a text without a file name is surely written in it.
    fn recognizes(&self, text: &str) -> bool;

    /// Reads and checks a program. The dialects that its modules use are loaded in `ctx`.
    ///
    /// # Errors
    /// The text is not a valid program.
    fn read(
        &self,
        ctx: &Context,
        sources: &SourceMap,
        file: FileId,
        options: &ParseOptions,
    ) -> Result<Box<dyn Checked>, Diagnostics>;
}

/// A program that was read and checked.
pub trait Checked {
    /// What is suspicious in it, though it is valid.
    fn warnings(&self) -> &Diagnostics;

    /// The function that runs when none is named.
    fn default_entry(&self) -> &str {
        "main"
    }

    /// Whether the result of a function is to be shown when it was run: not, where a program prints what it has to say
    /// and its result means nothing to the user.
    fn shows_result(&self, _entry: &str) -> bool {
        true
    }

    /// The functions that other programs can call, by the names that roots take.
    fn functions(&self) -> Vec<String>;

    /// A module in the language's own dialect with what the roots reach, or all that can be called when there are no
    /// roots. The roots are its public functions, the first one first.
    ///
    /// # Errors
    /// There is no such root, or a part of the program has no form yet: at its place.
    fn module(
        &self,
        ctx: &Context,
        sources: &SourceMap,
        roots: &[&str],
        options: &EmitOptions,
    ) -> Result<Module, Failure>;

    /// What a function takes and gives, where its source says more than its types in the module do.
    ///
    /// # Errors
    /// There is no such function.
    fn interface(&self, entry: &str, options: &EmitOptions) -> Result<Option<Interface>, Failure>;

    /// The names of a function's parameters, where [`interface`](Checked::interface) leaves the function to its types
    /// and the source has names for them.
    fn param_names(&self, _entry: &str) -> Vec<String> {
        Vec::new()
    }

    /// The program, when it is a module already; else itself, unchanged.
    ///
    /// # Errors
    /// It is no module yet.
    fn into_module(self: Box<Self>) -> Result<Module, Box<dyn Checked>>;
}

/// The languages of a session.
#[derive(Clone)]
pub(crate) struct Languages(Vec<Arc<dyn Language>>);

impl Default for Languages {
    fn default() -> Self {
        Self(vec![Arc::new(Knossos), Arc::new(Relay), Arc::new(IExpr), Arc::new(Mlir)])
    }
}

impl Languages {
    pub(crate) fn add(&mut self, language: impl Language + 'static) {
        self.0.insert(0, Arc::new(language));
    }

    /// The language of a name.
    pub(crate) fn named(&self, name: &str) -> Result<Arc<dyn Language>, Diagnostic> {
        let found = self.0.iter().find(|language| language.name() == name);
        found.cloned().ok_or_else(|| {
            let names: Vec<&str> = self.0.iter().map(|language| language.name()).collect();
            let error = Diagnostic::error(format!("there is no language '{name}'"));
            error
                .did_you_mean(nearest(name, names.iter().copied()))
                .note(format!("there are {}", names.join(", ")))
        })
    }

    /// The language of a file: by the ending of its name, else by what it says; MLIR's text when nothing tells.
    pub(crate) fn of(&self, name: &str, text: &str) -> Arc<dyn Language> {
        let ending = Path::new(name).extension().and_then(|ending| ending.to_str());
        let found = match ending {
            Some(ending) => self.0.iter().find(|language| language.extensions().contains(&ending)),
            None => self.0.iter().find(|language| language.recognizes(text)),
        };
        found.cloned().unwrap_or_else(|| Arc::new(Mlir))
    }
}
