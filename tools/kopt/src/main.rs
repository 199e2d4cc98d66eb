//! `kopt`: reads a module, runs passes, prints it.

/// Modules are many small pieces of memory, made and dropped by several threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    minoan::opt::main(minoan::registry(), minoan::pass_registry())
}
