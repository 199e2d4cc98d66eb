//! The way of a program through the compiler.

use crate::interface::{Interface, ValueType};
use crate::language::{Checked, EmitOptions, Language, Languages};
use crate::{Failure, context, files};
use minoan_diag::{Diagnostic, Diagnostics, FileId, SourceMap, nearest};
use minoan_func::Func;
use minoan_ir::text::ParseOptions;
use minoan_ir::{Context, Module};
use minoan_pass::{PassManager, Pipeline};
use minoan_passes::default_pipeline;
use minoan_services::{Symbols, Visibility};
use std::sync::Arc;

pub use minoan_frontend::FloatWidth as Float;

/// How far a program has come.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// The front end's own dialect.
    FrontEnd,
    /// The shared dialects, on tensors.
    Shared,
    /// The shared dialects, on buffers with a planned life.
    Buffers,
    /// MLIR's `llvm` dialect.
    LlvmDialect,
    /// LLVM IR, optimised.
    LlvmIr,
    /// Assembly.
    Assembly,
    /// An object file.
    Object,
    /// A shared library with the runtime inside.
    SharedLibrary,
}

impl Stage {
    /// Every stage with its name, in the order of the way.
    pub const ALL: [(&'static str, Stage); 8] = [
        ("source", Stage::FrontEnd),
        ("shared", Stage::Shared),
        ("buffers", Stage::Buffers),
        ("llvm-dialect", Stage::LlvmDialect),
        ("llvm-ir", Stage::LlvmIr),
        ("asm", Stage::Assembly),
        ("obj", Stage::Object),
        ("so", Stage::SharedLibrary),
    ];

    /// The stage of a name; the name of a front end is that of its own dialect, `mlir` that of the shared ones.
    ///
    /// # Errors
    /// There is no such stage.
    pub fn named(name: &str) -> Result<Stage, Diagnostic> {
        let known = match name {
            "mlir" => "shared",
            name if Languages::default().named(name).is_ok() => "source",
            name => name,
        };
        let found = Stage::ALL.iter().find(|(stage, _)| *stage == known).map(|&(_, stage)| stage);
        found.ok_or_else(|| {
            let names = Stage::ALL.map(|(name, _)| name);
            let near = nearest(name, names).map_or(String::new(), |near| format!("; did you mean '{near}'?"));
            Diagnostic::error(format!("the stages are {}{near}", names.join(", ")))
        })
    }
}

/// How to compile.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// A processor by LLVM's name; this one when `None`.
    pub cpu: Option<String>,
    /// Whether an index out of bounds ends the run with a message; without it, that is not checked.
    pub check_bounds: bool,
    /// Whether every pass is followed by the verifier.
    pub verify_each: bool,
}

/// A program that was read and checked.
pub struct Program {
    name: Arc<str>,
    checked: Box<dyn Checked>,
    language: Arc<dyn Language>,
}

impl Program {
    /// The name of its file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the result of a function is to be shown when it was run.
    pub fn shows_result(&self, entry: &str) -> bool {
        self.checked.shows_result(entry)
    }

    /// The functions that other programs can call.
    pub fn functions(&self) -> Vec<String> {
        self.checked.functions()
    }

    /// What is suspicious in it, though it is valid.
    pub fn warnings(&self) -> &Diagnostics {
        self.checked.warnings()
    }

    /// The language it is written in.
    pub fn language(&self) -> &dyn Language {
        &*self.language
    }

    /// The function that runs when none is named.
    pub fn default_entry(&self) -> &str {
        self.checked.default_entry()
    }
}

/// A function of a program, in shared dialects on tensors, ready to run or to be compiled.
pub struct Entry {
    /// The module; the function in it is public.
    pub module: Module,
    /// Its symbol.
    pub symbol: String,
    /// What it takes and gives, as its source says.
    pub interface: Interface,
}

/// The name of standard input in messages and locations.
const STDIN: &str = "<stdin>";

/// One context, the files that were read, and how to compile.
pub struct Session {
    ctx: Context,
    sources: SourceMap,
    languages: Languages,
    language: Option<Arc<dyn Language>>,
    /// MLIR contexts that no thread uses at the moment.
    #[cfg(feature = "mlir")]
    backends: std::sync::Mutex<Vec<minoan_mlir::Backend>>,
    /// How to compile.
    pub options: Options,
}

