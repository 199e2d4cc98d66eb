//! Arguments and results in the structure of a function's `sip` signature: arrays for sequences, objects for
//! dictionaries.

use super::document::Node;
use super::write::tuple_text;
use super::{ValueType, read};
use minoan_diag::{Diagnostic, Diagnostics, nearest};
use minoan_services::Datum;
use minoan_sip::{Container, Key, NodeRef, Path, Side, SipSignature, Structure};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// Upper bound on the depth of a structure: most readers of JSON stop at 128.
const DEEPEST: usize = 100;
/// Upper bound on the length of a sequence, which is an array up to its largest key with nulls in the gaps.
const LONGEST: i32 = 1 << 16;

/// Checks that values of a structure have a form in JSON.
pub(crate) fn check(signature: &SipSignature) -> Result<(), Diagnostic> {
    let refuse = |reason: String| {
        Err(Diagnostic::error(format!("values in the structure of 'sip' have no form in JSON: {reason}")))
    };
    for (structure, side) in [(&signature.inputs, Side::Inputs), (&signature.results, Side::Results)] {
        if structure.depth() > DEEPEST {
            return refuse(format!("the {side} nest {} deep, and {DEEPEST} is the most", structure.depth()));
        }
        for (path, _) in structure.paths() {
            for key in &path {
                match key {
                    Key::Index(index) if *index >= LONGEST => {
                        return refuse(format!("{side}{} follows too large a key", Path(&path)));
                    }
                    Key::Name(name) if std::str::from_utf8(name).is_err() => {
                        return refuse(format!("{side}{} has a key that is not UTF-8", Path(&path)));
                    }
                    _ => {}
                }
            }
        }
    }
    Ok(())
}

/// The raw arguments from JSON; `types` has one for each.
///
/// # Errors
/// Every key that is missing, unknown, repeated or misplaced, and every value of another type, with its path.
pub(crate) fn pack(
    structure: &Structure,
    types: &[ValueType],
    json: Node<'_>,
) -> Result<Vec<Datum>, Diagnostics> {
    let slots = vec![None; types.len()];
    let mut packing = Packing { structure, types, slots, errors: Diagnostics::new() };
    match structure.root() {
        Some(root) => packing.value(root, json, &mut Vec::new()),
        None if json.is_null() || json.array().is_some_and(|values| values.is_empty()) => {}
        None => packing.error(json, &[], "the function takes no arguments"),
    }
    if packing.errors.has_errors() {
        return Err(packing.errors);
    }
    // The signature was checked to place each raw value.
    Ok(packing.slots.into_iter().flatten().collect())
}

struct Packing<'a> {
    structure: &'a Structure,
    types: &'a [ValueType],
    slots: Vec<Option<Datum>>,
    errors: Diagnostics,
}

