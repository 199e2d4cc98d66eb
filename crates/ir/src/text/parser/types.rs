//! Parsing of types.

use super::dialect_text::DialectText;
use super::{Alias, AliasUse, Parsed, Parser, Tok, short};
use crate::affine::AffineMap;
use crate::types::Shaped;
use crate::{Attr, AttrData, DYNAMIC, FloatKind, Signedness, Type, TypeData, TypeOrAttr};

const MAX_WIDTH: u32 = (1 << 24) - 1;

/// The floating-point format of a keyword.
fn float_keyword(word: &str) -> Option<FloatKind> {
    FloatKind::ALL.into_iter().find(|kind| kind.keyword() == word)
}

impl Parser<'_> {
    /// Parses a type.
    pub(crate) fn ty(&mut self) -> Parsed<Type> {
        let start = self.tok.start;
        let ty = if self.is("(") { self.deeper(Self::function_type)? } else { self.non_function_type()? };
        let span = self.span_from(start);
        if self.seen_types.len() < 64 {
            self.seen_types.push((ty, span));
        }
        Ok(ty)
    }

    /// Whether the current token can begin a type.
    pub(crate) fn at_type(&self) -> bool {
        match self.tok.kind {
            Tok::Bang => true,
            Tok::Punct => self.is("("),
            Tok::Word => {
                let word = self.spelling();
                self.scalar_type().is_some()
                    || matches!(word, "tensor" | "vector" | "memref" | "complex" | "tuple")
                    || float_keyword(word).is_some()
                    || is_integer_type(word)
            }
            _ => false,
        }
    }

    fn function_type(&mut self) -> Parsed<Type> {
        let inputs = self.paren_types()?;
        self.expect_or("->", "expected '->' in function type")?;
        let results = self.result_types()?;
        Ok(Type::function(self.ctx, &inputs, &results))
    }

    /// Parses `(a, b)`.
    pub(crate) fn paren_types(&mut self) -> Parsed<Vec<Type>> {
        let mut types = Vec::new();
        self.expect("(")?;
        self.list_until(")", "expected ')'", |parser| {
            types.push(parser.ty()?);
            Ok(())
        })?;
        Ok(types)
    }

    /// Parses `a`, or `(a, b)`, after an arrow.
    pub(crate) fn result_types(&mut self) -> Parsed<Vec<Type>> {
        if self.is("(") { self.paren_types() } else { Ok(vec![self.non_function_type()?]) }
    }

    fn non_function_type(&mut self) -> Parsed<Type> {
        match self.tok.kind {
            Tok::Bang => self.deeper(Self::dialect_type),
            Tok::Word => {
                if let Some(ty) = self.scalar_type() {
                    return self.word_type(ty);
                }
                let word = self.spelling();
                match word {
                    "tensor" => self.deeper(Self::tensor_type),
                    "vector" => self.deeper(Self::vector_type),
                    "memref" => self.deeper(Self::memref_type),
                    "complex" => self.deeper(Self::complex_type),
                    "tuple" => self.deeper(Self::tuple_type),
                    _ => {
                        if let Some(kind) = float_keyword(word) {
                            let ty = self.ctx.intern_type(TypeData::Float(kind));
                            return self.word_type(ty);
                        }
                        if is_integer_type(word) {
                            return self.integer_type(word);
                        }
                        Err(self.no_type())
                    }
                }
            }
            _ => Err(self.no_type()),
        }
    }

    /// The common scalar type of the current keyword.
    #[inline]
    fn scalar_type(&self) -> Option<Type> {
        const INDEX: u64 = short::number(b"index");
        const NONE: u64 = short::number(b"none");
        const I1: u64 = short::number(b"i1");
        const I32: u64 = short::number(b"i32");
        const I64: u64 = short::number(b"i64");
        const F32: u64 = short::number(b"f32");
        const F64: u64 = short::number(b"f64");
        match short::head(self.text.as_bytes(), self.tok.start, self.tok.end) {
            INDEX => Some(Type::INDEX),
            NONE => Some(Type::NONE),
            I1 => Some(Type::I1),
            I32 => Some(Type::I32),
            I64 => Some(Type::I64),
            F32 => Some(Type::F32),
            F64 => Some(Type::F64),
            _ => None,
        }
    }

    fn word_type(&mut self, ty: Type) -> Parsed<Type> {
        self.advance();
        Ok(ty)
    }

    fn integer_type(&mut self, word: &str) -> Parsed<Type> {
        let (signedness, digits) = match word.as_bytes()[0] {
            b's' => (Signedness::Signed, &word[2..]),
            b'u' => (Signedness::Unsigned, &word[2..]),
            _ => (Signedness::Signless, &word[1..]),
        };
        match digits.parse::<u32>() {
            Ok(width) if width <= MAX_WIDTH => {
                let ty = self.ctx.intern_type(TypeData::Integer { width, signedness });
                self.word_type(ty)
            }
            Ok(_) => Err(self.error(format!("integer bitwidth is limited to {MAX_WIDTH} bits"))),
            Err(_) => Err(self.error("invalid integer width")),
        }
    }

    fn dialect_type(&mut self) -> Parsed<Type> {
        let start = self.tok.start;
        if let Some(TypeOrAttr::Type(ty)) = self.declared_element(true, None)? {
            return Ok(ty);
        }
        if let Some(DialectText { dialect, text, .. }) = self.dialect_text()? {
            self.check_dialect(dialect, "type", self.span_from(start))?;
            self.check_known(dialect, &text, "type", start)?;
            return Ok(Type::opaque(self.ctx, dialect, &text));
        }
        let span = self.span();
        match self.alias(AliasUse::Earlier)? {
            Alias::Type(ty) => Ok(ty),
            _ => Err(self.error_at(span, "expected the alias of a type")),
        }
    }

    fn complex_type(&mut self) -> Parsed<Type> {
        self.advance();
        self.expect_or("<", "expected '<' in complex type")?;
        let start = self.tok.start;
        let element = self.ty()?;
        if element.integer_width(self.ctx).is_none() && !element.is_float(self.ctx) {
            return Err(self.error_at(self.span_from(start), "invalid element type for complex"));
        }
        self.expect_or(">", "expected '>' in complex type")?;
        Ok(self.ctx.intern_type(TypeData::Complex(element)))
    }

    fn tuple_type(&mut self) -> Parsed<Type> {
        self.advance();
        self.expect_or("<", "expected '<' in tuple type")?;
        let mut elements = Vec::new();
        self.list_until(">", "expected '>' in tuple type", |parser| {
            elements.push(parser.ty()?);
            Ok(())
        })?;
        Ok(Type::tuple(self.ctx, &elements))
    }

    /// Parses the `x` between extents, which the lexer may have joined with the following text.
    fn times(&mut self) -> Parsed<()> {
        if self.tok.kind != Tok::Word || !self.spelling().starts_with('x') {
            return Err(self.error_wrong_token("expected 'x' in dimension list"));
        }
        self.reset(self.tok.start + 1);
        Ok(())
    }

    /// Parses an extent.
    fn extent(&mut self) -> Parsed<i64> {
        self.spelling().parse().map_err(|_| self.error("invalid dimension"))
    }

    /// Parses an extent and the following `x`; `0x4` is an extent of 0, an `x`, and a 4.
    fn extent_times(&mut self) -> Parsed<i64> {
        if self.spelling().starts_with("0x") {
            self.reset(self.tok.start + 2);
            return Ok(0);
        }
        let extent = self.extent()?;
        if self.text.as_bytes().get(self.tok.end as usize) == Some(&b'x') {
            // Not as a token, which would be a word with all following extents.
            self.reset(self.tok.end + 1);
        } else {
            self.advance();
            self.times()?;
        }
        Ok(extent)
    }

    /// Parses `4x?x`.
    fn extents(&mut self, dynamic: bool) -> Parsed<Vec<i64>> {
        let mut shape = Vec::new();
        loop {
            if self.tok.kind == Tok::Integer {
                shape.push(self.extent_times()?);
            } else if self.is("?") {
                if !dynamic {
                    return Err(self.error("expected static shape"));
                }
                self.advance();
                shape.push(DYNAMIC);
                self.times()?;
            } else {
                return Ok(shape);
            }
        }
    }

    fn vector_type(&mut self) -> Parsed<Type> {
        let start = self.tok.start;
        self.advance();
        self.expect_or("<", "expected '<' in vector type")?;
        let (mut shape, mut scalable) = (Vec::new(), Vec::new());
        loop {
            let bracket = self.eat("[");
            if self.tok.kind != Tok::Integer {
                if bracket {
                    return Err(self.error("invalid dimension"));
                }
                break;
            }
            let extent = if bracket { self.extent()? } else { self.extent_times()? };
            shape.push(extent);
            scalable.push(bracket);
            if bracket {
                self.advance();
                self.expect_or("]", "missing ']' closing scalable dimension")?;
                self.times()?;
            }
        }
        let element = self.ty()?;
        self.expect_or(">", "expected '>' in vector type")?;
        if shape.contains(&0) {
            let sizes = shape.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
            let message = format!("vector types must have positive constant sizes but got {sizes}");
            return Err(self.error_at(self.span_from(start), message));
        }
        if !element.may_be_element(self.ctx, Shaped::Vector) {
            return Err(self.error_at(self.span_from(start), Shaped::Vector.wrong_element()));
        }
        if shape.iter().try_fold(1i64, |all, &extent| all.checked_mul(extent)).is_none() {
            return Err(self.error_at(self.span_from(start), "the vector type has too many elements"));
        }
        let data = TypeData::Vector { shape: shape.into(), scalable: scalable.into(), element };
        Ok(self.ctx.intern_type(data))
    }

    fn tensor_type(&mut self) -> Parsed<Type> {
        self.advance();
        self.expect_or("<", "expected '<' in tensor type")?;
        if self.eat("*") {
            self.times()?;
            let element = self.element_type(Shaped::Tensor)?;
            self.expect_or(">", "expected '>' in tensor type")?;
            return Ok(self.ctx.intern_type(TypeData::UnrankedTensor(element)));
        }
        let shape = self.extents(true)?;
        let element = self.element_type(Shaped::Tensor)?;
        // Upstream also accepts a trailing comma.
        let written = self.eat(",") && self.at_attribute();
        let encoding = if written { Some(self.attribute(None)?) } else { None };
        self.expect_or(">", "expected '>' in tensor type")?;
        Ok(self.ctx.intern_type(TypeData::RankedTensor { shape: shape.into(), element, encoding }))
    }

    fn element_type(&mut self, of: Shaped) -> Parsed<Type> {
        let start = self.tok.start;
        let element = self.ty()?;
        match element.may_be_element(self.ctx, of) {
            true => Ok(element),
            false => Err(self.error_at(self.span_from(start), of.wrong_element())),
        }
    }

    fn memref_type(&mut self) -> Parsed<Type> {
        let start = self.tok.start;
        self.advance();
        self.expect_or("<", "expected '<' in memref type")?;
        let shape = if self.eat("*") {
            self.times()?;
            None
        } else {
            Some(self.extents(true)?)
        };
        let element = self.element_type(Shaped::MemRef)?;
        let (mut layout, mut space) = (None, None);
        while self.eat(",") {
            if self.is(">") && space.is_none() && layout.is_none() {
                return Err(self.error_wrong_token("expected list element"));
            }
            let attr = self.attribute(None)?;
            match attr.data(self.ctx) {
                AttrData::AffineMap(_) | AttrData::Strided { .. } => layout = Some(attr),
                _ if space.is_some() => {
                    return Err(self.error("multiple memory spaces specified in memref type"));
                }
                _ => {
                    space = Some(attr);
                    continue;
                }
            }
            if shape.is_none() {
                return Err(self.error("cannot have affine map for unranked memref type"));
            }
            if space.is_some() {
                return Err(self.error("expected memory space to be last in memref type"));
            }
        }
        self.expect_or(">", "expected ',' or '>' in memref type")?;
        self.check_memref(start, shape.as_deref(), layout, space)?;
        // The identity map and the default memory space are equivalent to none.
        let is_identity = |attr: &Attr| attr.as_affine_map(self.ctx).is_some_and(AffineMap::is_identity);
        let layout = layout.filter(|attr| !is_identity(attr));
        let space = space.filter(|attr| attr.as_i64(self.ctx) != Some(0));
        Ok(self.ctx.intern_type(match shape {
            Some(shape) => TypeData::MemRef { shape: shape.into(), element, layout, space },
            None => TypeData::UnrankedMemRef { element, space },
        }))
    }

    /// Verifies the parts of a memref type against each other; `start` is its position.
    fn check_memref(
        &self,
        start: u32,
        shape: Option<&[i64]>,
        layout: Option<Attr>,
        space: Option<Attr>,
    ) -> Parsed<()> {
        let rank = shape.map_or(0, <[i64]>::len);
        match layout.map(|layout| layout.data(self.ctx)) {
            Some(AttrData::AffineMap(map)) if map.dims as usize != rank => {
                let dims = map.dims;
                let message = format!("memref layout mismatch between rank and affine map: {rank} != {dims}");
                return Err(self.error_at(self.span_from(start), message));
            }
            Some(AttrData::Strided { strides, .. }) if strides.len() != rank => {
                return Err(
                    self.error_at(self.span_from(start), "expected the number of strides to match the rank")
                );
            }
            _ => {}
        }
        let is_known = |space: Attr| {
            matches!(
                space.data(self.ctx),
                AttrData::Integer { .. } | AttrData::String { .. } | AttrData::Dictionary(_)
            )
        };
        // Upstream checks the attributes of dialects nowhere, but takes those of unknown dialects for its own.
        let is_known = |space: Attr| match space.dialect(self.ctx) {
            Some(dialect) => self.ctx.dialect(dialect).is_some() || self.ctx.foreign(dialect).is_some(),
            None => is_known(space),
        };
        if space.is_some_and(|space| !is_known(space)) {
            return Err(self.error_at(self.span_from(start), "unsupported memory space Attribute"));
        }
        Ok(())
    }
}

/// `i32`, `si8`, `ui64`.
pub(super) fn is_integer_type(word: &str) -> bool {
    let digits =
        word.strip_prefix("si").or_else(|| word.strip_prefix("ui")).or_else(|| word.strip_prefix('i'));
    digits.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
}
