//! `kc`: checks, runs and compiles programs.

use clap::{Parser, Subcommand, ValueEnum};
use minoan::{Backend, Entry, Failure, Float, Program, Session, Stage, diag::Diagnostic};
use minoan::{output, signature as signatures};
use serde_json::Value as Json;
use std::process::ExitCode;

/// Checks, runs and compiles Knossos programs and MLIR modules.
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
        /// A `.ks` or `.mlir` file, or a shared library that `build` wrote; `-` for standard input.
        file: String,
        /// Width of Knossos's Float.
        #[arg(long, value_enum, default_value = "f32")]
        float: FloatArg,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Report the errors and warnings of a program.
    Check {
        /// A `.ks` or `.mlir` file; `-` for an MLIR module on standard input.
        file: String,
    },
}

#[derive(clap::Args)]
struct Source {
    /// A `.ks` or `.mlir` file; `-` for an MLIR module on standard input.
    file: String,
    /// The function to start at.
    #[arg(long, default_value = "main")]
    entry: String,
    /// Width of Knossos's Float.
    #[arg(long, value_enum, default_value = "f32")]
    float: FloatArg,
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
    /// A JSON file with the arguments, an array in order; `-` for standard input.
    #[arg(long, value_name = "ARGS.json")]
    inputs: Option<String>,
    /// How to print the result.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// How to run it.
    #[arg(long, value_enum, default_value = "jit")]
    backend: BackendArg,
    /// Print the module at a stage of its way to standard error first: knossos, mlir, buffers, llvm-dialect, llvm-ir,
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
    /// What to make: knossos, mlir, buffers, llvm-dialect, llvm-ir, asm, obj or so.
    #[arg(long, value_name = "STAGE", value_parser = stage, default_value = "obj")]
    emit: Stage,
}

fn stage(text: &str) -> Result<Stage, String> {
    let names = Stage::ALL.map(|(name, _)| name);
    Stage::ALL.iter().find(|(name, _)| *name == text).map(|&(_, stage)| stage).ok_or_else(|| {
        let near = minoan::diag::nearest(text, names);
        let hint = near.map_or(String::new(), |near| format!("; did you mean '{near}'?"));
        format!("the stages are {}{hint}", names.join(", "))
    })
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut session = Session::new();
    let done = match &cli.command {
        Command::Run(options) => run(&mut session, options),
        Command::Build(options) => build(&mut session, options),
        Command::Signature { file, float, json } => signature(&session, file, *float, *json),
        Command::Check { file } => check(&session, file),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            output::report(&session, &failure.diagnostics);
            ExitCode::from(u8::try_from(failure.exit_code).unwrap_or(1))
        }
    }
}

fn signature(session: &Session, file: &str, float: FloatArg, json: bool) -> Result<(), Failure> {
    let functions = match std::fs::read(file) {
        Ok(bytes) if signatures::is_library(&bytes) => signatures::of_library(&bytes)?,
        _ => {
            let program = session.read(file)?;
            output::report(session, &program.warnings());
            let (functions, warnings) = session.signatures(&program, float.into())?;
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

fn check(session: &Session, file: &str) -> Result<(), Failure> {
    let program = session.read(file)?;
    output::report(session, &program.warnings());
    Ok(())
}

/// Reads the program and takes its entry to the shared dialects.
fn open(session: &mut Session, source: &Source) -> Result<(Program, Entry), Failure> {
    session.options.cpu = source.target_cpu.clone();
    session.options.check_bounds = source.check_bounds;
    let program = session.read(&source.file)?;
    output::report(session, &program.warnings());
    let entry = session.entry(&program, &source.entry, float(source))?;
    Ok((program, entry))
}

fn float(source: &Source) -> Float {
    source.float.into()
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
    let (program, entry) = open(session, &options.source)?;
    if let Some(stage) = options.emit {
        eprint!("{}", text_at(session, &program, &options.source, &entry, stage)?);
    }
    let json = match &options.inputs {
        Some(path) => read_json(path)?,
        None => Json::Null,
    };
    if options.inputs.is_none() && !entry.interface.params.is_empty() {
        let count = entry.interface.params.len();
        return Err(Diagnostic::error(format!("'{}' takes {count} arguments", options.source.entry))
            .help("give them with --inputs ARGS.json, an array in order")
            .into());
    }
    let args = entry.interface.parse_args(&json)?;
    let backend = match options.backend {
        BackendArg::Jit => Backend::Jit,
        BackendArg::Interpret => Backend::Interpret,
        BackendArg::InterpretBuffers => Backend::InterpretBuffers,
    };
    let results = session.run(&entry, &args, backend)?;
    // What `main` gives is its exit code to nobody: the program has printed what it had to say.
    if options.source.entry != "main" {
        match options.format {
            Format::Text => println!("{}", entry.interface.result_text(&results)),
            Format::Json => println!("{}", entry.interface.result_json(&results)),
        }
    }
    Ok(())
}

fn read_json(path: &str) -> Result<Json, Failure> {
    let text =
        if path == "-" { std::io::read_to_string(std::io::stdin()) } else { std::fs::read_to_string(path) };
    let text = text.map_err(|error| Diagnostic::error(format!("cannot read '{path}': {error}")))?;
    serde_json::from_str(&text)
        .map_err(|error| Diagnostic::error(format!("'{path}' is not valid JSON: {error}")).into())
}

fn build(session: &mut Session, options: &Build) -> Result<(), Failure> {
    let source = &options.source;
    session.options.cpu = source.target_cpu.clone();
    session.options.check_bounds = source.check_bounds;
    if options.emit == Stage::FrontEnd {
        let program = session.read(&source.file)?;
        let roots = match &program {
            Program::Knossos(typed, _) => vec![typed.find_entry(&source.entry)?],
            Program::Module(_) => Vec::new(),
        };
        let module = session.module(&program, &roots, float(source))?;
        return output::write(&options.output, output::module_text(&module).as_bytes());
    }
    let (program, entry) = open(session, source)?;
    match options.emit {
        #[cfg(feature = "mlir")]
        Stage::Object => {
            use minoan::{llvm::Output, mlir::Entries};
            let compiled = session.compile(&entry, &Entries::Library, Output::Object)?;
            output::write(&options.output, &compiled.code)
        }
        #[cfg(feature = "mlir")]
        Stage::SharedLibrary => {
            use minoan::llvm;
            if options.output == "-" {
                return Err(Diagnostic::error("a shared library needs a file: give -o OUT").into());
            }
            let compiled = session.compile_library(&entry)?;
            let path = std::path::Path::new(&options.output);
            let exports: Vec<String> = compiled.exports.clone();
            llvm::link_shared(&[&compiled.code], &exports, path, &llvm::LinkOptions::default())?;
            Ok(())
        }
        stage => {
            let text = text_at(session, &program, source, &entry, stage)?;
            output::write(&options.output, text.as_bytes())
        }
    }
}

/// The program's text at a stage.
fn text_at(
    session: &Session,
    program: &Program,
    source: &Source,
    entry: &Entry,
    stage: Stage,
) -> Result<String, Failure> {
    match stage {
        Stage::FrontEnd => {
            let roots = match program {
                Program::Knossos(typed, _) => vec![typed.find_entry(&source.entry)?],
                Program::Module(_) => Vec::new(),
            };
            Ok(output::module_text(&session.module(program, &roots, float(source))?))
        }
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
