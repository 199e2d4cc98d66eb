//! Flags for the instrumentation of passes: IR printing, timing, statistics, remarks, debug counters.

use super::Form;
use clap::{Args, ValueEnum};
use minoan_ir::text::PrintFlags;
use minoan_pass::{Outcome, PrintIr, PrintWhen, Remark, RemarkKind, Timing};
use regex::Regex;
use std::path::PathBuf;
use std::time::Duration;

/// The form in which times are printed.
#[derive(Clone, Copy, ValueEnum)]
enum TimingDisplay {
    /// One line per name, the longest time first.
    List,
    /// A tree that mirrors the nesting of the pipeline.
    Tree,
}

/// The form in which statistics are printed.
#[derive(Clone, Copy, ValueEnum)]
enum StatisticsDisplay {
    /// One group per pass, summed over its runs and sorted by name.
    List,
    /// One group per run, in the order of the pipeline.
    Pipeline,
}

#[derive(Args)]
#[command(next_help_heading = "Watching passes")]
pub(in crate::opt) struct WatchArgs {
    /// Print the IR before these passes.
    #[arg(long, value_name = "PASSES", value_delimiter = ',')]
    mlir_print_ir_before: Vec<String>,
    /// Print the IR after these passes.
    #[arg(long, value_name = "PASSES", value_delimiter = ',')]
    mlir_print_ir_after: Vec<String>,
    /// Print the IR before each pass.
    #[arg(long)]
    mlir_print_ir_before_all: bool,
    /// Print the IR after each pass.
    #[arg(long)]
    mlir_print_ir_after_all: bool,
    /// Print the IR after a pass only if the pass changed it; without another flag, after every such pass.
    #[arg(long)]
    mlir_print_ir_after_change: bool,
    /// Print the IR after a pass only if the pass failed; without another flag, after every such pass.
    #[arg(long)]
    mlir_print_ir_after_failure: bool,
    /// Print the whole module instead of the operation that the pass runs on.
    #[arg(long)]
    mlir_print_ir_module_scope: bool,
    /// Print the IR to files in this directory, in a tree that mirrors the nesting of operations.
    #[arg(long, value_name = "DIR")]
    mlir_print_ir_tree_dir: Option<PathBuf>,
    /// Debug counters, such as `pass-execution-skip=10,pass-execution-count=5`: skip the first executions of a step, then
    /// limit their number. Steps of pattern drivers are `fold`, `erase-dead`, `apply-pattern` and the names of patterns.
    #[arg(long, value_name = "COUNTERS")]
    pub(in crate::opt) mlir_debug_counter: Option<String>,
    /// Print all debug counters with their values.
    #[arg(long)]
    pub(in crate::opt) mlir_print_debug_counter: bool,
    /// Display execution times.
    #[arg(long)]
    pub(in crate::opt) mlir_timing: bool,
    /// The form in which execution times are displayed.
    #[arg(long, value_name = "DISPLAY", value_enum, default_value = "tree")]
    mlir_timing_display: TimingDisplay,
    /// The format of execution times.
    #[arg(long, value_name = "FORM", value_enum, default_value = "text")]
    mlir_output_format: Form,
    /// Display the statistics of each pass.
    #[arg(long)]
    pub(in crate::opt) mlir_pass_statistics: bool,
    /// The form in which statistics are displayed.
    #[arg(long, value_name = "DISPLAY", value_enum, default_value = "pipeline")]
    mlir_pass_statistics_display: StatisticsDisplay,
    /// Log which patterns are tried on which operations, why they do not match, and what they change.
    #[arg(long)]
    pub(in crate::opt) debug_patterns: bool,
    /// Write a trace of passes and threads to this file, in Chrome's format, which Perfetto displays.
    #[arg(long, value_name = "FILE")]
    pub(in crate::opt) trace_file: Option<PathBuf>,
    /// Write a page for a browser: the source beside the IR after each pass, changes, times, remarks, kernels, buffers.
    #[arg(long, value_name = "FILE")]
    pub(in crate::opt) explain: Option<PathBuf>,
    /// Print the remarks of passes whose name matches a regular expression: transformations that were applied or not, and why.
    #[arg(long, value_name = "REGEX")]
    remarks_filter: Option<Regex>,
    /// Print such remarks about transformations that were applied.
    #[arg(long, value_name = "REGEX")]
    remarks_filter_passed: Option<Regex>,
    /// Print such remarks about transformations that were not applied.
    #[arg(long, value_name = "REGEX")]
    remarks_filter_missed: Option<Regex>,
    /// Print such remarks about facts that decisions depend on.
    #[arg(long, value_name = "REGEX")]
    remarks_filter_analyse: Option<Regex>,
}

