//! Signatures of the functions of programs, modules and libraries.

use crate::{Failure, Float, Program, Session};
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::Module;
use minoan_passes::lower::LowerFrontEnds;
use minoan_passes::materialize_signatures::materialize_signatures;
use minoan_services::FunctionSignature;
use minoan_sip::table::{SYMBOL, TableEntry};
use minoan_sip::{Mode, RawSignature, SipSignature, Structure, pretty};
use object::{Object, ObjectSection, ObjectSymbol};
use serde_json::{Value as Json, json};
use std::fmt::Write;

/// The signatures of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedSignature {
    /// The function's symbol.
    pub name: String,
    /// Its signatures.
    pub signature: FunctionSignature,
}

impl Session {
    /// The signatures of all public functions of a program, in order, and warnings about types that the raw ABI does
    /// not have.
    ///
    /// # Errors
    /// A part of the program cannot be lowered, or an index path is invalid.
    pub fn signatures(
        &self,
        program: &Program,
        float: Float,
    ) -> Result<(Vec<NamedSignature>, Diagnostics), Failure> {
        let mut module = self.module(program, &[], float)?;
        self.run_pass(&mut module, LowerFrontEnds)?;
        let warnings = materialize_signatures(&mut module)?;
        Ok((of_module(&module)?, warnings))
    }
}

/// The signatures in the attributes of the functions of a module.
///
/// # Errors
/// A signature does not match its function.
pub fn of_module(module: &Module) -> Result<Vec<NamedSignature>, Failure> {
    let body = module.body();
    let mut signatures = Vec::new();
    for op in body.block(module.block()).ops().map(|op| body.op(op)) {
        let place = op.loc().place(module.context());
        let read = FunctionSignature::read(op).map_err(|message| Diagnostic::error(message).at(place))?;
        let name = || op.symbol_name().unwrap_or_default().to_owned();
        signatures.extend(read.map(|signature| NamedSignature { name: name(), signature }));
    }
    Ok(signatures)
}

/// Encodes the table of signatures of a shared library.
pub fn table(signatures: &[NamedSignature]) -> Vec<u8> {
    let encode = |named: &NamedSignature| (named.signature.raw.encode(), named.signature.sip.encode());
    let texts: Vec<(String, Vec<u8>)> = signatures.iter().map(encode).collect();
    let entries: Vec<TableEntry<'_>> = signatures
        .iter()
        .zip(&texts)
        .map(|(named, (raw, sip))| TableEntry { name: named.name.as_bytes(), raw: raw.as_bytes(), sip })
        .collect();
    minoan_sip::table::write(&entries)
}

/// Whether bytes are an object file, such as a shared library.
pub fn is_library(bytes: &[u8]) -> bool {
    object::FileKind::parse(bytes).is_ok()
}

/// Decodes the table of signatures of a shared library, without loading the library.
///
/// # Errors
/// The library has no table, or one that is damaged or of another version, or a signature in it is not canonical.
pub fn of_library(bytes: &[u8]) -> Result<Vec<NamedSignature>, Failure> {
    let file = object::File::parse(bytes)
        .map_err(|error| Diagnostic::error(format!("not a shared library: {error}")))?;
    let symbol = file.dynamic_symbols().find(|symbol| symbol.name() == Ok(SYMBOL));
    let section = symbol.as_ref().and_then(|symbol| file.section_by_index(symbol.section_index()?).ok());
    let table = symbol.zip(section).and_then(|(symbol, section)| {
        let data = section.data().ok()?;
        data.get(usize::try_from(symbol.address().checked_sub(section.address())?).ok()?..)
    });
    let table = table.ok_or_else(|| {
        Diagnostic::error(format!(
            "this library carries no table of signatures: it has no data symbol '{SYMBOL}'"
        ))
        .help("'kc build --emit=so' writes one")
    })?;
    let entries = minoan_sip::table::read(table).map_err(|error| Diagnostic::error(error.to_string()))?;
    let mut signatures = Vec::new();
    for TableEntry { name, raw, sip } in entries {
        let name = String::from_utf8_lossy(name).into_owned();
        let refuse = |what: &str, error: minoan_sip::Error| {
            Diagnostic::error(format!("'{what}' of function '{name}' {error}"))
        };
        let raw = RawSignature::parse(raw, Mode::Strict).map_err(|error| refuse("f", error))?.signature;
        let sip = SipSignature::parse(sip, Mode::Strict).map_err(|error| refuse("sip", error))?.signature;
        sip.check_arity(raw.inputs.len(), raw.results.len()).map_err(|error| {
            Diagnostic::error(format!("'sip' of function '{name}' does not match 'f': {error}"))
        })?;
        signatures.push(NamedSignature { name, signature: FunctionSignature { raw, sip } });
    }
    Ok(signatures)
}

/// Signatures as text: the mangled and the pretty form of both signatures of each function.
pub fn to_text(signatures: &[NamedSignature]) -> String {
    let mut out = String::new();
    for NamedSignature { name, signature: FunctionSignature { raw, sip } } in signatures {
        // Writing to a string does not fail.
        let _ = writeln!(out, "{name}\n  f   {}\n      {raw}", raw.encode());
        let _ = writeln!(out, "  sip {}", sip.encode().escape_ascii());
        for (what, structure) in [("inputs", &sip.inputs), ("results", &sip.results)] {
            let shown = shown(structure);
            let text = if structure.is_empty() { " nothing" } else { shown.trim_end() };
            for line in format!("{what}{text}").lines() {
                let _ = writeln!(out, "      {line}");
            }
        }
    }
    out
}

/// Signatures as JSON: an array of objects with `name`, `f`, `raw`, `sip`, and `inputs` and `results` in the pretty form.
/// In `sip`, bytes that are not printable ASCII are escaped.
pub fn to_json(signatures: &[NamedSignature]) -> Json {
    let function = |NamedSignature { name, signature: FunctionSignature { raw, sip } }: &NamedSignature| {
        json!({
            "name": name,
            "f": raw.encode(),
            "raw": raw.to_string(),
            "sip": sip.encode().escape_ascii().to_string(),
            "inputs": shown(&sip.inputs),
            "results": shown(&sip.results),
        })
    };
    Json::Array(signatures.iter().map(function).collect())
}

fn shown(structure: &Structure) -> String {
    String::from_utf8_lossy(&pretty(structure)).into_owned()
}
