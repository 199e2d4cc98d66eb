//! Arguments of a call, from files and from the command line.

use crate::arrays::{self, Array};
use crate::interface::{Document, Interface, ValueError, ValueType, list_params, read};
use crate::{Failure, output};
use minoan_diag::{Diagnostic, Diagnostics, nearest};
use minoan_frontend::with_known_names;
use minoan_services::Datum;
use std::path::Path;

/// The value of one parameter.
enum Given {
    Json(Document),
    Array(Array),
}

/// Arguments from the command line: an array of all in order, or some by name.
pub struct Inputs {
    /// The option that has the values, for messages.
    option: &'static str,
    /// JSON with all arguments in order.
    whole: Option<Document>,
    /// Values by the names of parameters.
    named: Vec<(String, Given)>,
    /// The arrays of archives, some of which may not be parameters of the function.
    archived: Vec<(String, Array)>,
}

impl Default for Inputs {
    fn default() -> Self {
        Self::of_option("--inputs")
    }
}

impl Inputs {
    /// No arguments yet; messages name the command line option that has the values.
    pub fn of_option(option: &'static str) -> Self {
        Self { option, whole: None, named: Vec::new(), archived: Vec::new() }
    }

    /// Adds the value of one option: a file of JSON (`-` for standard input), an archive `weights.npz`, or
    /// `name=value`, where the value is JSON or `@file`, a `.npy` or JSON file.
    ///
    /// # Errors
    /// A file cannot be read, JSON is invalid, or arguments are given twice.
    pub fn add(&mut self, text: &str) -> Result<(), Failure> {
        let named =
            text.split_once('=').filter(|_| !text.starts_with(['[', '{']) && !Path::new(text).exists());
        match named {
            Some((name, _)) if self.named.iter().any(|(known, _)| known == name) => {
                return Err(Diagnostic::error(format!("the parameter '{name}' is given twice")).into());
            }
            Some((name, value)) => {
                let given = match value.strip_prefix('@') {
                    Some(path) if path.ends_with(".npy") => Given::Array(arrays::read_npy(path)?),
                    Some(path) if path.ends_with(".npz") => {
                        let error = Diagnostic::error(format!(
                            "'{path}' is an archive of arrays, not the value of '{name}'"
                        ));
                        let help =
                            format!("{} {path} takes each parameter from the array of its name", self.option);
                        return Err(error.help(help).into());
                    }
                    Some(path) => Given::Json(read_json(path)?),
                    None => Given::Json(Document::new(None, value).map_err(|mut error| {
                        error.message = format!("the value of '{name}' is {}", error.message);
                        error.help(format!("write {name}=@FILE to read it from a file"))
                    })?),
                };
                self.named.push((name.to_owned(), given));
            }
            None if text.ends_with(".npz") => self.archived.extend(arrays::read_npz(text)?),
            None if self.whole.is_some() => {
                let error = Diagnostic::error(format!("arguments given twice: '{text}'"));
                return Err(error.help("write NAME=VALUE to give a single argument").into());
            }
            // The name of a file is unlikely to begin like an array or an object.
            None if text.starts_with(['[', '{']) && !Path::new(text).exists() => {
                self.whole = Some(Document::new(None, text).map_err(|mut error| {
                    error.message = format!("the value of '{}' is {}", self.option, error.message);
                    error
                })?);
            }
            None => self.whole = Some(read_json(text)?),
        }
        Ok(())
    }

    /// Whether there are no arguments.
    pub fn is_empty(&self) -> bool {
        self.whole.is_none() && self.named.is_empty() && self.archived.is_empty()
    }

    /// Whether arguments are given in order, without their names.
    pub fn has_unnamed(&self) -> bool {
        self.whole.is_some()
    }

    /// The names of the parameters that have a value, those of archives included.
    pub fn names(&self) -> Vec<String> {
        let named = self.named.iter().map(|(name, _)| name);
        named.chain(self.archived.iter().map(|(name, _)| name)).cloned().collect()
    }

    /// The value of a parameter, which is a number or a tensor.
    ///
    /// # Errors
    /// There is none, or it is of another type.
    pub fn value(&self, name: &str, ty: &ValueType) -> Result<Datum, Diagnostic> {
        let mut leaves = Vec::new();
        self.argument(name, ty, &mut leaves)?;
        match (leaves.pop(), leaves.is_empty()) {
            (Some(value), true) => Ok(value),
            _ => Err(Diagnostic::error(format!("parameter '{name}': expected a number or a tensor"))),
        }
    }

