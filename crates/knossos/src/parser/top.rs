//! Parsing of top-level forms.

use super::Parser;
use crate::ast::{Derivation, FnNameKind, Ident, Item, ItemKind, Param};
use crate::lexer::TokenKind;
use crate::literal;
use minoan_diag::{Diagnostic, nearest};
use minoan_frontend::clip;

const FORMS: [&str; 4] = ["def", "edef", "gdef", "rule"];

impl Parser<'_> {
    /// Parses all forms of the file.
    pub(super) fn items(&mut self) {
        while self.kind() != TokenKind::End && !self.reporter.is_full() {
            self.too_deep = false;
            self.depth = 0;
            let first = self.at;
            if self.kind() != TokenKind::Open {
                self.without_bracket();
                continue;
            }
            let close = self.token().partner as usize;
            match self.item(close) {
                Some(kind) => {
                    self.at = close + 1;
                    let span = self.span_from(first);
                    self.program.items.push(Item { kind, span });
                }
                None => {
                    let word = self.name_at(first + 1);
                    let base =
                        if word == "rule" { None } else { self.base_word_at(first + 2).map(str::to_owned) };
                    if let Some(base) = base {
                        let base = self.program.names.intern(&base);
                        self.program.broken.push(base);
                    }
                }
            }
            self.at = close + 1;
        }
    }

    /// Reports text outside of lists, once up to the next list, or up to the next form if a form lacks its bracket.
    fn without_bracket(&mut self) {
        let word = self.name_at(self.at);
        let is_form = FORMS.contains(&word);
        if is_form {
            let error = Diagnostic::error(format!("expected '(' before '{word}'")).at(self.here());
            self.reporter.report(error);
        } else {
            self.expected("a top-level form ('def', 'edef', 'gdef' or 'rule')");
        }
        let resumes = |parser: &Self| match parser.kind() {
            TokenKind::End => true,
            TokenKind::Open => !is_form || FORMS.contains(&parser.name_at(parser.at + 1)),
            _ => false,
        };
        while !resumes(self) {
            self.at = self.after(self.at).max(self.at + 1);
        }
    }

    fn item(&mut self, close: usize) -> Option<ItemKind> {
        self.at += 1;
        let (word, span) = (self.name_at(self.at), self.here());
        match word {
            "def" => self.def(close),
            "edef" => self.edef(close),
            "gdef" => self.gdef(close),
            "rule" => self.rule(close),
            "" => {
                self.expected("'def', 'edef', 'gdef' or 'rule'");
                None
            }
            _ => {
                let error = Diagnostic::error(format!("unknown top-level form '{}'", clip(word))).at(span);
                let error = error.did_you_mean(nearest(word, FORMS));
                self.reporter.report(error.note("a file holds 'def', 'edef', 'gdef' and 'rule' forms"));
                None
            }
        }
    }

    fn def(&mut self, close: usize) -> Option<ItemKind> {
        self.at += 1;
        let name = self.fn_name()?;
        let result = self.ty();
        let params = self.params()?;
        if self.at >= close {
            self.expected("the body of the definition");
            return None;
        }
        let body = self.expr();
        self.close(close, "the definition");
        Some(ItemKind::Def { name, result, params, body })
    }

    fn edef(&mut self, close: usize) -> Option<ItemKind> {
        self.at += 1;
        let name = self.fn_name()?;
        let result = self.ty();
        if self.at >= close {
            self.expected("the type of the argument");
            return None;
        }
        let arg = self.argument_types();
        self.close(close, "the declaration");
        Some(ItemKind::Edef { name, result, arg })
    }

    fn gdef(&mut self, close: usize) -> Option<ItemKind> {
        self.at += 1;
        let first = self.at;
        let word = self.binder("a derivation such as 'rev'")?;
        let derivation = self.derivation(word.name);
        if let Derivation::Other(_) = derivation {
            let text = self.program.names.text(word.name).to_owned();
            self.unknown_derivation(&text, word.span);
            return None;
        }
        let inner = self.fn_name()?;
        let span = self.span_from(first);
        self.close(close, "the form");
        let name = self.program.add_fn_name(FnNameKind::Derived(derivation, inner), span);
        Some(ItemKind::Gdef { name })
    }

    fn rule(&mut self, close: usize) -> Option<ItemKind> {
        self.at += 1;
        let token = self.token();
        let name = match token.kind {
            TokenKind::String => self.string_value(),
            TokenKind::Name => self.word_of(token).into(),
            _ => {
                self.expected("the name of the rule");
                return None;
            }
        };
        self.at += 1;
        let params = self.params()?;
        if self.at >= close {
            self.expected("what the rule replaces");
            return None;
        }
        let from = self.expr();
        if self.at >= close {
            self.expected("what the rule puts in its place");
            return None;
        }
        let to = self.expr();
        self.close(close, "the rule");
        Some(ItemKind::Rule { name, params, from, to })
    }

    /// Parses a string literal.
    pub(super) fn string_value(&mut self) -> Box<str> {
        let token = self.token();
        let word = self.word_of(token);
        match literal::string(&word[1..word.len() - 1]) {
            Ok(value) => value.into(),
            Err((offset, message)) => {
                let mut span = self.here();
                span.start += 1 + offset as u32;
                span.end = span.start + 1;
                self.reporter.report(Diagnostic::error(message).at(span));
                "".into()
            }
        }
    }

    /// Parses `()`, `(x : T)`, `((x : T) (y : U))` or `(x : T (y : U))`.
    pub(super) fn params(&mut self) -> Option<Box<[Param]>> {
        if self.kind() != TokenKind::Open {
            self.expected("parameters in parentheses");
            return None;
        }
        let close = self.token().partner as usize;
        let mut params = Vec::new();
        if self.peek(1).kind == TokenKind::Name || self.peek(1).kind == TokenKind::Colon {
            self.at += 1;
            params.push(self.param()?);
        } else {
            self.at += 1;
        }
        while self.at < close {
            if self.kind() != TokenKind::Open {
                self.expected("a parameter '(name : Type)'");
                return None;
            }
            let end = self.token().partner as usize;
            self.at += 1;
            params.push(self.param()?);
            self.close(end, "the parameter");
        }
        self.at = close + 1;
        Some(params.into())
    }

    fn param(&mut self) -> Option<Param> {
        let name: Ident = self.binder("the name of a parameter")?;
        if self.kind() != TokenKind::Colon {
            self.expected("':' and a type");
            return None;
        }
        self.at += 1;
        Some(Param { name, ty: self.open_type() })
    }
}
