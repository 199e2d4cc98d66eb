//! `kc`: checks, runs and compiles programs.

use clap::{Parser, Subcommand, ValueEnum};
use minoan::inputs::{Inputs, write_results};
use minoan::{Backend, Entry, Failure, Float, Program, Session, Stage, diag::Diagnostic};
use minoan::{output, signature as signatures};
use std::process::ExitCode;

/// Checks, runs and compiles programs of every front end, and MLIR modules.
#[derive(Parser)]
#[command(version, max_term_width = 100, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a program: `main`, or any function with arguments from JSON.
    Run(Run),
    /// Compile a program, or print it at a stage of its way.
    Build(Build),
    /// Print the raw and the structured signature of each function.
    Signature {
        #[command(flatten)]
        program: ProgramArgs,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Report the errors and warnings of a program.
    Check {
        #[command(flatten)]
        program: ProgramArgs,
    },
}

#[derive(clap::Args)]
struct ProgramArgs {
    /// A program, in the language that the ending of its name says; `-` for standard input. `signature` also takes a
    /// shared library that `build` wrote.
    file: String,
    /// The language it is written in, whatever its name: knossos, relay, iexpr, mlir.
    #[arg(long, value_name = "LANGUAGE")]
    language: Option<String>,
    /// Width of the floats whose width the source leaves open.
    #[arg(long, value_enum, default_value = "f32")]
    float: FloatArg,
}

#[derive(clap::Args)]
struct Source {
    #[command(flatten)]
    program: ProgramArgs,
    /// The function to start at: `main`, or what the language takes for it, when it is not given.
    #[arg(long)]
    entry: Option<String>,
    /// A program, in any language, that defines functions which this one only declares; may be given several times.
    #[arg(long, value_name = "FILE")]
    link: Vec<String>,
    /// Stop with a message when an index is out of bounds.
    #[arg(long)]
    check_bounds: bool,
    /// Compile for this processor, by LLVM's name; this machine's when it is not given.
    #[arg(long, value_name = "CPU")]
    target_cpu: Option<String>,
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
    /// Arguments: a JSON file with an array of all in order (`-` for standard input), an archive `FILE.npz` with arrays by
    /// the names of parameters, or one by its name, `NAME=JSON` or `NAME=@FILE` with a `.npy` or JSON file. May be given
    /// several times; what is given by itself goes before what an archive holds.
    #[arg(long, value_name = "ARGUMENTS")]
    inputs: Vec<String>,
    /// Write the result to a file in place of printing it: `.npy`, `.npz`, or JSON.
    #[arg(short = 'o', long, value_name = "FILE")]
    output: Option<String>,
    /// How to print the result.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// How to run it.
    #[arg(long, value_enum, default_value = "jit")]
    backend: BackendArg,
    /// Print the module at a stage of its way to standard error first: source, shared, buffers, llvm-dialect, llvm-ir,
    /// asm.
    #[arg(long, value_name = "STAGE", value_parser = stage)]
    emit: Option<Stage>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// For people.
    Text,
    /// Tensors as nested arrays, tuples as {"tuple": [..]}.
    Json,
}

#[derive(Clone, Copy, ValueEnum)]
enum BackendArg {
    /// Machine code in this process.
    Jit,
    /// Operation by operation: slow, and the oracle for the other.
    Interpret,
    /// Operation by operation on planned buffers, looking for leaks and uses after free.
    InterpretBuffers,
}

#[derive(clap::Args)]
struct Build {
    #[command(flatten)]
    source: Source,
    /// Where to write; `-` for standard output.
    #[arg(short = 'o', long, value_name = "OUT", default_value = "-")]
    output: String,
    /// What to make: source, shared, buffers, llvm-dialect, llvm-ir, asm, obj or so.
    #[arg(long, value_name = "STAGE", value_parser = stage, default_value = "obj")]
    emit: Stage,
}

fn stage(text: &str) -> Result<Stage, String> {
    Stage::named(text).map_err(|error| Failure::from(error).to_string())
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut session = Session::new();
    let done = match &cli.command {
        Command::Run(options) => run(&mut session, options),
        Command::Build(options) => build(&mut session, options),
        Command::Signature { program, json } => signature(&mut session, program, *json),
        Command::Check { program } => read(&mut session, program).map(drop),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            output::report(&session, &failure.diagnostics);
            ExitCode::from(u8::try_from(failure.exit_code).unwrap_or(1))
        }
    }
}

fn signature(session: &mut Session, args: &ProgramArgs, json: bool) -> Result<(), Failure> {
    let functions = match std::fs::read(&args.file) {
        Ok(bytes) if signatures::is_library(&bytes) => signatures::of_library(&bytes)?,
        _ => {
            let program = read(session, args)?;
            let (functions, warnings) = session.signatures(&program, args.float.into())?;
            output::report(session, &warnings);
            functions
        }
    };
    if json {
        println!("{:#}", signatures::to_json(&functions));
    } else {
        print!("{}", signatures::to_text(&functions));
    }
    Ok(())
}

