//! Arguments of a call, from files and from the command line.

use crate::arrays::{self, Array};
use crate::interface::{Interface, Shape};
use crate::{Failure, output};
use minoan_diag::{Diagnostic, Diagnostics, nearest};
use minoan_services::Datum;
use serde_json::Value as Json;

/// Where the value of one parameter comes from.
enum Given {
    Json(Json),
    Array(Array),
}

/// Arguments as they were given: an array of all in order, or some by name.
#[derive(Default)]
pub struct Inputs {
    /// JSON with all arguments in order.
    whole: Option<Json>,
    /// Values by the names of parameters; the later of two holds.
    named: Vec<(String, Given)>,
    /// What archives hold, which may be more than the function takes.
    archived: Vec<(String, Array)>,
}

impl Inputs {
    /// Adds what one `--inputs` says: a file of JSON (`-` for standard input), an archive `weights.npz`, or
    /// `name=value`, where the value is JSON or `@file`, a `.npy` or JSON file.
    ///
    /// # Errors
    /// A file cannot be read; a second array of all arguments.
    pub fn add(&mut self, text: &str) -> Result<(), Failure> {
        let named = text.split_once('=').filter(|_| !std::path::Path::new(text).exists());
        match named {
            Some((name, value)) => {
                let given = match value.strip_prefix('@') {
                    Some(path) if path.ends_with(".npy") => Given::Array(arrays::read_npy(path)?),
                    Some(path) => Given::Json(read_json(path)?),
                    None => Given::Json(serde_json::from_str(value).map_err(|error| {
                        Diagnostic::error(format!("the value of '{name}' is not valid JSON: {error}"))
                            .help(format!("for a file: {name}=@FILE"))
                    })?),
                };
                self.named.push((name.to_owned(), given));
            }
            None if text.ends_with(".npz") => self.archived.extend(arrays::read_npz(text)?),
            None if self.whole.is_some() => {
                let error = Diagnostic::error(format!("'{text}' gives all arguments once more"));
                return Err(error.help("one by one they are given as name=value").into());
            }
            None => self.whole = Some(read_json(text)?),
        }
        Ok(())
    }

    /// Whether nothing was given.
    pub fn is_empty(&self) -> bool {
        self.whole.is_none() && self.named.is_empty() && self.archived.is_empty()
    }

    /// The arguments of a call.
    ///
    /// # Errors
    /// Values of another type, a parameter without a value, a name that no parameter has.
    pub fn arguments(&self, interface: &Interface) -> Result<Vec<Datum>, Failure> {
        if self.named.is_empty() && self.archived.is_empty() {
            return interface.parse_args(self.whole.as_ref().unwrap_or(&Json::Null));
        }
        let names = interface.param_names();
        let mut errors = Diagnostics::new();
        if self.whole.is_some() {
            errors.push(Diagnostic::error("arguments are given both as an array of all and by name"));
        }
        for (name, _) in self.named.iter().filter(|(name, _)| !names.contains(name)) {
            let near = nearest(name, names.iter().map(String::as_str));
            let error = Diagnostic::error(format!("there is no parameter '{name}'"));
            errors.push(error.did_you_mean(near).note(format!("the parameters are {}", names.join(", "))));
        }
        let mut leaves = Vec::new();
        for (name, shape) in names.iter().zip(&interface.params) {
            if let Err(error) = self.argument(name, shape, &mut leaves) {
                errors.push(error);
            }
        }
        if errors.has_errors() { Err(errors.into()) } else { Ok(leaves) }
    }

    fn argument(&self, name: &str, shape: &Shape, leaves: &mut Vec<Datum>) -> Result<(), Diagnostic> {
        let refuse = |reason: String| Diagnostic::error(format!("parameter '{name}': {reason}"));
        let array = |array: &Array| array.to_datum(shape).map_err(refuse);
        let given = self.named.iter().rev().find(|(has, _)| has == name);
        match (given, self.archived.iter().rev().find(|(has, _)| has == name)) {
            (Some((_, Given::Json(json))), _) => {
                crate::interface::parse(shape, json, &format!("parameter '{name}'"), leaves)
                    .map_err(Diagnostic::error)
            }
            (Some((_, Given::Array(given))), _) | (None, Some((_, given))) => {
                leaves.push(array(given)?);
                Ok(())
            }
            (None, None) => {
                let names = self.archived.iter().map(|(name, _)| name.as_str());
                let error = Diagnostic::error(format!("the parameter '{name}' is not given"));
                Err(error
                    .did_you_mean(nearest(name, names))
                    .help(format!("give it with --inputs {name}=@FILE.npy")))
            }
        }
    }
}

fn read_json(path: &str) -> Result<Json, Failure> {
    let text =
        if path == "-" { std::io::read_to_string(std::io::stdin()) } else { std::fs::read_to_string(path) };
    let text = text.map_err(|error| Diagnostic::error(format!("cannot read '{path}': {error}")))?;
    serde_json::from_str(&text)
        .map_err(|error| Diagnostic::error(format!("'{path}' is not valid JSON: {error}")).into())
}

/// Writes results: `.npy` for one tensor, `.npz` for any number by name, else JSON.
///
/// # Errors
/// The file cannot be written; a result that is no array.
pub fn write_results(path: &str, interface: &Interface, results: &[Datum]) -> Result<(), Failure> {
    if !path.ends_with(".npy") && !path.ends_with(".npz") {
        return output::write(path, format!("{}\n", interface.result_json(results)).as_bytes());
    }
    let mut arrays = Vec::new();
    for ((name, shape), datum) in interface.result_leaves().into_iter().zip(results) {
        let array = Array::of_datum(shape, datum).ok_or_else(|| {
            Diagnostic::error(format!("'{name}' is no tensor of numbers, as '{path}' needs"))
        })?;
        arrays.push((name, array));
    }
    match &arrays[..] {
        [(_, array)] if path.ends_with(".npy") => output::write(path, &array.to_npy()),
        _ if path.ends_with(".npy") => {
            let error =
                Diagnostic::error(format!("'{path}' can hold one tensor, and there are {}", arrays.len()));
            Err(error.help("an archive '.npz' holds several").into())
        }
        _ => output::write(path, &arrays::to_npz(&arrays)?),
    }
}
