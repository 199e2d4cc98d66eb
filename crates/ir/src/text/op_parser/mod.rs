//! The parser interface for custom assembly.

mod attributes;
mod operands;
mod regions;

use super::ParseError;
use super::lexer::Tok;
use super::parser::{OpBuild, Parser};
use crate::{Attr, Block, Context, Int, Loc, OpKind, Type};
use minoan_diag::{Diagnostic, Span, nearest};

/// An operand name whose type is not known yet: see [`OpParser::resolve`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unresolved {
    /// The span of the name.
    pub span: Span,
    pub(crate) name_end: u32,
    pub(crate) number: u32,
}

/// An argument of a region's entry block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RegionArg {
    /// The name.
    pub name: Unresolved,
    /// The type.
    pub ty: Type,
}

/// An operation given by name and attributes; see [`OpParser::named_op`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NamedOp {
    /// The kind.
    pub kind: OpKind,
    /// The inherent attributes, as a dictionary.
    pub props: Attr,
    /// The discardable attributes, as a dictionary.
    pub attrs: Attr,
}

/// Parses the part of a custom form after the operation's name, and collects the parts of the operation.
///
/// A method that returns a `Result` has reported the error, at the offending token, when it fails: return it with `?`.
/// The parser then skips the operation and continues. Methods named `optional_..` return `None` or `false` if their first token
/// is absent, and fail only after it.
pub struct OpParser<'p, 'c> {
    pub(in crate::text) p: &'p mut Parser<'c>,
    pub(in crate::text) build: Box<OpBuild>,
}

type Parsed<T> = Result<T, ParseError>;

impl<'p, 'c> OpParser<'p, 'c> {
    pub(in crate::text) fn new(p: &'p mut Parser<'c>, build: Box<OpBuild>) -> Self {
        Self { p, build }
    }

