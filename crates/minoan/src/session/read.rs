//! Parsing of programs, and their modules in the dialects of their languages.

use super::{Float, Session};
use crate::language::{Checked, EmitOptions, Language};
use crate::{Failure, files};
use minoan_diag::{Diagnostic, Diagnostics, FileId};
use minoan_ir::Module;
use minoan_ir::text::ParseOptions;
use std::path::Path;
use std::sync::Arc;

/// The name of standard input in messages and locations.
const STDIN: &str = "<stdin>";

/// The first bytes of MLIR's bytecode.
const BYTECODE: &[u8] = b"ML\xefR";

/// A parsed and checked program.
pub struct Program {
    name: Arc<str>,
    pub(crate) checked: Box<dyn Checked>,
    language: Arc<dyn Language>,
}

impl Program {
    /// The file name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the result of a function is printed after a run.
    pub fn shows_result(&self, entry: &str) -> bool {
        self.checked.shows_result(entry)
    }

    /// The functions callable from other programs.
    pub fn functions(&self) -> Vec<String> {
        self.checked.functions()
    }

    /// The warnings of the front end.
    pub fn warnings(&self) -> &Diagnostics {
        self.checked.warnings()
    }

    /// Warnings about definitions that [Relay text](crate::relay::to_text) of the module does not keep as they are.
    pub fn losses(&self) -> Diagnostics {
        self.checked.losses()
    }

    /// The source language.
    pub fn language(&self) -> &dyn Language {
        &*self.language
    }

    /// The function that runs by default.
    pub fn default_entry(&self) -> &str {
        self.checked.default_entry()
    }
}

impl Session {
    /// Parses and checks a file; `-` is standard input. The file extension selects the language, by default MLIR's text;
    /// the language of standard input is detected from its contents.
    ///
    /// # Errors
    /// If the file cannot be read, is not UTF-8, or is not a valid program.
    pub fn read(&self, path: &str) -> Result<Program, Failure> {
        self.read_with(path, &ParseOptions::of_program())
    }

    /// Like [`Session::read`], with options for the parser of MLIR's text.
    ///
    /// # Errors
    /// As [`Session::read`].
    pub fn read_with(&self, path: &str, options: &ParseOptions) -> Result<Program, Failure> {
        self.read_loaded(self.open(path)?, options)
    }

    /// Parses and checks a program of several files, as if they were one, in the language of the first.
    ///
    /// # Errors
    /// As [`Session::read`]; the list of files is empty, or a program of the language is a single file.
    pub fn read_all(&self, paths: &[impl AsRef<str>]) -> Result<Program, Failure> {
        let files = paths.iter().map(|path| self.open(path.as_ref())).collect::<Result<Vec<FileId>, _>>()?;
        self.read_files(&files, &ParseOptions::of_program())
    }

    /// Loads the text of a file without parsing it; `-` is standard input.
    ///
    /// # Errors
    /// If the file cannot be read, has more than 2 GiB, is MLIR's bytecode, or is not UTF-8.
    pub fn open(&self, path: &str) -> Result<FileId, Failure> {
        let bytes =
            files::read(path).map_err(|error| Diagnostic::error(format!("cannot read '{path}': {error}")))?;
        let name = if path == "-" { STDIN } else { path };
        if bytes.starts_with(BYTECODE) {
            let error = Diagnostic::error(format!("'{name}' is bytecode, expected text"));
            return Err(error.help(format!("mlir-opt prints bytecode as text: mlir-opt {path} | ..")).into());
        }
        Ok(minoan_frontend::load(&self.sources, name, bytes)?)
    }

    /// Parses and checks a program in memory.
    ///
    /// # Errors
    /// If it is not a valid program.
    pub fn read_text(&self, name: &str, text: &str) -> Result<Program, Failure> {
        self.read_loaded(self.sources.add(name, text), &ParseOptions::of_program())
    }