impl Packing<'_> {
    fn error(&mut self, json: Node<'_>, path: &[Key], message: &str) {
        self.errors.push(json.error(format!("{}: {message}", place(path))));
    }

    fn value(&mut self, node: NodeRef<'_>, json: Node<'_>, path: &mut Vec<Key>) {
        let expected = match node.container() {
            None => return self.leaf(node, json, path),
            Some(Container::Sequence) => match json.array() {
                Some(values) => return self.sequence(node, json, &values, path),
                None => "an array",
            },
            Some(Container::Dictionary) => match json.object() {
                Some(Ok(entries)) => return self.dictionary(node, json, &entries, path),
                Some(Err(error)) => return self.errors.push(error),
                None => "an object",
            },
        };
        self.error(json, path, &format!("expected {expected}, found {}", json.describe()));
    }

    fn leaf(&mut self, node: NodeRef<'_>, json: Node<'_>, path: &[Key]) {
        let index = node.raw().and_then(|index| usize::try_from(index).ok());
        let Some((ty, index)) = index.and_then(|index| Some((self.types.get(index)?, index))) else {
            return;
        };
        let mut leaves = Vec::new();
        match read(ty, json, &place(path), &mut leaves) {
            Ok(()) => self.slots[index] = leaves.pop(),
            Err(error) => self.errors.push(error),
        }
    }

    fn sequence(&mut self, node: NodeRef<'_>, json: Node<'_>, values: &[Node<'_>], path: &mut Vec<Key>) {
        let mut next = 0;
        for child in node.children() {
            let Some(&Key::Index(index)) = child.key() else { continue };
            let at = usize::try_from(index).unwrap_or(usize::MAX);
            self.gaps(values, next..at.min(values.len()), path);
            path.push(Key::Index(index));
            match values.get(at) {
                Some(&value) => self.value(child, value, path),
                None => self.missing(json, child, path),
            }
            path.pop();
            next = at + 1;
        }
        if values.len() > next {
            let found = values.len();
            self.error(json, path, &format!("expected an array of {next} values, found {found}"));
        }
    }

    /// Checks that unused indices hold null.
    fn gaps(&mut self, values: &[Node<'_>], gap: std::ops::Range<usize>, path: &mut Vec<Key>) {
        for at in gap {
            if !values[at].is_null() {
                path.push(Key::Index(i32::try_from(at).unwrap_or(i32::MAX)));
                self.error(values[at], path, "expected null for the unused index");
                path.pop();
            }
        }
    }

    fn dictionary(
        &mut self,
        node: NodeRef<'_>,
        json: Node<'_>,
        entries: &[(String, Node<'_>)],
        path: &mut Vec<Key>,
    ) {
        let values: FxHashMap<&str, Node<'_>> =
            entries.iter().map(|(key, value)| (key.as_str(), *value)).collect();
        let mut known = Vec::new();
        for child in node.children() {
            let Some(Key::Name(name)) = child.key() else { continue };
            let Ok(text) = std::str::from_utf8(name) else { continue };
            known.push(text);
            path.push(Key::Name(name.clone()));
            match values.get(text) {
                Some(&value) => self.value(child, value, path),
                None => self.missing(json, child, path),
            }
            path.pop();
        }
        let is_known: FxHashSet<&str> = known.iter().copied().collect();
        for (key, value) in entries.iter().filter(|(key, _)| !is_known.contains(key.as_str())) {
            let unexpected = value.error(format!("{}: unexpected key {key:?}", place(path)));
            let home = self.home(key).filter(|home| *home != path[..]);
            self.errors.push(match home {
                Some(home) => unexpected.help(format!("{key:?} belongs to {}", place(&home))),
                None => unexpected.did_you_mean(nearest(key, known.iter().copied())),
            });
        }
    }

    fn missing(&mut self, json: Node<'_>, node: NodeRef<'_>, path: &[Key]) {
        let ty = node.raw().and_then(|index| self.types.get(usize::try_from(index).ok()?));
        let expected = match (ty, node.container()) {
            (Some(ty), _) => ty.describe(),
            (None, Some(Container::Dictionary)) => "an object".to_owned(),
            (None, _) => "an array".to_owned(),
        };
        self.error(json, path, &format!("missing: expected {expected}"));
    }

    /// The path of the dictionary that a key belongs to.
    fn home(&self, key: &str) -> Option<Vec<Key>> {
        let key = Key::from(key);
        let mut paths = self.structure.paths().into_iter();
        paths.find_map(|(path, _)| path.iter().position(|have| *have == key).map(|at| path[..at].to_vec()))
    }
}

/// A place among the arguments, for messages.
fn place(path: &[Key]) -> String {
    if path.is_empty() { "the arguments".to_owned() } else { format!("argument {}", Path(path)) }
}

/// Raw results in their structure as JSON; `leaf` returns one of them by its index. `None` if that does.
pub(crate) fn to_json(structure: &Structure, leaf: &dyn Fn(usize) -> Option<Json>) -> Option<Json> {
    fn value(node: NodeRef<'_>, leaf: &dyn Fn(usize) -> Option<Json>) -> Option<Json> {
        Some(match node.container() {
            None => match node.raw().and_then(|index| usize::try_from(index).ok()) {
                Some(index) => leaf(index)?,
                None => Json::Null,
            },
            Some(Container::Sequence) => {
                let mut values = Vec::new();
                for child in node.children() {
                    if let Some(&Key::Index(index)) = child.key() {
                        values.resize(usize::try_from(index).unwrap_or(0), Json::Null);
                    }
                    values.push(value(child, leaf)?);
                }
                Json::Array(values)
            }
            Some(Container::Dictionary) => {
                let entries = node.children().map(|child| Some((name(child), value(child, leaf)?)));
                Json::Object(entries.collect::<Option<_>>()?)
            }
        })
    }
    structure.root().map_or(Some(Json::Null), |root| value(root, leaf))
}

/// Raw results in their structure as the text of JSON.
pub(crate) fn to_json_text(structure: &Structure, leaf: &dyn Fn(usize) -> String) -> String {
    fn value(node: NodeRef<'_>, leaf: &dyn Fn(usize) -> String) -> String {
        let null = || Json::Null.to_string();
        match node.container() {
            None => node.raw().and_then(|index| usize::try_from(index).ok()).map_or_else(null, leaf),
            Some(Container::Sequence) => {
                let mut values = Vec::new();
                for child in node.children() {
                    if let Some(&Key::Index(index)) = child.key() {
                        values.resize(usize::try_from(index).unwrap_or(0), null());
                    }
                    values.push(value(child, leaf));
                }
                format!("[{}]", values.join(","))
            }
            Some(Container::Dictionary) => {
                let entries: BTreeMap<String, String> =
                    node.children().map(|child| (name(child), value(child, leaf))).collect();
                let entries = entries.iter().map(|(key, value)| format!("{}:{value}", Json::from(&**key)));
                format!("{{{}}}", entries.collect::<Vec<_>>().join(","))
            }
        }
    }
    structure.root().map_or_else(|| Json::Null.to_string(), |root| value(root, leaf))
}

/// Raw results in their structure as text.
pub(crate) fn to_text(structure: &Structure, leaf: &dyn Fn(usize) -> String) -> String {
    fn value(node: NodeRef<'_>, leaf: &dyn Fn(usize) -> String) -> String {
        match node.container() {
            None => node.raw().and_then(|index| usize::try_from(index).ok()).map_or("?".into(), leaf),
            Some(Container::Sequence) => {
                let values: Vec<String> = node.children().map(|child| value(child, leaf)).collect();
                tuple_text(&values)
            }
            Some(Container::Dictionary) => {
                let entry = |child: NodeRef<'_>| format!("{}: {}", name(child), value(child, leaf));
                format!("{{{}}}", node.children().map(entry).collect::<Vec<_>>().join(", "))
            }
        }
    }
    structure.root().map_or_else(|| "()".to_owned(), |root| value(root, leaf))
}

fn name(node: NodeRef<'_>) -> String {
    match node.key() {
        Some(Key::Name(name)) => String::from_utf8_lossy(name).into_owned(),
        _ => String::new(),
    }
}
