//! `kopt`: the optimizer driver. Parses a module, runs passes and prints it.

/// mimalloc is faster than the system allocator here: modules consist of many small allocations that several threads create and drop.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    minoan::opt::main(minoan::registry(), minoan::pass_registry())
}
