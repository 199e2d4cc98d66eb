//! Parsing of top-level forms.

use super::{Abort, Parsed, Parser};
use crate::ast::{
    Attrs, Binder, BinderId, Binding, DataId, ExprId, ExprKind, FnId, FnNode, Ident, Item, ItemKind, Kind,
    TypeExprId, TypeKind, TypeParam,
};
use crate::metadata::Metadata;
use crate::token::{Token, TokenKind};
use minoan_diag::{Diagnostic, Span};
use minoan_frontend::clip;

/// The only version of the text format.
pub(crate) const VERSION: &str = "0.0.5";

impl Parser<'_> {
    pub(super) fn items(&mut self) {
        while !self.is(TokenKind::End) && !self.reporter.is_full() {
            let first = self.at;
            let item = match self.word() {
                "def" => self.def(),
                "type" | "data" => self.data(false),
                "extern" => self.data(true),
                _ => match self.kind() {
                    TokenKind::HashBracket => self.version(),
                    TokenKind::Metadata => self.metadata(),
                    TokenKind::Word if self.peek(1).kind == TokenKind::Global => Err(self.unknown_item()),
                    _ => self.main(),
                },
            };
            match item {
                Ok(Some(kind)) => {
                    let span = self.span_from(first);
                    self.module.items.push(Item { kind, span });
                }
                Ok(None) => {}
                Err(_) => self.give_up(first),
            }
        }
    }

    /// Reports a word before the name of a function that no definition begins with.
    fn unknown_item(&mut self) -> Abort {
        let word = self.word();
        let error = Diagnostic::error(format!("expected 'def', found '{}'", clip(word))).at(self.here());
        let error = Self::did_you_mean(error, word, ["def"]);
        self.reporter.report(error);
        Abort::Item
    }

    /// Whether a definition starts `ahead` tokens from here.
    pub(super) fn starts_item(&self, ahead: usize) -> bool {
        let next = self.peek(ahead + 1);
        match self.word_at(ahead) {
            "def" => next.kind == TokenKind::Global || self.at_margin(self.peek(ahead)),
            "type" | "data" | "extern" => {
                next.kind == TokenKind::Word && !self.text_of(next).starts_with(|c: char| c.is_ascii_digit())
            }
            _ => matches!(self.peek(ahead).kind, TokenKind::HashBracket | TokenKind::Metadata),
        }
    }

    fn at_margin(&self, token: Token) -> bool {
        token.start == 0 || self.text.as_bytes()[token.start as usize - 1] == b'\n'
    }

    /// Skips to the next definition after an error in the form that starts at `first`.
    fn give_up(&mut self, first: usize) {
        let named = self.tokens[first + 1..].iter().take(2).find(|token| token.kind == TokenKind::Global);
        if let Some(&token) = named {
            let name = self.sigil_name(token).name;
            self.module.broken.push(name);
        }
        self.depth = 0;
        self.at = self.at.max(first + 1);
        while !self.is(TokenKind::End) && !self.starts_item(0) {
            self.at += 1;
        }
    }

    /// Parses `#[version = "0.0.5"]`, the header of a file. Elsewhere it would end the preceding expression.
    fn version(&mut self) -> Parsed<Option<ItemKind>> {
        let open = self.at;
        self.at += 1;
        let name = self.word();
        if name != "version" {
            let error =
                Diagnostic::error(format!("expected 'version' or 'metadata', found {}", self.found()));
            let error = Self::did_you_mean(error.at(self.here()), name, ["version", "metadata"]);
            self.reporter.report(error);
            return Err(Abort::Item);
        }
        self.at += 1;
        self.expect(TokenKind::Assign, "'=' and a version")?;
        let span = self.here();
        if !self.is(TokenKind::Str) {
            return Err(self.expected("a version in quotes"));
        }
        let text = self.text_of(self.token());
        self.at += 1;
        if text.trim_matches('"') != VERSION {
            self.error(span, format!("expected version \"{VERSION}\", found {text}"));
        }
        self.close(TokenKind::CloseBracket, "]", open)?;
        if open > 0 {
            self.error(self.span_from(open), "the version must be at the start of the file");
        }
        Ok(None)
    }

    fn metadata(&mut self) -> Parsed<Option<ItemKind>> {
        let at = self.token();
        self.at += 1;
        let start = at.end as usize;
        match Metadata::parse(&self.text[start..]) {
            Ok(metadata) => self.module.metadata = metadata,
            Err((message, offset)) => {
                let span = offset.map_or(self.span_of(at), |offset| {
                    let at = (start + offset) as u32;
                    Span::new(self.file, at, at + 1)
                });
                self.error(span, message);
            }
        }
        Ok(None)
    }

    fn def(&mut self) -> Parsed<Option<ItemKind>> {
        self.at += 1;
        let name = self.sigil(TokenKind::Global, "the name of a function, such as '@main'")?;
        let function = self.function_rest(self.at - 1)?;
        Ok(Some(ItemKind::Def { name, function }))
    }

    /// Parses a standalone expression.
    fn main(&mut self) -> Parsed<Option<ItemKind>> {
        let first = self.at;
        if !self.starts_expr() {
            return Err(self.expected("a definition or an expression"));
        }
        let expr = self.block()?;
        if !(self.is(TokenKind::End) || self.starts_item(0)) {
            return Err(self.expected("the end of the expression"));
        }
        let function = self.function_of(expr, first);
        Ok(Some(ItemKind::Main { expr, function }))
    }

    /// The function that a standalone expression is or becomes the body of.
    fn function_of(&mut self, expr: ExprId, first: usize) -> FnId {
        let mut params = Vec::new();
        match self.module.expr(expr).kind {
            ExprKind::Fn(function) => return function,
            ExprKind::Block(block) => {
                for binding in self.module.bindings(self.module.block(block).bindings) {
                    if let Binding::Free(binder) = *binding {
                        params.push(binder);
                    }
                }
            }
            _ => {}
        }
        let span = self.span_from(first);
        self.module.add_function(FnNode {
            type_params: Box::new([]),
            params: params.into(),
            attrs: Attrs::default(),
            result: None,
            relations: Box::new([]),
            body: expr,
            span,
        })
    }

    /// Parses `[A] (%x: T, attr=1) -> T where R { .. }` of the function whose first token is at `first`.
    pub(super) fn function_rest(&mut self, first: usize) -> Parsed<FnId> {
        let type_params = self.type_params()?;
        let open = self.at;
        self.expect(TokenKind::Open, "'(' and the parameters of the function")?;
        let mut attrs = Attrs::default();
        let mut params = Vec::new();
        while self.is(TokenKind::Local) {
            params.push(self.param()?);
            if !self.accept(TokenKind::Comma) {
                break;
            }
        }
        if self.is(TokenKind::Word) {
            attrs = self.attrs(open)?;
        } else if self.is(TokenKind::Close) {
            self.at += 1;
        } else {
            return Err(self.expected("a parameter such as '%x', or ')'"));
        }
        let result = if self.accept(TokenKind::Arrow) { Some(self.ty()?) } else { None };
        let mut relations = Vec::new();
        if self.accept_word("where") {
            relations.push(self.ident("the name of a type relation")?);
            while self.accept(TokenKind::Comma) {
                relations.push(self.ident("the name of a type relation")?);
            }
        }
        let body = self.braced("the body of the function")?;
        let span = self.span_from(first);
        Ok(self.module.add_function(FnNode {
            type_params,
            params: params.into(),
            attrs,
            result,
            relations: relations.into(),
            body,
            span,
        }))
    }

    fn param(&mut self) -> Parsed<BinderId> {
        let name = self.sigil(TokenKind::Local, "a parameter")?;
        let mut attrs = Attrs::default();
        let open = self.at;
        if self.accept(TokenKind::OpenBrace) {
            attrs = self.attrs_until(open, (TokenKind::CloseBrace, "}"))?;
        }
        let ty = if self.accept(TokenKind::Colon) { Some(self.ty()?) } else { None };
        Ok(self.module.add_binder(Binder { name, ty, attrs }))
    }

    /// Parses `[A, s: Shape]`.
    pub(super) fn type_params(&mut self) -> Parsed<Box<[TypeParam]>> {
        let open = self.at;
        if !self.accept(TokenKind::OpenBracket) {
            return Ok(Box::new([]));
        }
        let params = self.sequence(open, (TokenKind::CloseBracket, "]"), |parser| {
            let name = parser.ident("the name of a type parameter")?;
            let mut kind = Kind::Type;
            if parser.accept(TokenKind::Colon) {
                let word = parser.word();
                let Some(&(_, known)) = Kind::SPELLED.iter().find(|(text, _)| *text == word) else {
                    let spelled = Kind::SPELLED.map(|(text, _)| text);
                    let error =
                        Diagnostic::error(format!("unknown kind {}", parser.found())).at(parser.here());
                    let error = error.note(format!("kinds are {}", spelled.join(", ")));
                    parser.reporter.report(Self::did_you_mean(error, word, spelled));
                    return Err(Abort::Binding);
                };
                parser.at += 1;
                kind = known;
            }
            Ok(TypeParam { name, kind })
        })?;
        Ok(params.into())
    }

    /// Parses `type T[A] { C(A), D }`, `data T { C : (A) -> T }` or `extern type T`.
    fn data(&mut self, external: bool) -> Parsed<Option<ItemKind>> {
        self.at += 1;
        if external && !(self.accept_word("type") || self.accept_word("data")) {
            return Err(self.expected("'type' and the name of a type"));
        }
        let name = self.ident("the name of a type")?;
        let type_params = self.type_params()?;
        let open = self.at;
        let mut ctors = Vec::new();
        if !external && self.accept(TokenKind::OpenBrace) {
            while !self.accept(TokenKind::CloseBrace) {
                if self.is(TokenKind::End) || self.starts_item(0) {
                    self.close(TokenKind::CloseBrace, "}", open)?;
                }
                ctors.push(self.ctor(name)?);
                self.accept(TokenKind::Comma);
                self.accept(TokenKind::Semicolon);
            }
        }
        let data: DataId = self.module.add_data(name, type_params, ctors, external);
        Ok(Some(ItemKind::Data(data)))
    }

    /// Parses `C(A, B)`, `C`, or `C : (A, B) -> T`.
    fn ctor(&mut self, data: Ident) -> Parsed<(Ident, Box<[TypeExprId]>)> {
        let name = self.ident("the name of a constructor")?;
        let typed = self.accept(TokenKind::Colon);
        let open = self.at;
        let mut fields = Vec::new();
        if typed {
            self.expect(TokenKind::Open, "'(' and the types of the fields")?;
            fields = self.sequence(open, (TokenKind::Close, ")"), Self::ty)?;
        } else if self.accept(TokenKind::Open) {
            fields = self.sequence(open, (TokenKind::Close, ")"), Self::ty)?;
        }
        if typed && self.accept(TokenKind::Arrow) {
            let result = self.ty()?;
            let result = self.module.type_expr(result);
            if !matches!(result.kind, TypeKind::Name(found, _) if found == data.name) {
                let name = self.module.text(data.name);
                let error =
                    Diagnostic::error(format!("expected the type '{name}' as the result of its constructor"));
                self.reporter.report(error.at(result.span).label(data.span, "of this type"));
            }
        }
        Ok((name, fields.into()))
    }
}
