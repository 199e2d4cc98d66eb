//! Error reporting.

use super::{MAX_ERRORS, ParseError, Parser, Tok};
use minoan_diag::{Diagnostic, Span};

impl Parser<'_> {
    /// Reports an error. Functions that create diagnostics are never inlined, since diagnostics are large and would
    /// take stack space at each level of nesting.
    #[cold]
    #[inline(never)]
    pub(crate) fn report(&self, diagnostic: Diagnostic) -> ParseError {
        let mut diagnostics = self.diagnostics.borrow_mut();
        // The definition of an alias is parsed at its first use and at its position.
        let known =
            |known: &Diagnostic| known.message == diagnostic.message && known.place == diagnostic.place;
        if diagnostics.error_count() < MAX_ERRORS && !diagnostics.iter().any(known) {
            diagnostics.push(diagnostic);
        }
        ParseError
    }

    pub(crate) fn too_many_errors(&self) -> bool {
        self.diagnostics.borrow().error_count() >= MAX_ERRORS
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn error_at(&self, span: Span, message: impl Into<String>) -> ParseError {
        self.report(Diagnostic::error(message).at(span))
    }

    /// Reports an error at the current token.
    #[cold]
    #[inline(never)]
    pub(crate) fn error(&self, message: impl Into<String>) -> ParseError {
        self.report_here(Diagnostic::error(message))
    }

    /// Reports an error at the current token, or at an invalid character.
    pub(crate) fn report_here(&self, error: Diagnostic) -> ParseError {
        if self.tok.kind == Tok::Error {
            return self.unexpected_character();
        }
        // At the end of the text, its last character.
        let span = match self.tok.kind {
            Tok::Eof => self.span_before(self.tok.start as usize),
            _ => self.span(),
        };
        self.report(error.at(span))
    }

    /// Reports an error directly after the last consumed token, where something is missing.
    #[cold]
    #[inline(never)]
    pub(crate) fn error_wrong_token(&self, message: impl Into<String>) -> ParseError {
        if self.tok.kind == Tok::Error {
            return self.unexpected_character();
        }
        self.error_at(self.wrong_token_span(), message)
    }

    /// The position directly after the last consumed token; at the end of the text, its last character.
    pub(super) fn wrong_token_span(&self) -> Span {
        let behind = self.text[..self.prev_end as usize].trim_end().len() as u32;
        if behind == 0 || behind == self.tok.start && self.tok.kind != Tok::Eof {
            return self.span();
        }
        let last = self.span_before(self.text.len());
        match behind as usize == self.text.len() {
            true => self.span_behind(self.text[..last.start as usize].trim_end().len()),
            false => self.span_behind(behind as usize),
        }
    }

    /// The character that starts at a byte.
    pub(super) fn span_behind(&self, start: usize) -> Span {
        let length = self.text[start..].chars().next().map_or(0, char::len_utf8);
        Span::new(self.file, start as u32, (start + length) as u32)
    }

    /// The character that ends at a byte.
    fn span_before(&self, end: usize) -> Span {
        let length = self.text[..end].chars().next_back().map_or(0, char::len_utf8);
        Span::new(self.file, (end - length) as u32, end as u32)
    }
}
