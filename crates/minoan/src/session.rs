//! Sessions: parse, check, lower, run and compile programs.

use crate::entry::keep_only;
use crate::inputs::Inputs;
use crate::interface::{Interface, ValueType};
use crate::language::{Checked, EmitOptions, Language, Languages};
use crate::opt::progress::Progress;
use crate::{Failure, bind, context, files};
use minoan_diag::{Diagnostic, Diagnostics, FileId, SourceMap, Span, nearest};
use minoan_explain::Recorder;
use minoan_func::Func;
use minoan_ir::text::ParseOptions;
use minoan_ir::{Context, Module};
use minoan_pass::{PassManager, Pipeline};
use minoan_passes::default_pipeline;
use minoan_scheduling::NamedPlan;
use minoan_services::{FloatPolicy, Symbols, Visibility};
use std::sync::Arc;

pub use minoan_frontend::FloatWidth as Float;

/// A stage of compilation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// The dialect of the front end.
    FrontEnd,
    /// The shared dialects, on tensors.
    Shared,
    /// The shared dialects, on tensors, with kernels and their plans.
    Schedule,
    /// The shared dialects, on buffers with planned lifetimes.
    Buffers,
    /// MLIR's `llvm` dialect.
    LlvmDialect,
    /// Optimized LLVM IR.
    LlvmIr,
    /// Assembly.
    Assembly,
    /// An object file.
    Object,
    /// A shared library that contains the runtime.
    SharedLibrary,
    /// A program that contains the runtime.
    Executable,
    /// A header in C and C++ that declares the functions of an object or shared library.
    Header,
}

impl Stage {
    /// All stages with their names, in order of compilation.
    pub const ALL: [(&'static str, Stage); 11] = [
        ("source", Stage::FrontEnd),
        ("shared", Stage::Shared),
        ("schedule", Stage::Schedule),
        ("buffers", Stage::Buffers),
        ("llvm-dialect", Stage::LlvmDialect),
        ("llvm-ir", Stage::LlvmIr),
        ("asm", Stage::Assembly),
        ("obj", Stage::Object),
        ("so", Stage::SharedLibrary),
        ("exe", Stage::Executable),
        ("header", Stage::Header),
    ];

    /// Looks up a stage by name. The name of a front end stands for its dialect, `mlir` for the shared dialects.
    ///
    /// # Errors
    /// If there is no stage of that name.
    pub fn named(name: &str) -> Result<Stage, Diagnostic> {
        Self::named_beside(&[], name)
    }

    /// [`Stage::named`], for a tool with outputs that are not stages: the error lists their names, too.
    ///
    /// # Errors
    /// If there is no stage of that name.
    pub fn named_beside(others: &[&str], name: &str) -> Result<Stage, Diagnostic> {
        let known = match name {
            "mlir" => "shared",
            name if Languages::default().named(name).is_ok() => "source",
            name => name,
        };
        let found = Stage::ALL.iter().find(|(stage, _)| *stage == known).map(|&(_, stage)| stage);
        found.ok_or_else(|| {
            let stages = Stage::ALL.iter().map(|&(stage, _)| stage);
            let names: Vec<&str> = others.iter().copied().chain(stages).collect();
            let near = nearest(name, names.iter().copied());
            let near = near.map_or(String::new(), |near| format!("; did you mean '{near}'?"));
            Diagnostic::error(format!("the stages are {}{near}", names.join(", ")))
        })
    }
}

/// Compilation options.
#[derive(Clone, Debug)]
pub struct Options {
    /// The target CPU by LLVM's name; the host if `None`.
    pub cpu: Option<String>,
    /// Whether a Knossos program checks at run time that indices are in bounds; the default. Without these checks, an index
    /// that is out of bounds is undefined behavior.
    pub check_bounds: bool,
    /// The floating-point policy: how far operations may deviate from IEEE 754.
    pub float_policy: FloatPolicy,
    /// Whether kernels are neither formed nor scheduled; loops follow the source then.
    pub no_schedule: bool,
    /// Whether reverse mode saves the values of loops at the start of segments only, and executes the segments again: memory
    /// for the square root of the trip count, and one more execution of the loop.
    pub checkpoint: bool,
    /// Whether to run the verifier after each pass.
    pub verify_each: bool,
    /// Whether a compilation longer than a second shows its progress, if standard error is a terminal.
    pub progress: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            cpu: None,
            check_bounds: true,
            float_policy: FloatPolicy::default(),
            no_schedule: false,
            checkpoint: false,
            verify_each: false,
            progress: false,
        }
    }
}

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

    /// The source language.
    pub fn language(&self) -> &dyn Language {
        &*self.language
    }

    /// The function that runs by default.
    pub fn default_entry(&self) -> &str {
        self.checked.default_entry()
    }
}