impl Default for Session {
    fn default() -> Self {
        Self::new()
    }
}

impl Session {
    /// With all dialects of Minoan.
    pub fn new() -> Self {
        Self::with_context(context())
    }

    /// With a context of your own, which may hold more dialects.
    pub fn with_context(ctx: Context) -> Self {
        let options = Options { verify_each: true, ..Options::default() };
        Self {
            ctx,
            sources: SourceMap::new(),
            languages: Languages::default(),
            language: None,
            #[cfg(feature = "mlir")]
            backends: std::sync::Mutex::default(),
            options,
        }
    }

    /// Runs `f` with an MLIR context of this session, which is made when it is first needed: one for each thread that
    /// compiles at the same time.
    #[cfg(feature = "mlir")]
    pub(crate) fn with_backend<R>(&self, f: impl FnOnce(&minoan_mlir::Backend) -> R) -> R {
        let idle = || self.backends.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let backend = idle().pop();
        let backend = backend.unwrap_or_default();
        let result = f(&backend);
        idle().push(backend);
        result
    }

    /// Teaches the session a language; it goes before those it knows. The context needs the language's dialects.
    pub fn add_language(&mut self, language: impl Language + 'static) {
        self.languages.add(language);
    }

    /// Takes everything that is read from now on for a program of a language, whatever its file is called; `None`
    /// looks at files again.
    ///
    /// # Errors
    /// There is no language of that name.
    pub fn set_language(&mut self, name: Option<&str>) -> Result<(), Failure> {
        self.language = name.map(|name| self.languages.named(name)).transpose()?;
        Ok(())
    }

    /// The context.
    pub fn context(&self) -> &Context {
        &self.ctx
    }

    /// The files that were read: what diagnostics point into.
    pub fn sources(&self) -> &SourceMap {
        &self.sources
    }

    /// Reads a file; `-` is standard input. The ending of its name says which language it is written in, MLIR's text
    /// when no language has it; standard input is what it looks like.
    ///
    /// # Errors
    /// The file cannot be read, is not UTF-8, or is not a valid program.
    pub fn read(&self, path: &str) -> Result<Program, Failure> {
        self.read_with(path, &ParseOptions::default())
    }

    /// The same, with options for MLIR's text.
    ///
    /// # Errors
    /// As [`Session::read`].
    pub fn read_with(&self, path: &str, options: &ParseOptions) -> Result<Program, Failure> {
        self.read_loaded(self.open(path)?, options)
    }

    /// The text of a file, not yet read as a program; `-` is standard input.
    ///
    /// # Errors
    /// The file cannot be read, or is not UTF-8.
    pub fn open(&self, path: &str) -> Result<FileId, Failure> {
        let bytes = if path == "-" {
            let mut bytes = Vec::new();
            std::io::Read::read_to_end(&mut std::io::stdin(), &mut bytes).map(|_| bytes)
        } else {
            files::read(path)
        };
        let bytes = bytes.map_err(|error| Diagnostic::error(format!("cannot read '{path}': {error}")))?;
        let name = if path == "-" { STDIN } else { path };
        Ok(minoan_frontend::load(&self.sources, name, bytes)?)
    }

    /// Reads a program that is in memory already.
    ///
    /// # Errors
    /// It is not a valid program.
    pub fn read_text(&self, name: &str, text: &str) -> Result<Program, Failure> {
        self.read_loaded(self.sources.add(name, text), &ParseOptions::default())
    }

    /// Reads a program from a text that is among the sources.
    ///
    /// # Errors
    /// It is not a valid program.
    pub fn read_loaded(&self, file: FileId, options: &ParseOptions) -> Result<Program, Failure> {
        let source = self.sources.file(file);
        let (name, text) = (&**source.name(), source.text());
        let language = match &self.language {
            Some(language) => Arc::clone(language),
            None => self.languages.of(name, text),
        };
        let checked = language.read(&self.ctx, &self.sources, file, options)?;
        Ok(Program { name: source.name().clone(), checked, language })
    }

