//! Parsing of attributes of calls, functions and parameters.

use super::{Abort, Parsed, Parser};
use crate::ast::{Attr, AttrId, AttrKind, Attrs, ExprKind};
use crate::token::TokenKind;
use minoan_diag::Diagnostic;

impl Parser<'_> {
    /// Whether attributes start here: `name =`, or a metadata reference.
    pub(super) fn starts_attrs(&self) -> bool {
        if !self.is(TokenKind::Word) {
            return false;
        }
        if self.peek(1).kind == TokenKind::Assign {
            return true;
        }
        if self.peek(1).kind == TokenKind::Dot {
            let mut at = 1;
            while self.peek(at).kind == TokenKind::Dot && self.peek(at + 1).kind == TokenKind::Word {
                at += 2;
            }
            return self.peek(at).kind == TokenKind::Assign;
        }
        if self.word() != "meta" || self.peek(1).kind != TokenKind::OpenBracket {
            return false;
        }
        let mut at = 2;
        while self.peek(at + 1).kind == TokenKind::Dot {
            at += 2;
        }
        self.word_at(at).ends_with("Attrs")
    }

    /// Parses attributes up to the parenthesis that closes the one at `open`.
    pub(super) fn attrs(&mut self, open: usize) -> Parsed<Attrs> {
        self.attrs_until(open, (TokenKind::Close, ")"))
    }

    pub(super) fn attrs_until(&mut self, open: usize, close: (TokenKind, &str)) -> Parsed<Attrs> {
        let mut attrs = Attrs::default();
        let mut list: Vec<Attr> = Vec::new();
        let metas = self.sequence(open, close, |parser| {
            let span = parser.here();
            if let Some(meta) = parser.meta()? {
                return Ok(Some((meta, span.to(parser.span_from(parser.at - 1)))));
            }
            if parser.starts_expr() && !parser.starts_attrs() {
                let error = Diagnostic::error(format!("expected an attribute, found {}", parser.found()));
                parser.reporter.report(error.at(span).note("arguments come before attributes"));
                return Err(Abort::Binding);
            }
            let name = parser.dotted("the name of an attribute")?;
            parser.expect(TokenKind::Assign, "'=' and the value of the attribute")?;
            let value = parser.nested(Self::attr_value)?;
            if let Some(first) = list.iter().find(|attr| attr.name.name == name.name) {
                let text = parser.module.text(name.name);
                let error = Diagnostic::error(format!("the attribute '{text}' is given twice")).at(name.span);
                parser.reporter.report(error.label(first.name.span, "first here"));
            } else {
                list.push(Attr { name, value });
            }
            Ok(None)
        })?;
        attrs.meta = metas.into_iter().flatten().next();
        attrs.list = list.into();
        Ok(attrs)
    }

    fn attr_value(&mut self) -> Parsed<AttrId> {
        let first = self.at;
        let kind = match self.kind() {
            TokenKind::Str => {
                let text = self.text_of(self.token());
                self.at += 1;
                AttrKind::Str(text.trim_matches('"').into())
            }
            TokenKind::OpenBracket => self.attr_list((TokenKind::CloseBracket, "]"))?,
            TokenKind::Open => match self.attr_list((TokenKind::Close, ")"))? {
                // Parentheses around a single value are grouping.
                AttrKind::List(items) if items.len() == 1 => return Ok(items[0]),
                list => list,
            },
            TokenKind::Word if matches!(self.word(), "None" | "nullptr") => {
                self.at += 1;
                AttrKind::None
            }
            _ => {
                if let Some(meta) = self.meta()? {
                    AttrKind::Meta(meta)
                } else {
                    let expr = self.unary()?;
                    match self.module.expr(expr).kind {
                        ExprKind::Literal(literal) => AttrKind::Literal(literal),
                        _ => AttrKind::Expr(expr),
                    }
                }
            }
        };
        let span = self.span_from(first);
        Ok(self.module.add_attr(kind, span))
    }

    fn attr_list(&mut self, close: (TokenKind, &str)) -> Parsed<AttrKind> {
        let open = self.at;
        self.at += 1;
        let items = self.sequence(open, close, |parser| parser.nested(Self::attr_value))?;
        Ok(AttrKind::List(items.into()))
    }
}
