//! The symbol table of value names in the parser.

use super::short;
use crate::Value;
use hashbrown::HashTable;
use minoan_diag::Span;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// A named value.
#[derive(Clone, Copy)]
pub(crate) struct NamedValue {
    /// `None` if the defining operation could not be parsed.
    pub(super) value: Option<Value>,
    /// The span, which starts with the name.
    pub(super) span: Span,
    /// A forward reference; the value is a placeholder.
    pub(super) forward: bool,
}

/// The names of one isolated region, including those of nested open regions.
///
/// A name is found in the slot of its hash. A name that was displaced from its slot is in a table. The storage is
/// reused for the next isolated region.
pub(crate) struct Scope<'c> {
    text: &'c str,
    names: Vec<Named>,
    /// By hash: indices into `names`. Empty before the first name, since deeply nested regions may have none.
    slots: Vec<u32>,
    /// The displaced names: hash, and index into `names`.
    displaced: HashTable<(u32, u32)>,
    /// The indices of the names defined in the open regions, and the start of each region.
    defined: Vec<u32>,
    regions: Vec<usize>,
    /// The number of forward references.
    forward: usize,
    /// Whether an enclosing isolated region has names.
    is_inside_names: bool,
}

const SLOTS: usize = 1024;
/// A slot that was never used, so a name with this hash is unknown.
const FREE: u32 = u32::MAX;
/// A slot whose name has been removed.
const LEFT: u32 = u32::MAX - 1;

struct Named {
    mark: Mark,
    hash: u32,
    /// Whether its region is open.
    visible: bool,
    known: NamedValue,
}

/// The identity of a name: short names are compared as a number.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Mark {
    /// The first eight bytes.
    head: u64,
    length: u32,
    /// The number after `#`.
    number: u32,
}

/// A name as written.
#[derive(Clone, Copy)]
pub(super) struct Key {
    start: u32,
    mark: Mark,
    hash: u32,
}

impl Key {
    /// The name at a position of a text, with the number after `#`.
    #[inline]
    pub(super) fn at(text: &str, start: u32, end: u32, number: u32) -> Self {
        let head = short::head(text.as_bytes(), start, end);
        let mut hash = head;
        if end - start > 8 {
            hash ^= long_hash(&text.as_bytes()[start as usize..end as usize]);
        }
        // The last letters differ most and are the most significant; the upper half of the product depends on all of
        // them.
        let mixed = (hash ^ u64::from(number).rotate_left(40)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let hash = (mixed >> 32) as u32;
        Self { start, mark: Mark { head, length: end - start, number }, hash }
    }
}

#[inline(never)]
fn long_hash(name: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(name);
    hasher.finish()
}

/// The slot of a hash.
#[inline]
fn slot(hash: u32) -> usize {
    (hash >> (u32::BITS - SLOTS.trailing_zeros())) as usize
}

/// The position of a hash in the table of displaced names.
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl<'c> Scope<'c> {
    /// Creates an empty scope for a text.
    pub(super) fn new(text: &'c str) -> Self {
        Self {
            text,
            names: Vec::new(),
            slots: Vec::new(),
            displaced: HashTable::new(),
            defined: Vec::new(),
            regions: Vec::new(),
            forward: 0,
            is_inside_names: false,
        }
    }

    /// States that the region is nested in others with this innermost scope.
    pub(super) fn inside(&mut self, outer: Option<&Self>) {
        self.is_inside_names = outer.is_some_and(|outer| outer.is_inside_names || !outer.is_empty());
    }

    /// Whether an enclosing isolated region has names.
    #[inline]
    pub(super) fn is_inside_names(&self) -> bool {
        self.is_inside_names
    }

    fn spelling(&self, start: u32, mark: Mark) -> &'c str {
        &self.text[start as usize..(start + mark.length) as usize]
    }

    #[inline]
    fn is(&self, at: u32, key: Key) -> bool {
        let same = |name: &Named| {
            name.mark == key.mark && (key.mark.length <= 8 || self.is_spelled_alike(name, key))
        };
        self.names.get(at as usize).is_some_and(same)
    }

    #[inline(never)]
    fn is_spelled_alike(&self, name: &Named, key: Key) -> bool {
        self.text_of(name) == self.spelling(key.start, key.mark)
    }

    #[inline]
    fn find(&self, key: Key) -> Option<u32> {
        match self.slots.get(slot(key.hash)) {
            None | Some(&FREE) => None,
            Some(&at) if self.is(at, key) => Some(at),
            Some(_) => self.find_displaced(key),
        }
    }

    #[inline(never)]
    fn find_displaced(&self, key: Key) -> Option<u32> {
        let same = |&(hash, at): &(u32, u32)| hash == key.hash && self.is(at, key);
        self.displaced.find(spread(key.hash), same).map(|&(_, at)| at)
    }

    /// Looks up a name.
    #[inline]
    pub(super) fn get(&self, key: Key) -> Option<&NamedValue> {
        self.find(key).map(|at| &self.names[at as usize].known)
    }

    /// Looks up the same name with number 0.
    pub(super) fn first(&self, key: Key) -> Option<&NamedValue> {
        self.get(Key::at(self.text, key.start, key.start + key.mark.length, 0))
    }

    /// Adds an unknown name, in no region.
    #[inline]
    pub(super) fn insert(&mut self, key: Key, known: NamedValue) -> u32 {
        let Key { mark, hash, .. } = key;
        let at = self.names.len() as u32;
        self.names.push(Named { mark, hash, visible: true, known });
        self.forward += usize::from(known.forward);
        if self.slots.is_empty() {
            self.slots = vec![FREE; SLOTS];
        }
        let before = std::mem::replace(&mut self.slots[slot(hash)], at);
        if before < LEFT {
            self.displace(before);
        }
        at
    }

