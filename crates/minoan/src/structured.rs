//! Arguments and results in the structure that a function's `sip` says: arrays for sequences, objects for dictionaries.

use crate::interface::{Shape, parse};
use minoan_diag::{Diagnostic, Diagnostics, nearest};
use minoan_services::Datum;
use minoan_sip::{Container, Key, NodeRef, Path, Side, SipSignature, Structure};
use serde_json::{Map, Value as Json};

/// Deeper structures are not read from JSON: its readers stop at 128.
const DEEPEST: usize = 100;
/// A sequence is an array up to its largest key, with nulls in the gaps.
const LONGEST: i32 = 1 << 16;

/// Whether values of a structure can be said in JSON.
pub(crate) fn check(signature: &SipSignature) -> Result<(), Diagnostic> {
    let refuse = |reason: String| {
        Err(Diagnostic::error(format!("values in the structure of 'sip' cannot be given as JSON: {reason}")))
    };
    for (structure, side) in [(&signature.inputs, Side::Inputs), (&signature.results, Side::Results)] {
        if structure.depth() > DEEPEST {
            return refuse(format!("the {side} nest {} deep, and {DEEPEST} is the most", structure.depth()));
        }
        for (path, _) in structure.paths() {
            for key in &path {
                match key {
                    Key::Index(index) if *index >= LONGEST => {
                        return refuse(format!("{side}{} is behind too large a key", Path(&path)));
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

/// The raw arguments from JSON; `shapes` has one for each.
///
/// # Errors
/// Every key that is missing, too much or at the wrong place, and every value of another type, with its path.
pub(crate) fn pack(structure: &Structure, shapes: &[Shape], json: &Json) -> Result<Vec<Datum>, Diagnostics> {
    let slots = vec![None; shapes.len()];
    let mut packing = Packing { structure, shapes, slots, errors: Diagnostics::new() };
    match structure.root() {
        Some(root) => packing.value(root, json, &mut Vec::new()),
        None if matches!(json, Json::Null) || json.as_array().is_some_and(Vec::is_empty) => {}
        None => packing.error(&[], "the function takes no arguments".to_owned()),
    }
    if packing.errors.has_errors() {
        return Err(packing.errors);
    }
    // The signature was checked to place each raw value.
    Ok(packing.slots.into_iter().flatten().collect())
}

struct Packing<'a> {
    structure: &'a Structure,
    shapes: &'a [Shape],
    slots: Vec<Option<Datum>>,
    errors: Diagnostics,
}

impl Packing<'_> {
    fn error(&mut self, path: &[Key], message: String) {
        self.errors.push(Diagnostic::error(format!("{}: {message}", place(path))));
    }

    fn value(&mut self, node: NodeRef<'_>, json: &Json, path: &mut Vec<Key>) {
        match (node.container(), json) {
            (None, _) => self.leaf(node, json, path),
            (Some(Container::Sequence), Json::Array(values)) => self.sequence(node, values, path),
            (Some(Container::Dictionary), Json::Object(entries)) => self.dictionary(node, entries, path),
            (Some(container), _) => {
                let expected = match container {
                    Container::Sequence => "an array",
                    Container::Dictionary => "an object",
                };
                let found = crate::interface::describe(json);
                self.error(path, format!("expected {expected}, found {found}"));
            }
        }
    }

    fn leaf(&mut self, node: NodeRef<'_>, json: &Json, path: &[Key]) {
        let index = node.raw().and_then(|index| usize::try_from(index).ok());
        let Some((shape, index)) = index.and_then(|index| Some((self.shapes.get(index)?, index))) else {
            return;
        };
        let mut leaves = Vec::new();
        match parse(shape, json, &place(path), &mut leaves) {
            Ok(()) => self.slots[index] = leaves.pop(),
            Err(message) => self.errors.push(Diagnostic::error(message)),
        }
    }

    fn sequence(&mut self, node: NodeRef<'_>, values: &[Json], path: &mut Vec<Key>) {
        let mut next = 0;
        for child in node.children() {
            let Some(&Key::Index(index)) = child.key() else { continue };
            let at = usize::try_from(index).unwrap_or(usize::MAX);
            self.gaps(values, next..at.min(values.len()), path);
            path.push(Key::Index(index));
            match values.get(at) {
                Some(value) => self.value(child, value, path),
                None => self.missing(child, path),
            }
            path.pop();
            next = at + 1;
        }
        if values.len() > next {
            self.error(path, format!("expected an array of {next} values, found {}", values.len()));
        }
    }

    /// Where a sequence has no value, null stands.
    fn gaps(&mut self, values: &[Json], gap: std::ops::Range<usize>, path: &mut Vec<Key>) {
        for at in gap {
            if !values[at].is_null() {
                path.push(Key::Index(i32::try_from(at).unwrap_or(i32::MAX)));
                self.error(path, "expected null: no argument stands here".to_owned());
                path.pop();
            }
        }
    }

    fn dictionary(&mut self, node: NodeRef<'_>, entries: &Map<String, Json>, path: &mut Vec<Key>) {
        let mut known = Vec::new();
        for child in node.children() {
            let Some(Key::Name(name)) = child.key() else { continue };
            let Ok(text) = std::str::from_utf8(name) else { continue };
            known.push(text);
            path.push(Key::Name(name.clone()));
            match entries.get(text) {
                Some(value) => self.value(child, value, path),
                None => self.missing(child, path),
            }
            path.pop();
        }
        for key in entries.keys().filter(|key| !known.contains(&key.as_str())) {
            let unexpected = Diagnostic::error(format!("{}: unexpected key {key:?}", place(path)));
            let home = self.home(key).filter(|home| *home != path[..]);
            self.errors.push(match home {
                Some(home) => unexpected.help(format!("{key:?} belongs to {}", place(&home))),
                None => unexpected.did_you_mean(nearest(key, known.iter().copied())),
            });
        }
    }

    fn missing(&mut self, node: NodeRef<'_>, path: &[Key]) {
        let shape = node.raw().and_then(|index| self.shapes.get(usize::try_from(index).ok()?));
        let expected = match (shape, node.container()) {
            (Some(shape), _) => shape.describe(),
            (None, Some(Container::Dictionary)) => "an object".to_owned(),
            (None, _) => "an array".to_owned(),
        };
        self.error(path, format!("missing: expected {expected}"));
    }

    /// The dictionary that a key belongs to.
    fn home(&self, key: &str) -> Option<Vec<Key>> {
        let key = Key::from(key);
        let mut paths = self.structure.paths().into_iter();
        paths.find_map(|(path, _)| path.iter().position(|have| *have == key).map(|at| path[..at].to_vec()))
    }
}

/// A place among the arguments, for people.
fn place(path: &[Key]) -> String {
    if path.is_empty() { "the arguments".to_owned() } else { format!("argument {}", Path(path)) }
}

/// Raw results in their structure as JSON; `leaf` gives one of them.
pub(crate) fn to_json(structure: &Structure, leaf: &dyn Fn(usize) -> Json) -> Json {
    fn value(node: NodeRef<'_>, leaf: &dyn Fn(usize) -> Json) -> Json {
        match node.container() {
            None => node.raw().and_then(|index| usize::try_from(index).ok()).map_or(Json::Null, leaf),
            Some(Container::Sequence) => {
                let mut values = Vec::new();
                for child in node.children() {
                    if let Some(&Key::Index(index)) = child.key() {
                        values.resize(usize::try_from(index).unwrap_or(0), Json::Null);
                    }
                    values.push(value(child, leaf));
                }
                Json::Array(values)
            }
            Some(Container::Dictionary) => {
                Json::Object(node.children().map(|child| (name(child), value(child, leaf))).collect())
            }
        }
    }
    structure.root().map_or(Json::Null, |root| value(root, leaf))
}

/// Raw results in their structure for people.
pub(crate) fn to_text(structure: &Structure, leaf: &dyn Fn(usize) -> String) -> String {
    fn value(node: NodeRef<'_>, leaf: &dyn Fn(usize) -> String) -> String {
        match node.container() {
            None => node.raw().and_then(|index| usize::try_from(index).ok()).map_or("?".into(), leaf),
            Some(Container::Sequence) => {
                let values: Vec<String> = node.children().map(|child| value(child, leaf)).collect();
                format!("({})", values.join(", "))
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
