//! Runs external programs.

use crate::Outcome;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The root of the workspace.
pub fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.ancestors().nth(2).unwrap_or(manifest).to_path_buf()
}

/// A command for the cargo that started this process, run in the root of the workspace.
pub fn cargo(arguments: &[&str]) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(root()).args(arguments);
    command
}

/// The command line as a user would type it.
pub fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let program = program.file_name().unwrap_or(OsStr::new("?")).to_string_lossy().into_owned();
    let arguments = command.get_args().map(|argument| argument.to_string_lossy().into_owned());
    std::iter::once(program).chain(arguments).collect::<Vec<_>>().join(" ")
}

/// Prints and runs a command.
pub fn run(mut command: Command) -> Outcome {
    println!("$ {}", shown(&command));
    let status = command.status().map_err(|error| cannot_start(&command, &error))?;
    if status.success() { Ok(()) } else { Err(format!("'{}' failed: {status}", shown(&command))) }
}

/// Prints and runs a command; forwards its standard output line by line and passes each line to `see`.
pub fn run_watched(mut command: Command, mut see: impl FnMut(&str)) -> Outcome {
    println!("$ {}", shown(&command));
    command.stdout(Stdio::piped());
    let mut child = command.spawn().map_err(|error| cannot_start(&command, &error))?;
    if let Some(output) = child.stdout.take() {
        forward(output, std::io::stdout(), &mut see);
    }
    finish(child, &command)
}

/// Like [`run_watched`], for a program that reports on its standard error.
pub fn run_watched_errors(mut command: Command, mut see: impl FnMut(&str)) -> Outcome {
    println!("$ {}", shown(&command));
    command.stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| cannot_start(&command, &error))?;
    if let Some(output) = child.stderr.take() {
        forward(output, std::io::stderr(), &mut see);
    }
    finish(child, &command)
}

/// Copies lines and passes each to `see`. Errors of writing are ignored, so that a closed destination does not stop the checks.
fn forward(from: impl Read, mut to: impl Write, see: &mut impl FnMut(&str)) {
    let mut reader = BufReader::new(from);
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
        let _shown = to.write_all(&line);
        see(String::from_utf8_lossy(&line).trim_end());
        line.clear();
    }
}

fn finish(mut child: Child, command: &Command) -> Outcome {
    let status = child.wait().map_err(|error| cannot_start(command, &error))?;
    if status.success() { Ok(()) } else { Err(format!("'{}' failed: {status}", shown(command))) }
}

/// Adds the names of the tests that failed to the error of the command that ran them.
pub fn with_failures(outcome: Outcome, failures: &[String]) -> Outcome {
    outcome.map_err(|error| failures.iter().fold(error, |text, name| format!("{text}\n  {name}")))
}

/// Whether a command starts and succeeds; discards its output.
pub fn succeeds(program: &str, arguments: &[&str]) -> bool {
    let status = Command::new(program).args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

fn cannot_start(command: &Command, error: &std::io::Error) -> String {
    format!("cannot start '{}': {error}", command.get_program().to_string_lossy())
}
