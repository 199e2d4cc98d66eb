//! The references of the languages in `docs/src/languages` agree with the tables of the front ends, and their examples
//! with the interpreter. `MINOAN_BLESS=1` writes the generated parts, which are marked in the pages.

mod iexpr;
mod knossos;
mod relay;

use minoan::{Backend, Failure, Float, Session};
use serde_json::Value;
use std::path::Path;

/// Calls a function of a program; returns the printed result.
fn run(session: &Session, file: &str, text: &str, entry: &str, args: &Value) -> Result<String, String> {
    let result = || -> Result<String, Failure> {
        let program = session.read_text(file, text)?;
        let entry = session.entry(&program, entry, Float::F32)?;
        let args = entry.interface.parse_args(args)?;
        let result = session.run(&entry, &args, Backend::Interpret)?;
        Ok(entry.interface.result_text(&result))
    };
    result().map_err(|failure| {
        let errors = failure.diagnostics.iter();
        errors.map(|error| minoan::diag::render(error, session.sources())).collect()
    })
}

/// Compares the generated part of a page with `text`, or replaces it.
fn page(name: &str, text: &str) {
    const BEGIN: &str = "<!-- generated: MINOAN_BLESS=1 cargo test -p minoan --test all reference:: -->\n";
    const END: &str = "<!-- end of the generated part -->";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/languages").join(name);
    let page = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let (before, rest) = page.split_once(BEGIN).expect("the page marks its generated part");
    let (old, after) = rest.split_once(END).expect("the generated part ends");
    let text = format!("\n{}\n\n", text.trim());
    if std::env::var_os("MINOAN_BLESS").is_some() {
        std::fs::write(&path, format!("{before}{BEGIN}{text}{END}{after}")).expect("the page can be written");
        return;
    }
    let differs = old.lines().zip(text.lines()).find(|(old, new)| old != new);
    let note = "run MINOAN_BLESS=1 cargo test -p minoan --no-default-features --test all reference::";
    assert!(old == text, "{name} is not current: {differs:?}\n{note}");
}
