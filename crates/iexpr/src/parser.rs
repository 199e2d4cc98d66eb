//! An operator-precedence parser.
//!
//! ```text
//! file      ::= ( name '=' component | component )*          one to a line
//! component ::= component '|' component | component '&' component
//!             | component '<<' component | component '>>' component
//!             | '~' component | '(' component ')' | 'rev' '(' component ')' | name | 'i' '(' string ')'
//! ```
//!
//! Combinators have Python's precedence: `~` first, then `<<` and `>>`, then `&`, then `|`; all are left-associative.
//! A definition continues on the next line inside parentheses, after a combinator, and before a binary combinator.
//! Operators and operands are kept on explicit stacks, so nesting does not consume the call stack.

use crate::ast::{Combinator, Def, File, Literal, MAIN, NodeId, NodeKind, REVERSE};
use crate::lexer::{Token, TokenKind, lex};
use minoan_diag::{Diagnostic, Diagnostics, FileId, SourceMap, Span, nearest};
use minoan_frontend::{Reporter, clip};

/// Parses a file. Malformed definitions are reported and omitted.
///
/// ```
/// use minoan_diag::SourceMap;
/// let sources = SourceMap::new();
/// let file = sources.add("norm.iexpr", "row_sum = i(\"+ij~i\")\nnorm = (I & row_sum) >> i(\"ij/i~ij\")");
/// let (file, errors) = minoan_iexpr::parse(&sources, file);
/// assert!(errors.is_empty());
/// assert_eq!(file.defs.len(), 2);
/// ```
pub fn parse(sources: &SourceMap, file: FileId) -> (File, Diagnostics) {
    let source = sources.file(file);
    let mut reporter = Reporter::default();
    let tokens = lex(file, source.text(), &mut reporter);
    let text = source.text();
    let mut parser = Parser { id: file, text, tokens, at: 0, file: File::new(file), reporter: &mut reporter };
    while parser.token().kind != TokenKind::End {
        parser.statement();
    }
    let file = parser.file;
    (file, reporter.finish())
}

/// An operator that waits for its right operand.
#[derive(Clone, Copy)]
enum Waiting {
    Open(Span),
    Swap(Span),
    /// Precedes the parenthesis around its operand.
    Reverse(Span),
    Binary(Combinator, Span),
}

/// The component is malformed and has been reported.
struct Broken;

struct Parser<'a> {
    id: FileId,
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    file: File,
    reporter: &'a mut Reporter,
}

impl<'a> Parser<'a> {
    fn token(&self) -> Token {
        self.tokens[self.at]
    }

    fn next_kind(&self, ahead: usize) -> TokenKind {
        self.tokens.get(self.at + ahead).map_or(TokenKind::End, |token| token.kind)
    }

    fn advance(&mut self) -> Token {
        let token = self.token();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn span(&self, token: Token) -> Span {
        Span::new(self.id, token.start, token.end)
    }

    fn spelling(&self, token: Token) -> &'a str {
        &self.text[token.start as usize..token.end as usize]
    }

    fn error(&mut self, message: String) -> Broken {
        // The lexer has reported invalid tokens.
        if self.token().kind != TokenKind::Bad {
            let error = Diagnostic::error(message).at(self.span(self.token()));
            self.reporter.report(error);
        }
        Broken
    }

    fn found(&self) -> String {
        match self.token().kind {
            TokenKind::End => "the end of the file".to_owned(),
            TokenKind::String => "a string".to_owned(),
            _ => format!("`{}`", clip(self.spelling(self.token()))),
        }
    }

    /// Whether a definition starts here.
    fn at_definition(&self) -> bool {
        self.token().starts_line
            && self.token().kind == TokenKind::Name
            && self.next_kind(1) == TokenKind::Equals
    }

    /// Whether `rev` followed by a parenthesis is next.
    fn at_reverse(&self) -> bool {
        let follows = self.tokens.get(self.at + 1);
        self.spelling(self.token()) == REVERSE
            && follows.is_some_and(|token| token.kind == TokenKind::Open && !token.starts_line)
    }

    fn statement(&mut self) {
        let token = self.token();
        let is_named = token.kind == TokenKind::Name && self.next_kind(1) == TokenKind::Equals;
        let (mut name, mut name_span, start) = (MAIN, self.span(token), self.at);
        if is_named {
            name = self.spelling(token);
            self.at += 2;
        }
        let body = match self.component() {
            Ok(body) => body,
            Err(Broken) => {
                if self.at == start {
                    self.advance();
                }
                while self.token().kind != TokenKind::End && !self.at_definition() {
                    self.advance();
                }
                self.file.add(NodeKind::Error, name_span)
            }
        };
        if !is_named {
            name_span = self.file.node(body).span;
        }
        self.file.defs.push(Def { name: name.into(), name_span, is_named, body });
    }

    fn component(&mut self) -> Result<NodeId, Broken> {
        let mut waiting: Vec<Waiting> = Vec::new();
        let mut done: Vec<NodeId> = Vec::new();
        loop {
            self.operand(&mut waiting, &mut done)?;
            loop {
                match self.operator(&mut waiting, &mut done)? {
                    After::Operand => break,
                    After::Operator => {}
                    After::End => return done.pop().ok_or(Broken),
                }
            }
        }
    }

