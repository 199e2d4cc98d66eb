//! The pass driver as a library, for tools like `kopt` with further dialects and passes.
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! fn main() -> ExitCode {
//!     let (registry, passes) = (minoan::registry(), minoan::pass_registry());
//!     // registry.add(MyDialect); passes.add(|| Box::new(MyPass));
//!     minoan::opt::main(registry, passes)
//! }
//! ```
//!
//! The driver parses a module or a program of a front end, or generates a random module (`--generate`), runs the passes
//! of `--pass-pipeline` or of flags in their order, and prints the module. Flags are spelled like those of `mlir-opt`,
//! with one dash or two. The exit code is 0 on success and 1 otherwise: after an error in a program or a pass, a mismatch
//! of `--verify-diagnostics`, an invalid command line.

mod drive;
mod expect;
mod flags;
mod input;
pub(crate) mod progress;
mod roundtrip;
mod trace;

use crate::{Failure, Session, docs, listing, output};
use drive::Driver;
use flags::{Flags, Form};
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::{Context, Registry};
use minoan_pass::PassRegistry;
use std::io::Write;
use std::process::ExitCode;

/// The `main` of the tool: parses the command line, processes the input, and reports diagnostics.
pub fn main(registry: Registry, passes: PassRegistry) -> ExitCode {
    main_with(registry, passes, |_| ())
}

/// Like [`main()`], with a session that `configure` has added languages to.
pub fn main_with(registry: Registry, passes: PassRegistry, configure: impl FnOnce(&mut Session)) -> ExitCode {
    let (flags, given) = match flags::from_command_line(&passes) {
        Ok(read) => read,
        Err(code) => return code,
    };
    if flags.pipeline.mlir_disable_threading {
        // The pass manager keeps to one thread even if a thread pool exists.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global();
    }
    let ctx = match Context::new(registry) {
        Ok(ctx) => ctx,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::FAILURE;
        }
    };
    minoan_diag::trace_diagnostics(flags.diagnostics.mlir_print_stacktrace_on_diagnostic);
    ctx.print_op_on_diagnostic(flags.diagnostics.prints_op(flags.reading.verify_diagnostics.is_some()));
    let mut session = Session::with_context(ctx);
    configure(&mut session);
    let language = session.set_language(flags.reading.language.as_deref());
    let checked = language.and_then(|()| flags.elsewhere.clone().map_or(Ok(()), |error| Err(error.into())));
    let listed = checked.and_then(|()| list(&flags, session.context(), &passes));
    let result = listed.and_then(|listed| match listed {
        Some(list) => output::write("-", list.as_bytes()).map(|()| true),
        None => run(&flags, &given, &session, &passes),
    });
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(failure) => {
            flags.diagnostics.report(&session, &failure.diagnostics);
            ExitCode::FAILURE
        }
    }
}

/// The listing that the flags request, if any.
fn list(flags: &Flags, ctx: &Context, passes: &PassRegistry) -> Result<Option<String>, Failure> {
    match flags.lists.dump_docs.as_deref() {
        Some("") => return Ok(Some(docs::all_pages(ctx))),
        Some(dialect) => return Ok(Some(docs::dialect_page(ctx, dialect)?)),
        None => {}
    }
    let (dialects, listed) = (flags.lists.show_dialects, flags.lists.list_passes);
    Ok(Some(match (dialects, listed) {
        (Some(Form::Text), _) => listing::dialects_text(ctx, passes),
        (Some(Form::Json), _) => format!("{:#}\n", listing::dialects_json(ctx, passes)),
        (None, Some(Form::Text)) => listing::passes_text(passes),
        (None, Some(Form::Json)) => format!("{:#}\n", listing::passes_json(passes)),
        (None, None) => return Ok(None),
    }))
}

/// Processes all inputs, part by part. Returns whether all succeeded; an error ends the run.
fn run(flags: &Flags, given: &[String], session: &Session, passes: &PassRegistry) -> Result<bool, Failure> {
    let tracing = flags.watching.trace_file.as_deref().map(trace::start).transpose()?;
    let mut driver = Driver::new(flags, given, session, passes)?;
    let marker = flags.reading.split_input_file.as_deref();
    let mut parts = Vec::new();
    let generated = flags.reading.generate.map(|seed| input::generated(session, seed)).transpose()?;
    let files = if generated.is_some() { &[][..] } else { &flags.files };
    generated.iter().for_each(|&file| driver.explain_source(file));
    parts.extend(generated);
    for path in files {
        let file = driver.timed("Parser", |_| session.open(path))?;
        driver.explain_source(file);
        let (found, warnings) = input::parts(session, file, marker);
        flags.diagnostics.report(session, &warnings);
        parts.extend(found);
    }
    let mut out = output::Output::create(&flags.output)?;
    let between = &flags.reading.output_split_marker;
    let mut ok = true;
    for (index, part) in parts.into_iter().enumerate() {
        if index > 0 && !between.is_empty() {
            writeln!(out, "{between}").map_err(|error| out.failure(&error))?;
        }
        let mut said = Diagnostics::new();
        let done = driver.part(part, &mut out, &mut said).map_err(|error| out.failure(&error))?;
        ok &= match flags.reading.verify_diagnostics {
            None => {
                flags.diagnostics.report(session, &said);
                done
            }
            Some(which) => {
                let differences = expect::check(&said, session.sources(), part, which);
                flags.diagnostics.report(session, &differences);
                differences.is_empty()
            }
        };
    }
    if ok {
        driver.timed("Output", |_| out.keep())?;
    }
    driver.explain(&flags.files.join(" "))?;
    driver.finish();
    if let Some(tracing) = tracing {
        tracing.finish().map_err(|error| {
            let file = flags.watching.trace_file.as_deref().unwrap_or("-".as_ref()).display();
            Diagnostic::error(format!("cannot write '{file}': {error}"))
        })?;
    }
    Ok(ok)
}
