//! Errors about names that do not exist.

use minoan_diag::{Diagnostic, nearest};
use std::collections::HashSet;

/// The most names that an error lists.
const MAX_LISTED: usize = 10;

/// Adds the most similar name to an error about a name that does not exist; if none is similar, the known names. `kind` is what
/// the names refer to, such as `function`.
///
/// ```
/// use minoan_diag::Diagnostic;
/// use minoan_frontend::with_known_names;
///
/// let error = || Diagnostic::error("there is no function");
/// let similar = with_known_names(error(), "mian", "function", ["main", "helper"]);
/// assert_eq!(similar.to_string(), "error: there is no function\nhelp: did you mean 'main'?");
/// let listed = with_known_names(error(), "loss", "function", ["main", "helper"]);
/// assert_eq!(listed.to_string(), "error: there is no function\nnote: the functions are 'main', 'helper'");
/// let empty = with_known_names(error(), "loss", "function", []);
/// assert_eq!(empty.to_string(), "error: there is no function\nnote: there are no functions");
/// ```
pub fn with_known_names<'a>(
    error: Diagnostic,
    name: &str,
    kind: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Diagnostic {
    // Overloads have one name.
    let mut seen = HashSet::new();
    let known: Vec<&str> = known.into_iter().filter(|&name| seen.insert(name)).collect();
    if let Some(near) = nearest(name, known.iter().copied()) {
        return error.did_you_mean(Some(near));
    }
    let listed: Vec<String> = known.iter().take(MAX_LISTED).map(|name| format!("'{name}'")).collect();
    match (listed.join(", "), known.len() - listed.len()) {
        (_, 0) if known.is_empty() => error.note(format!("there are no {kind}s")),
        (only, 0) if known.len() == 1 => error.note(format!("the only {kind} is {only}")),
        (all, 0) => error.note(format!("the {kind}s are {all}")),
        (some, others) => error.note(format!("the {kind}s are {some} and {others} more")),
    }
}
