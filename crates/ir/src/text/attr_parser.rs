//! What a dialect's parser of attributes sees.

use super::ParseError;
use super::lexer::Tok;
use super::parser::Parser;
use crate::{Attr, Context};
use minoan_diag::{Diagnostic, Span, nearest};

/// Reads what stands between the brackets of a dialect's attribute.
///
/// Every method that fails has reported why; the caller passes the error on.
pub struct AttrParser<'p, 'c> {
    p: &'p mut Parser<'c>,
}

type Parsed<T> = Result<T, ParseError>;

impl<'p, 'c> AttrParser<'p, 'c> {
    pub(super) fn new(p: &'p mut Parser<'c>) -> Self {
        Self { p }
    }

    /// The context.
    pub fn ctx(&self) -> &'c Context {
        self.p.ctx
    }

    /// Where the next token stands.
    pub fn span(&self) -> Span {
        self.p.span()
    }

    /// Reports an error at a place.
    pub fn error_at(&self, span: Span, message: impl Into<String>) -> ParseError {
        self.p.error_at(span, message.into())
    }

    /// Reads certain punctuation: `<`, `=`.
    pub fn punct(&mut self, punct: &str) -> Parsed<()> {
        self.p.expect(punct)
    }

    /// Reads certain punctuation where it stands next.
    pub fn optional_punct(&mut self, punct: &str) -> bool {
        self.p.eat(punct)
    }

    /// Reads a certain word.
    pub fn keyword(&mut self, word: &str) -> Parsed<()> {
        self.p.expect_word(word)
    }

    /// Whether a `#` with a name stands next; reads nothing.
    pub fn at_hash(&self) -> bool {
        self.p.tok.kind == Tok::Hash
    }

    /// Reads an attribute; a type is one too.
    pub fn attribute(&mut self) -> Parsed<Attr> {
        self.p.attribute(None)
    }

    /// Reads an integer with an optional sign.
    pub fn integer(&mut self) -> Parsed<i64> {
        self.p.signed_integer()
    }

    /// Reads `<keyword>`, or `<keyword, keyword>` where `flags` says what is written between several. Gives them with their
    /// brackets, each once and in the order of `cases`.
    pub fn keywords(&mut self, cases: &[&'static str], flags: Option<&str>) -> Parsed<String> {
        self.p.keywords(cases, flags, &|p| {
            let near = nearest(p.spelling(), cases.iter().copied());
            let message = format!("expected one of: {}", cases.join(", "));
            p.report(Diagnostic::error(message).at(p.span()).did_you_mean(near))
        })
    }
}

impl<'c> Parser<'c> {
    /// As [`AttrParser::keywords`]; `wrong` reports a word that is none of the cases.
    pub(super) fn keywords(
        &mut self,
        cases: &[&'static str],
        flags: Option<&str>,
        wrong: &dyn Fn(&Self) -> ParseError,
    ) -> Parsed<String> {
        self.expect("<")?;
        let mut words: Vec<&str> = Vec::new();
        loop {
            let word = self.spelling();
            let case = cases.iter().find(|case| **case == word);
            words.push(case.ok_or_else(|| wrong(self))?);
            self.advance();
            if flags.is_none() || !self.eat(",") {
                break;
            }
        }
        self.expect(">")?;
        let written: Vec<&str> = cases.iter().copied().filter(|case| words.contains(case)).collect();
        Ok(format!("<{}>", written.join(flags.unwrap_or_default())))
    }
}