    /// The context.
    pub fn ctx(&self) -> &'c Context {
        self.p.ctx
    }

    /// The span of the next token.
    pub fn span(&self) -> Span {
        self.p.span()
    }

    /// The location of the operation.
    pub fn loc(&self) -> Loc {
        self.build.loc
    }

    /// The full name of the operation.
    pub fn op_name(&self) -> &'c str {
        self.p.ctx.kind_name(self.build.kind)
    }

    /// Reports an error at the next token, prefixed by the operation's name.
    #[cold]
    #[inline(never)]
    pub fn error(&self, message: impl Into<String>) -> ParseError {
        self.error_at(self.span(), message)
    }

    /// Reports an error at a span, prefixed by the operation's name.
    #[cold]
    #[inline(never)]
    pub fn error_at(&self, span: Span, message: impl Into<String>) -> ParseError {
        let message = format!("custom op '{}' {}", self.op_name(), message.into());
        match span == self.span() {
            true => self.p.error(message),
            false => self.p.error_at(span, message),
        }
    }

    /// Reports an error at the operation's name.
    #[cold]
    #[inline(never)]
    pub fn error_at_name(&self, message: impl Into<String>) -> ParseError {
        self.error_at(self.build.span, message)
    }

    /// Parses the given keyword.
    pub fn keyword(&mut self, word: &str) -> Parsed<()> {
        if self.p.eat_word(word) {
            return Ok(());
        }
        let near = nearest(self.p.spelling(), [word]).filter(|_| self.p.tok.kind == Tok::Word);
        let message = format!("custom op '{}' expected '{word}'", self.op_name());
        Err(self.p.report_here(Diagnostic::error(message).did_you_mean(near)))
    }

    /// Parses the given keyword if it is next.
    pub fn optional_keyword(&mut self, word: &str) -> bool {
        self.p.eat_word(word)
    }

    /// Parses any keyword.
    pub fn any_keyword(&mut self) -> Parsed<String> {
        self.optional_any_keyword().ok_or_else(|| self.error("expected valid keyword"))
    }

    /// Parses any keyword if it is next.
    pub fn optional_any_keyword(&mut self) -> Option<String> {
        let word = (self.p.tok.kind == Tok::Word).then(|| self.p.spelling().to_owned())?;
        self.p.advance();
        Some(word)
    }

    /// Parses the given punctuation: `(`, `->`, `,`.
    pub fn punct(&mut self, punct: &str) -> Parsed<()> {
        self.p.expect(punct)
    }

    /// Parses the given punctuation in a list, which an error message names.
    pub fn punct_in(&mut self, punct: &str, list: &str) -> Parsed<()> {
        if self.p.eat(punct) {
            return Ok(());
        }
        Err(self.p.error_wrong_token(format!("expected '{punct}' in {list}")))
    }

    /// Parses the given punctuation if it is next.
    pub fn optional_punct(&mut self, punct: &str) -> bool {
        self.p.eat(punct)
    }

    /// Whether the given punctuation is next; consumes nothing.
    pub fn at_punct(&self, punct: &str) -> bool {
        self.p.is(punct)
    }

    /// Whether an `@name` is next; consumes nothing.
    pub fn at_symbol(&self) -> bool {
        self.p.tok.kind == Tok::At
    }

    /// Whether a `#` with a name is next; consumes nothing.
    pub fn at_hash(&self) -> bool {
        self.p.tok.kind == Tok::Hash
    }

    /// Whether a string is next; consumes nothing.
    pub fn at_string(&self) -> bool {
        self.p.tok.kind == Tok::String
    }

    /// Whether a `^name` is next; consumes nothing.
    pub fn at_successor(&self) -> bool {
        self.p.tok.kind == Tok::Caret
    }

    /// Parses a string; returns its unescaped bytes.
    pub fn string(&mut self) -> Parsed<Vec<u8>> {
        self.p.string()
    }

    /// Parses an integer with an optional sign.
    pub fn integer(&mut self) -> Parsed<i64> {
        let name = self.op_name();
        self.p.signed_integer(Some(name))
    }

    /// Parses an integer with up to 64 bits if signed, otherwise with up to `width` bits.
    pub fn integer_of_width(&mut self, width: u32) -> Parsed<Int> {
        let word = self.p.spelling();
        let is_small = self.p.tok.kind != Tok::Integer || word.len() < 19;
        if is_small || width < 64 {
            return Ok(Int::from(self.integer()?));
        }
        let message = format!("custom op '{}' integer value too large", self.op_name());
        let ty = Type::integer(self.p.ctx, width);
        let value = self.p.integer_value(false, word, ty, self.p.span(), &message)?;
        self.p.advance();
        Ok(value)
    }

    /// Parses an integer if one is next.
    pub fn optional_integer(&mut self) -> Parsed<Option<i64>> {
        let found = self.p.tok.kind == Tok::Integer || self.p.is("-");
        if found { self.integer().map(Some) } else { Ok(None) }
    }

    /// Parses `[0, 1]`; may be empty.
    pub fn integer_list(&mut self) -> Parsed<Vec<i64>> {
        self.punct("[")?;
        let mut numbers = Vec::new();
        let mut more = !self.at_punct("]");
        while more {
            numbers.push(self.integer()?);
            more = self.optional_punct(",");
        }
        self.punct("]")?;
        Ok(numbers)
    }

    /// Parses an operation's name and attributes: `arith.addi {overflowFlags = #arith.overflow<nsw>}`.
    pub fn named_op(&mut self) -> Parsed<NamedOp> {
        let span = self.span();
        if self.p.tok.kind != Tok::Word {
            return Err(self.p.error("expected bare identifier"));
        }
        let word = self.p.spelling();
        self.p.advance();
        let kind = self.p.kind_of_word(word, span)?;
        let ctx = self.p.ctx;
        let mut build = OpBuild::new(kind, self.build.loc, span);
        if self.p.is("{") {
            build.set_attrs(ctx, self.p.dictionary()?);
        }
        build.fill_defaults(ctx);
        let (props, attrs) = (Attr::dictionary(ctx, &build.props), Attr::dictionary(ctx, &build.attrs));
        Ok(NamedOp { kind, props, attrs })
    }

    /// Parses `^name` and appends it to the successors.
    pub fn successor(&mut self) -> Parsed<Block> {
        let block = self.p.successor()?;
        self.build.successors.push(block);
        Ok(block)
    }

    /// Parses and discards an optional `loc(..)`.
    pub fn skip_location(&mut self) -> Parsed<()> {
        self.p.optional_loc().map(drop)
    }
}
