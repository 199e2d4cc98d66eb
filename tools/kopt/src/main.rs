//! `kopt`: reads a module, runs passes, prints it.

use clap::Parser;
use minoan::ir::{Module, text};
use minoan::pass::{PassRegistry, Pipeline};
use minoan::{Failure, Float, Program, Session, output};
use std::process::ExitCode;

/// Reads a module (MLIR's text, or a Knossos program), runs passes over it, and prints it.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Cli {
    /// A `.mlir` or `.ks` file; `-` for standard input.
    #[arg(default_value = "-")]
    file: String,
    /// Passes to run, such as `builtin.module(lower,plan-buffers)`.
    #[arg(long, value_name = "PIPELINE")]
    pass_pipeline: Option<String>,
    /// Where to write; `-` for standard output.
    #[arg(short = 'o', value_name = "OUT", default_value = "-")]
    output: String,
    /// Print the generic form of every operation.
    #[arg(long)]
    mlir_print_op_generic: bool,
    /// Print locations.
    #[arg(long)]
    mlir_print_debuginfo: bool,
    /// Accept operations of dialects that are not loaded.
    #[arg(long)]
    allow_unregistered_dialect: bool,
    /// Do not verify the module after each pass.
    #[arg(long)]
    no_verify_each: bool,
    /// Width of Knossos's Float: 32 or 64.
    #[arg(long, value_parser = ["f32", "f64"], default_value = "f32")]
    float: String,
    /// List the dialects that are loaded, with their operations and the services that they answer.
    #[arg(long)]
    show_dialects: bool,
    /// List the passes.
    #[arg(long)]
    list_passes: bool,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let session = Session::new();
    let passes = minoan::pass_registry();
    if cli.show_dialects {
        show_dialects(&session);
        return ExitCode::SUCCESS;
    }
    if cli.list_passes {
        for pass in passes.all() {
            println!("{:<20} {}", pass.name(), pass.description());
        }
        return ExitCode::SUCCESS;
    }
    match run(&cli, &session, &passes) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            output::report(&session, &failure.diagnostics);
            ExitCode::from(u8::try_from(failure.exit_code).unwrap_or(1))
        }
    }
}

fn run(cli: &Cli, session: &Session, passes: &PassRegistry) -> Result<(), Failure> {
    let pipeline = cli.pass_pipeline.as_deref().map(|text| Pipeline::parse(text, passes)).transpose()?;
    let mut module = read(cli, session)?;
    if let Some(pipeline) = pipeline {
        pipeline.verify_each(!cli.no_verify_each).run(&mut module)?;
    }
    let flags = text::PrintFlags {
        generic: cli.mlir_print_op_generic,
        debuginfo: cli.mlir_print_debuginfo,
        ..text::PrintFlags::default()
    };
    output::write(&cli.output, text::print_module(&module, &flags).as_bytes())
}

fn read(cli: &Cli, session: &Session) -> Result<Module, Failure> {
    let float = if cli.float == "f64" { Float::F64 } else { Float::F32 };
    let options = text::ParseOptions {
        allow_unregistered: cli.allow_unregistered_dialect,
        ..text::ParseOptions::default()
    };
    let program: Program = session.read_with(&cli.file, &options)?;
    session.module(&program, &[], float)
}

fn show_dialects(session: &Session) {
    let ctx = session.context();
    for dialect in ctx.dialects() {
        let services: Vec<&str> = dialect.services().map(|service| service.name).collect();
        println!("{} ({})", dialect.name(), services.join(", "));
        for &kind in dialect.ops() {
            let summary = ctx.spec(kind).map_or("", |spec| spec.summary);
            println!("  {:<32} {summary}", ctx.kind_name(kind));
        }
    }
}
