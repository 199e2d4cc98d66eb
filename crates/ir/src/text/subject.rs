//! Locates the subject of a diagnostic in the source: the type of an operand or result, or an attribute.
//!
//! The verifier only knows the location of an operation's name. The text of the operation is searched when a
//! diagnostic is rendered, so that there is no cost for valid programs. Only unambiguous matches are shown.

use minoan_diag::{Diagnostic, Label, Part, Place, SourceMap, Span, Subject};
use std::ops::Range;

/// The maximum length of an operation's text that is searched.
const MAX_DISTANCE: usize = 64 * 1024;

/// Adds a label for the subject of a diagnostic, if the source map contains its source.
pub fn show_subject(diagnostic: &Diagnostic, sources: &SourceMap) -> Diagnostic {
    let mut shown = diagnostic.clone();
    if let (Some(subject), Place::Point(name, at)) = (&diagnostic.subject, &diagnostic.place)
        && let Some((file, line)) = sources.find_line_in(name, at.line)
        && let Some(start) = line.start.checked_add(at.column as usize - 1).filter(|&start| start < line.end)
        && let Some(text) = sources.file(file).text().get(start..)
        && let Some((length, found)) = find(text, subject)
    {
        let span = |range: Range<usize>| Span::new(file, range.start as u32, range.end as u32);
        let message = match &subject.part {
            Part::Operand(index) => format!("type of operand #{index}"),
            Part::Result(index) => format!("type of result #{index}"),
            Part::Attribute(name) => format!("attribute '{name}'"),
        };
        shown.place = Place::Span(span(start..start + length));
        shown.labels.push(Label { span: span(start + found.start..start + found.end), message });
    }
    shown
}

/// The length of the operation's name at the beginning of a text, and the range of the subject.
fn find(text: &str, subject: &Subject) -> Option<(usize, Range<usize>)> {
    let operation = subject.operation.as_str();
    let is_generic = text.starts_with('"');
    let name = if is_generic {
        text[1..].strip_prefix(operation)?.strip_prefix('"')?;
        operation.len() + 2
    } else {
        let written = &text[..text.find(|c: char| !is_word(c)).unwrap_or(text.len())];
        // In a region of its dialect, the name may be written without the dialect.
        let short = operation
            .strip_suffix(written)
            .is_some_and(|dialect| dialect.is_empty() || dialect.ends_with('.'));
        if written.is_empty() || !short {
            return None;
        }
        written.len()
    };
    let items = items(text, name);
    let found = match &subject.part {
        Part::Attribute(name) => attribute(text, &items, name),
        Part::Operand(index) if is_generic => signature(text, &items)?[0].get(*index).cloned(),
        Part::Result(index) if is_generic => signature(text, &items)?[1].get(*index).cloned(),
        Part::Operand(index) => {
            let all = occurrences(text, &items, &subject.text);
            all.get(*index).or(all.last()).cloned()
        }
        Part::Result(_) => occurrences(text, &items, &subject.text).last().cloned(),
    };
    Some((name, found?))
}

/// A significant character of an operation's text, outside of strings and comments.
#[derive(Clone, Copy)]
struct Item {
    at: usize,
    byte: u8,
    /// The number of open parentheses, including itself if it opens or closes one.
    parens: u16,
    /// The number of open braces and brackets.
    braces: u16,
    /// The number of open angle brackets.
    angles: u16,
}

impl Item {
    fn is_outside(&self) -> bool {
        self.parens == 0 && self.braces == 0 && self.angles == 0
    }
}

/// The characters of the operation at the beginning of a text, from a byte on.
fn items(text: &str, from: usize) -> Vec<Item> {
    let bytes = &text.as_bytes()[..text.len().min(MAX_DISTANCE)];
    let (mut items, mut at) = (Vec::new(), from);
    let (mut parens, mut braces, mut angles) = (0u16, 0u16, 0u16);
    while let Some(&byte) = bytes.get(at) {
        let next = bytes.get(at + 1).copied().unwrap_or_default();
        let outside = parens == 0 && braces == 0 && angles == 0;
        match byte {
            b'"' => {
                at = end_of_string(bytes, at);
                continue;
            }
            b'/' if next == b'/' => {
                at = bytes[at..].iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |end| at + end);
                continue;
            }
            b'\n' if outside && ends(&text[at..], items.last()) => break,
            b'(' => parens = parens.saturating_add(1),
            b'{' | b'[' => braces = braces.saturating_add(1),
            b'<' if next != b'=' => angles = angles.saturating_add(1),
            _ => {}
        }
        if byte.is_ascii() {
            items.push(Item { at, byte, parens, braces, angles });
        }
        match byte {
            b')' if parens > 0 => parens -= 1,
            b'}' | b']' if braces > 0 => braces -= 1,
            // The end of the enclosing construct.
            b')' | b'}' | b']' => {
                items.pop();
                break;
            }
            b'-' if next == b'>' => {
                items.push(Item { at: at + 1, byte: b'>', parens, braces, angles });
                at += 1;
            }
            b'>' if next != b'=' => angles = angles.saturating_sub(1),
            _ => {}
        }
        at += 1;
    }
    items
}

