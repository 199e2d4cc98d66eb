//! `kc run`: executes a function and prints its result.

use crate::args::{BackendArg, Format, Run};
use crate::build::text_at;
use crate::opened::Opened;
use crate::print_line;
use minoan::diag::Diagnostic;
use minoan::inputs::write_results;
use minoan::interface::Interface;
use minoan::{Datum, Entry, Failure, Session, Stage};

pub(crate) fn run(session: &mut Session, options: &Run) -> Result<(), Failure> {
    let opened = Opened::new(session, &options.source)?;
    opened.check_one_entry()?;
    if options.emit == Some(Stage::FrontEnd) {
        eprint!("{}", opened.source_text(session)?);
    }
    let entry = opened.entry(session)?;
    if let Some(stage) = options.emit.filter(|&stage| stage != Stage::FrontEnd) {
        eprint!("{}", text_at(session, &entry.module, stage)?);
    }
    let args = opened.arguments(&entry, &options.inputs)?;
    options.execution.set_threads();
    let results = execute(session, &entry, &args, options.execution.backend, options.memory_check)?;
    if let Some(path) = &options.output {
        return write_results(path, &entry.interface, &results);
    }
    if opened.program.shows_result(&opened.entry) {
        Interface::check_printable(&results)?;
        match options.format {
            Format::Text => print_line(&entry.interface.result_text(&results))?,
            Format::Json => print_line(&entry.interface.result_json_text(&results))?,
        }
    }
    Ok(())
}

/// The results of a run. With memory checks, the runtime checks its use, and the allocations are printed.
#[cfg(feature = "mlir")]
pub(crate) fn execute(
    session: &Session,
    entry: &Entry,
    args: &[Datum],
    backend: BackendArg,
    memory_check: bool,
) -> Result<Vec<Datum>, Failure> {
    if !memory_check {
        return session.run(entry, args, backend.into());
    }
    if !matches!(backend, BackendArg::Jit) {
        let error = Diagnostic::error("'--memory-check' requires '--backend=jit'");
        return Err(error.help("'--backend=interpret-buffers' always checks buffers").into());
    }
    let (results, report) = session.run_checked(entry, args)?;
    eprintln!("{report}");
    Ok(results)
}

#[cfg(not(feature = "mlir"))]
pub(crate) fn execute(
    session: &Session,
    entry: &Entry,
    args: &[Datum],
    backend: BackendArg,
    _: bool,
) -> Result<Vec<Datum>, Failure> {
    session.run(entry, args, backend.into())
}