impl WatchArgs {
    /// Whether passes compute remarks.
    pub(in crate::opt) fn wants_remarks(&self) -> bool {
        let Self { explain, remarks_filter: all, remarks_filter_passed: passed, .. } = self;
        let filters = [all, passed, &self.remarks_filter_missed, &self.remarks_filter_analyse];
        explain.is_some() || filters.into_iter().any(Option::is_some)
    }

    /// Whether a remark is shown.
    pub(in crate::opt) fn shows(&self, remark: &Remark) -> bool {
        let of_kind = match remark.kind {
            RemarkKind::Passed => &self.remarks_filter_passed,
            RemarkKind::Missed => &self.remarks_filter_missed,
            RemarkKind::Analysis => &self.remarks_filter_analyse,
        };
        [&self.remarks_filter, of_kind].into_iter().flatten().any(|filter| filter.is_match(remark.pass))
    }

    /// The names of passes in flags, with the flag.
    pub(in crate::opt) fn named_passes(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let before = self.mlir_print_ir_before.iter().map(|name| ("--mlir-print-ir-before", name.as_str()));
        before.chain(self.mlir_print_ir_after.iter().map(|name| ("--mlir-print-ir-after", name.as_str())))
    }

    /// The configuration of IR printing.
    pub(in crate::opt) fn print_ir(&self, flags: PrintFlags, assume_verified: bool) -> PrintIr {
        let when = |all: bool, names: &[String]| match names {
            _ if all => PrintWhen::Always,
            [] => PrintWhen::Never,
            names => PrintWhen::Passes(names.to_vec()),
        };
        let mut print = PrintIr::default();
        print.before = when(self.mlir_print_ir_before_all, &self.mlir_print_ir_before);
        print.after = when(self.mlir_print_ir_after_all, &self.mlir_print_ir_after);
        print.after_change = self.mlir_print_ir_after_change;
        print.after_failure = self.mlir_print_ir_after_failure;
        print.module_scope = self.mlir_print_ir_module_scope;
        print.tree = self.mlir_print_ir_tree_dir.clone();
        print.flags = flags;
        print.assume_verified = assume_verified;
        print
    }

    /// The text of the statistics of a run.
    pub(in crate::opt) fn statistics(&self, outcome: &Outcome<'_>) -> String {
        match self.mlir_pass_statistics_display {
            StatisticsDisplay::List => outcome.statistics_list(),
            StatisticsDisplay::Pipeline => outcome.statistics_pipeline(),
        }
    }

    /// The text of the execution times.
    pub(in crate::opt) fn timing(&self, lines: &[Timing], total: Duration) -> String {
        let counted: Duration = lines.iter().map(|line| line.wall).sum();
        let rest = total.saturating_sub(counted);
        let listed = match self.mlir_timing_display {
            TimingDisplay::List => &Timing::by_time(lines)[..],
            TimingDisplay::Tree => lines,
        };
        match self.mlir_output_format {
            Form::Json => format!("{:#}\n", Timing::json(listed, rest, total)),
            Form::Text => Timing::text(listed, rest, total),
        }
    }
}
