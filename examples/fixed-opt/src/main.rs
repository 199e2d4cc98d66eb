//! `fixed-opt`: a dialect of fixed-point numbers from start to finish. A type, an attribute, an operation with a region,
//! patterns, a conversion to integers as a pass, a driver (`fixed-opt program.mlir --canonicalize --lower-fixed`), and
//! calls of compiled code (`fixed-opt run program.mlir`).

mod dialect;
mod lower;

use minoan::prelude::*;

fn main() -> ExitCode {
    let (mut registry, mut passes) = (minoan::registry(), minoan::pass_registry());
    registry.add(dialect::FixedDialect);
    passes.add(|| Box::new(lower::lower_fixed()));
    let args: Vec<String> = std::env::args().skip(1).collect();
    match &args[..] {
        [command, file] if command == "run" => minoan::tool(registry, |session| run(session, &passes, file)),
        _ => opt::main(registry, passes),
    }
}

/// Compiles a file and calls its function `main`; prints the result in units.
fn run(session: &Session, passes: &PassRegistry, file: &str) -> Result<(), Failure> {
    let mut module = session.read_module(file)?;
    session.run_passes(&mut module, "canonicalize,lower-fixed", passes)?;
    let entry = session.entry_of(&module, "main")?;
    let result = session.run(&entry, &[], Backend::Jit)?;
    println!("{}", entry.interface.result_text(&result));
    Ok(())
}
