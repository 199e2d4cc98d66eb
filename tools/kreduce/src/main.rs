//! `kreduce`: reduces a module that shows a bug.

use clap::Parser;
use minoan::diag::Diagnostic;
use minoan::ir::{Loc, Module, text};
use minoan::{Failure, Float, Session, output};
use regex::Regex;
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;
use wait_timeout::ChildExt;

/// Reduces a module while it is interesting according to a command.
///
/// As for llvm-reduce, a module is interesting if the command exits with 0. The candidate file
/// replaces `{}` in the command, or is its last argument. With --exit-code and --stderr, a command
/// that fails needs no script:
///
///     kreduce crash.mlir -o small.mlir -- ./is-interesting.sh
///     kreduce crash.mlir -o small.mlir --exit-code 1 --stderr 'did not converge' \
///         -- kopt {} --canonicalize
#[derive(Parser)]
#[command(version, max_term_width = 100, verbatim_doc_comment)]
struct Cli {
    /// Input module; `-` for standard input.
    file: String,
    /// Output file; `-` for standard output.
    #[arg(short = 'o', value_name = "OUT", default_value = "-")]
    output: String,
    /// The exit code of the command for an interesting module; for a signal, 128 plus its number.
    #[arg(long, value_name = "CODE", default_value_t = 0)]
    exit_code: i32,
    /// Require that the command's standard error matches this regular expression.
    #[arg(long, value_name = "REGEX")]
    stderr: Option<Regex>,
    /// Reject candidates for which the command runs longer than this many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    timeout: u64,
    /// Print the module in generic form.
    #[arg(long)]
    mlir_print_op_generic: bool,
    /// Accept operations of unregistered dialects.
    #[arg(long)]
    allow_unregistered_dialect: bool,
    /// The command and its arguments, after `--`.
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<String>,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let session = Session::new();
    let done = run(&cli, &session);
    output::exit_code(&session, done)
}

fn run(cli: &Cli, session: &Session) -> Result<(), Failure> {
    let options = text::ParseOptions {
        allow_unregistered: cli.allow_unregistered_dialect,
        ..text::ParseOptions::default()
    };
    let program = session.read_with(&cli.file, &options)?;
    let module = session.module(&program, &[], Float::F32)?;
    let flags = text::PrintFlags { generic: cli.mlir_print_op_generic, ..text::PrintFlags::default() };

    let folder = tempfile::tempdir().map_err(|error| fault(format!("no temporary folder: {error}")))?;
    let candidate = folder.path().join("candidate.mlir");
    let candidate = candidate.to_string_lossy().into_owned();
    let ends = |module: &Module| -> Result<Ending, Failure> {
        output::write(&candidate, text::print_module(module, &flags).as_bytes())?;
        Ending::of(&cli.command, &candidate, Duration::from_secs(cli.timeout))
    };

    check_input(cli, &ends(&module)?)?;
    let empty = Module::new(module.context(), Loc::UNKNOWN);
    if cli.accepts(&ends(&empty)?) {
        let warning = Diagnostic::warning("the empty module is interesting, too")
            .help("the command should exit with 0 only if the module shows the bug");
        output::report(session, &warning.into());
    }

    let bar = indicatif::ProgressBar::new_spinner();
    let before = minoan_reduce::size(&module);
    let mut failure = None;
    let mut interesting = |module: &Module| match ends(module) {
        Ok(ending) => cli.accepts(&ending),
        Err(error) => {
            failure.get_or_insert(error);
            false
        }
    };
    let mut progress = |at: minoan_reduce::Progress| {
        bar.set_message(format!("{} of {before} operations, {} candidates tried", at.operations, at.tried));
        bar.tick();
    };
    let small = minoan_reduce::reduce(&module, &mut interesting, &mut progress);
    bar.finish_and_clear();
    failure.map_or(Ok(()), Err)?;
    eprintln!("{before} operations became {}", minoan_reduce::size(&small));
    output::write(&cli.output, text::print_module(&small, &flags).as_bytes())
}

impl Cli {
    /// Whether this outcome of the command makes a module interesting.
    fn accepts(&self, ending: &Ending) -> bool {
        let matches = |regex: &Regex| regex.is_match(&ending.stderr);
        ending.code == Some(self.exit_code) && self.stderr.as_ref().is_none_or(matches)
    }
}

/// Checks that the input is interesting.
fn check_input(cli: &Cli, ending: &Ending) -> Result<(), Failure> {
    let Some(code) = ending.code else {
        return Err(fault(format!("the command runs longer than {} s on the input", cli.timeout)));
    };
    let error = if code != cli.exit_code {
        let expected = cli.exit_code;
        let message = format!("the input is not interesting: expected exit code {expected}, found {code}");
        let help = format!("'--exit-code={code}' reduces while the command exits with {code}");
        Diagnostic::error(message).help(help)
    } else if let Some(regex) = cli.stderr.as_ref().filter(|regex| !regex.is_match(&ending.stderr)) {
        Diagnostic::error(format!("the input is not interesting: standard error does not match '{regex}'"))
    } else {
        return Ok(());
    };
    let said = ending.stderr.trim_end();
    Err(if said.is_empty() { error } else { error.note(format!("standard error: {said}")) }.into())
}

fn fault(message: String) -> Failure {
    Diagnostic::error(message).into()
}

/// The outcome of a command.
struct Ending {
    /// The exit code, or 128 plus the signal that ended the command; `None` after a timeout.
    code: Option<i32>,
    stderr: String,
}

impl Ending {
    fn of(command: &[String], file: &str, timeout: Duration) -> Result<Ending, Failure> {
        let (program, args) = command.split_first().expect("clap asks for a command");
        let mut run = Command::new(program);
        run.args(args.iter().map(|arg| arg.replace("{}", file)));
        if !args.iter().any(|arg| arg.contains("{}")) {
            run.arg(file);
        }
        let cannot = |error: std::io::Error| fault(format!("cannot run '{program}': {error}"));
        // A file instead of a pipe, since a full pipe would block the command.
        let mut log = tempfile::tempfile().map_err(cannot)?;
        let stderr = log.try_clone().map_err(cannot)?;
        run.stdin(Stdio::null()).stdout(Stdio::null()).stderr(stderr);
        let mut child = run.spawn().map_err(cannot)?;
        let status = child.wait_timeout(timeout).map_err(cannot)?;
        if status.is_none() {
            // The command may have exited in the meantime.
            let _ = child.kill();
            child.wait().map_err(cannot)?;
        }
        let mut stderr = Vec::new();
        std::io::Seek::rewind(&mut log).map_err(cannot)?;
        std::io::Read::read_to_end(&mut log, &mut stderr).map_err(cannot)?;
        Ok(Ending { code: status.map(code), stderr: String::from_utf8_lossy(&stderr).into_owned() })
    }
}

#[cfg(unix)]
fn code(status: std::process::ExitStatus) -> i32 {
    let signal = std::os::unix::process::ExitStatusExt::signal(&status);
    status.code().unwrap_or_else(|| 128 + signal.unwrap_or(0))
}

#[cfg(not(unix))]
fn code(status: std::process::ExitStatus) -> i32 {
    status.code().unwrap_or(-1)
}
