//! Runs external programs.

use crate::Outcome;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The root of the workspace.
pub fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.ancestors().nth(2).unwrap_or(manifest).to_path_buf()
}

/// The cargo that started this process, in the root of the workspace.
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

/// Prints and runs a command; forwards its output line by line and passes each line to `see`.
pub fn run_watched(mut command: Command, mut see: impl FnMut(&str)) -> Outcome {
    println!("$ {}", shown(&command));
    command.stdout(Stdio::piped());
    let mut child = command.spawn().map_err(|error| cannot_start(&command, &error))?;
    if let Some(output) = child.stdout.take() {
        let mut reader = BufReader::new(output);
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
            // A closed standard output must not stop the checks.
            let _shown = std::io::stdout().write_all(&line);
            see(String::from_utf8_lossy(&line).trim_end());
            line.clear();
        }
    }
    let status = child.wait().map_err(|error| cannot_start(&command, &error))?;
    if status.success() { Ok(()) } else { Err(format!("'{}' failed: {status}", shown(&command))) }
}

/// Whether a command starts and succeeds; discards its output.
pub fn succeeds(program: &str, arguments: &[&str]) -> bool {
    let status = Command::new(program).args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

fn cannot_start(command: &Command, error: &std::io::Error) -> String {
    format!("cannot start '{}': {error}", command.get_program().to_string_lossy())
}
