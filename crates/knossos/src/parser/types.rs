//! Parsing of types.

use super::Parser;
use crate::ast::{TypeExprId, TypeKind};
use crate::lexer::TokenKind;
use minoan_diag::{Diagnostic, Span, nearest};

/// The maximum rank of a tensor.
const MAX_RANK: i64 = 64;

const TYPE_WORDS: [&str; 10] =
    ["Integer", "Float", "Bool", "String", "Any", "Vec", "Tensor", "Tuple", "Lam", "LM"];

/// Whether `word` starts a compound type.
pub(super) fn is_constructor(word: &str) -> bool {
    matches!(word, "Vec" | "Tensor" | "Tuple" | "Lam" | "LM")
}

/// Whether `word` is a type by itself.
pub(super) fn is_scalar(word: &str) -> bool {
    matches!(word, "Integer" | "Float" | "Bool" | "String" | "Any")
}

impl Parser<'_> {
    /// Parses a type.
    pub(super) fn ty(&mut self) -> TypeExprId {
        let span = self.here();
        let kind = match self.kind() {
            TokenKind::Name => {
                let word = self.word_of(self.token());
                if is_constructor(word) {
                    let message = format!("expected a type, found '{word}' without parentheses");
                    self.reporter
                        .report(Diagnostic::error(message).at(span).help(format!("write '({word} ...)'")));
                    // The following elements presumably belong to the type.
                    let kind = self.compound();
                    drop(kind);
                    return self.program.add_type(TypeKind::Error, self.span_to_here(span));
                }
                self.at += 1;
                self.scalar(word, span)
            }
            TokenKind::Open => {
                let error = TypeExprId(u32::MAX);
                let id = self.nested(error, Self::parenthesized_type);
                return if id == error { self.program.add_type(TypeKind::Error, span) } else { id };
            }
            _ => {
                self.expected("a type");
                self.skip();
                TypeKind::Error
            }
        };
        self.program.add_type(kind, span)
    }

    /// Parses the type after `x :`, where compound types need no parentheses.
    pub(super) fn open_type(&mut self) -> TypeExprId {
        let span = self.here();
        if !is_constructor(self.name_at(self.at)) {
            return self.ty();
        }
        let kind = self.compound();
        let span = self.span_to_here(span);
        self.program.add_type(kind, span)
    }

    /// Parses the argument type of an `edef`: a type, or a parenthesized list of argument types.
    pub(super) fn argument_types(&mut self) -> TypeExprId {
        if self.kind() != TokenKind::Open || is_constructor(self.name_at(self.at + 1)) {
            return self.open_type();
        }
        let (first, close) = (self.at, self.token().partner as usize);
        let (elements, _) = self.elements(first, 2);
        if elements.len() == 1 && self.token_at(elements[0]).kind == TokenKind::Open {
            // `((Float Float))`: redundant parentheses around the list.
            return self.nested_arguments(close);
        }
        self.at += 1;
        let types = self.types_until(close);
        self.at = close + 1;
        let span = self.span_from(first);
        match types[..] {
            [single] => single,
            _ => self.program.add_type(TypeKind::Tuple(types.into()), span),
        }
    }

    fn nested_arguments(&mut self, close: usize) -> TypeExprId {
        let error = TypeExprId(u32::MAX);
        let span = self.here();
        let id = self.nested(error, |parser| {
            parser.at += 1;
            let inner = parser.argument_types();
            parser.close(close, "the argument types");
            inner
        });
        if id == error { self.program.add_type(TypeKind::Error, span) } else { id }
    }

    fn parenthesized_type(&mut self) -> TypeExprId {
        let (first, close) = (self.at, self.token().partner as usize);
        self.at += 1;
        if self.at == close {
            self.at = close + 1;
            let span = self.span_from(first);
            return self.program.add_type(TypeKind::Nothing, span);
        }
        if is_constructor(self.name_at(self.at)) {
            let kind = self.compound();
            self.close(close, "the type");
            let span = self.span_from(first);
            return self.program.add_type(kind, span);
        }
        let inner = self.ty();
        if self.at < close && matches!(self.program.type_expr(inner).kind, TypeKind::Error) {
            self.at = close + 1;
            return inner;
        }
        if self.at < close {
            let written = self.text
                [self.token_at(first + 1).start as usize..self.token_at(close).start as usize]
                .trim();
            let error = Diagnostic::error(format!("expected ')' after the type, found {}", self.found()));
            let error = error.at(self.here());
            let error = if written.len() < 60 && !written.contains('\n') {
                error.help(format!("a tuple type is written '(Tuple {written})'"))
            } else {
                error
            };
            self.reporter.report(error);
            self.at = close + 1;
            let span = self.span_from(first);
            return self.program.add_type(TypeKind::Error, span);
        }
        self.at = close + 1;
        inner
    }

    fn scalar(&mut self, word: &str, span: Span) -> TypeKind {
        match word {
            "Integer" => TypeKind::Integer,
            "Float" => TypeKind::Float,
            "Bool" => TypeKind::Bool,
            "String" => TypeKind::String,
            "Any" => TypeKind::Any,
            _ => {
                let error =
                    Diagnostic::error(format!("unknown type '{}'", minoan_frontend::clip(word))).at(span);
                self.reporter.report(error.did_you_mean(nearest(word, TYPE_WORDS)));
                TypeKind::Error
            }
        }
    }

    /// Parses a type constructor and its operands.
    fn compound(&mut self) -> TypeKind {
        let word = self.word_of(self.token());
        self.at += 1;
        match word {
            "Vec" => TypeKind::Vec(self.ty()),
            "Tensor" => match self.rank() {
                Some(rank) => TypeKind::Tensor(rank, self.ty()),
                None => {
                    if !self.at_end() {
                        self.ty();
                    }
                    TypeKind::Error
                }
            },
            "Lam" => {
                let from = self.ty();
                TypeKind::Lam(from, self.ty())
            }
            "LM" => {
                let from = self.ty();
                TypeKind::LinearMap(from, self.ty())
            }
            _ => {
                let mut parts = Vec::new();
                while !self.at_end() && !self.at_param() {
                    parts.push(self.ty());
                }
                TypeKind::Tuple(parts.into())
            }
        }
    }

    fn types_until(&mut self, close: usize) -> Vec<TypeExprId> {
        let mut types = Vec::new();
        while self.at < close {
            types.push(self.ty());
        }
        types
    }

    fn at_end(&self) -> bool {
        matches!(self.kind(), TokenKind::Close | TokenKind::CloseBracket | TokenKind::End)
    }

    /// Whether `(x :` follows.
    pub(super) fn at_param(&self) -> bool {
        self.kind() == TokenKind::Open
            && self.peek(1).kind == TokenKind::Name
            && self.peek(2).kind == TokenKind::Colon
    }

    fn rank(&mut self) -> Option<u32> {
        let token = self.token();
        if token.kind != TokenKind::Integer {
            self.expected("the rank of the tensor, an integer");
            return None;
        }
        let span = self.here();
        self.at += 1;
        let word = self.word_of(token);
        match crate::literal::integer(word) {
            Some(rank @ 1..=MAX_RANK) => Some(rank as u32),
            _ => {
                let message = format!("the rank of a tensor must be from 1 to {MAX_RANK}, but is {word}");
                self.reporter.report(Diagnostic::error(message).at(span));
                None
            }
        }
    }

    fn span_to_here(&self, start: Span) -> Span {
        start.to(self.span_of(self.token_at(self.at.saturating_sub(1))))
    }
}
