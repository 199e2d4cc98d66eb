//! `own-opt`: what `kopt` is, with a dialect and a pass of one's own.
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
