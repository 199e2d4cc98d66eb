//! The parser interface for dialect attributes and types.

use super::ParseError;
use super::lexer::Tok;
use super::parser::Parser;
use crate::{Attr, Context, Type};
use minoan_diag::{Diagnostic, Span, nearest};

/// Parses the parameters of a dialect's attribute or type.
///
/// Every method that fails has reported the error; the caller propagates it.
pub struct AttrParser<'p, 'c> {
    p: &'p mut Parser<'c>,
}

type Parsed<T> = Result<T, ParseError>;

/// The keywords of an enum attribute; see [`AttrSyntax::EnumOpaque`].
///
/// [`AttrSyntax::EnumOpaque`]: crate::AttrSyntax::EnumOpaque
#[derive(Clone, Copy, Default, Debug)]
pub struct Keywords {
    /// All keywords.
    pub cases: &'static [&'static str],
    /// The separator, if several keywords are allowed.
    pub flags: Option<&'static str>,
    /// The keyword that abbreviates all others.
    pub all: Option<&'static str>,
}

impl<'p, 'c> AttrParser<'p, 'c> {
    pub(super) fn new(p: &'p mut Parser<'c>) -> Self {
        Self { p }
    }

    /// The context.
    pub fn ctx(&self) -> &'c Context {
        self.p.ctx
    }

    /// The span of the next token.
    pub fn span(&self) -> Span {
        self.p.span()
    }

    /// Reports an error at a span.
    pub fn error_at(&self, span: Span, message: impl Into<String>) -> ParseError {
        self.p.error_at(span, message.into())
    }

    /// Parses the given punctuation: `<`, `=`.
    pub fn punct(&mut self, punct: &str) -> Parsed<()> {
        self.p.expect(punct)
    }

    /// Parses the given punctuation if it is next.
    pub fn optional_punct(&mut self, punct: &str) -> bool {
        self.p.eat(punct)
    }

    /// Parses the given keyword.
    pub fn keyword(&mut self, word: &str) -> Parsed<()> {
        self.p.expect_word(word, "")
    }

    /// Whether a `#` with a name is next; consumes nothing.
    pub fn at_hash(&self) -> bool {
        self.p.tok.kind == Tok::Hash
    }

    /// Parses an attribute, which may be a type.
    pub fn attribute(&mut self) -> Parsed<Attr> {
        self.p.attribute(None)
    }

    /// Parses a type.
    pub fn ty(&mut self) -> Parsed<Type> {
        self.p.ty()
    }

    /// Parses an integer with an optional sign.
    pub fn integer(&mut self) -> Parsed<i64> {
        self.p.signed_integer(None)
    }

    /// Parses `<keyword>`, or `<keyword, keyword>` if several are allowed. Returns them with their brackets, without
    /// duplicates and in the order of the cases.
    pub fn keywords(&mut self, keywords: Keywords) -> Parsed<String> {
        self.p.keywords(keywords, &|p| {
            if !matches!(p.tok.kind, Tok::Word | Tok::String) {
                return p.error("expected valid keyword or string");
            }
            let near = nearest(p.spelling(), keywords.cases.iter().copied());
            let message = format!("expected one of: {}", keywords.cases.join(", "));
            p.report(Diagnostic::error(message).at(p.span()).did_you_mean(near))
        })
    }
}

impl<'c> Parser<'c> {
    /// Like [`AttrParser::keywords`]; `wrong` reports an unknown keyword.
    pub(super) fn keywords(
        &mut self,
        keywords: Keywords,
        wrong: &dyn Fn(&Self) -> ParseError,
    ) -> Parsed<String> {
        let Keywords { cases, flags, all } = keywords;
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
        let is_single = |case: &&str| *case != "none" && Some(*case) != all;
        let has_all = cases.iter().filter(|case| is_single(case)).all(|case| words.contains(case));
        let written: Vec<&str> = match all {
            Some(all) if has_all || words.contains(&all) => vec![all],
            _ if words.iter().any(is_single) => {
                cases.iter().copied().filter(|case| is_single(case) && words.contains(case)).collect()
            }
            _ => cases.iter().copied().filter(|case| words.contains(case)).collect(),
        };
        Ok(format!("<{}>", written.join(flags.unwrap_or_default())))
    }
}
