//! `own-opt`: `kopt` with an additional dialect and an additional pass.
//!
//! ```console
//! $ own-opt program.mlir --canonicalize --list-calls
//! ```

mod list_calls;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut registry = minoan::registry();
    registry.add(thirdparty_dialect::SaturatingDialect);
    let mut passes = minoan::pass_registry();
    passes.add(|| Box::new(list_calls::ListCalls));
    minoan::opt::main(registry, passes)
}