/// Reads and checks the program, and says what is suspicious in it.
fn read(session: &mut Session, args: &ProgramArgs) -> Result<Program, Failure> {
    session.set_language(args.language.as_deref())?;
    let program = session.read(&args.file)?;
    session.set_language(None)?;
    output::report(session, program.warnings());
    Ok(program)
}

/// The program to compile, and where to start in it.
struct Opened {
    program: Program,
    linked: Vec<Program>,
    entry: String,
    float: Float,
}

impl Opened {
    fn new(session: &mut Session, source: &Source) -> Result<Self, Failure> {
        session.options.cpu = source.target_cpu.clone();
        session.options.check_bounds = source.check_bounds;
        let program = read(session, &source.program)?;
        let mut linked = Vec::new();
        for file in &source.link {
            let program = session.read(file)?;
            output::report(session, program.warnings());
            linked.push(program);
        }
        let entry = source.entry.clone().unwrap_or_else(|| program.default_entry().to_owned());
        Ok(Self { program, linked, entry, float: source.program.float.into() })
    }

    /// The entry and what it reaches, in the shared dialects and linked.
    fn entry(&self, session: &Session) -> Result<Entry, Failure> {
        let mut entry = session.entry(&self.program, &self.entry, self.float)?;
        session.link(&mut entry.module, &self.linked, self.float)?;
        Ok(entry)
    }

    /// The program in its language's own dialect.
    fn source_text(&self, session: &Session) -> Result<String, Failure> {
        let module = session.module(&self.program, &[&self.entry], self.float)?;
        Ok(output::module_text(&module))
    }
}

/// A function's text at a stage behind the language's own dialect.
fn text_at(session: &Session, entry: &Entry, stage: Stage) -> Result<String, Failure> {
    match stage {
        Stage::Shared => Ok(output::module_text(&entry.module)),
        Stage::Buffers => {
            let mut module = entry.module.clone();
            session.advance(&mut module, Stage::Buffers)?;
            Ok(output::module_text(&module))
        }
        #[cfg(feature = "mlir")]
        Stage::LlvmDialect => {
            let mut module = entry.module.clone();
            session.advance(&mut module, Stage::Buffers)?;
            session.llvm_dialect(&module)
        }
        #[cfg(feature = "mlir")]
        Stage::LlvmIr | Stage::Assembly => {
            use minoan::{llvm::Output, mlir::Entries};
            let output = if stage == Stage::LlvmIr { Output::LlvmText } else { Output::Assembly };
            let compiled = session.compile(entry, &Entries::Library, output)?;
            Ok(String::from_utf8_lossy(&compiled.code).into_owned())
        }
        _ => Err(Diagnostic::error("this stage has no text").into()),
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
    if options.emit == Some(Stage::FrontEnd) {
        eprint!("{}", opened.source_text(session)?);
    }
    let entry = opened.entry(session)?;
    if let Some(stage) = options.emit.filter(|&stage| stage != Stage::FrontEnd) {
        eprint!("{}", text_at(session, &entry, stage)?);
    }
    let mut inputs = Inputs::default();
    options.inputs.iter().try_for_each(|given| inputs.add(given))?;
    if inputs.is_empty() && !entry.interface.params.is_empty() {
        let count = entry.interface.params.len();
        return Err(Diagnostic::error(format!("'{}' takes {count} arguments", opened.entry))
            .help("give them with --inputs ARGS.json, an array in order")
            .into());
    }
    let args = inputs.arguments(&entry.interface)?;
    let backend = match options.backend {
        BackendArg::Jit => Backend::Jit,
        BackendArg::Interpret => Backend::Interpret,
        BackendArg::InterpretBuffers => Backend::InterpretBuffers,
    };
    let results = session.run(&entry, &args, backend)?;
    if let Some(path) = &options.output {
        return write_results(path, &entry.interface, &results);
    }
    if opened.program.shows_result(&opened.entry) {
        match options.format {
            Format::Text => println!("{}", entry.interface.result_text(&results)),
            Format::Json => println!("{}", entry.interface.result_json(&results)),
        }
    }
    Ok(())
}

fn build(session: &mut Session, options: &Build) -> Result<(), Failure> {
    let opened = Opened::new(session, &options.source)?;
    match options.emit {
        #[cfg(feature = "mlir")]
        Stage::Object => {
            use minoan::{llvm::Output, mlir::Entries};
            let compiled = session.compile(&opened.entry(session)?, &Entries::Library, Output::Object)?;
            output::write(&options.output, &compiled.code)
        }
        #[cfg(feature = "mlir")]
        Stage::SharedLibrary => {
            use minoan::llvm;
            if options.output == "-" {
                return Err(Diagnostic::error("a shared library needs a file: give -o OUT").into());
            }
            let compiled = session.compile_library(&opened.entry(session)?)?;
            let path = std::path::Path::new(&options.output);
            let exports: Vec<String> = compiled.exports.clone();
            llvm::link_shared(&[&compiled.code], &exports, path, &llvm::LinkOptions::default())?;
            Ok(())
        }
        Stage::FrontEnd => output::write(&options.output, opened.source_text(session)?.as_bytes()),
        stage => {
            let text = text_at(session, &opened.entry(session)?, stage)?;
            output::write(&options.output, text.as_bytes())
        }
    }
}
