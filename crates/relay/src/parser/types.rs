//! Parsing of types.

use super::{Parsed, Parser};
use crate::ast::{DimExpr, Ident, ShapeExpr, TypeExprId, TypeKind};
use crate::token::TokenKind;

impl Parser<'_> {
    pub(super) fn ty(&mut self) -> Parsed<TypeExprId> {
        self.nested(Self::ty_here)
    }

    fn ty_here(&mut self) -> Parsed<TypeExprId> {
        let first = self.at;
        let word = self.word();
        let kind = match self.kind() {
            TokenKind::Open => {
                self.at += 1;
                TypeKind::Tuple(self.sequence(first, (TokenKind::Close, ")"), Self::ty)?.into())
            }
            TokenKind::Word if word == "fn" => self.fn_type()?,
            TokenKind::Word if word == "_" => {
                self.at += 1;
                TypeKind::Hole
            }
            TokenKind::Word if word == "Tensor" => {
                self.at += 1;
                let open = self.at;
                self.expect(TokenKind::OpenBracket, "'[' and the shape of the tensor")?;
                let shape = self.shape()?;
                self.expect(TokenKind::Comma, "',' and the element type of the tensor")?;
                let dtype = self.dtype()?;
                self.accept(TokenKind::Comma);
                self.close(TokenKind::CloseBracket, "]", open)?;
                TypeKind::Tensor { shape, dtype }
            }
            TokenKind::Word if matches!(word, "ref" | "Ref") => self.ref_type()?,
            _ => {
                let name = self.ident("a type")?;
                let open = self.at;
                let mut args = Vec::new();
                if self.accept(TokenKind::OpenBracket) {
                    args = self.sequence(open, (TokenKind::CloseBracket, "]"), Self::ty)?;
                }
                TypeKind::Name(name.name, args.into())
            }
        };
        let span = self.span_from(first);
        Ok(self.module.add_type(kind, span))
    }

    /// Parses `ref(T)` or `Ref[T]`.
    fn ref_type(&mut self) -> Parsed<TypeKind> {
        self.at += 1;
        let open = self.at;
        let close = match self.kind() {
            TokenKind::Open => (TokenKind::Close, ")"),
            TokenKind::OpenBracket => (TokenKind::CloseBracket, "]"),
            _ => return Err(self.expected("'(' and the type that is referred to")),
        };
        self.at += 1;
        let inner = self.ty()?;
        self.close(close.0, close.1, open)?;
        Ok(TypeKind::Ref(inner))
    }

    /// Parses `fn [A] (A) -> B`.
    fn fn_type(&mut self) -> Parsed<TypeKind> {
        self.at += 1;
        let type_params = self.type_params()?;
        let open = self.at;
        self.expect(TokenKind::Open, "'(' and the types of the parameters")?;
        let params = self.sequence(open, (TokenKind::Close, ")"), Self::ty)?;
        self.expect(TokenKind::Arrow, "'->' and the type of the result")?;
        let result = self.ty()?;
        Ok(TypeKind::Fn { type_params, params: params.into(), result })
    }

    /// Parses the element type of a tensor; `None` for `_`.
    pub(super) fn dtype(&mut self) -> Parsed<Option<Ident>> {
        if self.accept_word("_") {
            return Ok(None);
        }
        self.ident("an element type, such as 'float32'").map(Some)
    }

    pub(super) fn shape(&mut self) -> Parsed<ShapeExpr> {
        if self.accept_word("_") {
            return Ok(ShapeExpr::Hole);
        }
        if self.is(TokenKind::Word) {
            return Ok(ShapeExpr::Name(self.ident("a shape")?));
        }
        let open = self.at;
        self.expect(TokenKind::Open, "a shape, such as '(2, 3)'")?;
        let dims = self.sequence(open, (TokenKind::Close, ")"), Self::dim)?;
        Ok(ShapeExpr::Dims(dims.into()))
    }

    fn dim(&mut self) -> Parsed<DimExpr> {
        if self.accept(TokenKind::Question) {
            return Ok(DimExpr::Any);
        }
        if self.accept_word("_") {
            return Ok(DimExpr::Hole);
        }
        if let Some(meta) = self.meta()? {
            return Ok(DimExpr::Meta(meta));
        }
        if self.is(TokenKind::Word) {
            return Ok(DimExpr::Name(self.ident("a dimension")?));
        }
        let token = self.token();
        let digits = self.text_of(token);
        // Dimensions may have an integer suffix.
        let digits = digits.trim_end_matches("i64").trim_end_matches("i32");
        match digits.parse() {
            Ok(extent) if token.kind == TokenKind::Number => {
                self.at += 1;
                Ok(DimExpr::Known(extent))
            }
            _ => Err(self.expected("a dimension: a number or '?'")),
        }
    }
}