    /// Parses any number of `(` and `~`, and the operand that follows.
    fn operand(&mut self, waiting: &mut Vec<Waiting>, done: &mut Vec<NodeId>) -> Result<(), Broken> {
        loop {
            let (token, span) = (self.token(), self.span(self.token()));
            match token.kind {
                TokenKind::Open => waiting.push(Waiting::Open(span)),
                TokenKind::Swap => waiting.push(Waiting::Swap(span)),
                TokenKind::Name if self.at_reverse() => waiting.push(Waiting::Reverse(span)),
                TokenKind::Name if !self.at_definition() => {
                    let node = self.name_or_literal()?;
                    done.push(node);
                    return Ok(());
                }
                TokenKind::String => {
                    let message =
                        "an i-expression stands in `i(\"..\")`; expected a component, found a string";
                    return Err(self.error(message.to_owned()));
                }
                _ => {
                    let found = self.found();
                    return Err(self.error(format!("expected a component, found {found}")));
                }
            }
            self.advance();
        }
    }

    fn name_or_literal(&mut self) -> Result<NodeId, Broken> {
        let token = self.advance();
        let name = self.spelling(token);
        let is_call = self.token().kind == TokenKind::Open && !self.token().starts_line;
        if name != "i" && is_call {
            let error = Diagnostic::error(format!("unknown function '{name}'")).at(self.span(token));
            let error = error.did_you_mean(nearest(name, [REVERSE]));
            self.reporter.report(error.note("`i(\"..\")` is an i-expression, and `rev(..)` a derivative"));
            return Err(Broken);
        }
        if name != "i" || self.token().kind != TokenKind::Open || self.token().starts_line {
            return Ok(self.file.add(NodeKind::Name(name.into()), self.span(token)));
        }
        self.advance();
        let string = self.token();
        if string.kind != TokenKind::String {
            let found = self.found();
            return Err(self.error(format!("expected an i-expression in quotes, found {found}")));
        }
        self.advance();
        if self.token().kind != TokenKind::Close {
            let found = self.found();
            return Err(self.error(format!("expected `)` after an i-expression, found {found}")));
        }
        let close = self.advance();
        let span = self.span(token).to(self.span(close));
        let base = string.start + 1;
        let text = &self.text[base as usize..string.end as usize - 1];
        let kind = match minoan_iexpr_dialect::parse(text) {
            Ok((expr, places)) => NodeKind::Expr(Box::new(Literal { expr, places, base })),
            Err(problem) => {
                self.reporter.report(problem.diagnostic(self.id, base));
                NodeKind::Error
            }
        };
        Ok(self.file.add(kind, span))
    }

    /// Parses the token after an operand.
    fn operator(&mut self, waiting: &mut Vec<Waiting>, done: &mut Vec<NodeId>) -> Result<After, Broken> {
        let (token, span) = (self.token(), self.span(self.token()));
        let combinator = match token.kind {
            TokenKind::Compose => Some(Combinator::Compose),
            TokenKind::Chain => Some(Combinator::Chain),
            TokenKind::Fanout => Some(Combinator::Fanout),
            TokenKind::Pair => Some(Combinator::Pair),
            _ => None,
        };
        self.reduce(waiting, done, combinator.map_or(0, Combinator::precedence));
        if let Some(combinator) = combinator {
            self.advance();
            waiting.push(Waiting::Binary(combinator, span));
            return Ok(After::Operand);
        }
        match (token.kind, waiting.last().copied()) {
            (TokenKind::Close, Some(Waiting::Open(_))) => {
                self.advance();
                waiting.pop();
                if let Some(Waiting::Reverse(at)) = waiting.last().copied()
                    && let Some(operand) = done.pop()
                {
                    waiting.pop();
                    done.push(self.file.add(NodeKind::Reverse { operand, at }, at.to(span)));
                }
                Ok(After::Operator)
            }
            (TokenKind::Close, _) => Err(self.error("unexpected `)`: no parenthesis is open".to_owned())),
            (kind, Some(Waiting::Open(open))) if kind == TokenKind::End || self.at_definition() => {
                self.reporter.report(Diagnostic::error("unclosed parenthesis: expected `)`").at(open));
                Err(Broken)
            }
            (_, None) if token.starts_line => Ok(After::End),
            _ => {
                let found = self.found();
                Err(self.error(format!("expected `<<`, `>>`, `&` or `|` between components, found {found}")))
            }
        }
    }

    /// Reduces operators of at least this precedence, up to an open parenthesis.
    fn reduce(&mut self, waiting: &mut Vec<Waiting>, done: &mut Vec<NodeId>, precedence: u8) {
        loop {
            match waiting.last().copied() {
                Some(Waiting::Swap(at)) => {
                    let Some(operand) = done.pop() else { return };
                    let span = at.to(self.file.node(operand).span);
                    done.push(self.file.add(NodeKind::Swap(operand), span));
                }
                Some(Waiting::Binary(combinator, at)) if combinator.precedence() >= precedence => {
                    let (Some(right), Some(left)) = (done.pop(), done.pop()) else { return };
                    let span = self.file.node(left).span.to(self.file.node(right).span);
                    done.push(self.file.add(NodeKind::Binary { combinator, left, right, at }, span));
                }
                _ => return,
            }
            waiting.pop();
        }
    }
}

/// The position after a parsed token.
enum After {
    Operand,
    Operator,
    End,
}
