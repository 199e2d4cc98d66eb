//! `toy-opt`: `kopt` with the dialect and the pass of Toy.

fn main() -> std::process::ExitCode {
    minoan::opt::main(toy::registry(), toy::passes())
}
