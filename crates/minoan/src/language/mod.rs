//! Source languages: how files are recognized, checked, and emitted as modules.
//!
//! A [`Session`](crate::Session) reads the built-in languages and those added by
//! [`Session::add_language`](crate::Session::add_language).

mod analysis;
mod iexpr;
mod knossos;
mod lexicon;
mod mlir;
mod relay;

pub use analysis::Analysis;
pub use iexpr::IExpr;
pub use knossos::Knossos;
pub use lexicon::Lexicon;
pub use mlir::Mlir;
pub use relay::Relay;

use crate::interface::Interface;
use crate::{Failure, Float};
use minoan_diag::{Diagnostic, Diagnostics, FileId, SourceMap, nearest};
use minoan_ir::text::ParseOptions;
use minoan_ir::{Context, Module};
use std::path::Path;
use std::sync::Arc;

/// Options of emission.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EmitOptions {
    /// The width of floats whose width the source does not specify.
    pub float: Float,
    /// Whether indices are checked to be in bounds at run time.
    pub check_bounds: bool,
}

impl Default for EmitOptions {
    fn default() -> Self {
        Self { float: Float::default(), check_bounds: true }
    }
}

/// A source language.
pub trait Language: Send + Sync {
    /// The name, as in `--language`.
    fn name(&self) -> &'static str;

    /// The extensions of its files, without the dot.
    fn extensions(&self) -> &'static [&'static str];

    /// Whether a text without a file name is certainly in this language.
    fn recognizes(&self, text: &str) -> bool;

    /// Parses and checks a program. The dialects of its modules are loaded in `ctx`.
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

    /// The diagnostics and cross references of a program, which may have errors.
    fn analyze(&self, ctx: &Context, sources: &SourceMap, file: FileId, options: &ParseOptions) -> Analysis {
        let diagnostics = match self.read(ctx, sources, file, options) {
            Ok(checked) => checked.warnings().clone(),
            Err(diagnostics) => diagnostics,
        };
        Analysis { diagnostics, ..Analysis::default() }
    }

    /// The lexical rules, for editors.
    fn lexicon(&self) -> Lexicon {
        Lexicon::default()
    }

    /// Prints a program in the canonical form of its language.
    ///
    /// # Errors
    /// The reason why the text is left alone, such as comments, which no printer keeps.
    fn format(&self, _: &Context, _: &SourceMap, _: FileId) -> Result<String, String> {
        Err(format!("the language '{}' has no formatter", self.name()))
    }

    /// Parses and checks a program of several files, as if they were one.
    ///
    /// # Errors
    /// The text is not a valid program, or a program of the language is a single file.
    fn read_all(
        &self,
        ctx: &Context,
        sources: &SourceMap,
        files: &[FileId],
        options: &ParseOptions,
    ) -> Result<Box<dyn Checked>, Diagnostics> {
        match files {
            &[file] => self.read(ctx, sources, file, options),
            files => {
                let (name, found) = (self.name(), files.len());
                let error = format!("a program in the language '{name}' is one file, found {found}");
                Err(Diagnostic::error(error).help("link programs by '--link FILE'").into())
            }
        }
    }
}

/// A program that was parsed and checked.
pub trait Checked: Send + Sync {
    /// The warnings of the parser and the checker.
    fn warnings(&self) -> &Diagnostics;

    /// The function that runs if none is named.
    fn default_entry(&self) -> &str {
        "main"
    }

    /// Whether tools print the result of a function; `false` if the function prints its output itself.
    fn shows_result(&self, _entry: &str) -> bool {
        true
    }

    /// The names of the functions that can be roots.
    fn functions(&self) -> Vec<String>;

    /// Emits a module in the language's own dialect: the roots, which become its public functions in the given order, and
    /// the functions reachable from them; without roots, all functions.
    ///
    /// # Errors
    /// A root does not exist, or a part of the program is not supported.
    fn module(
        &self,
        ctx: &Context,
        sources: &SourceMap,
        roots: &[&str],
        options: &EmitOptions,
    ) -> Result<Module, Failure>;

    /// Warnings about definitions that modules do not keep as they are, for tools that print a module in the source language.
    fn losses(&self) -> Diagnostics {
        Diagnostics::new()
    }

    /// The interface of a function by the types of its source; `None` if the function's type in the module and its
    /// signatures already determine it.
    ///
    /// # Errors
    /// The function does not exist.
    fn interface(&self, entry: &str, options: &EmitOptions) -> Result<Option<Interface>, Failure>;

    /// Converts a program that is a module into that module.
    ///
    /// # Errors
    /// The unchanged program, if it is not a module.
    fn into_module(self: Box<Self>) -> Result<Module, Box<dyn Checked>>;
}

/// The languages of a session.
#[derive(Clone)]
pub struct Languages(Vec<Arc<dyn Language>>);

impl Default for Languages {
    fn default() -> Self {
        Self(vec![Arc::new(Knossos), Arc::new(Relay), Arc::new(IExpr), Arc::new(Mlir)])
    }
}

impl Languages {
    /// All languages, the ones added last first.
    pub fn all(&self) -> impl Iterator<Item = &Arc<dyn Language>> {
        self.0.iter()
    }

    pub(crate) fn add(&mut self, language: impl Language + 'static) {
        self.0.insert(0, Arc::new(language));
    }

    /// The language with a name or a file extension.
    ///
    /// # Errors
    /// The language does not exist; the error suggests a similar name.
    pub fn named(&self, name: &str) -> Result<Arc<dyn Language>, Diagnostic> {
        let is_named = |it: &&Arc<dyn Language>| it.name() == name || it.extensions().contains(&name);
        self.0.iter().find(is_named).cloned().ok_or_else(|| {
            let names: Vec<&str> = self.0.iter().map(|language| language.name()).collect();
            let error = Diagnostic::error(format!("there is no language '{name}'"));
            error
                .did_you_mean(nearest(name, names.iter().copied()))
                .note(format!("the languages are {}", names.join(", ")))
        })
    }

    /// The language of a file, by its extension or else by its text; MLIR by default.
    pub fn of(&self, name: &str, text: &str) -> Arc<dyn Language> {
        self.recognized(name, text).unwrap_or_else(|| Arc::new(Mlir))
    }

    /// The language of a file, by its extension or else by its text.
    pub(crate) fn recognized(&self, name: &str, text: &str) -> Option<Arc<dyn Language>> {
        let by_text = || self.0.iter().find(|language| language.recognizes(text)).cloned();
        self.of_extension(name).or_else(by_text)
    }

    /// The language with the extension of a file.
    pub(crate) fn of_extension(&self, name: &str) -> Option<Arc<dyn Language>> {
        let extension = Path::new(name).extension()?.to_str()?;
        self.0.iter().find(|language| language.extensions().contains(&extension)).cloned()
    }
}
