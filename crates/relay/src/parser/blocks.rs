//! Parsing of binding sequences, function bodies and `match` clauses.

use super::{Abort, Parsed, Parser};
use crate::ast::{Attrs, Binder, Binding, Clause, ExprId, ExprKind, MatchNode, PatternId, PatternKind};
use crate::token::TokenKind;

impl Parser<'_> {
    /// Parses `{ bindings value }`.
    pub(super) fn braced(&mut self, what: &str) -> Parsed<ExprId> {
        let open = self.at;
        if !self.accept(TokenKind::OpenBrace) {
            return Err(self.expected(&format!("'{{' and {what}")));
        }
        let body = self.block()?;
        self.close(TokenKind::CloseBrace, "}", open)?;
        Ok(body)
    }

    /// Parses bindings and a value, up to a closing bracket or the end.
    pub(super) fn block(&mut self) -> Parsed<ExprId> {
        let first = self.at;
        let mut bindings = Vec::new();
        loop {
            match self.block_item(&mut bindings) {
                Ok(None) => {}
                Ok(Some(body)) if bindings.is_empty() => return Ok(body),
                Ok(Some(body)) => {
                    let block = self.module.add_block(bindings, body);
                    return Ok(self.add(ExprKind::Block(block), first));
                }
                Err(Abort::Item) => return Err(Abort::Item),
                Err(Abort::Binding) => {
                    if !self.recover()? {
                        return Ok(self.add(ExprKind::Error, first));
                    }
                }
            }
        }
    }

    /// Skips the semicolon that ends a malformed binding; false if the block ends first.
    fn recover(&mut self) -> Parsed<bool> {
        let mut open = 0usize;
        loop {
            match self.kind() {
                TokenKind::End | TokenKind::Metadata => return Err(Abort::Item),
                TokenKind::Word if self.starts_item(0) => return Err(Abort::Item),
                TokenKind::Open | TokenKind::OpenBrace | TokenKind::OpenBracket => open += 1,
                TokenKind::Close | TokenKind::CloseBrace | TokenKind::CloseBracket => {
                    if open == 0 {
                        // Recovery is possible only at the bracket that closes the block.
                        return if self.is(TokenKind::CloseBrace) { Ok(false) } else { Err(Abort::Item) };
                    }
                    open -= 1;
                }
                TokenKind::Semicolon if open == 0 => {
                    self.at += 1;
                    return Ok(true);
                }
                _ => {}
            }
            self.at += 1;
            if self.reporter.is_full() {
                return Err(Abort::Item);
            }
        }
    }

    /// Parses a binding, or the value that ends the block.
    fn block_item(&mut self, bindings: &mut Vec<Binding>) -> Parsed<Option<ExprId>> {
        let token = self.token();
        match self.word() {
            "let" => {
                self.at += 1;
                let name = self.sigil(TokenKind::Local, "the name of a variable, such as '%x'")?;
                let ty = if self.accept(TokenKind::Colon) { Some(self.ty()?) } else { None };
                let binder = self.module.add_binder(Binder { name, ty, attrs: Attrs::default() });
                self.expect(TokenKind::Assign, "'=' and the value of the variable")?;
                let value = self.expr();
                // The variable is declared even if its value is malformed.
                let known = value.unwrap_or_else(|_| self.add(ExprKind::Error, self.at));
                bindings.push(Binding::Let(binder, known));
                value?;
                self.expect(TokenKind::Semicolon, "';' after the value of the variable")?;
                return Ok(None);
            }
            "free_var" => {
                self.at += 1;
                let name = self.sigil(TokenKind::Local, "the name of a variable, such as '%x'")?;
                let ty = if self.accept(TokenKind::Colon) { Some(self.ty()?) } else { None };
                self.expect(TokenKind::Semicolon, "';' after the free variable")?;
                bindings.push(Binding::Free(self.module.add_binder(Binder {
                    name,
                    ty,
                    attrs: Attrs::default(),
                })));
                return Ok(None);
            }
            _ => {}
        }
        if token.kind == TokenKind::Graph && self.peek(1).kind == TokenKind::Assign {
            let Ok(index) = self.text_of(token)[1..].parse() else {
                return Err(self.expected("the number of a graph variable"));
            };
            let span = self.here();
            self.at += 2;
            let value = self.expr();
            let known = value.unwrap_or_else(|_| self.add(ExprKind::Error, self.at));
            bindings.push(Binding::Graph { index, span, value: known });
            value?;
            self.accept(TokenKind::Semicolon);
            return Ok(None);
        }
        let value = self.expr()?;
        let semicolon = self.here();
        if !self.accept(TokenKind::Semicolon) {
            return Ok(Some(value));
        }
        let name = crate::ast::Ident { name: self.module.names.intern("_"), span: semicolon };
        let binder = self.module.add_binder(Binder { name, ty: None, attrs: Attrs::default() });
        bindings.push(Binding::Let(binder, value));
        Ok(None)
    }

    /// Parses the rest of `match` or `match?`.
    pub(super) fn match_rest(&mut self, partial: bool) -> Parsed<ExprKind> {
        let value = self.postfix(false)?;
        let open = self.at;
        self.expect(TokenKind::OpenBrace, "'{' and the clauses of the match")?;
        let mut clauses = Vec::new();
        while !self.accept(TokenKind::CloseBrace) {
            if self.is(TokenKind::End) || self.starts_item(0) {
                self.close(TokenKind::CloseBrace, "}", open)?;
            }
            self.accept_word("case");
            let pattern = self.nested(Self::pattern)?;
            let body = if self.is(TokenKind::OpenBrace) {
                self.braced("the value of the clause")?
            } else {
                self.expect(TokenKind::FatArrow, "'=>' or '{' after the pattern")?;
                self.block()?
            };
            clauses.push(Clause { pattern, body });
            self.accept(TokenKind::Comma);
        }
        let node = self.module.add_match(MatchNode { value, partial, clauses: clauses.into() });
        Ok(ExprKind::Match(node))
    }

    fn pattern(&mut self) -> Parsed<PatternId> {
        let first = self.at;
        let kind = match self.kind() {
            TokenKind::Word if self.word() == "_" => {
                self.at += 1;
                PatternKind::Wildcard
            }
            TokenKind::Local => {
                let name = self.sigil(TokenKind::Local, "a variable")?;
                let ty = if self.accept(TokenKind::Colon) { Some(self.ty()?) } else { None };
                PatternKind::Var(self.module.add_binder(Binder { name, ty, attrs: Attrs::default() }))
            }
            TokenKind::Open => PatternKind::Tuple(self.patterns()?),
            _ => {
                let ctor = self.ident("a pattern")?;
                let parts = if self.is(TokenKind::Open) { self.patterns()? } else { Box::new([]) };
                PatternKind::Ctor(ctor, parts)
            }
        };
        let span = self.span_from(first);
        Ok(self.module.add_pattern(kind, span))
    }

    fn patterns(&mut self) -> Parsed<Box<[PatternId]>> {
        let open = self.at;
        self.at += 1;
        let parts = self.sequence(open, (TokenKind::Close, ")"), |parser| parser.nested(Self::pattern))?;
        Ok(parts.into())
    }
}
