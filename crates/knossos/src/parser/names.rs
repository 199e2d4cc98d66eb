//! Parsing of function names: `f`, `[f T]`, `[rev f]`, `[shape [rev [f T]]]`.

use super::types::{is_constructor, is_scalar};
use super::{Parser, is_reserved};
use crate::ast::{Derivation, FnNameKind, NameId};
use crate::lexer::TokenKind;
use minoan_diag::Diagnostic;
use minoan_frontend::clip;

impl Parser<'_> {
    /// Parses a function name; reports an error and returns `None` if there is none.
    pub(super) fn fn_name(&mut self) -> Option<NameId> {
        match self.kind() {
            TokenKind::Name => {
                let ident = self.binder("a function name")?;
                Some(self.program.add_fn_name(FnNameKind::Plain(ident.name), ident.span))
            }
            TokenKind::OpenBracket => {
                let close = self.token().partner as usize;
                let name = self.nested(None, Self::structured_name);
                self.at = close + 1;
                name
            }
            _ => {
                self.expected("a function name");
                self.skip();
                None
            }
        }
    }

    fn structured_name(&mut self) -> Option<NameId> {
        let (first, close) = (self.at, self.token().partner as usize);
        self.at += 1;
        let ident = self.binder("a function or a derivation such as 'rev'")?;
        let next = self.token();
        let word = self.name_at(self.at);
        let typed = next.kind == TokenKind::Open || is_scalar(word) || is_constructor(word);
        let kind = if typed {
            FnNameKind::Typed(ident.name, self.open_type())
        } else if next.kind == TokenKind::Name || next.kind == TokenKind::OpenBracket {
            let derivation = self.derivation(ident.name);
            FnNameKind::Derived(derivation, self.fn_name()?)
        } else {
            self.expected("a type or a function name");
            return None;
        };
        if self.at < close {
            let error = Diagnostic::error(format!("expected ']' after the name, found {}", self.found()));
            self.reporter.report(error.at(self.here()));
        }
        self.at = close + 1;
        let span = self.span_from(first);
        let id = self.program.add_fn_name(kind, span);
        if typed {
            self.program.fn_names[id.0 as usize].base = ident.span;
        }
        Some(id)
    }

    /// The derivation that a word denotes.
    pub(super) fn derivation(&self, word: minoan_frontend::Symbol) -> Derivation {
        let text = self.program.names.text(word);
        let known = Derivation::KNOWN.iter().find(|(spelling, _)| *spelling == text);
        known.map_or(Derivation::Other(word), |&(_, derivation)| derivation)
    }

    /// The base name of the function name at `index`, without diagnostics.
    pub(super) fn base_word_at(&self, mut index: usize) -> Option<&str> {
        while self.token_at(index).kind == TokenKind::OpenBracket {
            let inner = index + 2;
            match self.token_at(inner).kind {
                TokenKind::OpenBracket => index = inner,
                TokenKind::Name
                    if !is_scalar(self.name_at(inner)) && !is_constructor(self.name_at(inner)) =>
                {
                    index = inner;
                }
                _ => index += 1,
            }
        }
        let word = self.name_at(index);
        (!word.is_empty() && !is_reserved(word)).then_some(word)
    }

    /// Reports that `word` is not a supported derivation.
    pub(super) fn unknown_derivation(&mut self, word: &str, span: minoan_diag::Span) {
        let known: Vec<&str> = Derivation::KNOWN.iter().map(|(text, _)| *text).collect();
        let error = Diagnostic::error(format!("unknown derivation '{}'", clip(word))).at(span);
        let error = error.did_you_mean(minoan_diag::nearest(word, known.iter().copied()));
        self.reporter.report(error.note(format!("what 'gdef' can derive: {}", known.join(", "))));
    }
}
