//! `minoan-lsp`: the language server, on standard input and output.

use clap::Parser;
use lsp_server::Connection;
use std::process::ExitCode;

/// Language server for Knossos (.ks), Relay (.relay), i-expressions (.iexpr) and MLIR (.mlir).
///
/// Speaks the Language Server Protocol on standard input and output; editors start it.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Cli {
    /// Accepted for compatibility with editors that pass it; standard input and output are always used
    #[arg(long)]
    stdio: bool,
}

fn main() -> ExitCode {
    let Cli { stdio: _ } = Cli::parse();
    let (connection, threads) = Connection::stdio();
    let result = minoan_lsp::serve(&connection);
    // The writer ends when the last sender is dropped.
    drop(connection);
    let joined = threads.join();
    match (result, joined) {
        (Ok(true), _) => ExitCode::SUCCESS,
        (Ok(false), _) => ExitCode::FAILURE,
        (Err(error), _) => {
            eprintln!("minoan-lsp: {error}");
            ExitCode::FAILURE
        }
    }
}
