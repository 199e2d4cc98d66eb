//! Opens the program of a command with the options given for it.

use crate::args::{ProgramArgs, ScheduleArg, Source};
use minoan::diag::Diagnostic;
use minoan::inputs::Inputs;
use minoan::ir::Module;
use minoan::{Datum, Entry, Failure, Float, Library, LibraryFunction, Program, Session, output};

/// Reads and checks the program, and reports its warnings.
pub(crate) fn read(session: &mut Session, args: &ProgramArgs) -> Result<Program, Failure> {
    session.set_language(args.language.as_deref())?;
    let program = session.read_all(&args.files)?;
    session.set_language(None)?;
    output::report(session, program.warnings());
    Ok(program)
}

/// A program that was read and checked, with the functions to compile.
pub(crate) struct Opened {
    pub(crate) program: Program,
    pub(crate) linked: Vec<Program>,
    pub(crate) entry: String,
    /// The functions that `--entry` names; empty if the option is absent.
    pub(crate) entries: Vec<String>,
    pub(crate) float: Float,
}

impl Opened {
    pub(crate) fn new(session: &mut Session, source: &Source) -> Result<Self, Failure> {
        #[cfg(feature = "mlir")]
        source.target_cpu.as_deref().map_or(Ok(()), minoan::llvm::check_cpu)?;
        session.options.cpu = source.target_cpu.clone();
        session.options.check_bounds = !source.no_check_bounds;
        session.options.float_policy = source.fp;
        session.options.checkpoint = source.checkpoint;
        session.options.schedule = source.schedule == ScheduleArg::On;
        if let Some(path) = &source.plans {
            if !session.options.schedule {
                let error =
                    Diagnostic::error("'--plans' needs kernels, which '--schedule=off' does not form");
                return Err(error.into());
            }
            session.read_plans(path)?;
        }
        let mut bound = Inputs::of_option("--bind");
        source.bind.iter().try_for_each(|given| bound.add(given))?;
        if bound.has_unnamed() {
            let error = Diagnostic::error("'--bind' takes values by the names of parameters");
            return Err(error.help("write --bind NAME=VALUE or --bind FILE.npz").into());
        }
        session.bound = bound;
        let program = read(session, &source.program)?;
        let mut linked = Vec::new();
        for file in &source.link {
            let program = session.read(file)?;
            output::report(session, program.warnings());
            linked.push(program);
        }
        let entries = source.entry.clone();
        let entry = entries.first().map_or_else(|| program.default_entry(), String::as_str).to_owned();
        Ok(Self { program, linked, entry, entries, float: source.program.float.into() })
    }

    /// Adds to the functions that `--entry` names.
    pub(crate) fn add_entries(&mut self, names: &[String]) {
        for name in names {
            if !self.entries.contains(name) {
                self.entries.push(name.clone());
            }
        }
        if let Some(first) = self.entries.first() {
            self.entry.clone_from(first);
        }
    }

    /// The named functions, or else all public ones, linked and lowered to the shared dialects.
    pub(crate) fn library(&self, session: &Session) -> Result<Library, Failure> {
        let names: Vec<&str> = self.entries.iter().map(String::as_str).collect();
        let library = session.library(&self.program, &names, self.float);
        let mut library = library.map_err(|mut failure| {
            let count = failure.diagnostics.len();
            if let Some(last) =
                failure.diagnostics.get_mut(count.saturating_sub(1)).filter(|_| names.is_empty())
            {
                last.help
                    .push("name the functions to compile if not all of them can be: --entry NAME".to_owned());
            }
            failure
        })?;
        session.link(&mut library.module, &self.linked, self.float)?;
        Ok(library)
    }

    /// The named functions, or else the default entry.
    fn names(&self) -> Vec<&str> {
        let default = std::slice::from_ref(&self.entry);
        let names = if self.entries.is_empty() { default } else { &self.entries };
        names.iter().map(String::as_str).collect()
    }

    /// The module that the front end emits for the named functions, or else for the default entry, or else for all functions.
    pub(crate) fn emitted(&self, session: &Session) -> Result<Module, Failure> {
        let all = self.program.functions();
        if !self.entries.is_empty() || all.contains(&self.entry) {
            return session.bound_module(&self.program, &self.names(), self.float);
        }
        let names: Vec<&str> = all.iter().map(String::as_str).collect();
        session.module(&self.program, &names, self.float)
    }

    /// Checks that at most one function is named.
    pub(crate) fn check_one_entry(&self) -> Result<(), Failure> {
        if self.entries.len() > 1 {
            return Err(Diagnostic::error("several entries are named where one is expected")
                .help("'kc build' takes several, unless with --emit=exe")
                .into());
        }
        Ok(())
    }

    /// The entry and the functions that it reaches, linked and lowered to the shared dialects.
    pub(crate) fn entry(&self, session: &Session) -> Result<Entry, Failure> {
        self.check_one_entry()?;
        let entry = session.entry(&self.program, &self.entry, self.float);
        let mut entry = entry.map_err(|failure| self.without_entry(failure))?;
        session.link(&mut entry.module, &self.linked, self.float)?;
        Ok(entry)
    }

    /// Parses the values of `--inputs` as arguments of the entry.
    pub(crate) fn arguments(&self, entry: &Entry, given: &[String]) -> Result<Vec<Datum>, Failure> {
        let mut inputs = Inputs::default();
        given.iter().try_for_each(|given| inputs.add(given))?;
        if inputs.is_empty() && !entry.interface.params.is_empty() {
            let arguments = match entry.interface.params.len() {
                1 => "1 argument".to_owned(),
                count => format!("{count} arguments"),
            };
            return Err(Diagnostic::error(format!("'{}' takes {arguments}, but none is given", self.entry))
                .help("give them in order, --inputs ARGS.json, or by name, --inputs NAME=VALUE")
                .into());
        }
        inputs.arguments(&entry.interface)
    }

    /// Adds a help that tells how to name an entry, if none is named and the default one does not exist.
    fn without_entry(&self, mut failure: Failure) -> Failure {
        let functions = self.program.functions();
        let is_missing = self.entries.is_empty() && !functions.contains(&self.entry);
        if let Some(first) = failure.diagnostics.get_mut(0).filter(|_| is_missing && !functions.is_empty()) {
            let name = if let [only] = &functions[..] { only } else { "NAME" };
            first.help.push(format!("name the function to start at: --entry {name}"));
        }
        failure
    }

    /// The named functions, or else the default entry, linked and lowered to the shared dialects.
    pub(crate) fn lowered(&self, session: &Session) -> Result<Library, Failure> {
        if self.entries.len() > 1 {
            return self.library(session);
        }
        let Entry { module, symbol, interface } = self.entry(session)?;
        Ok(Library { module, functions: vec![LibraryFunction { symbol, interface }] })
    }

    /// The text of the named functions, or else of the default entry, in the dialect of the language.
    pub(crate) fn source_text(&self, session: &Session) -> Result<String, Failure> {
        let module = session.bound_module(&self.program, &self.names(), self.float)?;
        Ok(output::module_text(&module))
    }

    /// The name of the program's file without its extension.
    pub(crate) fn stem(&self) -> String {
        let stem = std::path::Path::new(self.program.name()).file_stem().unwrap_or_default();
        stem.to_string_lossy().into_owned()
    }
}