/// A function of a program, lowered to shared dialects on tensors, ready to be run or compiled.
#[derive(Clone)]
pub struct Entry {
    /// The module that contains the function, which is public.
    pub module: Module,
    /// Its symbol.
    pub symbol: String,
    /// The types of its arguments and results in the source language.
    pub interface: Interface,
}

/// The name of standard input in messages and locations.
const STDIN: &str = "<stdin>";

/// The passes that mark the loops to checkpoint. Recursion becomes counted loops before, of which the number of iterations is known.
const CHECKPOINT_LOOPS: &str = "canonicalize,resolve-extents,uplift-while-to-for,checkpoint-loops,";

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
    /// Values of parameters that are constants of the compiled functions, which lose the parameters.
    pub bound: Inputs,
    /// A file of plans of kernels, which are not chosen then.
    plans: Option<(FileId, Vec<NamedPlan>)>,
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
        let options = Options { verify_each: true, ..Options::default() };
        Self {
            ctx,
            sources: SourceMap::new(),
            languages: Languages::default(),
            language: None,
            #[cfg(feature = "mlir")]
            backends: std::sync::Mutex::default(),
            options,
            bound: Inputs::default(),
            plans: None,
        }
    }

    /// Reads a file of plans for kernels by name: `main#0 plan <par i { .. }>` for the first kernel of `main`, in the order and the
    /// syntax of [`Stage::Schedule`]. All other kernels have chosen plans.
    ///
    /// # Errors
    /// If the file cannot be read, or at a syntax error. Compilation reports plans that are illegal, or of no kernel.
    pub fn read_plans(&mut self, path: &str) -> Result<(), Failure> {
        let file = self.open(path)?;
        let source = self.sources.file(file);
        let plans = minoan_scheduling::text::parse_file(source.text()).map_err(|error| {
            let at = error.offset as u32;
            Diagnostic::error(error.message).at(Span::new(file, at, at + 1))
        })?;
        self.plans = Some((file, plans));
        Ok(())
    }

    /// Runs `f` with an MLIR context of this session. Contexts are created on demand, one per concurrent compilation, and
    /// reused.
    #[cfg(feature = "mlir")]
    pub(crate) fn with_backend<R>(&self, f: impl FnOnce(&minoan_mlir::Backend) -> R) -> R {
        let idle = || self.backends.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
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
    /// If there is no language of that name.
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

    /// Parses and checks a file; `-` is standard input. The file extension selects the language, by default MLIR's text;
    /// the language of standard input is detected from its contents.
    ///
    /// # Errors
    /// If the file cannot be read, is not UTF-8, or is not a valid program.
    pub fn read(&self, path: &str) -> Result<Program, Failure> {
        self.read_with(path, &ParseOptions::default())
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
    /// As [`Session::read`]; there is no file, or a program of the language is a single file.
    pub fn read_all(&self, paths: &[impl AsRef<str>]) -> Result<Program, Failure> {
        let files = paths.iter().map(|path| self.open(path.as_ref())).collect::<Result<Vec<FileId>, _>>()?;
        self.read_files(&files, &ParseOptions::default())
    }

    /// Loads the text of a file without parsing it; `-` is standard input.
    ///
    /// # Errors
    /// If the file cannot be read, has more than 2 GiB, or is not UTF-8.
    pub fn open(&self, path: &str) -> Result<FileId, Failure> {
        let bytes =
            files::read(path).map_err(|error| Diagnostic::error(format!("cannot read '{path}': {error}")))?;
        let name = if path == "-" { STDIN } else { path };
        Ok(minoan_frontend::load(&self.sources, name, bytes)?)
    }

    /// Parses and checks a program in memory.
    ///
    /// # Errors
    /// If it is not a valid program.
    pub fn read_text(&self, name: &str, text: &str) -> Result<Program, Failure> {
        self.read_loaded(self.sources.add(name, text), &ParseOptions::default())
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
    /// As [`Session::read_loaded`]; there is no such language.
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
        let language = match &self.language {
            Some(language) => Arc::clone(language),
            None => self.languages.of(name, text),
        };
        self.read_in(language, files, options)
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

    /// Emits a program as a module in the dialect of its language: the functions reachable from the roots, or all callable
    /// functions if there are no roots.
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

    /// Like [`Session::module`], without what the functions do not reach, and with the parameters that have a [bound](Self::bound) value
    /// replaced by constants.
    ///
    /// # Errors
    /// As [`Session::module`]; a value of another type than its parameter, or of no parameter.
    pub fn bound_module(&self, program: &Program, names: &[&str], float: Float) -> Result<Module, Failure> {
        self.bound_functions(program, names, float).map(|(module, _)| module)
    }

    /// Like [`Session::bound_module`], with the interfaces that the language declares for the functions.
    pub(crate) fn bound_functions(
        &self,
        program: &Program,
        names: &[&str],
        float: Float,
    ) -> Result<(Module, Option<Vec<Interface>>), Failure> {
        let all = program.functions();
        let wanted: Vec<&str> =
            if names.is_empty() { all.iter().map(String::as_str).collect() } else { names.to_vec() };
        let options = self.emit_options(float);
        let declared = wanted.iter().map(|name| program.checked.interface(name, &options));
        let mut declared = declared.collect::<Result<Option<Vec<Interface>>, _>>()?;
        let mut module = self.module(program, names, float)?;
        if declared.is_none() && !names.is_empty() {
            keep_only(&mut module, names)?;
        }
        self.bind(&mut module, names, declared.as_deref_mut())?;
        Ok((module, declared))
    }

    fn emit(&self, checked: &dyn Checked, roots: &[&str], float: Float) -> Result<Module, Failure> {
        checked.module(&self.ctx, &self.sources, roots, &self.emit_options(float))
    }

    pub(crate) fn emit_options(&self, float: Float) -> EmitOptions {
        EmitOptions { float, check_bounds: self.options.check_bounds }
    }

    /// The passes that lower a module to a stage: the [default pipeline](minoan_passes::default_pipeline) or its first
    /// half. The stages after [`Stage::Buffers`] start with the same passes; [`Stage::FrontEnd`] needs none.
    pub fn pipeline(&self, stage: Stage) -> Pipeline {
        let (first, second) = self.pipeline_text(stage);
        self.parsed(&format!("{first},{second}"))
    }

    fn parsed(&self, text: &str) -> Pipeline {
        let text = text.trim_matches(',');
        Pipeline::parse(text, &crate::pass_registry(), &SourceMap::new()).expect("its passes are registered")
    }

    /// The passes up to the formation of kernels, and those after it.
    fn pipeline_text(&self, stage: Stage) -> (String, &'static str) {
        let policy = match self.options.float_policy {
            FloatPolicy::Default => String::new(),
            policy => format!("float-policy{{fp={}}},", policy.keyword()),
        };
        let policy = if self.options.checkpoint { policy + CHECKPOINT_LOOPS } else { policy };
        let shared = match self.options.float_policy {
            FloatPolicy::Fast => default_pipeline::TO_SHARED_FAST,
            _ => default_pipeline::TO_SHARED,
        };
        let kernels = format!("{shared},{policy}{}", default_pipeline::TO_KERNELS);
        match stage {
            Stage::FrontEnd => (String::new(), ""),
            Stage::Shared => (shared.to_owned(), ""),
            Stage::Schedule => (kernels, "schedule-kernels"),
            _ if self.options.no_schedule => {
                (format!("{shared},{policy}{}", default_pipeline::WITHOUT_KERNELS), "")
            }
            _ => (kernels, "schedule-kernels,default-pipeline-from-schedule"),
        }
    }

    /// Lowers a module to a stage of Minoan's IR with the passes of [`Session::pipeline`].
    ///
    /// # Errors
    /// Errors that the passes report.
    pub fn advance(&self, module: &mut Module, stage: Stage) -> Result<(), Failure> {
        self.advance_recorded(module, stage, None)
    }

    /// Like [`Session::advance`], and records the passes as a phase of a page.
    ///
    /// # Errors
    /// As [`Session::advance`].
    pub(crate) fn advance_recorded(
        &self,
        module: &mut Module,
        stage: Stage,
        recorded: Option<(&str, &Recorder)>,
    ) -> Result<(), Failure> {
        let plans = self.plans.as_ref().filter(|_| stage >= Stage::Schedule && !self.options.no_schedule);
        let pipelines = match (plans, self.pipeline_text(stage)) {
            (Some(_), (first, second)) => vec![self.parsed(&first), self.parsed(second)],
            (None, _) => vec![self.pipeline(stage)],
        };
        let described = if stage < Stage::Schedule { None } else { self.describe_machine(module) };
        let progress = self.options.progress.then(Progress::new);
        if let Some((phase, recorder)) = recorded {
            recorder.begin(phase, module);
        }
        let mut done = Ok(());
        for (part, pipeline) in pipelines.iter().enumerate() {
            if let (1, Some((file, plans))) = (part, plans) {
                done =
                    minoan_passes::schedule_kernels::set_plans(module, *file, plans).map_err(Failure::from);
            }
            if done.is_err() {
                break;
            }
            let mut manager = PassManager::new(pipeline).verify_each(self.options.verify_each);
            if let Some(progress) = &progress {
                manager = manager.instrument(progress);
            }
            if let Some((_, recorder)) = recorded {
                manager = manager.instrument(recorder).remarks(true);
            }
            let result = manager.run(module);
            if let Some((_, recorder)) = recorded
                && (result.failed || part + 1 == pipelines.len())
            {
                recorder.end(&result, module, &self.sources);
            }
            done = result.into_result().map(drop).map_err(Failure::from);
        }
        progress.iter().for_each(Progress::clear);
        if let Some(name) = described {
            let top = module.op();
            module.holder_mut().set_attr(top, self.ctx.name(name), None);
        }
        done
    }

    /// The remarks of the passes that form and schedule the kernels of a module of shared dialects: why an operation starts a
    /// kernel of its own, the plan of each kernel, and the reasons for it. The module is not changed.
    ///
    /// # Errors
    /// Errors that the passes report.
    pub fn explain_kernels(&self, module: &Module) -> Result<Diagnostics, Failure> {
        let mut module = module.clone();
        self.describe_machine(&mut module);
        let text = default_pipeline::TO_SCHEDULE_EXPLAINED;
        let pipeline = Pipeline::parse(text, &crate::pass_registry(), &SourceMap::new());
        let pipeline = pipeline.expect("its passes are registered");
        let result = PassManager::new(&pipeline).verify_each(self.options.verify_each).run(&mut module);
        Ok(result.into_result()?)
    }

    /// Adds the attribute that describes the target CPU, unless the module has one; returns its name. A CPU that is not in
    /// the table is taken for the least one.
    fn describe_machine(&self, module: &mut Module) -> Option<&'static str> {
        let top = module.op();
        let attrs = module.holder().op(top).attrs();
        if minoan_services::MachineModel::of(&self.ctx, attrs).is_some() {
            return None;
        }
        let machine = match &self.options.cpu {
            Some(name) => minoan_target::by_name(name).unwrap_or_default(),
            None => minoan_target::host(),
        };
        let mut dialects = self.ctx.dialects_with::<dyn minoan_services::MachineSpec>();
        let service = dialects.find_map(|dialect| dialect.service::<dyn minoan_services::MachineSpec>())?;
        let (name, attr) = service.describe(&self.ctx, &machine)?;
        module.holder_mut().set_attr(top, self.ctx.name(name), Some(attr));
        Some(name)
    }

    /// Lowers a function of a program and everything reachable from it to shared dialects.
    ///
    /// # Errors
    /// If there is no such function, or a construct has no lowering.
    pub fn entry(&self, program: &Program, name: &str, float: Float) -> Result<Entry, Failure> {
        let (mut module, declared) = self.bound_functions(program, &[name], float)?;
        let declared = declared.and_then(|declared| declared.into_iter().next());
        self.advance(&mut module, Stage::Shared)?;
        // A root that the source names in its own way is the first function; any other has its name as its symbol.
        let symbol = public_symbol(&module, declared.is_none().then_some(name))?;
        let interface = match declared {
            Some(interface) => interface,
            None => self.interface_of(&module, &symbol)?,
        };
        Ok(Entry { module, symbol, interface })
    }

    /// Replaces the parameters that have a [bound](Self::bound) value by constants, in the public functions of a module in the dialect of
    /// its language. `declared` has the interfaces that the language declares for them, in order.
    pub(crate) fn bind(
        &self,
        module: &mut Module,
        names: &[&str],
        declared: Option<&mut [Interface]>,
    ) -> Result<(), Failure> {
        if self.bound.is_empty() {
            return Ok(());
        }
        let body = module.body();
        let is_public = |op: &minoan_ir::Op| {
            let view = body.op(*op);
            view.has_trait(minoan_ir::Traits::FUNCTION_LIKE)
                && <dyn Symbols>::of(view).visibility(view) == Visibility::Public
        };
        let public = body.block(module.block()).ops().filter(is_public);
        let symbols: Vec<String> =
            public.filter_map(|op| body.op(op).symbol_name().map(str::to_owned)).collect();
        let (mut derived, symbols) = match &declared {
            Some(_) => (Vec::new(), symbols),
            None => {
                let named = |symbol: &String| names.is_empty() || names.contains(&symbol.as_str());
                let symbols: Vec<String> = symbols.into_iter().filter(named).collect();
                let interfaces = symbols.iter().map(|symbol| self.interface_of(module, symbol));
                (interfaces.collect::<Result<Vec<_>, _>>()?, symbols)
            }
        };
        let interfaces = declared.unwrap_or(&mut derived);
        let mut functions: Vec<bind::Function<'_>> = symbols
            .iter()
            .zip(interfaces)
            .map(|(symbol, interface)| bind::Function { symbol, interface })
            .collect();
        bind::bind(module, &mut functions, &self.bound)
    }

    /// The interface of a function of a module, derived from its types and signatures.
    pub(crate) fn interface_of(&self, module: &Module, symbol: &str) -> Result<Interface, Failure> {
        let body = module.body();
        match minoan_ir::SymbolTable::of(body).get(self.ctx.name(symbol)) {
            Some(function) => Interface::of_function(body.op(function)),
            None => Ok(Interface::new(Vec::new(), ValueType::Tuple(Vec::new()), Vec::new())),
        }
    }
}

/// The names of the public functions of a module in the shared dialects, in order.
pub(crate) fn public_symbols(module: &Module) -> Vec<&str> {
    let body = module.body();
    let is_public = |op: &minoan_ir::Op| {
        let view = body.op(*op);
        view.is::<Func>() && <dyn Symbols>::of(view).visibility(view) == Visibility::Public
    };
    let functions = body.block(module.block()).ops().filter(is_public);
    functions.filter_map(|op| body.op(op).symbol_name()).collect()
}

/// The public function of a name, or the only one.
fn public_symbol(module: &Module, name: Option<&str>) -> Result<String, Failure> {
    let public = public_symbols(module);
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
