//! What a dialect's parser of attributes sees.

use super::ParseError;
use super::lexer::Tok;
use super::parser::Parser;
use crate::{Attr, Context, service};
use minoan_diag::Span;

/// How the attributes of a dialect are written. Asked by the parser; without an answer an attribute is the text between
/// its brackets, as it is.
pub trait AttrText: Send + Sync {
    /// Reads what follows `#dialect.mnemonic`, from `<` to `>`, and gives it as it is to be kept and printed: with its
    /// brackets, in the one form that equal attributes have in common.
    ///
    /// # Errors
    /// Where the text has another form, or says what is not allowed; it is reported.
    fn read(&self, p: &mut AttrParser<'_, '_>, mnemonic: &str) -> Result<String, ParseError>;
}
service!(dyn AttrText, "AttrText", Optional);

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
}
