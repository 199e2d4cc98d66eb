//! Flags of `mlir-opt` that do not exist here: the error names the counterpart.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use minoan_diag::{Diagnostic, nearest};

/// Flags with one counterpart.
struct Elsewhere {
    /// The names; those in the second list take a mandatory value.
    flags: &'static [&'static str],
    with_value: &'static [&'static str],
    counterpart: &'static str,
}

static ELSEWHERE: &[Elsewhere] = &[
    Elsewhere {
        flags: &[
            "convert-to-llvm",
            "convert-arith-to-llvm",
            "convert-cf-to-llvm",
            "convert-func-to-llvm",
            "convert-index-to-llvm",
            "convert-math-to-llvm",
            "convert-vector-to-llvm",
            "finalize-memref-to-llvm",
            "reconcile-unrealized-casts",
            "test-lower-to-llvm",
        ],
        with_value: &[],
        counterpart: "kc build --emit=llvm-dialect FILE lowers to the 'llvm' dialect; the output of --default-pipeline can be \
                      piped into mlir-opt, too",
    },
    Elsewhere {
        flags: &["emit-bytecode", "elide-resource-data-from-bytecode"],
        with_value: &["emit-bytecode-version"],
        counterpart: "the output is text, which mlir-opt --emit-bytecode converts",
    },
    Elsewhere {
        flags: &["debug"],
        with_value: &["debug-only"],
        counterpart: "--debug-patterns logs patterns, --remarks-filter=PASS shows what passes decided and why, and \
                      --mlir-print-ir-after-change what they changed",
    },
    Elsewhere {
        flags: &["help-list", "help-hidden", "help-list-hidden", "print-options", "print-all-options"],
        with_value: &[],
        counterpart: "--help describes all flags, and --list-passes the passes with their options",
    },
    Elsewhere {
        flags: &["print-before-all", "print-after-all", "print-changed", "print-module-scope"],
        with_value: &["print-before", "print-after"],
        counterpart: "--mlir-print-ir-before=PASS, --mlir-print-ir-after=PASS, -before-all, -after-all and -after-change print the IR, \
                      with --mlir-print-ir-module-scope whole modules",
    },
    Elsewhere {
        flags: &["print-pipeline-passes"],
        with_value: &[],
        counterpart: "--dump-pass-pipeline prints the pipeline before it runs",
    },
    Elsewhere {
        flags: &["time-passes", "time-passes-per-run", "track-memory", "stats", "stats-json"],
        with_value: &[],
        counterpart: "--mlir-timing shows the time of each pass, --mlir-pass-statistics what passes count, and --explain=FILE.html the \
                      memory, too",
    },
    Elsewhere {
        flags: &["print-debug-counter"],
        with_value: &["debug-counter"],
        counterpart: "--mlir-debug-counter bisects passes and patterns, and --mlir-print-debug-counter prints the counters",
    },
    Elsewhere {
        flags: &["log-mlir-actions-filter"],
        with_value: &["log-actions-to", "profile-actions-to"],
        counterpart: "--debug-patterns logs patterns, and --trace-file=FILE records when passes ran on which thread",
    },
    Elsewhere {
        flags: &[],
        with_value: &["remark-format", "remark-policy", "remarks-output-file", "remarks-filter-failed"],
        counterpart: "--remarks-filter=PASS prints remarks as diagnostics, --remarks-filter-missed=PASS those about transformations \
                      that were not applied, and --explain=FILE.html shows them beside the IR",
    },
    Elsewhere {
        flags: &["mlir-enable-debugger-hook"],
        with_value: &[],
        counterpart: "--mlir-debug-counter bisects passes and patterns, and --debug-patterns logs patterns",
    },
    Elsewhere {
        flags: &[],
        with_value: &["irdl-file"],
        counterpart: "a dialect is declared in Rust with #[op], as in examples/own-opt; --allow-unregistered-dialect accepts operations \
                      of unknown dialects",
    },
    Elsewhere {
        flags: &[],
        with_value: &["load-dialect-plugin", "load-pass-plugin"],
        counterpart: "dialects and passes are linked into a tool of your own by minoan::opt::main, as in examples/own-opt",
    },
    Elsewhere {
        flags: &[
            "one-shot-bufferize",
            "one-shot-module-bufferize",
            "buffer-deallocation-pipeline",
            "ownership-based-buffer-deallocation",
            "bufferization-lower-deallocations",
            "empty-tensor-to-alloc-tensor",
        ],
        with_value: &[],
        counterpart: "--plan-buffers bufferizes tensors and deallocates buffers, and --verify-ownership checks the result",
    },
    Elsewhere {
        flags: &["buffer-results-to-out-params"],
        with_value: &[],
        counterpart: "--take-destinations lets public functions write their results to buffers of the caller",
    },
    Elsewhere {
        flags: &["buffer-hoisting", "buffer-loop-hoisting"],
        with_value: &[],
        counterpart: "--hoist-buffers hoists allocations out of loops",
    },
    Elsewhere {
        flags: &["linalg-fuse-elementwise-ops", "linalg-fold-unit-extent-dims"],
        with_value: &[],
        counterpart: "--fuse fuses producers into consumers over any iteration domain, and --canonicalize simplifies them",
    },
    Elsewhere {
        flags: &[
            "convert-linalg-to-loops",
            "convert-linalg-to-affine-loops",
            "convert-linalg-to-parallel-loops",
        ],
        with_value: &[],
        counterpart: "--form-kernels, --schedule-kernels and --emit-kernels make loops and vector operations of computations",
    },
    Elsewhere {
        flags: &["scf-forall-to-for", "scf-forall-to-parallel"],
        with_value: &[],
        counterpart: "--apply-patterns=sets=scf-forall-to-loops converts scf.forall on tensors and on buffers",
    },
    Elsewhere {
        flags: &["transform-interpreter"],
        with_value: &[],
        counterpart: "--schedule-kernels chooses the plan of a kernel, and the given plan of a 'schedule.kernel' is checked and emitted",
    },
    Elsewhere {
        flags: &["generate-runtime-verification"],
        with_value: &[],
        counterpart: "front ends check extents and indices in the code that they are lowered to, unless kc is given --no-check-bounds",
    },
    Elsewhere {
        flags: &["affine-loop-fusion", "affine-loop-tile", "affine-loop-unroll", "affine-super-vectorize"],
        with_value: &[],
        counterpart: "--lower-affine converts the operations of 'affine' to 'scf'; the passes of the default pipeline transform these \
                      loops",
    },
];

