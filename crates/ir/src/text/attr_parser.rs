//! What a dialect's parser of attributes and types sees.

use super::ParseError;
use super::lexer::Tok;
use super::parser::Parser;
use crate::{Attr, Context, Type};
use minoan_diag::{Diagnostic, Span, nearest};

/// Reads what stands between the brackets of a dialect's attribute or type.
///
/// Every method that fails has reported why; the caller passes the error on.
pub struct AttrParser<'p, 'c> {
    p: &'p mut Parser<'c>,
}

type Parsed<T> = Result<T, ParseError>;

/// The keywords of an attribute that is one, or a list of some; see [`AttrSyntax::EnumOpaque`].
///
/// [`AttrSyntax::EnumOpaque`]: crate::AttrSyntax::EnumOpaque
#[derive(Clone, Copy, Default, Debug)]
pub struct Keywords {
    /// All there are.
    pub cases: &'static [&'static str],
    /// What is written between several, where several may be given.
    pub flags: Option<&'static str>,
    /// The one that is short for all others together.
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
        self.p.expect_word(word, "")
    }

    /// Whether a `#` with a name stands next; reads nothing.
    pub fn at_hash(&self) -> bool {
        self.p.tok.kind == Tok::Hash
    }

    /// Reads an attribute; a type is one too.
    pub fn attribute(&mut self) -> Parsed<Attr> {
        self.p.attribute(None)
    }

    /// Reads a type.
    pub fn ty(&mut self) -> Parsed<Type> {
        self.p.ty()
    }

    /// Reads an integer with an optional sign.
    pub fn integer(&mut self) -> Parsed<i64> {
        self.p.signed_integer(None)
    }

    /// Reads `<keyword>`, or `<keyword, keyword>` where several may be given. Gives them with their brackets, each once and
    /// in the order of the cases.
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
    /// As [`AttrParser::keywords`]; `wrong` reports a word that is none of the cases.
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
