//! Texts in the compact form of the page: lines as templates with holes for the numbers of values, and their source
//! lines.
//!
//! Passes renumber values, so most lines of two consecutive stages differ in numbers only. A line is stored as a template, shared
//! by all texts of the page, and its numbers. The comparison of texts, [`crate::diff`], also starts from equal templates.

use minoan_ir::text::OpMark;
use minoan_ir::{Context, Loc, LocData};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

/// Template placeholder for a number: `%12` is `%` and a hole.
pub(crate) const NUMBER: char = '\u{1}';

/// Template placeholder for an optional numeric suffix: `%cst_12` is `%cst` and a hole. A negative number encodes no suffix.
pub(crate) const SUFFIX: char = '\u{2}';

/// The maximum number of source lines of one operation.
const MAX_LINES_OF_OP: usize = 12;

/// A text: for each line a template, a set of source lines, and the numbers for the holes of all lines in order.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize)]
pub struct Text {
    /// Templates, by line.
    #[serde(rename = "t")]
    pub(crate) templates: Vec<u32>,
    /// Numbers, in text order.
    #[serde(rename = "n")]
    pub(crate) numbers: Vec<i32>,
    /// Sets of source lines, by line; 0 is the empty set.
    #[serde(rename = "l")]
    pub(crate) places: Vec<u32>,
    /// The number of operations.
    #[serde(rename = "o")]
    pub(crate) n_ops: u32,
}

impl Text {
    /// The concatenation of texts.
    pub(crate) fn concat<'t>(texts: impl IntoIterator<Item = &'t Text>) -> Text {
        let mut all = Text::default();
        for Text { templates, numbers, places, n_ops } in texts {
            all.templates.extend(templates);
            all.numbers.extend(numbers);
            all.places.extend(places);
            all.n_ops += n_ops;
        }
        all
    }
}

/// The tables that the texts of a page share.
#[derive(Default)]
pub(crate) struct Tables {
    pub(crate) templates: Vec<String>,
    by_template: FxHashMap<String, u32>,
    /// The names of source files.
    pub(crate) files: Vec<String>,
    by_file: FxHashMap<String, u32>,
    /// Sets of source lines: file, line, file, line, ...; the first set is empty.
    pub(crate) places: Vec<Vec<u32>>,
    by_places: FxHashMap<Vec<u32>, u32>,
    by_loc: FxHashMap<Loc, u32>,
}

impl Tables {
    pub(crate) fn new() -> Self {
        let mut tables = Tables::default();
        tables.places(Vec::new());
        tables
    }

    /// The number of a source file.
    pub(crate) fn file(&mut self, name: &str) -> u32 {
        if let Some(&known) = self.by_file.get(name) {
            return known;
        }
        let number = self.files.len() as u32;
        self.files.push(name.to_owned());
        self.by_file.insert(name.to_owned(), number);
        number
    }

    /// The number of a set of source lines: file, line, file, line, ...
    pub(crate) fn places(&mut self, set: Vec<u32>) -> u32 {
        if let Some(&known) = self.by_places.get(&set) {
            return known;
        }
        let number = self.places.len() as u32;
        self.places.push(set.clone());
        self.by_places.insert(set, number);
        number
    }

    /// The number of the set of source lines of a location: all that it is fused of, and those of calls.
    pub(crate) fn places_of(&mut self, ctx: &Context, loc: Loc) -> u32 {
        if let Some(&known) = self.by_loc.get(&loc) {
            return known;
        }
        let (mut set, mut pending) = (Vec::new(), vec![loc]);
        let mut seen: FxHashSet<Loc> = FxHashSet::default();
        while let Some(part) = pending.pop().filter(|_| set.len() < 2 * MAX_LINES_OF_OP) {
            if !seen.insert(part) {
                continue;
            }
            match part.data(ctx) {
                LocData::Unknown => {}
                LocData::File { file, line, .. } | LocData::Range { file, start: (line, _), .. } => {
                    let at = [self.file(file.as_str(ctx)), line];
                    if line > 0 && !set.chunks(2).any(|known| known == at) {
                        set.extend(at);
                    }
                }
                LocData::Named { child, .. } => pending.push(child),
                LocData::CallSite { callee, caller } => pending.extend([caller, callee]),
                LocData::Fused { parts, .. } => pending.extend(parts.iter().rev()),
            }
        }
        let number = self.places(set);
        self.by_loc.insert(loc, number);
        number
    }