    /// Parses and checks a program that is already among the sources.
    ///
    /// # Errors
    /// If it is not a valid program.
    pub fn read_loaded(&self, file: FileId, options: &ParseOptions) -> Result<Program, Failure> {
        self.read_files(&[file], options)
    }

    /// Like [`Session::read_loaded`], in the language of a name or a file extension, such as `knossos` or `ks`.
    ///
    /// # Errors
    /// As [`Session::read_loaded`]; the language does not exist.
    pub fn read_loaded_as(
        &self,
        language: &str,
        file: FileId,
        options: &ParseOptions,
    ) -> Result<Program, Failure> {
        self.read_in(self.languages.named(language)?, &[file], options)
    }

    fn read_files(&self, files: &[FileId], options: &ParseOptions) -> Result<Program, Failure> {
        let first = *files.first().ok_or_else(|| Diagnostic::error("a program has at least one file"))?;
        let source = self.sources.file(first);
        let (name, text) = (&**source.name(), source.text());
        if let Some(language) = &self.language {
            return self.read_in(Arc::clone(language), files, options);
        }
        if let Some(language) = self.languages.recognized(name, text) {
            self.check_same_language(&*language, files)?;
            return self.read_in(language, files, options);
        }
        let ending = Path::new(name).extension().map(|ending| ending.display().to_string());
        let result = self.read_in(self.languages.of(name, text), files, options);
        result.map_err(|failure| match ending {
            Some(ending) => read_as_mlir(failure, &ending),
            None => failure,
        })
    }

    /// Checks that no file has the extension of another language than the first.
    fn check_same_language(&self, language: &dyn Language, files: &[FileId]) -> Result<(), Diagnostic> {
        for &file in files.iter().skip(1) {
            let source = self.sources.file(file);
            let name = source.name();
            let Some(other) =
                self.languages.of_extension(name).filter(|other| other.name() != language.name())
            else {
                continue;
            };
            let (first, other) = (language.name(), other.name());
            let error = format!("'{name}' is in the language '{other}', but the first file is in '{first}'");
            return Err(Diagnostic::error(error).help(format!("link the program: --link {name}")));
        }
        Ok(())
    }

    fn read_in(
        &self,
        language: Arc<dyn Language>,
        files: &[FileId],
        options: &ParseOptions,
    ) -> Result<Program, Failure> {
        let checked = language.read_all(&self.ctx, &self.sources, files, options)?;
        let name =
            files.first().map_or_else(Default::default, |&file| self.sources.file(file).name().clone());
        Ok(Program { name, checked, language })
    }

    /// Emits a program as a module in the dialect of its language: the functions reachable from the roots, or without roots all
    /// callable functions.
    ///
    /// # Errors
    /// If a root does not exist; for each construct without a lowering, at its location.
    pub fn into_module(&self, program: Program, roots: &[&str], float: Float) -> Result<Module, Failure> {
        match program.checked.into_module() {
            Ok(module) => Ok(module),
            Err(checked) => self.emit(&*checked, roots, float),
        }
    }

    /// Like [`Session::into_module`], but borrows the program.
    ///
    /// # Errors
    /// As [`Session::into_module`].
    pub fn module(&self, program: &Program, roots: &[&str], float: Float) -> Result<Module, Failure> {
        self.emit(&*program.checked, roots, float)
    }

    fn emit(&self, checked: &dyn Checked, roots: &[&str], float: Float) -> Result<Module, Failure> {
        checked.module(&self.ctx, &self.sources, roots, &self.emit_options(float))
    }

    pub(crate) fn emit_options(&self, float: Float) -> EmitOptions {
        EmitOptions { float, check_bounds: self.options.check_bounds }
    }
}

/// Adds to the first error that the file is read as MLIR.
fn read_as_mlir(mut failure: Failure, ending: &str) -> Failure {
    if let Some(first) = failure.diagnostics.get_mut(0) {
        let reason = format!("the file is read as MLIR, since no language has the extension '{ending}'");
        *first = first.clone().note(reason);
    }
    failure
}
