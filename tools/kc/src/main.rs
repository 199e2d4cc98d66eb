//! `kc`: checks, compiles and runs programs.

mod explain;
mod gradient;

use clap::{Parser, Subcommand, ValueEnum};
use minoan::diag::Diagnostic;
use minoan::gradient::Wrt;
use minoan::inputs::{Inputs, write_results};
use minoan::ir::Module;
use minoan::services::{Datum, FloatPolicy};
use minoan::{Backend, Entry, Failure, Float, Library, LibraryFunction, Program, Session, Stage};
use minoan::{header, output, signature as signatures};
use std::process::ExitCode;

/// Checks, compiles and runs programs in Knossos, Relay, i-expressions and MLIR
#[derive(Parser)]
#[command(version, max_term_width = 100, arg_required_else_help = true, after_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  success
  1  the program or its input is invalid, or a file cannot be read or written
  2  the command line is invalid
  3  the program failed while it ran: a failed assertion, a division by zero, recursion that is too deep";

const RUN_EXAMPLES: &str = "\
Arguments and results in JSON:
  number         1, -0.5, \"nan\", \"inf\", \"-inf\"
  truth value    true, false
  string         \"text\"
  tensor         nested arrays: [[1, 2], [3, 4]]
  tuple          {\"tuple\": [1, 2]}, in arguments also [1, 2]

Examples:
  kc run program.ks
  kc run program.ks --entry dot --inputs '[[1, 2], [3, 4]]'
  kc run model.relay --inputs weights.npz --inputs x=@image.npy --output scores.npz";

const BUILD_ENTRY: &str = "\
A function to compile; may be repeated for objects, libraries, headers and Relay text [default: all public functions; for other \
outputs `main`, of i-expressions the last definition]";

const SIGNATURE_FILES: &str = "\
The program, or a shared library that `kc build` wrote; `-` reads standard input. Several files of Knossos are one program";

#[derive(Subcommand)]
enum Command {
    /// Run a function of a program and print its result
    #[command(after_help = RUN_EXAMPLES)]
    Run(Run),
    /// Compile a program, or print its IR at a stage of the pipeline
    #[command(mut_arg("entry", |entry| entry.help(BUILD_ENTRY)))]
    Build(Build),
    /// Write a page that explains how a function is compiled
    Explain(explain::Explain),
    /// Print the gradient of the sum of a function's results, by parameter
    Grad(gradient::Grad),
    /// Print the product of a function's Hessian with a direction, by parameter
    Hvp(gradient::Hvp),
    /// Print the Jacobian of a function, by parameter
    Jacobian(gradient::Jacobian),
    /// Print the raw and the structured signature of each public function
    #[command(mut_arg("files", |files| files.help(SIGNATURE_FILES)))]
    Signature {
        #[command(flatten)]
        program: ProgramArgs,
        /// Print JSON instead of text
        #[arg(long)]
        json: bool,
    },
    /// Write the runtime as a static library, which programs that contain an object of `build` are linked with
    Runtime {
        /// The output file; `-` is standard output
        #[arg(short = 'o', long, value_name = "FILE", default_value = "libminoan_runtime.a")]
        output: String,
    },
    /// Report the errors and warnings of a program
    Check {
        #[command(flatten)]
        program: ProgramArgs,
    },
}

#[derive(clap::Args)]
struct ProgramArgs {
    /// The program; `-` reads standard input. Several files of Knossos are one program
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
    /// The language of the program, instead of the one of the file's extension: knossos (.ks), relay (.relay, .rly),
    /// iexpr (.iexpr), mlir (.mlir)
    #[arg(long, value_name = "LANGUAGE")]
    language: Option<String>,
    /// The type of floats whose width the source does not specify
    #[arg(long, value_name = "TYPE", value_enum, default_value = "f32")]
    float: FloatArg,
}

#[derive(clap::Args)]
struct Source {
    #[command(flatten)]
    program: ProgramArgs,
    /// The function [default: `main`; of i-expressions the last definition]
    #[arg(long, value_name = "NAME")]
    entry: Vec<String>,
    /// Link a program, in any language, that defines functions which this one declares; may be repeated
    #[arg(long, value_name = "FILE")]
    link: Vec<String>,
    /// Omit the bounds checks of Knossos programs; an index out of bounds is then undefined behavior
    #[arg(long)]
    no_check_bounds: bool,
    /// Floating-point policy: `strict` ignores `fastmath` flags, `default` follows them, `fast` also assumes finite
    /// values, and allows approximations and methods with other roundings
    #[arg(long, value_name = "POLICY", default_value = "default", value_parser = float_policy)]
    fp: FloatPolicy,
    /// The processor to generate code for, by LLVM's name [default: native]
    #[arg(long, value_name = "CPU")]
    target_cpu: Option<String>,
    /// Make parameters constants, such as the weights of a model: an archive `FILE.npz` with arrays named like parameters, or a
    /// single one, `NAME=JSON` or `NAME=@FILE` with a `.npy` or JSON file. May be repeated
    #[arg(long, value_name = "VALUES")]
    bind: Vec<String>,
    /// Whether to form and schedule kernels; without kernels, loops follow the source
    #[arg(long, value_enum, value_name = "on|off", hide_possible_values = true, default_value = "on")]
    schedule: ScheduleArg,
    /// In reverse mode, save the values of loops at the start of segments only, and execute the segments again: memory
    /// proportional to the square root of the trip count
    #[arg(long)]
    checkpoint: bool,
    /// A file of plans for kernels by name, `main#0 plan <..>` for the first one of 'main', in the order and the syntax of
    /// `--emit=schedule`. Plans of other kernels are chosen
    #[arg(long, value_name = "FILE")]
    plans: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ScheduleArg {
    On,
    Off,
}

#[derive(Clone, Copy, ValueEnum)]
enum FloatArg {
    F32,
    F64,
}

#[derive(clap::Args)]
struct Run {
    #[command(flatten)]
    source: Source,
    /// Arguments: a JSON array of all in order or an object of all by name, or a file that holds it (`-` reads standard
    /// input); an archive `FILE.npz` with arrays named like parameters; or a single argument, `NAME=JSON` or
    /// `NAME=@FILE` with a `.npy` or JSON file. May be repeated; single arguments override those of archives
    #[arg(long, value_name = "ARGUMENTS")]
    inputs: Vec<String>,
    /// Write the result to a file instead of printing it: `.npy`, `.npz`, else JSON
    #[arg(short = 'o', long, value_name = "FILE")]
    output: Option<String>,
    /// The format of the printed result
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// How to execute the program
    #[arg(long, value_enum, default_value = "jit")]
    backend: BackendArg,
    /// The number of threads of parallel loops [default: `MINOAN_THREADS`, otherwise the number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Check the use of memory by machine code: report blocks that are not freed, or twice, where they are allocated, and print how
    /// many were allocated
    #[arg(long)]
    memory_check: bool,
    /// Print the IR at a stage of the pipeline to standard error before running: source, shared, schedule, buffers,
    /// llvm-dialect, llvm-ir, asm
    #[arg(long, value_name = "STAGE", value_parser = stage)]
    emit: Option<Stage>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// Tensors in brackets, tuples in parentheses
    Text,
    /// Tensors as nested arrays, tuples as {"tuple": [..]}
    Json,
}

#[derive(Clone, Copy, ValueEnum)]
enum BackendArg {
    /// Compile to machine code in memory
    Jit,
    /// Interpret on tensors; the reference for the compiler
    Interpret,
    /// Interpret on planned buffers; reports leaks, double frees and uses after free
    InterpretBuffers,
}

#[derive(clap::Args)]
struct Build {
    #[command(flatten)]
    source: Source,
    /// The output file; `-` is standard output
    #[arg(short = 'o', long, value_name = "FILE", default_value = "-")]
    output: String,
    /// The output: relay (a Relay program as text, with all types and constants), the IR at a stage (source, shared, schedule,
    /// buffers, llvm-dialect, llvm-ir), asm, obj, so (a shared library), exe (a program that runs `main`), or header (of C and
    /// C++, for obj and so)
    #[arg(long, value_name = "STAGE", value_parser = emit, default_value = "obj")]
    emit: Emit,
    /// Print why operations share a kernel or not, the plan of each kernel, and the reasons for it
    #[arg(long)]
    explain: bool,
    /// Also compile the gradients of these functions as `NAME.gradient`: the results of `NAME`, and the gradient of their sum by
    /// parameter
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    gradients: Vec<String>,
    /// The parameters that gradients are taken with respect to, by name [default: all of floats]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "gradients")]
    wrt: Vec<String>,
    /// The prefix of the names of functions in a header, and of the symbols of the object or library that it declares
    /// [default: the name of the program and `_`]
    #[arg(long, value_name = "TEXT")]
    prefix: Option<String>,
}

impl Build {
    fn wrt(&self) -> Wrt<'_> {
        if self.wrt.is_empty() { Wrt::All } else { Wrt::Named(&self.wrt) }
    }
}

/// The output of `build`.
#[derive(Clone, Copy)]
enum Emit {
    /// Relay text.
    Relay,
    Stage(Stage),
}

fn emit(text: &str) -> Result<Emit, String> {
    if text == "relay" {
        return Ok(Emit::Relay);
    }
    let found = Stage::named_beside(&["relay"], text);
    found.map(Emit::Stage).map_err(|error| Failure::from(error).to_string())
}

fn stage(text: &str) -> Result<Stage, String> {
    Stage::named(text).map_err(|error| Failure::from(error).to_string())
}

fn float_policy(text: &str) -> Result<FloatPolicy, String> {
    FloatPolicy::of_keyword(text).ok_or_else(|| "the policies are strict, default and fast".to_owned())
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    output::report_file_size_limit();
    let mut session = Session::new();
    session.options.progress = true;
    let done = match &cli.command {
        Command::Run(options) => run(&mut session, options),
        Command::Build(options) => build(&mut session, options),
        Command::Explain(options) => explain::explain(&mut session, options),
        Command::Grad(options) => gradient::grad(&mut session, options),
        Command::Hvp(options) => gradient::hvp(&mut session, options),
        Command::Jacobian(options) => gradient::jacobian(&mut session, options),
        Command::Signature { program, json } => signature(&mut session, program, *json),
        Command::Runtime { output } => runtime(output),
        Command::Check { program } => read(&mut session, program).map(drop),
    };
    output::exit_code(&session, done)
}

#[cfg(feature = "mlir")]
fn runtime(path: &str) -> Result<(), Failure> {
    output::check_binary(path, "a static library", "-o FILE writes it to a file")?;
    output::write(path, minoan::llvm::runtime_archive())
}

#[cfg(not(feature = "mlir"))]
fn runtime(path: &str) -> Result<(), Failure> {
    Err(Diagnostic::error(format!("cannot write '{path}': this build cannot compile to machine code")).into())
}

fn signature(session: &mut Session, args: &ProgramArgs, json: bool) -> Result<(), Failure> {
    let is_file = std::fs::metadata(&args.files[0]).is_ok_and(|known| known.is_file());
    let bytes = is_file.then(|| std::fs::read(&args.files[0]));
    let functions = match (&args.files[..], bytes) {
        ([_], Some(Ok(bytes))) if signatures::is_library(&bytes) => signatures::of_library(&bytes)?,
        _ => {
            let program = read(session, args)?;
            let (functions, warnings) = session.signatures(&program, args.float.into())?;
            output::report(session, &warnings);
            functions
        }
    };
    if json {
        print_line(&format!("{:#}", signatures::to_json(&functions)))
    } else {
        output::write("-", signatures::to_text(&functions).as_bytes())
    }
}

fn print_line(text: &str) -> Result<(), Failure> {
    output::write("-", format!("{text}\n").as_bytes())
}

/// Reads and checks the program, and reports its warnings.
fn read(session: &mut Session, args: &ProgramArgs) -> Result<Program, Failure> {
    session.set_language(args.language.as_deref())?;
    let program = session.read_all(&args.files)?;
    session.set_language(None)?;
    output::report(session, program.warnings());
    Ok(program)
}

/// The program to compile, and the function to start at.
struct Opened {
    program: Program,
    linked: Vec<Program>,
    entry: String,
    /// The functions that are named, any number of them.
    entries: Vec<String>,
    float: Float,
}

impl Opened {
    fn new(session: &mut Session, source: &Source) -> Result<Self, Failure> {
        #[cfg(feature = "mlir")]
        source.target_cpu.as_deref().map_or(Ok(()), minoan::llvm::check_cpu)?;
        session.options.cpu = source.target_cpu.clone();
        session.options.check_bounds = !source.no_check_bounds;
        session.options.float_policy = source.fp;
        session.options.checkpoint = source.checkpoint;
        session.options.no_schedule = source.schedule == ScheduleArg::Off;
        if let Some(path) = &source.plans {
            if session.options.no_schedule {
                let error =
                    Diagnostic::error("'--plans' needs kernels, which '--schedule=off' does not form");
                return Err(error.into());
            }
            session.read_plans(path)?;
        }
        let mut bound = Inputs::default();
        source.bind.iter().try_for_each(|given| bound.add(given))?;
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

    /// The functions that are named, or else all public ones, linked and lowered to the shared dialects.
    fn library(&self, session: &Session) -> Result<Library, Failure> {
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

    /// The functions that are named, or the default entry.
    fn names(&self) -> Vec<&str> {
        let default = std::slice::from_ref(&self.entry);
        let names = if self.entries.is_empty() { default } else { &self.entries };
        names.iter().map(String::as_str).collect()
    }

    /// The functions that are named, or the default entry, or all functions if there is none, as the front end emits them.
    fn emitted(&self, session: &Session) -> Result<Module, Failure> {
        let all = self.program.functions();
        if !self.entries.is_empty() || all.contains(&self.entry) {
            return session.bound_module(&self.program, &self.names(), self.float);
        }
        let names: Vec<&str> = all.iter().map(String::as_str).collect();
        session.module(&self.program, &names, self.float)
    }

    /// Checks that at most one function is named.
    fn check_one_entry(&self) -> Result<(), Failure> {
        if self.entries.len() > 1 {
            return Err(Diagnostic::error("several entries are named where one is expected")
                .help("'kc build' takes several, unless with --emit=exe")
                .into());
        }
        Ok(())
    }

    /// The entry and the functions that it reaches, linked and lowered to the shared dialects.
    fn entry(&self, session: &Session) -> Result<Entry, Failure> {
        self.check_one_entry()?;
        let mut entry = session.entry(&self.program, &self.entry, self.float)?;
        session.link(&mut entry.module, &self.linked, self.float)?;
        Ok(entry)
    }

    /// The functions that are named, or the default entry, linked and lowered to the shared dialects.
    fn lowered(&self, session: &Session) -> Result<Library, Failure> {
        if self.entries.len() > 1 {
            return self.library(session);
        }
        let Entry { module, symbol, interface } = self.entry(session)?;
        Ok(Library { module, functions: vec![LibraryFunction { symbol, interface }] })
    }

    /// The functions that are named, or the default entry, in the dialect of the language.
    fn source_text(&self, session: &Session) -> Result<String, Failure> {
        let module = session.bound_module(&self.program, &self.names(), self.float)?;
        Ok(output::module_text(&module))
    }
}

/// The text of a module in the shared dialects at a stage from these on.
fn text_at(session: &Session, module: &Module, stage: Stage) -> Result<String, Failure> {
    match stage {
        Stage::Shared => Ok(output::module_text(module)),
        Stage::Schedule | Stage::Buffers => {
            let mut module = module.clone();
            session.advance(&mut module, stage)?;
            Ok(output::module_text(&module))
        }
        #[cfg(feature = "mlir")]
        Stage::LlvmDialect => {
            let mut module = module.clone();
            session.advance(&mut module, Stage::Buffers)?;
            session.llvm_dialect(&module)
        }
        #[cfg(feature = "mlir")]
        Stage::LlvmIr | Stage::Assembly => {
            use minoan::{llvm::Output, mlir::Entries};
            let output = if stage == Stage::LlvmIr { Output::LlvmText } else { Output::Assembly };
            let compiled = session.compile(module, &Entries::Library, output)?;
            Ok(String::from_utf8_lossy(&compiled.code).into_owned())
        }
        _ => Err(Diagnostic::error("this stage has no text").into()),
    }
}

impl From<BackendArg> for Backend {
    fn from(backend: BackendArg) -> Self {
        match backend {
            BackendArg::Jit => Backend::Jit,
            BackendArg::Interpret => Backend::Interpret,
            BackendArg::InterpretBuffers => Backend::InterpretBuffers,
        }
    }
}

impl From<FloatArg> for Float {
    fn from(float: FloatArg) -> Self {
        match float {
            FloatArg::F32 => Float::F32,
            FloatArg::F64 => Float::F64,
        }
    }
}

fn run(session: &mut Session, options: &Run) -> Result<(), Failure> {
    let opened = Opened::new(session, &options.source)?;
    opened.check_one_entry()?;
    if options.emit == Some(Stage::FrontEnd) {
        eprint!("{}", opened.source_text(session)?);
    }
    let entry = opened.entry(session)?;
    if let Some(stage) = options.emit.filter(|&stage| stage != Stage::FrontEnd) {
        eprint!("{}", text_at(session, &entry.module, stage)?);
    }
    let mut inputs = Inputs::default();
    options.inputs.iter().try_for_each(|given| inputs.add(given))?;
    if inputs.is_empty() && !entry.interface.params.is_empty() {
        let arguments = match entry.interface.params.len() {
            1 => "1 argument".to_owned(),
            count => format!("{count} arguments"),
        };
        return Err(Diagnostic::error(format!("'{}' takes {arguments}, but none is given", opened.entry))
            .help("give them in order, --inputs ARGS.json, or by name, --inputs NAME=VALUE")
            .into());
    }
    let args = inputs.arguments(&entry.interface)?;
    if let Some(threads) = options.threads {
        minoan::set_threads(usize::from(threads));
    }
    let results = execute(session, &entry, &args, options.backend, options.memory_check)?;
    if let Some(path) = &options.output {
        return write_results(path, &entry.interface, &results);
    }
    if opened.program.shows_result(&opened.entry) {
        match options.format {
            Format::Text => print_line(&entry.interface.result_text(&results))?,
            Format::Json => print_line(&entry.interface.result_json(&results).to_string())?,
        }
    }
    Ok(())
}

/// The results of a run. If memory is to be checked, the runtime checks its use, and what was allocated is printed.
#[cfg(feature = "mlir")]
fn execute(
    session: &Session,
    entry: &Entry,
    args: &[Datum],
    backend: BackendArg,
    memory_check: bool,
) -> Result<Vec<Datum>, Failure> {
    if !memory_check {
        return session.run(entry, args, backend.into());
    }
    if !matches!(backend, BackendArg::Jit) {
        let error = Diagnostic::error("'--memory-check' checks machine code, '--backend=jit'");
        return Err(error.help("'--backend=interpret-buffers' checks buffers always").into());
    }
    let (results, report) = session.run_checked(entry, args)?;
    eprintln!("{report}");
    Ok(results)
}

#[cfg(not(feature = "mlir"))]
fn execute(
    session: &Session,
    entry: &Entry,
    args: &[Datum],
    backend: BackendArg,
    _: bool,
) -> Result<Vec<Datum>, Failure> {
    session.run(entry, args, backend.into())
}

/// The output file, which must not be standard output.
#[cfg(feature = "mlir")]
fn file<'a>(options: &'a Build, what: &str) -> Result<&'a std::path::Path, Failure> {
    if options.output == "-" {
        return Err(Diagnostic::error(format!("{what} cannot be written to standard output"))
            .help("name a file: -o FILE")
            .into());
    }
    Ok(std::path::Path::new(&options.output))
}

/// The prefix of the names of the functions in a header.
fn prefix(options: &Build, opened: &Opened) -> String {
    let program = std::path::Path::new(opened.program.name()).file_stem().unwrap_or_default();
    options.prefix.clone().unwrap_or_else(|| format!("{}_", program.to_string_lossy()))
}

fn build(session: &mut Session, options: &Build) -> Result<(), Failure> {
    let opened = Opened::new(session, &options.source)?;
    let takes_gradients = match options.emit {
        Emit::Relay | Emit::Stage(Stage::FrontEnd) => false,
        #[cfg(feature = "mlir")]
        Emit::Stage(Stage::Executable) => false,
        Emit::Stage(_) => true,
    };
    if !options.gradients.is_empty() && !takes_gradients {
        let error = Diagnostic::error("'--gradients' needs another stage than source, relay or exe");
        return Err(error.help("'kc grad' prints the gradient of one function").into());
    }
    let stage = match options.emit {
        Emit::Relay => {
            let module = opened.emitted(session)?;
            return output::write(&options.output, minoan::relay::to_text(&module)?.as_bytes());
        }
        Emit::Stage(stage) => stage,
    };
    if options.explain {
        let library = session.add_gradients(opened.lowered(session)?, &options.gradients, options.wrt())?;
        let remarks = session.explain_kernels(&library.module)?;
        output::report(session, &remarks);
    }
    match stage {
        #[cfg(feature = "mlir")]
        Stage::Object => {
            let help = "-o FILE writes it to a file, and --emit=asm is assembly";
            output::check_binary(&options.output, "an object", help)?;
            let library =
                session.add_gradients(opened.library(session)?, &options.gradients, options.wrt())?;
            let compiled = session.compile_library(&library.module, &prefix(options, &opened))?;
            output::write(&options.output, &compiled.code)?;
            if options.output != "-" {
                let name = &options.output;
                let note =
                    Diagnostic::remark(format!("'{name}' calls the runtime, which is a static library"))
                        .note(format!("cc PROGRAM.c {name} libminoan_runtime.a -lm -lpthread -ldl"))
                        .help("'kc runtime -o libminoan_runtime.a' writes it");
                output::report(session, &note.into());
            }
            Ok(())
        }
        #[cfg(feature = "mlir")]
        Stage::SharedLibrary => {
            let path = file(options, "a shared library")?;
            let library =
                session.add_gradients(opened.library(session)?, &options.gradients, options.wrt())?;
            let compiled = session.compile_library(&library.module, &prefix(options, &opened))?;
            let code = [&compiled.code[..]];
            let values = if library.has_data_types() { &minoan::llvm::VALUE_EXPORTS[..] } else { &[] };
            let mut exports = compiled.exports;
            exports.extend(values.iter().map(|&name| name.to_owned()));
            minoan::llvm::link_shared(&code, &exports, path, &Default::default())?;
            Ok(())
        }
        #[cfg(feature = "mlir")]
        Stage::Executable => {
            use minoan::{llvm::Output, mlir::Entries};
            let path = file(options, "a program")?;
            let entry = opened.entry(session)?;
            let entries = Entries::Program(entry.symbol.clone());
            let compiled = session.compile(&entry.module, &entries, Output::Object)?;
            minoan::llvm::link_executable(&[&compiled.code], path, &Default::default())?;
            Ok(())
        }
        Stage::Header => {
            let library =
                session.add_gradients(opened.library(session)?, &options.gradients, options.wrt())?;
            let program = std::path::Path::new(opened.program.name()).file_stem();
            let program = program.unwrap_or_default().to_string_lossy();
            let file = if options.output == "-" { format!("{program}.h") } else { options.output.clone() };
            let file =
                std::path::Path::new(&file).file_name().unwrap_or_default().to_string_lossy().into_owned();
            let prefix = prefix(options, &opened);
            output::write(&options.output, header::header(&library, &file, &prefix).as_bytes())
        }
        Stage::FrontEnd => output::write(&options.output, opened.source_text(session)?.as_bytes()),
        stage => {
            let library =
                session.add_gradients(opened.lowered(session)?, &options.gradients, options.wrt())?;
            let text = text_at(session, &library.module, stage)?;
            output::write(&options.output, text.as_bytes())
        }
    }
}
