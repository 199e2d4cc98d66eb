//! Parsing of expressions.

use super::{Parser, is_reserved};
use crate::ast::{Binding, ExprId, ExprKind, Ident, Pattern};
use crate::lexer::{Token, TokenKind};
use crate::literal;
use minoan_diag::{Diagnostic, Span};

impl Parser<'_> {
    /// Parses an expression.
    pub(super) fn expr(&mut self) -> ExprId {
        let span = self.here();
        let token = self.token();
        let kind = match token.kind {
            TokenKind::Integer => self.integer(),
            TokenKind::Float => self.float(),
            TokenKind::String => ExprKind::String(self.string_value()),
            TokenKind::Name => self.word(),
            TokenKind::Open => {
                let none = ExprId(u32::MAX);
                let id = self.nested(none, Self::list);
                return if id == none { self.error_expr(span) } else { id };
            }
            TokenKind::OpenBracket => {
                let error =
                    Diagnostic::error("expected an expression, found the name of a function").at(span);
                self.reporter.report(error.help("functions can only be called: '([rev f] x dx)'"));
                ExprKind::Error
            }
            _ => {
                self.expected("an expression");
                ExprKind::Error
            }
        };
        self.skip();
        self.program.add_expr(kind, span)
    }

    fn integer(&mut self) -> ExprKind {
        let word = self.word_of(self.token());
        match literal::integer(word) {
            Some(value) => ExprKind::Integer(value),
            None => {
                let message = format!("the integer {} does not fit 64 bits", minoan_frontend::clip(word));
                self.reporter.report(Diagnostic::error(message).at(self.here()));
                ExprKind::Error
            }
        }
    }

    fn float(&mut self) -> ExprKind {
        let word = self.word_of(self.token());
        match literal::float(word) {
            Some(value) => ExprKind::Float(value),
            None => {
                let message = format!("the float {} is too large", minoan_frontend::clip(word));
                self.reporter.report(Diagnostic::error(message).at(self.here()));
                ExprKind::Error
            }
        }
    }

    fn word(&mut self) -> ExprKind {
        match self.word_of(self.token()) {
            "true" => ExprKind::Bool(true),
            "false" => ExprKind::Bool(false),
            word if is_reserved(word) => {
                let message = format!("expected an expression, found the reserved word '{word}'");
                self.reporter.report(Diagnostic::error(message).at(self.here()));
                ExprKind::Error
            }
            word => ExprKind::Var(self.program.names.intern(word)),
        }
    }

    fn list(&mut self) -> ExprId {
        let (first, close) = (self.at, self.token().partner as usize);
        self.at += 1;
        let kind = match self.kind() {
            TokenKind::Name => match self.word_of(self.token()) {
                "let" => return self.let_form(first, close),
                "if" => self.if_form(close),
                "assert" => self.assert_form(close),
                "tuple" => {
                    self.at += 1;
                    Some(ExprKind::Tuple(self.exprs(close)))
                }
                "$dummy" => {
                    self.at += 1;
                    let ty = self.open_type();
                    self.close(close, "'$dummy'");
                    Some(ExprKind::Dummy(ty))
                }
                "true" | "false" if self.at + 1 == close => return self.parenthesized(close),
                "lam" | "lambda" if self.at_lambda() => self.lambda(close),
                "call" => {
                    self.at += 1;
                    self.call(close)
                }
                _ => self.call(close),
            },
            TokenKind::OpenBracket => self.call(close),
            TokenKind::Open if self.after(self.at) < close => {
                // `((f x) y)`
                let error =
                    Diagnostic::error("expected a function name, found an expression").at(self.here());
                self.reporter.report(error.note("only functions that have a name can be called"));
                None
            }
            TokenKind::Open | TokenKind::Integer | TokenKind::Float | TokenKind::String => {
                if self.after(self.at) == close {
                    return self.parenthesized(close);
                }
                self.listed_arguments(close)
            }
            TokenKind::Close => {
                let span = self.span_at(first, close);
                let error = Diagnostic::error("expected an expression, found '()'").at(span);
                let help = "the empty tuple is written '(tuple)'";
                self.reporter.report(error.suggest(span, "(tuple)", help));
                None
            }
            _ => {
                self.expected("a function name");
                None
            }
        };
        self.at = close + 1;
        let span = self.span_from(first);
        self.program.add_expr(kind.unwrap_or(ExprKind::Error), span)
    }

    /// `(e)`: the expression itself.
    fn parenthesized(&mut self, close: usize) -> ExprId {
        let inner = self.expr();
        self.close(close, "the parentheses");
        inner
    }

    /// `(0 x y)`: a list that starts with a literal, which old programs use for the arguments of a call.
    fn listed_arguments(&mut self, close: usize) -> Option<ExprKind> {
        let span = self.span_at(self.at - 1, close);
        self.reporter.report(
            Diagnostic::warning("a list that starts with a literal is read as a tuple").at(span).suggest(
                Span { start: span.start + 1, end: span.start + 1, ..span },
                "tuple ",
                "write '(tuple ...)'",
            ),
        );
        Some(ExprKind::Tuple(self.exprs(close)))
    }

    /// Parses expressions up to and including the closing bracket.
    fn exprs(&mut self, close: usize) -> Box<[ExprId]> {
        let mut list = Vec::new();
        while self.at < close && !self.reporter.is_full() {
            list.push(self.expr());
        }
        self.at = close + 1;
        list.into()
    }

    fn call(&mut self, close: usize) -> Option<ExprKind> {
        let name = self.fn_name();
        let args = self.exprs(close);
        Some(ExprKind::Call { name: name?, args })
    }

    fn if_form(&mut self, close: usize) -> Option<ExprKind> {
        self.at += 1;
        let condition = self.part(close, "the condition of 'if'")?;
        let then = self.part(close, "the value of 'if' when the condition is true")?;
        let otherwise = self.part(close, "the value of 'if' when the condition is false")?;
        self.close(close, "'if'");
        Some(ExprKind::If { condition, then, otherwise })
    }

    fn assert_form(&mut self, close: usize) -> Option<ExprKind> {
        self.at += 1;
        let condition = self.part(close, "the condition of 'assert'")?;
        let body = self.part(close, "the value of 'assert'")?;
        self.close(close, "'assert'");
        Some(ExprKind::Assert { condition, body })
    }

    fn part(&mut self, close: usize, what: &str) -> Option<ExprId> {
        if self.at >= close {
            self.expected(what);
            return None;
        }
        Some(self.expr())
    }

    /// Whether a lambda starts here: `lam (x :` or `lam ((x :`.
    fn at_lambda(&self) -> bool {
        let open = |ahead| self.peek(ahead).kind == TokenKind::Open;
        let named =
            |ahead| self.peek(ahead).kind == TokenKind::Name && self.peek(ahead + 1).kind == TokenKind::Colon;
        open(1) && (named(2) || (open(2) && named(3)))
    }

    fn lambda(&mut self, close: usize) -> Option<ExprKind> {
        self.at += 1;
        let params = self.params()?;
        let body = self.part(close, "the body of the lambda")?;
        self.close(close, "the lambda");
        Some(ExprKind::Lam { params, body })
    }

    fn let_form(&mut self, first: usize, close: usize) -> ExprId {
        self.at += 1;
        let bindings = self.bindings();
        let body = match bindings.is_some() {
            true => self.part(close, "the body of 'let'"),
            false => None,
        };
        if body.is_some() {
            self.close(close, "'let'");
        }
        self.at = close + 1;
        let span = self.span_from(first);
        match (bindings, body) {
            (Some(bindings), Some(body)) => {
                self.program.add_expr(ExprKind::Let { bindings: bindings.into(), body }, span)
            }
            _ => self.error_expr(span),
        }
    }

    /// Parses the bindings of a `let`: a single binding or a list.
    ///
    /// `((a b) (c d))` is a single binding that destructures the value of the call `(c d)`.
    fn bindings(&mut self) -> Option<Vec<Binding>> {
        if self.kind() != TokenKind::Open {
            self.expected("a binding '(name value)'");
            return None;
        }
        let close = self.token().partner as usize;
        if self.peek(1).kind == TokenKind::Name {
            return Some(vec![self.binding(false)?]);
        }
        let (elements, complete) = self.elements(self.at, 2);
        if let (&[pattern, value], true) = (&elements[..], complete)
            && self.is_pattern(pattern)
            && !self.is_unpacking(value)
        {
            let ambiguous = self.elements(pattern, 3).0.len() == 2 && self.is_simple_binding(value);
            return Some(vec![self.binding(ambiguous)?]);
        }
        if let (&[_, value], true) = (&elements[..], complete)
            && !self.is_unpacking(value)
            && !self.is_simple_binding(value)
        {
            // Not a list of bindings; presumably a single binding with a nested pattern.
            return Some(vec![self.binding(false)?]);
        }
        self.at += 1;
        let mut bindings = Vec::new();
        while self.at < close {
            bindings.push(self.binding(false)?);
        }
        self.at = close + 1;
        Some(bindings)
    }

    /// Whether the element is a flat list of names.
    fn is_pattern(&self, index: usize) -> bool {
        let token = self.token_at(index);
        let between = || &self.tokens[index + 1..token.partner as usize];
        let is_name = |token: &Token| token.kind == TokenKind::Name && !is_reserved(self.word_of(*token));
        token.kind == TokenKind::Open && between().iter().all(is_name)
    }

    /// Whether the element can only be the binding `((x y) e)`.
    fn is_unpacking(&self, index: usize) -> bool {
        let (elements, complete) = match self.token_at(index).kind {
            TokenKind::Open => self.elements(index, 2),
            _ => return false,
        };
        complete && elements.len() == 2 && self.token_at(elements[0]).kind == TokenKind::Open
    }

    /// Whether the element could be the binding `(x e)`.
    fn is_simple_binding(&self, index: usize) -> bool {
        let (elements, complete) = match self.token_at(index).kind {
            TokenKind::Open => self.elements(index, 2),
            _ => return false,
        };
        complete && elements.len() == 2 && {
            let word = self.name_at(elements[0]);
            !word.is_empty() && !is_reserved(word)
        }
    }

    /// Parses `(x e)` or `((x y) e)`.
    fn binding(&mut self, ambiguous: bool) -> Option<Binding> {
        if self.kind() != TokenKind::Open {
            self.expected("a binding '(name value)'");
            return None;
        }
        let (first, close) = (self.at, self.token().partner as usize);
        self.at += 1;
        let pattern = if self.kind() == TokenKind::Open {
            Pattern::Unpack { names: self.unpacked_names()?, ambiguous }
        } else {
            Pattern::Var(self.binder("the name of a variable")?)
        };
        let value = self.part(close, "the value of the binding")?;
        self.close(close, "the binding");
        Some(Binding { pattern, value, span: self.span_from(first) })
    }

    fn unpacked_names(&mut self) -> Option<Box<[Ident]>> {
        let close = self.token().partner as usize;
        self.at += 1;
        let mut names = Vec::new();
        while self.at < close {
            if self.kind() == TokenKind::Open {
                let error = Diagnostic::error("expected a name, found a nested pattern").at(self.here());
                self.reporter
                    .report(error.help("unpack in two steps: '(let ((a bc) t) (let ((b c) bc) ...))'"));
                return None;
            }
            names.push(self.binder("a name")?);
        }
        self.at = close + 1;
        Some(names.into())
    }

    fn span_at(&self, first: usize, last: usize) -> Span {
        self.span_of(self.token_at(first)).to(self.span_of(self.token_at(last)))
    }
}
