//! The command line.

use crate::{explain, gradient};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue};
use clap::{Parser, Subcommand, ValueEnum};
use minoan::gradient::Wrt;
use minoan::services::FloatPolicy;
use minoan::{Backend, Float, Stage};

/// Checks, compiles and runs programs in Knossos, Relay, i-expressions and MLIR
#[derive(Parser)]
#[command(version, max_term_width = 100, arg_required_else_help = true, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Cli {
    /// Parses the command line, or exits with its errors; a file in place of a command is reported with the command that
    /// runs it.
    pub(crate) fn from_command_line() -> Self {
        Self::try_parse().unwrap_or_else(|mut error| {
            if let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand)
                && std::path::Path::new(word).is_file()
            {
                let tip = format!("to run a program, use 'kc run {word}'").into();
                error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
            }
            error.exit()
        })
    }
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
  boolean        true, false
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
pub(crate) enum Command {
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
    /// Write the runtime as a static library, to link with the objects that `kc build` writes
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
pub(crate) struct ProgramArgs {
    /// The program; `-` reads standard input. Several files of Knossos are one program
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<String>,
    /// The language of the program, by default determined by the file's extension: knossos (.ks), relay (.relay, .rly),
    /// iexpr (.iexpr), mlir (.mlir)
    #[arg(long, value_name = "LANGUAGE")]
    pub(crate) language: Option<String>,
    /// The type of floats whose width the source does not specify
    #[arg(long, value_name = "TYPE", value_enum, default_value = "f32")]
    pub(crate) float: FloatArg,
}

#[derive(clap::Args)]
pub(crate) struct Source {
    #[command(flatten)]
    pub(crate) program: ProgramArgs,
    /// The function [default: `main`; of i-expressions the last definition]
    #[arg(long, value_name = "NAME")]
    pub(crate) entry: Vec<String>,
    /// Link a program, in any language, that defines functions which this one declares; may be repeated
    #[arg(long, value_name = "FILE")]
    pub(crate) link: Vec<String>,
    /// Omit the bounds checks of Knossos programs, and in MLIR programs those of operations on tensors and the checks of integer
    /// divisions; an index out of bounds, and in MLIR programs a division by zero, is then undefined behavior
    #[arg(long)]
    pub(crate) no_check_bounds: bool,
    /// Floating-point policy: `strict` ignores `fastmath` flags, `default` follows them, `fast` also assumes finite
    /// values, and allows approximations and methods with other roundings
    #[arg(long, value_name = "POLICY", hide_possible_values = true, default_value = "default", value_parser = float_policy())]
    pub(crate) fp: FloatPolicy,
    /// The processor to generate code for, by LLVM's name [default: native]
    #[arg(long, value_name = "CPU")]
    pub(crate) target_cpu: Option<String>,
    /// Make parameters constants, such as the weights of a model: an archive `FILE.npz` with arrays named like parameters, or a
    /// single one, `NAME=JSON` or `NAME=@FILE` with a `.npy` or JSON file. A parameter with unknown extents has those of the
    /// value. May be repeated
    #[arg(long, value_name = "VALUES")]
    pub(crate) bind: Vec<String>,
    /// Whether to form and schedule kernels; without kernels, loops follow the source
    #[arg(long, value_enum, value_name = "on|off", hide_possible_values = true, default_value = "on")]
    pub(crate) schedule: ScheduleArg,
    /// In reverse mode, save the values of loops at the start of segments only, and execute the segments again: memory
    /// proportional to the square root of the trip count
    #[arg(long)]
    pub(crate) checkpoint: bool,
    /// A file of plans for kernels by name, such as `main#0 plan <..>` for the first kernel of 'main', in the order and the
    /// syntax of `--emit=schedule`. Plans of other kernels are chosen
    #[arg(long, value_name = "FILE")]
    pub(crate) plans: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScheduleArg {
    On,
    Off,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum FloatArg {
    F32,
    F64,
}

#[derive(clap::Args)]
pub(crate) struct Run {
    #[command(flatten)]
    pub(crate) source: Source,
    /// Arguments: a JSON array of all in order or an object of all by name, or a file that holds it (`-` reads standard
    /// input); an archive `FILE.npz` with arrays named like parameters; or a single argument, `NAME=JSON` or
    /// `NAME=@FILE` with a `.npy` or JSON file. May be repeated; single arguments override those of archives
    #[arg(long, value_name = "ARGUMENTS")]
    pub(crate) inputs: Vec<String>,
    /// Write the result to a file instead of printing it: `.npy`, `.npz`, else JSON
    #[arg(short = 'o', long, value_name = "FILE")]
    pub(crate) output: Option<String>,
    /// The format of the printed result
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) execution: Execution,
    /// Check the use of memory by machine code: report leaks and double frees at the place of the allocation, and print the
    /// number of allocations
    #[arg(long)]
    pub(crate) memory_check: bool,
    /// Print the IR at a stage of the pipeline to standard error before running: source, shared, schedule, buffers,
    /// llvm-dialect, llvm-ir, asm
    #[arg(long, value_name = "STAGE", value_parser = stage)]
    pub(crate) emit: Option<Stage>,
}

/// How programs are executed.
#[derive(clap::Args)]
pub(crate) struct Execution {
    /// How to execute the program
    #[arg(long, value_enum, default_value = "jit")]
    pub(crate) backend: BackendArg,
    /// The number of threads of parallel loops [default: `MINOAN_THREADS`, otherwise the number of cores]
    #[arg(long, value_name = "N", value_parser = threads, allow_negative_numbers = true)]
    threads: Option<u16>,
}

impl Execution {
    pub(crate) fn set_threads(&self) {
        if let Some(threads) = self.threads {
            minoan::set_threads(usize::from(threads));
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Format {
    /// Tensors in brackets, tuples in parentheses
    Text,
    /// Tensors as nested arrays, tuples as {"tuple": [..]}
    Json,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum BackendArg {
    /// Compile to machine code in memory
    Jit,
    /// Interpret on tensors; the reference for the compiler
    Interpret,
    /// Interpret on planned buffers; reports leaks, double frees and uses after free
    InterpretBuffers,
}

#[derive(clap::Args)]
pub(crate) struct Build {
    #[command(flatten)]
    pub(crate) source: Source,
    /// The output file; `-` is standard output
    #[arg(short = 'o', long, value_name = "FILE", default_value = "-")]
    pub(crate) output: String,
    /// The output: relay (a Relay program as text, with all types and constants), the IR at a stage (source, shared, schedule,
    /// buffers, llvm-dialect, llvm-ir), asm, obj, so (a shared library), exe (a program that runs `main`), or header (of C and
    /// C++, for obj and so)
    #[arg(long, value_name = "STAGE", value_parser = emit, default_value = "obj")]
    pub(crate) emit: Emit,
    /// Print why operations share a kernel or not, the plan of each kernel, and the reasons for it
    #[arg(long)]
    pub(crate) explain: bool,
    /// Also compile the gradients of these functions as `NAME.gradient`: the results of `NAME`, and the gradient of their sum by
    /// parameter
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) gradients: Vec<String>,
    /// The parameters that gradients are taken with respect to, by name [default: all of floats]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "gradients")]
    pub(crate) wrt: Vec<String>,
    /// The prefix of the names of functions in a header, and of the symbols of the object or library that it declares
    /// [default: the name of the program and `_`]
    #[arg(long, value_name = "TEXT")]
    pub(crate) prefix: Option<String>,
}

impl Build {
    pub(crate) fn wrt(&self) -> Wrt<'_> {
        if self.wrt.is_empty() { Wrt::All } else { Wrt::Named(&self.wrt) }
    }
}

/// The output of `build`.
#[derive(Clone, Copy)]
pub(crate) enum Emit {
    /// Relay text.
    Relay,
    Stage(Stage),
}

fn emit(text: &str) -> Result<Emit, String> {
    if text == "relay" {
        return Ok(Emit::Relay);
    }
    let found = Stage::named_until(Stage::Header, &["relay"], text);
    found.map(Emit::Stage).map_err(|error| error.message)
}

/// A stage with text that `run` prints.
fn stage(text: &str) -> Result<Stage, String> {
    Stage::named_until(Stage::Assembly, &[], text).map_err(|error| error.message)
}

fn float_policy() -> impl TypedValueParser<Value = FloatPolicy> {
    let policies = [FloatPolicy::Strict, FloatPolicy::Default, FloatPolicy::Fast];
    PossibleValuesParser::new(policies.map(FloatPolicy::keyword))
        .map(|word| FloatPolicy::of_keyword(&word).unwrap_or_default())
}

fn threads(text: &str) -> Result<u16, String> {
    count(text, u16::MAX)
}

/// Parses a number from 1 to `last`.
pub(crate) fn count(text: &str, last: u16) -> Result<u16, String> {
    let number = text.parse().ok().filter(|number| (1..=last).contains(number));
    number.ok_or_else(|| format!("expected a number from 1 to {last}"))
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