    /// Moves a name that lost its slot to the table.
    #[inline(never)]
    fn displace(&mut self, at: u32) {
        let hash = self.names[at as usize].hash;
        self.displaced.insert_unique(spread(hash), (hash, at), |&(hash, _)| spread(hash));
    }

    /// Defines a name in the innermost region, unless it is defined already; returns the previous entry.
    #[inline]
    pub(super) fn define(&mut self, key: Key, known: NamedValue) -> Option<NamedValue> {
        match self.find(key) {
            Some(at) => Some(self.define_again(at, known)),
            None => {
                let at = self.insert(key, known);
                self.defined.push(at);
                None
            }
        }
    }

    /// Defines the name at an index of `names`.
    #[inline(never)]
    fn define_again(&mut self, at: u32, known: NamedValue) -> NamedValue {
        let entry = &mut self.names[at as usize].known;
        let before = *entry;
        if before.value.is_none() || before.forward {
            *entry = known;
            self.forward -= usize::from(before.forward);
            self.defined.push(at);
        }
        before
    }

    /// Adds a name without a value, unless it is known.
    pub(super) fn poison(&mut self, key: Key, span: Span) {
        let known = NamedValue { value: None, span, forward: false };
        if self.get(key).is_none_or(|before| before.forward) {
            self.define(key, known);
        }
    }

    /// Whether no name is known.
    pub(super) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    pub(super) fn open_region(&mut self) {
        self.regions.push(self.defined.len());
    }

    /// Removes the names defined in the innermost region.
    pub(super) fn close_region(&mut self) {
        let from = self.regions.pop().unwrap_or(0);
        for at in self.defined.drain(from..) {
            let name = &mut self.names[at as usize];
            name.visible = false;
            let slot = &mut self.slots[slot(name.hash)];
            if *slot == at {
                *slot = LEFT;
            } else if let Ok(entry) = self.displaced.find_entry(spread(name.hash), |&(_, other)| other == at)
            {
                entry.remove();
            }
        }
    }

    fn text_of(&self, name: &Named) -> &'c str {
        self.spelling(name.known.span.start, name.mark)
    }

    /// The names that were used and never defined, in text order.
    pub(super) fn undeclared(&self) -> Vec<(&'c str, Span)> {
        if self.forward == 0 {
            return Vec::new();
        }
        let names = self.names.iter().filter(|name| name.visible && name.known.forward);
        let mut missing: Vec<_> = names.map(|name| (self.text_of(name), name.known.span)).collect();
        missing.sort_by_key(|(_, span)| span.start);
        missing
    }

    /// The last definition of a name that is no longer visible.
    pub(super) fn hidden(&self, key: Key) -> Option<Span> {
        let text = self.spelling(key.start, key.mark);
        let hidden = self.names.iter().rev().filter(|name| !name.visible);
        hidden.filter(|name| self.text_of(name) == text).map(|name| name.known.span).next()
    }

    /// The defined names, sorted.
    pub(super) fn declared(&self) -> Vec<&'c str> {
        let names = self.names.iter().filter(|name| name.visible && !name.known.forward);
        let mut names: Vec<&str> = names.map(|name| self.text_of(name)).collect();
        names.sort_unstable();
        names
    }

    /// Clears the scope for reuse; returns `false` if it is so large that clearing costs more than a new one.
    pub(super) fn recycle(&mut self) -> bool {
        if self.displaced.capacity() > 4096 {
            return false;
        }
        self.displaced.clear();
        if self.names.len() < SLOTS / 8 {
            for name in &self.names {
                self.slots[slot(name.hash)] = FREE;
            }
        } else {
            self.slots.fill(FREE);
        }
        self.names.clear();
        self.defined.clear();
        self.regions.clear();
        self.forward = 0;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use minoan_diag::FileId;
    use proptest::prelude::*;
    use std::collections::HashMap;

    /// `%0 %1 ..`, and names with common prefixes; with the position of each.
    fn many_names() -> (String, Vec<(u32, u32)>) {
        let (mut text, mut places) = (String::new(), Vec::new());
        for number in 0..3000 {
            let start = text.len() as u32;
            text.push_str(&if number % 3 == 0 {
                format!("%long_name_{number}")
            } else {
                format!("%{number}")
            });
            places.push((start, text.len() as u32));
            text.push(' ');
        }
        (text, places)
    }

    proptest! {
        /// More names than slots, in regions that open and close: the results equal those of a plain map.
        #[test]
        fn visible_names_are_found(steps in prop::collection::vec((0usize..3000, 0u8..20), 0..6000)) {
            let (text, places) = many_names();
            let mut scope = Scope::new(&text);
            scope.open_region();
            let mut model: Vec<HashMap<usize, u32>> = vec![HashMap::new()];
            for (name, action) in steps {
                let (start, end) = places[name];
                let key = Key::at(&text, start, end, 0);
                let visible = model.iter().find_map(|region| region.get(&name)).copied();
                prop_assert_eq!(scope.get(key).map(|known| known.span.start), visible);
                match action {
                    0 => {
                        scope.open_region();
                        model.push(HashMap::new());
                    }
                    1 if model.len() > 1 => {
                        scope.close_region();
                        model.pop();
                    }
                    _ if visible.is_none() => {
                        let span = Span::new(FileId(0), start, end);
                        let before = scope.define(key, NamedValue { value: None, span, forward: false });
                        prop_assert!(before.is_none());
                        model.last_mut().expect("one is open").insert(name, start);
                    }
                    _ => {}
                }
            }
        }
    }
}