/// The position after a string.
fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = bytes.get(at) {
        at += 1 + usize::from(byte == b'\\');
        if byte == b'"' {
            break;
        }
    }
    at.min(bytes.len())
}

/// Whether an operation ends at the end of a line: the following text starts another one.
fn ends(rest: &str, last: Option<&Item>) -> bool {
    let rest = rest.trim_start();
    let word = &rest[..rest.find(|c: char| !is_word(c)).unwrap_or(rest.len())];
    let goes_on = last.is_some_and(|last| matches!(last.byte, b',' | b':' | b'=' | b'>'));
    let begins = rest.is_empty()
        || rest.starts_with(['%', '"', '^', '}', '/'])
        || word.contains('.')
        || word == "return";
    begins && !goes_on
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$')
}

/// The operand and result types in generic form, after the colon at nesting level zero.
fn signature(text: &str, items: &[Item]) -> Option<[Vec<Range<usize>>; 2]> {
    let colon = items.iter().position(|item| item.byte == b':' && item.is_outside())?;
    let items = &items[colon + 1..];
    let arrow = items.windows(2).position(|pair| {
        pair[0].byte == b'-' && pair[1].byte == b'>' && pair[1].at == pair[0].at + 1 && pair[0].is_outside()
    })?;
    let behind = &items[arrow + 2..];
    let first = behind.iter().position(|item| !item.byte.is_ascii_whitespace())?;
    // A location or another line may follow.
    let end = behind[first..].iter().position(|item| item.byte.is_ascii_whitespace() && item.is_outside());
    let results = &behind[first..end.map_or(behind.len(), |end| first + end)];
    Some([list(text, &items[..arrow]), list(text, results)])
}

/// A list of types, optionally in parentheses.
fn list(text: &str, items: &[Item]) -> Vec<Range<usize>> {
    let mut items = items;
    while let [first, rest @ ..] = items
        && first.byte.is_ascii_whitespace()
    {
        items = rest;
    }
    while let [rest @ .., last] = items
        && last.byte.is_ascii_whitespace()
    {
        items = rest;
    }
    let inside = matches!(items, [first, .., last] if first.byte == b'(' && last.byte == b')');
    let depth = u16::from(inside);
    if inside {
        items = &items[1..items.len() - 1];
    }
    let comma =
        |item: &Item| item.byte == b',' && item.parens == depth && item.braces == 0 && item.angles == 0;
    let ranges = items.split(comma).filter_map(|items| {
        let range = items.first()?.at..items.last()?.at + 1;
        let written = text.get(range.clone())?;
        let start = range.start + (written.len() - written.trim_start().len());
        Some(start..start + written.trim().len()).filter(|range| !range.is_empty())
    });
    ranges.collect()
}

/// The occurrences of a type in a custom form: after a colon or an arrow, outside of attributes and other types.
fn occurrences(text: &str, items: &[Item], ty: &str) -> Vec<Range<usize>> {
    let Some(begin) = items.iter().position(|item| matches!(item.byte, b':' | b'>') && item.braces == 0)
    else {
        return Vec::new();
    };
    let word = |at: Option<usize>| {
        at.and_then(|at| text.as_bytes().get(at))
            .is_some_and(|&byte| is_word(char::from(byte)) || b"!%@#^".contains(&byte))
    };
    let starts = items[begin..].iter().filter(|item| {
        let behind = item.at + ty.len();
        item.braces == 0
            && item.angles == 0
            && !ty.is_empty()
            && text[item.at..].starts_with(ty)
            && !word(item.at.checked_sub(1))
            && !(word(Some(behind)) && word(Some(behind - 1)))
    });
    starts.map(|item| item.at..item.at + ty.len()).collect()
}

/// The position of an attribute's value in a dictionary.
fn attribute(text: &str, items: &[Item], name: &str) -> Option<Range<usize>> {
    let start = items.iter().position(|item| {
        let before = item.at.checked_sub(1).and_then(|at| text.as_bytes().get(at));
        item.braces == 1
            && item.parens == 0
            && !before.is_some_and(|&byte| is_word(char::from(byte)))
            && text[item.at..].strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with('='))
    })?;
    let equals = start + items[start..].iter().position(|item| item.byte == b'=')?;
    let depth = &items[equals];
    let inside = |item: &&Item| {
        let same = item.braces == depth.braces && item.angles == depth.angles;
        !(same && item.parens == 0 && matches!(item.byte, b',' | b'}'))
    };
    let behind = items[equals + 1..].iter().find(|item| !inside(item))?.at;
    let value = text.get(depth.at + 1..behind)?;
    let from = depth.at + 1 + (value.len() - value.trim_start().len());
    Some(from..from + value.trim().len()).filter(|range| !range.is_empty())
}
