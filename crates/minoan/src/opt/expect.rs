//! `--verify-diagnostics`: compares diagnostics with comments in the input that expect them.
//!
//! ```mlir
//! // expected-error@+1 {{'func.return' op has 0 operands}}
//! return
//! // expected-note-re@above {{see {{[a-z]+}}}}
//! ```
//!
//! A comment expects a diagnostic on its own line, or relative to it: `@+1` and `@-1` are offsets, `@above` and `@below`
//! the nearest line without such a comment, `@unknown` a diagnostic without a location. It matches every diagnostic of its
//! severity on that line whose message contains the text; with `-re`, text between inner `{{` and `}}` is a regular
//! expression.

use super::flags::Expectations;
use minoan_diag::{Diagnostic, Diagnostics, FileId, Place, Severity, SourceMap, Span};
use regex::Regex;
use std::sync::LazyLock;

static COMMENT: LazyLock<Regex> = LazyLock::new(|| {
    let pattern =
        r"expected-(error|note|remark|warning)(-re)? *(@(?:[+-][0-9]+|above|below|unknown))? *\{\{(.*)\}\}$";
    Regex::new(pattern).expect("it is well formed")
});

/// The expectation of one comment.
struct Expected {
    severity: Severity,
    /// The line of the diagnostic; `None` if it has no location.
    line: Option<u32>,
    text: String,
    regex: Option<Regex>,
    /// The comment, from `expected-` on.
    comment: Span,
    seen: bool,
}

impl Expected {
    fn fits(&self, message: &str) -> bool {
        match &self.regex {
            Some(regex) => regex.is_match(message),
            None => message.contains(&self.text),
        }
    }
}

/// Compares the diagnostics of a part of the input with the expectations of its comments, and returns the differences.
pub(super) fn check(
    said: &Diagnostics,
    sources: &SourceMap,
    part: FileId,
    which: Expectations,
) -> Diagnostics {
    let mut differences = Diagnostics::new();
    let mut expected = expectations(sources, part, &mut differences);
    for diagnostic in said {
        compare(diagnostic, diagnostic, &mut expected, sources, part, which, &mut differences);
        for note in &diagnostic.notes {
            // A note without a location has that of its diagnostic.
            let at = if note.place == Place::Unknown { diagnostic } else { note };
            compare(note, at, &mut expected, sources, part, which, &mut differences);
        }
    }
    for Expected { severity, line, text, comment, .. } in expected.iter().filter(|expected| !expected.seen) {
        let message = format!("expected {} \"{text}\" was not produced", severity.as_str());
        let place = line.map_or(Place::Unknown, |_| Place::Span(*comment));
        differences.push(Diagnostic::error(message).at(place));
    }
    differences
}

fn compare(
    said: &Diagnostic,
    at: &Diagnostic,
    expected: &mut [Expected],
    sources: &SourceMap,
    part: FileId,
    which: Expectations,
    differences: &mut Diagnostics,
) {
    let line = match at.position(sources) {
        None => None,
        Some((name, at)) if name == *sources.file(part).name() => Some(at.line),
        // Comments expect no diagnostics in other files.
        Some(_) => Some(0),
    };
    let kind = said.severity.as_str();
    let mut near_miss = None;
    for candidate in expected.iter_mut().filter(|one| one.line == line && one.fits(&said.message)) {
        if candidate.severity == said.severity {
            candidate.seen = true;
            return;
        }
        near_miss = Some((candidate.severity.as_str(), candidate.comment));
    }
    match near_miss {
        Some((wanted, comment)) => {
            let message = format!("'{kind}' diagnostic emitted when expecting a '{wanted}'");
            differences.push(Diagnostic::error(message).at(comment));
        }
        None if which == Expectations::All => {
            let message = format!("unexpected {kind}: {}", said.message);
            differences.push(Diagnostic::error(message).at(at.place.clone()));
        }
        None => {}
    }
}

/// The expectations of a part in the order of their comments; reports malformed comments.
fn expectations(sources: &SourceMap, part: FileId, wrong: &mut Diagnostics) -> Vec<Expected> {
    let source = sources.file(part);
    let mut expected: Vec<Expected> = Vec::new();
    let mut last_line_without = source.first_line();
    let mut for_next_line: Vec<usize> = Vec::new();
    let mut offset = 0;
    for (line, text) in (source.first_line()..).zip(source.text().split('\n')) {
        let start = offset;
        offset += text.len() + 1;
        let Some(comment) = COMMENT.captures(text.trim_end()) else {
            for_next_line.drain(..).for_each(|index| expected[index].line = Some(line));
            last_line_without = line;
            continue;
        };
        let part_of = |index: usize| comment.get(index).map_or("", |found| found.as_str());
        let range = comment.get(0).map_or(0..0, |found| found.range());
        let span = Span::new(part, (start + range.start) as u32, (start + range.end) as u32);
        let severity = match part_of(1) {
            "error" => Severity::Error,
            "warning" => Severity::Warning,
            "remark" => Severity::Remark,
            _ => Severity::Note,
        };
        let text = part_of(4).to_owned();
        let regex = match part_of(2) {
            "" => None,
            _ => match regex(&text) {
                Ok(regex) => Some(regex),
                Err(why) => {
                    wrong.push(Diagnostic::error(why).at(span));
                    continue;
                }
            },
        };
        let line = match part_of(3) {
            "" => Some(line),
            "@unknown" => None,
            "@above" => Some(last_line_without),
            "@below" => {
                for_next_line.push(expected.len());
                Some(line)
            }
            by => Some(by[1..].parse::<i32>().map_or(0, |by| line.saturating_add_signed(by))),
        };
        expected.push(Expected { severity, line, text, regex, comment: span, seen: false });
    }
    expected
}

/// Compiles a text in which `{{...}}` are regular expressions.
fn regex(text: &str) -> Result<Regex, String> {
    let mut pattern = String::new();
    let mut rest = text;
    while let Some((literal, after)) = rest.split_once("{{") {
        let (inside, after) = after.split_once("}}").ok_or("found start of regex with no end '}}'")?;
        Regex::new(inside).map_err(|error| {
            let error = error.to_string();
            format!("invalid regex: {}", error.lines().last().unwrap_or("").trim_start_matches("error: "))
        })?;
        pattern.push_str(&format!("{}({inside})", regex::escape(literal)));
        rest = after;
    }
    pattern.push_str(&regex::escape(rest));
    Regex::new(&pattern).map_err(|error| format!("invalid regex: {error}"))
}
