//! Differences between the texts of consecutive stages, up to the numbering of values.

use crate::text::{NUMBER, SUFFIX, Tables, Text};
use imara_diff::{Algorithm, Diff, Token};
use rustc_hash::FxHashMap;
use serde::Serialize;

/// The difference between two texts.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Difference {
    /// Replaced lines: first line and number of lines before, first line and number of lines after.
    pub(crate) hunks: Vec<[u32; 4]>,
    /// Lines that are in both texts, but with other operands: pairs of the line before and the line after.
    pub(crate) rewired: Vec<[u32; 2]>,
    /// The number of added lines.
    pub(crate) added: u32,
    /// The number of removed lines.
    pub(crate) removed: u32,
}

impl Difference {
    /// Compares two texts of the same tables. The time is linear in their length, apart from repetitive texts without
    /// any similarity.
    pub(crate) fn between(tables: &Tables, before: &Text, after: &Text) -> Difference {
        let tokens = |text: &Text| text.templates.iter().map(|&line| Token(line)).collect::<Vec<_>>();
        let mut diff = Diff::default();
        diff.compute_with(
            Algorithm::Histogram,
            &tokens(before),
            &tokens(after),
            tables.templates.len() as u32,
        );
        let mut difference = Difference::default();
        let mut comparison = Comparison::new(tables, before, after);
        let (mut from, mut to) = (0, 0);
        for hunk in diff.hunks() {
            comparison.same(&mut from, &mut to, hunk.before.start, &mut difference.rewired);
            let (removed, added) = (hunk.before.len() as u32, hunk.after.len() as u32);
            difference.hunks.push([hunk.before.start, removed, hunk.after.start, added]);
            difference.removed += removed;
            difference.added += added;
            comparison.replaced(&mut from, hunk.before.end, &mut to, hunk.after.end);
        }
        comparison.same(&mut from, &mut to, before.templates.len() as u32, &mut difference.rewired);
        difference
    }

    /// Whether the texts are equal up to the numbering of values.
    pub(crate) fn is_empty(&self) -> bool {
        self.hunks.is_empty() && self.rewired.is_empty()
    }
}

/// A hole of a template.
struct Hole {
    /// The name that the number belongs to, such as `%arg`.
    stem: u32,
    /// Whether the value is defined there.
    defines: bool,
}

/// Compares the operands of lines with equal templates: the numbers of values correspond from their definitions on.
struct Comparison<'t> {
    tables: &'t Tables,
    before: &'t Text,
    after: &'t Text,
    /// The position of the next number of each text.
    numbers: [usize; 2],
    /// The value after that each value before corresponds to; `None` if it has been removed.
    values: FxHashMap<(u32, i32), Option<i32>>,
    holes: FxHashMap<u32, Vec<Hole>>,
    stems: FxHashMap<String, u32>,
}

impl<'t> Comparison<'t> {
    fn new(tables: &'t Tables, before: &'t Text, after: &'t Text) -> Self {
        let (values, holes, stems) = (FxHashMap::default(), FxHashMap::default(), FxHashMap::default());
        Self { tables, before, after, numbers: [0, 0], values, holes, stems }
    }

    /// Compares corresponding lines up to the line `end` before.
    fn same(&mut self, from: &mut u32, to: &mut u32, end: u32, rewired: &mut Vec<[u32; 2]>) {
        for (line, other) in (*from..end).zip(*to..) {
            let template = self.before.templates[line as usize];
            self.read(template);
            let [mut first, mut second] = self.numbers;
            let mut is_rewired = false;
            for Hole { stem, defines } in &self.holes[&template] {
                let (old, new) = (self.before.numbers[first], self.after.numbers[second]);
                (first, second) = (first + 1, second + 1);
                if *defines {
                    self.values.insert((*stem, old), Some(new));
                } else {
                    // Blocks and values of enclosing text are used before their definition is seen.
                    let known = *self.values.entry((*stem, old)).or_insert(Some(new));
                    is_rewired |= known != Some(new);
                }
            }
            self.numbers = [first, second];
            if is_rewired {
                rewired.push([line, other]);
            }
        }
        *to += end - *from;
        *from = end;
    }