    /// A program as a module of operations, in its language's own dialect: what the roots reach, or all that can be
    /// called when there are none.
    ///
    /// # Errors
    /// There is no such root; what has no form yet, at its place.
    pub fn into_module(&self, program: Program, roots: &[&str], float: Float) -> Result<Module, Failure> {
        match program.checked.into_module() {
            Ok(module) => Ok(module),
            Err(checked) => self.emit(&*checked, roots, float),
        }
    }

    /// The same of a program that is kept.
    ///
    /// # Errors
    /// As [`Session::into_module`].
    pub fn module(&self, program: &Program, roots: &[&str], float: Float) -> Result<Module, Failure> {
        self.emit(&*program.checked, roots, float)
    }

    fn emit(&self, checked: &dyn Checked, roots: &[&str], float: Float) -> Result<Module, Failure> {
        checked.module(&self.ctx, &self.sources, roots, &self.emit_options(float))
    }

    fn emit_options(&self, float: Float) -> EmitOptions {
        EmitOptions { float, check_bounds: self.options.check_bounds }
    }

    /// The passes that take a module to a stage: the [default pipeline](minoan_passes::default_pipeline), or its first
    /// half. The stages behind [`Stage::Buffers`] begin with the same passes; [`Stage::FrontEnd`] needs none.
    pub fn pipeline(&self, stage: Stage) -> Pipeline {
        let text = match stage {
            Stage::FrontEnd => "",
            Stage::Shared => default_pipeline::TO_SHARED,
            _ => default_pipeline::NAME,
        };
        Pipeline::parse(text, &crate::pass_registry(), &SourceMap::new()).expect("its passes are registered")
    }

    /// Takes a module to a stage that is still Minoan's own IR, by [`Session::pipeline`].
    ///
    /// # Errors
    /// Errors that the passes report.
    pub fn advance(&self, module: &mut Module, stage: Stage) -> Result<(), Failure> {
        let pipeline = self.pipeline(stage);
        PassManager::new(&pipeline).verify_each(self.options.verify_each).run(module).into_result()?;
        Ok(())
    }

    /// A function of a program, in shared dialects, with what it reaches.
    ///
    /// # Errors
    /// There is no such function, or a part of it has no form yet.
    pub fn entry(&self, program: &Program, name: &str, float: Float) -> Result<Entry, Failure> {
        let declared = program.checked.interface(name, &self.emit_options(float))?;
        let mut module = self.module(program, &[name], float)?;
        self.advance(&mut module, Stage::Shared)?;
        // A root that the source names in its own way is the first function; any other has its name as its symbol.
        let symbol = public_symbol(&module, declared.is_none().then_some(name))?;
        let interface = match declared {
            Some(interface) => interface,
            None => self.interface_of(&module, &symbol)?,
        };
        Ok(Entry { module, symbol, interface })
    }

    /// The interface of a function of a module: by its types and signatures.
    fn interface_of(&self, module: &Module, symbol: &str) -> Result<Interface, Failure> {
        let body = module.body();
        match minoan_ir::SymbolTable::of(body).get(self.ctx.name(symbol)) {
            Some(function) => Interface::of_function(body.op(function)),
            None => Ok(Interface::new(Vec::new(), ValueType::Tuple(Vec::new()), Vec::new())),
        }
    }
}

/// The public function of a name, or the only one.
fn public_symbol(module: &Module, name: Option<&str>) -> Result<String, Failure> {
    let body = module.body();
    let is_public = |op: &minoan_ir::Op| {
        let view = body.op(*op);
        view.is::<Func>() && <dyn Symbols>::of(view).visibility(view) == Visibility::Public
    };
    let public: Vec<&str> = body
        .block(module.block())
        .ops()
        .filter(is_public)
        .filter_map(|op| body.op(op).symbol_name())
        .collect();
    let found = match name {
        Some(name) => public.iter().find(|&&symbol| symbol == name),
        None => public.first(),
    };
    match found {
        Some(symbol) => Ok((*symbol).to_owned()),
        None => {
            let name = name.unwrap_or("main");
            let error = Diagnostic::error(format!("there is no public function '{name}'"));
            Err(error.did_you_mean(nearest(name, public)).into())
        }
    }
}
