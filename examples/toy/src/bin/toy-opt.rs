//! `toy-opt`: `kopt` with the dialect, the pass and the language of Toy.

fn main() -> std::process::ExitCode {
    minoan::opt::main_with(toy::registry(), toy::passes(), |session| session.add_language(toy::language::Toy))
}
