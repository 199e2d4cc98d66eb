//! `fixed-opt`: a dialect of fixed-point numbers from start to finish. A type, an attribute, an operation with a region, a
//! pattern, a conversion to integers as a pass, and a driver: `fixed-opt program.mlir --canonicalize --lower-fixed`.

mod dialect;
mod lower;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut registry = minoan::registry();
    registry.add(dialect::FixedDialect);
    let mut passes = minoan::pass_registry();
    passes.add(|| Box::new(lower::LowerFixed));
    minoan::opt::main(registry, passes)
}