    /// Skips replaced lines. The values that they define correspond from the last one back, since an operation is mostly
    /// replaced by others that end with its result; the remaining old lines have been removed.
    fn replaced(&mut self, from: &mut u32, end: u32, to: &mut u32, other_end: u32) {
        let (mut old, mut new) = (Vec::new(), Vec::new());
        for (side, text, lines, defined) in
            [(0, self.before, *from..end, &mut old), (1, self.after, *to..other_end, &mut new)]
        {
            for line in lines {
                let template = text.templates[line as usize];
                self.read(template);
                for Hole { stem, defines } in &self.holes[&template] {
                    if *defines {
                        defined.push((*stem, text.numbers[self.numbers[side]]));
                    }
                    self.numbers[side] += 1;
                }
            }
        }
        let mut new = new.into_iter().rev();
        for value @ (stem, _) in old.into_iter().rev() {
            let other = new.next().filter(|(other, _)| *other == stem);
            self.values.insert(value, other.map(|(_, number)| number));
        }
        (*from, *to) = (end, other_end);
    }

    /// Reads the holes of a template.
    fn read(&mut self, template: u32) {
        if self.holes.contains_key(&template) {
            return;
        }
        let text = &self.tables.templates[template as usize];
        let results = if text.trim_start().starts_with('%') { text.find(" = ").unwrap_or(0) } else { 0 };
        let is_label = text.trim_start().starts_with('^');
        let mut holes = Vec::new();
        for (at, hole) in text.match_indices([NUMBER, SUFFIX]) {
            let start = text[..at].rfind(['%', '^']).unwrap_or(at);
            let stem = &text[start..at];
            let next = self.stems.len() as u32;
            let stem = *self.stems.entry(stem.to_owned()).or_insert(next);
            let rest = &text[at + hole.len()..];
            let is_block = text[start..].starts_with('^');
            // Results, block labels, arguments with their type, loop-carried and induction variables.
            let defines = at < results
                || (is_label && is_block && start == text.len() - text.trim_start().len())
                || (!is_block && (rest.starts_with(": ") || rest.starts_with(" = ")));
            holes.push(Hole { stem, defines });
        }
        self.holes.insert(template, holes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn difference(before: &[&str], after: &[&str]) -> Difference {
        let mut tables = Tables::new();
        let mut text = |lines: &[&str]| {
            let mut text = Text::default();
            lines.iter().for_each(|line| tables.line(&mut text, line, 0));
            text
        };
        let (before, after) = (text(before), text(after));
        Difference::between(&tables, &before, &after)
    }

    const F: &str = "func.func @f(%arg0: i32) -> i32 {";

    #[test]
    fn renumbering_is_no_difference() {
        let before = [F, "%0 = a %arg0", "%1 = b %arg0, %arg0", "%2 = c %1", "return %2"];
        let after = [F, "%0 = b %arg0, %arg0", "%1 = c %0", "return %1"];
        let found = difference(&before, &after);
        assert_eq!((found.hunks, found.rewired), (vec![[1, 1, 1, 0]], vec![]));
        assert!(difference(&before, &before).is_empty());
    }

    #[test]
    fn another_operand_is_a_difference() {
        // The second of two equal operations is replaced by the first.
        let before = [F, "%0 = a %arg0", "%1 = a %arg0", "%2 = c %0, %1", "return %2"];
        let after = [F, "%0 = a %arg0", "%1 = c %0, %0", "return %1"];
        let found = difference(&before, &after);
        assert_eq!((found.removed, found.added, found.rewired), (1, 0, vec![[3, 2]]));
    }

    #[test]
    fn operands_in_another_order_are_a_difference() {
        let before = [F, "%0 = a", "%1 = b", "%2 = c %0, %1"];
        let after = [F, "%0 = a", "%1 = b", "%2 = c %1, %0"];
        assert_eq!(difference(&before, &after).rewired, [[3, 3]]);
    }

    #[test]
    fn numbers_start_again_in_each_function() {
        let before = [F, "%0 = a %arg0", "%1 = b %0", "}", F, "%0 = x %arg0", "%1 = c %0", "}"];
        let after = [F, "%0 = a %arg0", "%1 = b %0", "}", F, "%0 = y %arg0", "%1 = c %0", "}"];
        let found = difference(&before, &after);
        assert_eq!(found.hunks, [[5, 1, 5, 1]]);
        assert_eq!(found.rewired, [[0; 2]; 0], "its operand is what its operand was replaced by");
    }

    #[test]
    fn an_expansion_ends_with_the_result() {
        let before = [F, "%0 = a %arg0", "%1 = use %0"];
        let after = [F, "%0 = x %arg0", "%1 = y %0", "%2 = use %1"];
        let found = difference(&before, &after);
        assert_eq!((found.hunks, found.rewired), (vec![[1, 1, 1, 2]], vec![]));
    }
}
