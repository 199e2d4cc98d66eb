//! The command line.

mod command;
mod diagnostics;
mod elsewhere;
mod printing;
mod watching;

pub(super) use command::from_command_line;

use clap::{ArgAction, Args, ValueEnum, builder::BoolishValueParser};
use diagnostics::DiagnosticArgs;
use minoan_diag::Diagnostic;
use minoan_ir::text::ParseOptions;
pub(super) use printing::Emit;
use printing::PrintArgs;
use std::path::PathBuf;
use watching::WatchArgs;

/// The format of lists and times.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Form {
    Text,
    Json,
}

/// The diagnostics that `--verify-diagnostics` compares.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Expectations {
    /// Every diagnostic must be expected.
    All,
    /// Expected diagnostics must be emitted; others may be.
    OnlyExpected,
}

#[derive(Args)]
pub(super) struct Flags {
    /// The input files; the extension selects the language, and `-` is standard input.
    #[arg(default_value = "-")]
    pub(super) files: Vec<String>,
    /// The output file; `-` is standard output.
    #[arg(short = 'o', value_name = "OUT", default_value = "-")]
    pub(super) output: String,

    #[command(flatten)]
    pub(super) reading: ReadArgs,
    #[command(flatten)]
    pub(super) pipeline: PipelineArgs,
    #[command(flatten)]
    pub(super) printing: PrintArgs,
    #[command(flatten)]
    pub(super) watching: WatchArgs,
    #[command(flatten)]
    pub(super) diagnostics: DiagnosticArgs,
    #[command(flatten)]
    pub(super) lists: ListArgs,
    /// The error for a flag of `mlir-opt` that has another counterpart here.
    #[arg(skip)]
    pub(super) elsewhere: Option<Diagnostic>,
}

#[derive(Args)]
#[command(next_help_heading = "Reading")]
pub(super) struct ReadArgs {
    /// Process a random module from the loaded dialects instead of files; the number is the seed.
    #[arg(long, value_name = "NUMBER", conflicts_with = "files")]
    pub(super) generate: Option<u64>,
    /// The language of the input, by default determined by the file's extension: mlir, knossos, relay, iexpr.
    #[arg(long, value_name = "LANGUAGE")]
    pub(super) language: Option<String>,
    /// Accept operations of dialects that are not loaded.
    #[arg(long)]
    allow_unregistered_dialect: bool,
    /// Expect a single top-level operation of any kind, without inserting a module around it.
    #[arg(long)]
    pub(super) no_implicit_module: bool,
    /// Split files at lines with this marker and process each part independently.
    #[arg(
        long, value_name = "MARKER", num_args = 0..=1, require_equals = true,
        default_missing_value = crate::opt::input::MARKER
    )]
    pub(super) split_input_file: Option<String>,
    /// The marker between printed modules, if there are several.
    #[arg(long, value_name = "MARKER", default_value = crate::opt::input::MARKER)]
    pub(super) output_split_marker: String,
    /// Check that the diagnostics match the comments in the input: `// expected-error@+1 {{text}}`.
    #[arg(long, value_name = "WHICH", value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "all")]
    pub(super) verify_diagnostics: Option<Expectations>,
    /// Check that the parsed module prints to text that parses to the same module.
    #[arg(long)]
    pub(super) verify_roundtrip: bool,
    /// Do not verify the parsed module; passes may fail or produce wrong results for invalid IR.
    #[arg(long)]
    mlir_very_unsafe_disable_verifier_on_parsing: bool,
    /// The type of floats whose width the source does not specify.
    #[arg(long, value_parser = ["f32", "f64"], default_value = "f32")]
    pub(super) float: String,
}

impl ReadArgs {
    pub(super) fn options(&self) -> ParseOptions {
        ParseOptions {
            allow_unregistered: self.allow_unregistered_dialect,
            no_implicit_module: self.no_implicit_module,
            unverified: self.mlir_very_unsafe_disable_verifier_on_parsing,
            compiled: false,
        }
    }
}

#[derive(Args)]
#[command(next_help_heading = "Pipelines")]
pub(super) struct PipelineArgs {
    /// Passes to run, such as `builtin.module(func.func(dce),inline)`.
    #[arg(long, value_name = "PIPELINE")]
    pub(super) pass_pipeline: Option<String>,
    /// Run the pipeline of the reproducer that the input contains, with its threading and verifier options.
    #[arg(long)]
    pub(super) run_reproducer: bool,
    /// Print the pipeline to standard error before it runs, one pass per line.
    #[arg(long)]
    pub(super) dump_pass_pipeline: bool,
    /// Run the verifier after each pass, on the operations that the pass changed.
    #[arg(
        long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_value = "true",
        default_missing_value = "true", value_parser = BoolishValueParser::new(), action = ArgAction::Set
    )]
    pub(super) verify_each: bool,
    /// Use a single thread.
    #[arg(long)]
    pub(super) mlir_disable_threading: bool,
    /// Write a reproducer to this file if the pipeline fails; --run-reproducer runs it.
    #[arg(long, value_name = "FILE")]
    pub(super) mlir_pass_pipeline_crash_reproducer: Option<PathBuf>,
    /// Write a reproducer to this file before the pipeline runs; --run-reproducer runs it.
    #[arg(long, value_name = "FILE")]
    pub(super) mlir_generate_reproducer: Option<PathBuf>,
    /// Restrict the reproducer to the failing pass and the module before that pass.
    #[arg(long, requires = "mlir_pass_pipeline_crash_reproducer")]
    pub(super) mlir_pass_pipeline_local_reproducer: bool,
}

#[derive(Args)]
#[command(next_help_heading = "Lists")]
pub(super) struct ListArgs {
    /// List the dialects with their operations, and the services with the dialects that implement and the passes that query them.
    #[arg(long, value_name = "FORM", value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "text")]
    pub(super) show_dialects: Option<Form>,
    /// List the passes with their options, and the named pipelines.
    #[arg(long, value_name = "FORM", value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "text")]
    pub(super) list_passes: Option<Form>,
    /// Print the reference page of a dialect, or of all dialects, in Markdown, generated from the declarations.
    #[arg(long, value_name = "DIALECT", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub(super) dump_docs: Option<String>,
}
