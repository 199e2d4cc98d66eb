//! `kc explain`: a page about the compilation of a function.

use crate::args::Source;
use crate::opened::Opened;
use minoan::explain::Recorder;
use minoan::{Failure, Session, output};

#[derive(clap::Args)]
pub(crate) struct Explain {
    #[command(flatten)]
    source: Source,
    /// The page, an HTML file that needs no network; `-` is standard output
    #[arg(short = 'o', long, value_name = "FILE")]
    output: String,
}

/// Compiles the function and writes the page; after an error, the page shows the steps until then.
pub(crate) fn explain(session: &mut Session, options: &Explain) -> Result<(), Failure> {
    let opened = Opened::new(session, &options.source)?;
    opened.check_one_entry()?;
    let recorder = Recorder::new();
    let Opened { program, linked, entry, entries: _, float } = &opened;
    let result = session.explain(program, linked, entry, *float, &recorder);
    if let Err(failure) = &result {
        failure.diagnostics.iter().for_each(|error| recorder.diagnostic(error, session.sources()));
    }
    let title = format!("{} of {}", opened.entry, opened.program.name());
    output::write(&options.output, recorder.page(&title).as_bytes())?;
    result
}