/// The passes and pipelines that the help of `mlir-opt` 22 lists, including its test passes; one per line, sorted.
static PASSES_OF_MLIR_OPT: &str = include_str!("passes_of_mlir_opt.txt");

/// The options of LLVM's libraries that the help of `mlir-opt` 22 lists because it links them; one on each line, sorted.
static OPTIONS_OF_LLVM: &str = include_str!("options_of_llvm.txt");

/// Whether `mlir-opt` has a pass of this name.
fn is_pass_of_mlir_opt(name: &str) -> bool {
    PASSES_OF_MLIR_OPT.lines().any(|pass| pass == name)
}

/// Whether the help of `mlir-opt` lists a flag of this name that does not exist here.
pub(super) fn is_flag_of_mlir_opt(name: &str) -> bool {
    is_pass_of_mlir_opt(name) || is_option_of_llvm(name)
}

/// Whether `mlir-opt` has an option of LLVM's libraries of this name.
fn is_option_of_llvm(name: &str) -> bool {
    OPTIONS_OF_LLVM.lines().any(|option| option == name)
}

/// The error for a command line that is invalid: it names the tool for a pass that only `mlir-opt` has, and suggests no flag
/// that is an error itself.
pub(super) fn explain(error: &mut clap::Error) -> Option<Diagnostic> {
    if error.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    if let Some(ContextValue::String(given)) = error.get(ContextKind::InvalidArg) {
        let name = given.trim_start_matches('-').split('=').next().unwrap_or(given);
        if is_pass_of_mlir_opt(name) {
            let message = format!("--{name} is a pass of mlir-opt that this tool does not have");
            let help = format!("the output can be piped into mlir-opt: | mlir-opt --{name}");
            return Some(Diagnostic::error(message).help(help));
        }
        if is_option_of_llvm(name) {
            let message = format!("--{name} is an option of LLVM, which this tool does not contain");
            let help = "kc build --emit=llvm-ir FILE writes the code that LLVM's tools opt and llc read, which have such options";
            return Some(Diagnostic::error(message).help(help));
        }
    }
    let is_elsewhere = |flag: &str| {
        let name = flag.trim_start_matches('-');
        ELSEWHERE.iter().flat_map(Elsewhere::names).any(|(known, _)| known == name)
    };
    let given = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(given)) => given.split('=').next().unwrap_or(given).to_owned(),
        _ => String::new(),
    };
    // clap also suggests flags that only have some letters in common.
    let is_wrong = |flag: &str| is_elsewhere(flag) || nearest(&given, [flag]).is_none();
    let suggested = match error.get(ContextKind::SuggestedArg) {
        Some(ContextValue::String(flag)) => is_wrong(flag),
        Some(ContextValue::Strings(flags)) => flags.iter().any(|flag| is_wrong(flag)),
        _ => false,
    };
    if suggested {
        error.remove(ContextKind::SuggestedArg);
        // The usage is that with the suggested flag.
        error.remove(ContextKind::Usage);
    }
    // Files do not start with a dash.
    error.remove(ContextKind::Suggested);
    None
}

impl Elsewhere {
    fn names(&self) -> impl Iterator<Item = (&'static str, bool)> {
        let with_value = self.with_value.iter().map(|&name| (name, true));
        self.flags.iter().map(|&name| (name, false)).chain(with_value)
    }
}

/// Adds the flags, hidden, unless the tool has passes of these names.
pub(super) fn add(mut command: Command) -> Command {
    for (name, with_value) in ELSEWHERE.iter().flat_map(Elsewhere::names) {
        let is_known = command.get_arguments().any(|arg| arg.get_long() == Some(name));
        if !is_known {
            let arg = Arg::new(name).long(name).hide(true).action(ArgAction::Set).value_name("VALUE");
            command = command.arg(match with_value {
                true => arg,
                false => arg.num_args(0..=1).require_equals(true).default_missing_value(""),
            });
        }
    }
    command
}

/// The error for the first of these flags that is given.
pub(super) fn given(matches: &ArgMatches, names: &[String]) -> Option<Diagnostic> {
    ELSEWHERE.iter().find_map(|elsewhere| {
        let mut flags =
            elsewhere.names().map(|(name, _)| name).filter(|name| !names.iter().any(|pass| pass == name));
        let name = flags.find(|name| matches.value_source(name) == Some(ValueSource::CommandLine))?;
        Some(Diagnostic::error(format!("--{name} is not a flag of this tool")).help(elsewhere.counterpart))
    })
}
