//! `toy FILE [ARGUMENTS]`: compiles a program and calls its function `main`; `toy FILE --emit=STAGE` prints it.

use minoan::{Backend, Failure, Float, Session, Stage};
use std::process::ExitCode;

// ANCHOR: tool
fn main() -> ExitCode {
    let session = toy::language::session();
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = match args[..] {
        [file, stage] if stage.starts_with("--emit=") => print(&session, file, &stage["--emit=".len()..]),
        [file] => run(&session, file, "[]"),
        [file, arguments] => run(&session, file, arguments),
        _ => {
            eprintln!("usage: toy FILE [ARGUMENTS | --emit=STAGE]");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(text) => {
            println!("{}", text.trim_end());
            ExitCode::SUCCESS
        }
        Err(failure) => {
            for error in failure.diagnostics.iter() {
                eprint!("{}", minoan::diag::render(error, session.sources()));
            }
            ExitCode::FAILURE
        }
    }
}

/// Calls `main` with arguments in JSON, by the JIT.
fn run(session: &Session, file: &str, arguments: &str) -> Result<String, Failure> {
    let program = session.read(file)?;
    let entry = session.entry(&program, "main", Float::F64)?;
    let arguments = serde_json::from_str(arguments)
        .map_err(|error| minoan::diag::Diagnostic::error(format!("the arguments are not JSON: {error}")))?;
    let args = entry.interface.parse_args(&arguments)?;
    let result = session.run(&entry, &args, Backend::Jit)?;
    Ok(entry.interface.result_text(&result))
}

/// The module at a stage: `source`, `shared`, `schedule` or `buffers`.
fn print(session: &Session, file: &str, stage: &str) -> Result<String, Failure> {
    let program = session.read(file)?;
    let mut module = session.module(&program, &["main"], Float::F64)?;
    session.advance(&mut module, Stage::named(stage)?)?;
    Ok(minoan::ir::text::print_module(&module, &minoan::ir::text::PrintFlags::default()))
}
// ANCHOR_END: tool