    /// The arguments of a call.
    ///
    /// # Errors
    /// Values of another type, a parameter without a value, a name that no parameter has.
    pub fn arguments(&self, interface: &Interface) -> Result<Vec<Datum>, Failure> {
        if self.named.is_empty() && self.archived.is_empty() {
            return match &self.whole {
                Some(document) => interface.read_args(document),
                None => interface.parse_args(&serde_json::Value::Null),
            };
        }
        let names = interface.param_names();
        let mut errors = Diagnostics::new();
        if self.whole.is_some() {
            let error = Diagnostic::error("arguments are given both as an array of all and by name");
            return Err(error.into());
        }
        for (name, _) in self.named.iter().filter(|(name, _)| !names.contains(name)) {
            let near = nearest(name, names.iter().map(String::as_str));
            let error = Diagnostic::error(format!("there is no parameter '{name}'"));
            errors.push(error.did_you_mean(near).note(list_params(&names)));
        }
        let mut leaves = Vec::new();
        for (name, ty) in names.iter().zip(&interface.params) {
            if let Err(error) = self.argument(name, ty, &mut leaves) {
                errors.push(error);
            }
        }
        if errors.has_errors() { Err(errors.into()) } else { Ok(leaves) }
    }

    fn argument(&self, name: &str, ty: &ValueType, leaves: &mut Vec<Datum>) -> Result<(), Diagnostic> {
        let given = self.named.iter().find(|(has, _)| has == name);
        match (given, self.archived.iter().rev().find(|(has, _)| has == name)) {
            (Some((_, Given::Json(json))), _) => {
                read(ty, json.root(), &format!("parameter '{name}'"), leaves)
            }
            (Some((_, Given::Array(array))), _) | (None, Some((_, array))) => {
                let refuse = |reason: ValueError| Diagnostic::error(format!("parameter '{name}': {reason}"));
                leaves.push(array.to_datum(ty).map_err(refuse)?);
                Ok(())
            }
            (None, None) => {
                let option = self.option;
                let error = Diagnostic::error(format!("the parameter '{name}' is not given"));
                let names = self.archived.iter().map(|(name, _)| name.as_str());
                let error = match self.archived.is_empty() {
                    true => error,
                    false => with_known_names(error, name, "array", names),
                };
                Err(error.help(format!("give it with {option} {name}=JSON or {option} {name}=@FILE.npy")))
            }
        }
    }
}

fn read_json(path: &str) -> Result<Document, Failure> {
    let no_text = |_| std::io::Error::other("it is not valid UTF-8");
    let text = crate::files::read(path).and_then(|bytes| String::from_utf8(bytes).map_err(no_text));
    let text = text.map_err(|error| {
        let message = Diagnostic::error(format!("cannot read '{path}': {error}"));
        // A value that is neither an array nor an object.
        let is_value = Document::new(None, path).is_ok();
        match path.strip_prefix('@') {
            _ if Path::new(path).extension().is_some_and(|extension| extension == "npy") => message.help(
                format!("an array file is given by parameter name: NAME=@{}", path.trim_start_matches('@')),
            ),
            _ if is_value => message.help(format!("give all arguments as one JSON array: '[{path}]'")),
            Some(file) => message.help(format!("a file with all arguments is given without '@': {file}")),
            None => message,
        }
    })?;
    let name = if path == "-" { "<stdin>" } else { path };
    Ok(Document::new(Some(name), text)?)
}

/// Writes the result of a call: `.npy` holds one tensor, `.npz` any number of tensors by name, any other file JSON.
///
/// # Errors
/// The file cannot be written, or the result has no form in it.
pub fn write_results(path: &str, interface: &Interface, results: &[Datum]) -> Result<(), Failure> {
    if !path.ends_with(".npy") && !path.ends_with(".npz") {
        Interface::check_printable(results)?;
        return output::write(path, format!("{}\n", interface.result_json_text(results)).as_bytes());
    }
    let mut arrays = Vec::new();
    for ((name, ty), datum) in interface.result_leaves().into_iter().zip(results) {
        let array = Array::of_datum(&ty, datum).ok_or_else(|| {
            let found = ty.describe();
            Diagnostic::error(format!(
                "'{path}' holds tensors of NumPy's number types, but '{name}' is {found}"
            ))
        })?;
        arrays.push((name, array));
    }
    match &arrays[..] {
        [(_, array)] if path.ends_with(".npy") => output::write(path, &array.to_npy()),
        _ if path.ends_with(".npy") => {
            let error =
                Diagnostic::error(format!("'{path}' can hold one tensor, but there are {}", arrays.len()));
            Err(error.help("write an archive '.npz', which holds several").into())
        }
        _ => output::write(path, &arrays::to_npz(&arrays)?),
    }
}