    /// The text of IR with the positions of its operations.
    pub(crate) fn ir(&mut self, ctx: &Context, text: &str, marks: &[OpMark]) -> Text {
        let (mut encoded, mut marks, mut offset) = (Text::default(), marks.iter().peekable(), 0);
        for line in text.trim_end_matches('\n').split('\n') {
            let mut places = 0;
            // An operation may be printed within the line of another one.
            while let Some(mark) = marks.next_if(|mark| mark.offset <= offset + line.len()) {
                encoded.n_ops += 1;
                if places == 0 {
                    places = self.places_of(ctx, mark.loc);
                }
            }
            self.line(&mut encoded, line, places);
            offset += line.len() + 1;
        }
        encoded
    }

    /// Appends a line.
    pub(crate) fn line(&mut self, text: &mut Text, line: &str, places: u32) {
        let template = template(line, &mut text.numbers);
        let number = match self.by_template.get(&template) {
            Some(&known) => known,
            None => {
                let number = self.templates.len() as u32;
                self.templates.push(template.clone());
                self.by_template.insert(template, number);
                number
            }
        };
        text.templates.push(number);
        text.places.push(places);
    }
}

/// Splits a line into its template, which is returned, and its numbers, which are appended.
fn template(line: &str, numbers: &mut Vec<i32>) -> String {
    let mut template = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find(['%', '^']) {
        let (before, name) = rest.split_at(at + 1);
        template.push_str(before);
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.' | '-');
        let end = name.find(|c| !is_name(c)).unwrap_or(name.len());
        rest = &name[end..];
        let name = &name[..end];
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let is_block = before.ends_with('^');
        let number = number(&name[stem.len()..]);
        match number {
            _ if name.is_empty() => {}
            Some(number) if matches!(stem, "" | "arg") || (is_block && stem == "bb") => {
                template.push_str(stem);
                template.push(NUMBER);
                numbers.push(number);
            }
            Some(number) if stem.len() > 1 && stem.ends_with('_') && !is_block => {
                template.push_str(&stem[..stem.len() - 1]);
                template.push(SUFFIX);
                numbers.push(number);
            }
            _ if !is_block => {
                template.push_str(name);
                template.push(SUFFIX);
                numbers.push(-1);
            }
            _ => template.push_str(name),
        }
    }
    template.push_str(rest);
    template
}

/// A number that prints as the digits that it is read from.
fn number(digits: &str) -> Option<i32> {
    let is_plain = digits == "0" || !digits.starts_with('0');
    digits.parse().ok().filter(|_| is_plain)
}

#[cfg(test)]
pub(crate) fn decoded(tables: &Tables, text: &Text) -> Vec<String> {
    let mut numbers = text.numbers.iter();
    let mut line = |&template: &u32| {
        let mut line = String::new();
        for c in tables.templates[template as usize].chars() {
            match c {
                NUMBER => line.push_str(&numbers.next().expect("a number for each hole").to_string()),
                SUFFIX => match numbers.next().expect("a number for each hole") {
                    -1 => {}
                    number => line.push_str(&format!("_{number}")),
                },
                c => line.push(c),
            }
        }
        line
    };
    text.templates.iter().map(&mut line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_restored_from_templates() {
        let lines = [
            "  %12 = arith.addf %3#1, %arg0 : f32",
            "  %cst = arith.constant 1.0 : f32",
            "  %cst_7 = arith.constant 1.0 : f32",
            "  %c0_i32_1 = f %x_, %007, %a_b_c, %_1, %99999999999 : (%)",
            "^bb2(%arg1: i32):  // pred: ^bb0",
            "  \"50% and 3^4\" ^other",
            "",
        ];
        let (mut tables, mut text) = (Tables::new(), Text::default());
        lines.iter().for_each(|line| tables.line(&mut text, line, 0));
        assert_eq!(decoded(&tables, &text), lines);
    }

    #[test]
    fn renumbered_lines_share_a_template() {
        let (mut tables, mut text) = (Tables::new(), Text::default());
        for line in ["%1 = f %cst, ^bb1", "%2 = f %cst_3, ^bb4", "%2 = f %c0, ^bb4"] {
            tables.line(&mut text, line, 0);
        }
        assert_eq!(text.templates[0], text.templates[1]);
        assert_ne!(text.templates[0], text.templates[2], "another constant is another operand");
    }

    #[test]
    fn a_location_has_the_lines_of_all_its_parts() {
        let ctx = Context::bare();
        let at = |line| Loc::file(&ctx, "a.ks", line, 1);
        let fused = Loc::fused(&ctx, &[at(3), at(4), at(3)]);
        let loc = Loc::call_site(&ctx, fused, Loc::file(&ctx, "b.ks", 9, 2));
        let mut tables = Tables::new();
        let places = tables.places_of(&ctx, loc);
        assert_eq!(tables.places[places as usize], [0, 3, 0, 4, 1, 9]);
        assert_eq!(
            (tables.files.join(" "), tables.places_of(&ctx, Loc::UNKNOWN)),
            ("a.ks b.ks".to_owned(), 0)
        );
    }
}
