//! Parses the textual form of pipelines.

use super::{Pipeline, Step, misplaced, nodes};
use crate::PassRegistry;
use minoan_diag::{Diagnostic, FileId, SourceMap, Span, nearest};

/// The maximum nesting depth of pipelines.
const MAX_DEPTH: usize = 64;

impl Pipeline {
    /// Parses `builtin.module(func.func(cse,canonicalize{max-iterations=5}),inline)`. Without an anchor, the passes
    /// run on the top-level operation: `cse,inline`. The text is added to `sources` for the locations of messages.
    ///
    /// # Errors
    /// An unknown pass or option, a malformed value, an unbalanced parenthesis, or a pass that cannot run at its
    /// position.
    pub fn parse(text: &str, registry: &PassRegistry, sources: &SourceMap) -> Result<Pipeline, Diagnostic> {
        let file = sources.add("<pass-pipeline>", text);
        let mut reader = Reader { text, at: 0, file, registry };
        reader.space();
        let name = reader.word();
        if !name.is_empty() && reader.peek() == Some('(') {
            let anchor = name.to_owned();
            reader.at += 1;
            let steps = reader.steps(&anchor, 0)?;
            reader.expect(')')?;
            reader.end()?;
            return Ok(Pipeline::of(anchor, steps));
        }
        reader.at = 0;
        let steps = reader.steps("builtin.module", 0)?;
        reader.end()?;
        Ok(Pipeline::of("builtin.module".to_owned(), steps))
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    file: FileId,
    registry: &'t PassRegistry,
}

impl<'t> Reader<'t> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn space(&mut self) {
        self.at += self.text[self.at..].len() - self.text[self.at..].trim_start().len();
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start as u32, end as u32)
    }

    fn error_here(&self, message: impl Into<String>) -> Diagnostic {
        let end = self.peek().map_or(self.at, |next| self.at + next.len_utf8());
        Diagnostic::error(message).at(self.span(self.at, end))
    }

    /// Parses a name, up to the next delimiter.
    fn word(&mut self) -> &'t str {
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| matches!(c, ',' | '(' | ')' | '{' | '}') || c.is_whitespace());
        let word = &rest[..end.unwrap_or(rest.len())];
        self.at += word.len();
        let after = self.at;
        self.space();
        // White space after a name is not part of it.
        if self.peek().is_none() {
            self.at = after;
        }
        word
    }

    fn expect(&mut self, wanted: char) -> Result<(), Diagnostic> {
        self.space();
        if self.peek() == Some(wanted) {
            self.at += 1;
            return Ok(());
        }
        let found = self.peek().map_or("the end".to_owned(), |found| format!("'{found}'"));
        Err(self.error_here(format!("expected '{wanted}' in pass pipeline, but found {found}")))
    }

    fn end(&mut self) -> Result<(), Diagnostic> {
        self.space();
        match self.peek() {
            None => Ok(()),
            Some(')') => Err(self.error_here(
                "encountered extra closing ')' creating unbalanced parentheses while parsing pipeline",
            )),
            Some(found) => {
                Err(self.error_here(format!("expected ',' after parsing pipeline, but found '{found}'")))
            }
        }
    }

    fn steps(&mut self, anchor: &str, depth: usize) -> Result<Vec<Step>, Diagnostic> {
        let mut steps = Vec::new();
        self.space();
        if matches!(self.peek(), None | Some(')')) {
            return Ok(steps);
        }
        loop {
            self.space();
            self.step(anchor, depth, &mut steps)?;
            self.space();
            if self.peek() != Some(',') {
                return Ok(steps);
            }
            self.at += 1;
        }
    }

    fn step(&mut self, anchor: &str, depth: usize, steps: &mut Vec<Step>) -> Result<(), Diagnostic> {
        let start = self.at;
        let name = self.word();
        let span = self.span(start, start + name.len());
        if name.is_empty() {
            return Err(self.error_here("expected the name of a pass"));
        }
        if self.peek() == Some('(') {
            if depth >= MAX_DEPTH {
                return Err(
                    Diagnostic::error(format!("pass pipeline nests deeper than {MAX_DEPTH} levels")).at(span)
                );
            }
            self.at += 1;
            let inside = self.steps(name, depth + 1)?;
            self.expect(')')?;
            steps.push(Step::Nested(vec![(name.to_owned(), nodes(inside))]));
            return Ok(());
        }
        let name = self.registry.spelled(name).unwrap_or(name);
        if let Some(alias) = self.registry.alias(name) {
            if self.peek() == Some('{') {
                let error = self.error_here(format!("pipeline '{name}' has no options"));
                return Err(
                    error.help(format!("it stands for '{}', whose passes may have options", alias.text))
                );
            }
            // Parse the text of the alias, with locations in it.
            let mut inner = Reader { text: alias.text, at: 0, file: self.file, registry: self.registry };
            let parsed = inner.steps(anchor, depth).map_err(|error| {
                Diagnostic::error(format!("in the pipeline '{name}': {}", error.message)).at(span)
            });
            steps.extend(parsed?);
            return Ok(());
        }
        let mut pass = self.registry.make(name).ok_or_else(|| self.unknown(name, span))?;
        if let Some(why) = misplaced(&*pass, anchor, depth) {
            return Err(Diagnostic::error(why).at(span));
        }
        if self.peek() == Some('{') {
            if !self.text[self.at..].contains('}') {
                return Err(self.error_here("missing closing '}' while processing pass options"));
            }
            self.at += 1;
            self.options(&mut *pass)?;
        }
        steps.push(Step::Pass(pass));
        Ok(())
    }

    fn unknown(&self, name: &str, span: Span) -> Diagnostic {
        let known = self.registry.names();
        let near = nearest(name, known.iter().copied().chain(self.registry.spellings()));
        let anchor = (near.is_none() && name.contains('.'))
            .then(|| format!("write {name}(pass,..) for passes on '{name}'"));
        let error =
            Diagnostic::error(format!("'{name}' does not refer to a registered pass or pass pipeline"));
        let error = error.at(span).did_you_mean(near);
        anchor.into_iter().fold(error, Diagnostic::help)
    }

    fn options(&mut self, pass: &mut dyn crate::Pass) -> Result<(), Diagnostic> {
        let name = pass.name();
        loop {
            self.space();
            match self.peek() {
                Some('}') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(',') => self.at += 1,
                None => return Err(self.error_here("missing closing '}' while processing pass options")),
                Some(_) => self.option(name, pass)?,
            }
        }
    }

    fn option(&mut self, pass_name: &str, pass: &mut dyn crate::Pass) -> Result<(), Diagnostic> {
        let start = self.at;
        let rest = &self.text[start..];
        let len = rest
            .find(|c: char| matches!(c, '=' | ',' | '}' | '{') || c.is_whitespace())
            .unwrap_or(rest.len());
        let option = &rest[..len];
        if option.is_empty() {
            return Err(self.error_here(format!("expected the name of an option of pass '{pass_name}'")));
        }
        self.at += len;
        let mut value = String::new();
        let mut value_start = self.at;
        if self.peek() == Some('=') {
            self.at += 1;
            value_start = self.at;
            value = self.value()?;
        }
        let value_span = self.span(value_start, self.at);
        let span = self.span(start, start + len);
        let Some(options) = pass.options_mut() else {
            return Err(Diagnostic::error(format!("<Pass-Options-Parser>: no such option {option}"))
                .at(span)
                .note(format!("pass '{pass_name}' has no options")));
        };
        match options.set(option, &value) {
            Ok(()) => Ok(()),
            Err(None) => {
                let infos = options.infos();
                let known: Vec<&str> = infos.iter().map(|info| info.name).collect();
                Err(Diagnostic::error(format!("<Pass-Options-Parser>: no such option {option}"))
                    .at(span)
                    .did_you_mean(nearest(option, known.iter().copied()))
                    .note(format!("pass '{pass_name}' has the options {}", known.join(", "))))
            }
            Err(Some(kind)) => {
                let found = if value.is_empty() { "nothing".to_owned() } else { format!("'{value}'") };
                let message =
                    format!("option '{option}' of pass '{pass_name}' must be {kind}, but got {found}");
                Err(Diagnostic::error(message).at(if value.is_empty() { span } else { value_span }))
            }
        }
    }

    /// Parses a value: quoted, in braces, or up to a space, a comma or '}'. A comma continues a list unless an option
    /// follows.
    fn value(&mut self) -> Result<String, Diagnostic> {
        match self.peek() {
            Some(quote @ ('"' | '\'')) => {
                let rest = &self.text[self.at + 1..];
                let Some(end) = rest.find(quote) else {
                    return Err(self.error_here("this quotation has no end"));
                };
                self.at += end + 2;
                Ok(rest[..end].to_owned())
            }
            Some('{') => {
                let rest = &self.text[self.at..];
                let mut depth = 0usize;
                for (offset, c) in rest.char_indices() {
                    match c {
                        '{' => depth += 1,
                        '}' => depth -= 1,
                        _ => {}
                    }
                    if depth == 0 {
                        self.at += offset + 1;
                        return Ok(rest[..=offset].to_owned());
                    }
                }
                Err(self.error_here("this brace has no end"))
            }
            _ => {
                let start = self.at;
                let rest = &self.text[start..];
                let mut end =
                    rest.find(|c: char| matches!(c, '}' | '{') || c.is_whitespace()).unwrap_or(rest.len());
                // `a=1,b=2` is two options, `a=1,2` is a list.
                for (comma, _) in rest[..end].match_indices(',') {
                    let part = rest[comma + 1..end].split(',').next().unwrap_or("");
                    if part.contains('=') || part.is_empty() {
                        end = comma;
                        break;
                    }
                }
                self.at += end;
                Ok(rest[..end].to_owned())
            }
        }
    }
}
