//! `fixed-opt`: a dialect of fixed-point numbers from start to finish. A type, an attribute, an operation with a region,
//! patterns, a conversion to integers as a pass, a driver (`fixed-opt program.mlir --canonicalize --lower-fixed`), and
//! calls of compiled code (`fixed-opt run program.mlir`).

mod dialect;
mod lower;

use minoan::ir::{Context, Registry};
use minoan::pass::{PassManager, PassRegistry, Pipeline};
use minoan::{Backend, Failure, Float, Session};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut registry = minoan::registry();
    registry.add(dialect::FixedDialect);
    let mut passes = minoan::pass_registry();
    passes.add(|| Box::new(lower::LowerFixed));
    let args: Vec<String> = std::env::args().skip(1).collect();
    match &args[..] {
        [command, file] if command == "run" => match run(registry, &passes, file) {
            Ok(result) => println!("{result}"),
            Err(failure) => {
                eprintln!("{failure}");
                return ExitCode::FAILURE;
            }
        },
        _ => return minoan::opt::main(registry, passes),
    }
    ExitCode::SUCCESS
}

/// Compiles a file and calls its function `main`; the result is in units.
fn run(registry: Registry, passes: &PassRegistry, file: &str) -> Result<String, Failure> {
    let session = Session::with_context(Context::new(registry).expect("every name is declared once"));
    let program = session.read(file)?;
    let mut module = session.into_module(program, &[], Float::F32)?;
    let pipeline = Pipeline::parse("builtin.module(canonicalize,lower-fixed)", passes, session.sources())?;
    PassManager::new(&pipeline).run(&mut module).into_result()?;
    let entry = session.entry_of(&module, "main")?;
    let result = session.run(&entry, &[], Backend::Jit)?;
    Ok(entry.interface.result_text(&result))
}
