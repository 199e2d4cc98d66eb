//! The command line.

mod command;
mod diagnostics;
mod printing;
mod watching;

pub(super) use command::from_command_line;

use clap::{ArgAction, Args, ValueEnum, builder::BoolishValueParser};
use diagnostics::DiagnosticArgs;
use minoan_diag::Diagnostic;
use minoan_ir::text::ParseOptions;
use printing::PrintArgs;
use std::path::PathBuf;
use watching::WatchArgs;

/// How lists and times are written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Form {
    Text,
    Json,
}

/// What `--verify-diagnostics` looks at.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Expectations {
    /// Every diagnostic must be expected.
    All,
    /// What is expected must come; other diagnostics may.
    OnlyExpected,
}

#[derive(Args)]
pub(super) struct Flags {
    /// Files in the language that the ending of their name says; `-` for standard input.
    #[arg(default_value = "-")]
    pub(super) files: Vec<String>,
    /// Where to write; `-` for standard output.
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
    #[command(flatten)]
    pub(super) elsewhere: ElsewhereArgs,
}

#[derive(Args)]
#[command(next_help_heading = "Reading")]
pub(super) struct ReadArgs {
    /// Work on a random module of what the loaded dialects generate, instead of files: the same number gives the same
    /// module.
    #[arg(long, value_name = "NUMBER", conflicts_with = "files")]
    pub(super) generate: Option<u64>,
    /// The language that the input is written in, whatever the names of its files: mlir, knossos, relay, iexpr.
    #[arg(long, value_name = "LANGUAGE")]
    pub(super) language: Option<String>,
    /// Accept operations of dialects that are not loaded.
    #[arg(long)]
    allow_unregistered_dialect: bool,
    /// A file must be one operation, of any kind; no module is put around it.
    #[arg(long)]
    pub(super) no_implicit_module: bool,
    /// Cut files at lines with this marker, and work on each part by itself: an error in one does not stop the others.
    #[arg(
        long, value_name = "MARKER", num_args = 0..=1, require_equals = true,
        default_missing_value = crate::opt::input::MARKER
    )]
    pub(super) split_input_file: Option<String>,
    /// What stands between the modules that are printed, where there are several.
    #[arg(long, value_name = "MARKER", default_value = crate::opt::input::MARKER)]
    pub(super) output_split_marker: String,
    /// Check that the diagnostics are those that comments in the input expect: `// expected-error@+1 {{text}}`.
    #[arg(long, value_name = "WHICH", value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "all")]
    pub(super) verify_diagnostics: Option<Expectations>,
    /// Check that what is read prints to text that reads back the same.
    #[arg(long)]
    pub(super) verify_roundtrip: bool,
    /// Do not verify what is read: a pass that meets what it need not expect may do anything.
    #[arg(long)]
    mlir_very_unsafe_disable_verifier_on_parsing: bool,
    /// Width of the floats whose width the source leaves open: 32 or 64.
    #[arg(long, value_parser = ["f32", "f64"], default_value = "f32")]
    pub(super) float: String,
}

impl ReadArgs {
    pub(super) fn options(&self) -> ParseOptions {
        ParseOptions {
            allow_unregistered: self.allow_unregistered_dialect,
            no_implicit_module: self.no_implicit_module,
            unverified: self.mlir_very_unsafe_disable_verifier_on_parsing,
        }
    }
}

#[derive(Args)]
#[command(next_help_heading = "Pipelines")]
pub(super) struct PipelineArgs {
    /// Passes to run, such as `builtin.module(func.func(dce),inline)`.
    #[arg(long, value_name = "PIPELINE")]
    pub(super) pass_pipeline: Option<String>,
    /// Run what the input says as a reproducer: pipeline, threads, verifier.
    #[arg(long)]
    pub(super) run_reproducer: bool,
    /// Print the pipeline that will be run, a line for each pass, to standard error.
    #[arg(long)]
    pub(super) dump_pass_pipeline: bool,
    /// Verify what a pass changed after each pass.
    #[arg(
        long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_value = "true",
        default_missing_value = "true", value_parser = BoolishValueParser::new(), action = ArgAction::Set
    )]
    pub(super) verify_each: bool,
    /// Run everything on one thread.
    #[arg(long)]
    pub(super) mlir_disable_threading: bool,
    /// Write a run that fails to this file, so that it can be run again with --run-reproducer.
    #[arg(long, value_name = "FILE")]
    pub(super) mlir_pass_pipeline_crash_reproducer: Option<PathBuf>,
    /// Write every run to this file before it begins, so that it can be run again with --run-reproducer.
    #[arg(long, value_name = "FILE")]
    pub(super) mlir_generate_reproducer: Option<PathBuf>,
    /// In the reproducer, only the pass that fails, on the module as it was before that pass.
    #[arg(long, requires = "mlir_pass_pipeline_crash_reproducer")]
    pub(super) mlir_pass_pipeline_local_reproducer: bool,
}

#[derive(Args)]
#[command(next_help_heading = "Lists")]
pub(super) struct ListArgs {
    /// List the dialects with their operations, and the services with who answers and who needs them.
    #[arg(long, value_name = "FORM", value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "text")]
    pub(super) show_dialects: Option<Form>,
    /// List the passes with their options, and the named pipelines.
    #[arg(long, value_name = "FORM", value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "text")]
    pub(super) list_passes: Option<Form>,
    /// Print the reference page of a dialect, or of all dialects, in Markdown, generated from the declarations.
    #[arg(long, value_name = "DIALECT", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub(super) dump_docs: Option<String>,
}

/// Flags of `mlir-opt` whose work something else does.
#[derive(Args)]
pub(super) struct ElsewhereArgs {
    #[arg(long, hide = true, value_name = "OPTIONS", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    convert_to_llvm: Option<String>,
    #[arg(long, hide = true)]
    emit_bytecode: bool,
    #[arg(long, hide = true, value_name = "VERSION")]
    emit_bytecode_version: Option<String>,
    #[arg(long, hide = true, value_name = "TYPES")]
    debug_only: Option<String>,
    #[arg(long, hide = true)]
    debug: bool,
    #[arg(long, hide = true, value_name = "FILE")]
    irdl_file: Option<String>,
}

impl ElsewhereArgs {
    /// The error for a flag that is given: what does its work.
    pub(super) fn check(&self) -> Result<(), Diagnostic> {
        let Self { convert_to_llvm, emit_bytecode, emit_bytecode_version, debug_only, debug, irdl_file } =
            self;
        let (flag, help) = match () {
            () if convert_to_llvm.is_some() => (
                "--convert-to-llvm",
                "kc build --emit=llvm-dialect FILE lowers to the 'llvm' dialect; the output of --default-pipeline \
                 can be piped into mlir-opt, too",
            ),
            () if *emit_bytecode || emit_bytecode_version.is_some() => {
                ("--emit-bytecode", "the output is text, which mlir-opt --emit-bytecode converts")
            }
            () if debug_only.is_some() || *debug => (
                "--debug-only",
                "--debug-patterns logs patterns, --remarks-filter=PASS shows what passes decided and why, and \
                 --mlir-print-ir-after-change what they changed",
            ),
            () if irdl_file.is_some() => (
                "--irdl-file",
                "a dialect is declared in Rust with #[op], as in examples/own-opt; --allow-unregistered-dialect accepts \
                 operations of unknown dialects",
            ),
            () => return Ok(()),
        };
        Err(Diagnostic::error(format!("{flag} is not a flag of this tool")).help(help))
    }
}
