//! `kc`: checks, compiles and runs programs.

mod args;
mod build;
mod explain;
mod gradient;
mod opened;
mod run;

use args::{Cli, Command, ProgramArgs};
#[cfg(not(feature = "mlir"))]
use minoan::diag::Diagnostic;
use minoan::{Failure, Session, output, signature as signatures};
use opened::read;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::from_command_line();
    output::report_file_size_limit();
    let mut session = Session::new();
    session.options.progress = true;
    let done = match &cli.command {
        Command::Run(options) => run::run(&mut session, options),
        Command::Build(options) => build::build(&mut session, options),
        Command::Explain(options) => explain::explain(&mut session, options),
        Command::Grad(options) => gradient::grad(&mut session, options),
        Command::Hvp(options) => gradient::hvp(&mut session, options),
        Command::Jacobian(options) => gradient::jacobian(&mut session, options),
        Command::Signature { program, json } => signature(&mut session, program, *json),
        Command::Runtime { output } => runtime(output),
        Command::Check { program } => read(&mut session, program).map(drop),
    };
    output::report(&session, &session.take_warnings());
    let code = output::exit_code(&session, done);
    // The operating system frees the memory of the session and of MLIR's context.
    std::mem::forget(session);
    code
}

#[cfg(feature = "mlir")]
fn runtime(path: &str) -> Result<(), Failure> {
    output::check_binary(path, "a static library", "-o FILE writes it to a file")?;
    output::write(path, &minoan::llvm::runtime_archive())
}

#[cfg(not(feature = "mlir"))]
fn runtime(path: &str) -> Result<(), Failure> {
    Err(Diagnostic::error(format!("cannot write '{path}': this build cannot compile to machine code")).into())
}

fn signature(session: &mut Session, args: &ProgramArgs, json: bool) -> Result<(), Failure> {
    let is_file = std::fs::metadata(&args.files[0]).is_ok_and(|known| known.is_file());
    let bytes = is_file.then(|| std::fs::read(&args.files[0]));
    let functions = match (&args.files[..], bytes) {
        ([_], Some(Ok(bytes))) if signatures::is_library(&bytes) => signatures::of_library(&bytes)?,
        _ => {
            let program = read(session, args)?;
            let (functions, warnings) = session.signatures(&program, args.float.into())?;
            output::report(session, &warnings);
            functions
        }
    };
    if json {
        print_line(&format!("{:#}", signatures::to_json(&functions)))
    } else {
        output::write("-", signatures::to_text(&functions).as_bytes())
    }
}

fn print_line(text: &str) -> Result<(), Failure> {
    output::write("-", format!("{text}\n").as_bytes())
}
