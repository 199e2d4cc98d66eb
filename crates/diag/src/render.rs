//! Renders diagnostics as text.

use crate::{Diagnostic, Place, Severity, SourceFile, SourceMap, Span};
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Padding, Renderer, Snippet};
use std::ops::Range;

/// The maximum width of a source line; longer lines are truncated around the carets.
const MAX_LINE_WIDTH: usize = 160;

/// Renders a diagnostic in the style of rustc: severity and message, `--> file:line:column`, the source line with
/// carets, notes and help. The text ends with a newline.
pub fn render(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    render_with(&Renderer::plain(), diagnostic, sources)
}

/// [`render`] with ANSI escapes for colors.
pub fn render_colored(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    render_with(&Renderer::styled(), diagnostic, sources)
}

fn render_with(renderer: &Renderer, diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let mut groups = vec![group(diagnostic, sources, level(diagnostic.severity))];
    for note in &diagnostic.notes {
        let level = level(note.severity);
        match note.place {
            Place::Unknown => {
                let last = groups.pop().expect("there is at least the first group");
                groups.push(last.element(level.message(note.message.as_str())));
            }
            _ => groups.push(group(note, sources, level)),
        }
    }
    for help in &diagnostic.help {
        let last = groups.pop().expect("there is at least the first group");
        groups.push(last.element(Level::HELP.message(help.as_str())));
    }
    let mut text = renderer.render(&groups).to_string();
    text.push('\n');
    text
}

/// Renders a diagnostic in the style of `mlir-opt`: `file:line:column: error: message`, the source line and a caret
/// under the column. Notes follow in the same form, without the source line if they have the same location; help is
/// printed as notes.
pub fn render_plain(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let mut text = String::new();
    let mut shown = None;
    for one in std::iter::once(diagnostic).chain(&diagnostic.notes) {
        let (severity, message) = (one.severity.as_str(), &one.message);
        let placed = if one.place == Place::Unknown { diagnostic } else { one };
        let Some((name, at)) = placed.position(sources) else {
            text.push_str(&format!("<unknown>:0: {severity}: {message}\n"));
            continue;
        };
        text.push_str(&format!("{name}:{}:{}: {severity}: {message}\n", at.line, at.column));
        let again = shown.as_ref() == Some(&(name.clone(), at));
        shown = Some((name.clone(), at));
        if let (false, Some((file, line))) = (again, sources.find_line(&name, at.line)) {
            let (line, before) = (&file.text()[line], at.column.saturating_sub(1) as usize);
            let gap: String =
                line.bytes().take(before).map(|byte| if byte == b'\t' { '\t' } else { ' ' }).collect();
            text.push_str(&format!("{}\n{gap}^\n", line.trim_end_matches(['\r', '\n'])));
        }
    }
    let place = match diagnostic.position(sources) {
        Some((name, at)) => format!("{name}:{}:{}", at.line, at.column),
        None => "<unknown>:0".to_owned(),
    };
    for help in &diagnostic.help {
        text.push_str(&format!("{place}: note: {help}\n"));
    }
    text
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Remark => Level::INFO.with_name("remark"),
        Severity::Note => Level::NOTE,
    }
}

fn group<'a>(diagnostic: &'a Diagnostic, sources: &'a SourceMap, level: Level<'a>) -> Group<'a> {
    let group = level.primary_title(diagnostic.message.as_str()).elements(std::iter::empty::<Origin<'_>>());
    let caption = Some(diagnostic.caption.as_str()).filter(|caption| !caption.is_empty());
    match &diagnostic.place {
        Place::Unknown => group,
        Place::File(file) => with_origin(group, diagnostic, Origin::path(&**sources.file(*file).name())),
        Place::Point(name, at) => {
            match sources.find_line(name, at.line) {
                Some((file, line)) => {
                    let start = (line.start + at.column as usize - 1).min(line.end);
                    let end = (start + word_length(&file.text()[..], start, line.end)).min(line.end);
                    group.element(snippet(file, line.clone(), at.line).annotation(
                        AnnotationKind::Primary.span(clip(file, &line, start..end)).label(caption),
                    ))
                }
                None => {
                    let origin = Origin::path(&**name).line(at.line as usize);
                    with_origin(group, diagnostic, origin.char_column(at.column as usize))
                }
            }
        }
        Place::Span(span) => add_span(group, diagnostic, sources, *span, caption),
    }
}

/// Adds a location without its source line, separated from the notes and the help that follow it.
fn with_origin<'a>(group: Group<'a>, diagnostic: &'a Diagnostic, origin: Origin<'a>) -> Group<'a> {
    let group = group.element(origin);
    let is_followed =
        !diagnostic.help.is_empty() || diagnostic.notes.iter().any(|note| note.place == Place::Unknown);
    if is_followed { group.element(Padding) } else { group }
}

fn add_span<'a>(
    group: Group<'a>,
    diagnostic: &'a Diagnostic,
    sources: &'a SourceMap,
    span: Span,
    caption: Option<&'a str>,
) -> Group<'a> {
    let file = sources.file(span.file);
    let at = file.line_col(span.start);
    let line = file.line_range(at.line).unwrap_or(0..0);
    let primary = clip(file, &line, span.start as usize..span.end as usize);
    let mut lines =
        snippet(file, line.clone(), at.line).annotation(AnnotationKind::Primary.span(primary).label(caption));
    let mut elsewhere = Vec::new();
    for label in &diagnostic.labels {
        let label_file = sources.file(label.span.file);
        let label_at = label_file.line_col(label.span.start);
        let range = label.span.start as usize..label.span.end as usize;
        if label.span.file == span.file && label_at.line == at.line {
            let range = clip(file, &line, range);
            lines = lines.annotation(AnnotationKind::Context.span(range).label(label.message.as_str()));
        } else {
            let line = label_file.line_range(label_at.line).unwrap_or(0..0);
            let range = clip(label_file, &line, range);
            elsewhere.push(
                snippet(label_file, line, label_at.line)
                    .annotation(AnnotationKind::Context.span(range).label(label.message.as_str())),
            );
        }
    }
    elsewhere.into_iter().fold(group.element(lines), |group, snippet| group.element(snippet))
}

/// A snippet of one source line.
fn snippet<'a>(
    file: &'a SourceFile,
    line: Range<usize>,
    number: u32,
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    Snippet::source(&file.text()[line]).line_start(number as usize).path(&**file.name())
}

/// Clips a byte range of the file to a line and to character boundaries; the result is relative to the line and at
/// least one byte wide.
fn clip(file: &SourceFile, line: &Range<usize>, range: Range<usize>) -> Range<usize> {
    let text = &file.text()[line.clone()];
    let mut start = range.start.clamp(line.start, line.end) - line.start;
    let mut end = range.end.clamp(line.start, line.end) - line.start;
    end = end.max(start + usize::from(start < text.len()));
    end = end.min(start + MAX_LINE_WIDTH);
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    while end < text.len() && !text.is_char_boundary(end) {
        end += 1;
    }
    start..end.min(text.len())
}

/// The length in bytes of the word at `start`, which is underlined for a location without a range.
fn word_length(text: &str, start: usize, end: usize) -> usize {
    let rest = text.get(start..end).unwrap_or("");
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$' | '%' | '@' | '#' | '!');
    rest.chars().take_while(|&c| is_word(c)).map(char::len_utf8).sum::<usize>().max(1)
}
