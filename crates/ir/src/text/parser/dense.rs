//! Parsing of elements attributes: `array<..>`, `dense<..>`, `sparse<..>`, `dense_resource<..>`.

use super::{Parsed, Parser, Tok, unescape};
use crate::{Attr, AttrData, FloatKind, Int, Signedness, Type, TypeData};
use minoan_diag::Span;

/// A number of a literal, or a word or string.
#[derive(Clone, Copy)]
struct Leaf {
    negative: bool,
    kind: Tok,
    span: Span,
}

/// A nested list of numbers, flattened. Complex numbers are two leaves.
#[derive(Default)]
struct Literal {
    leaves: Vec<Leaf>,
    /// The extents; empty for a splat.
    shape: Vec<i64>,
    complex: bool,
}

/// A shaped type of elements.
struct Shaped {
    ty: Type,
    /// The type itself; of a dialect that is not loaded, the tensor type with its parameters.
    as_tensor: Type,
}

/// The size of an element in bytes.
pub(crate) fn element_bytes(ctx: &crate::Context, ty: Type) -> Option<usize> {
    match *ty.data(ctx) {
        TypeData::Integer { width, .. } => Some(width.div_ceil(8).max(1) as usize),
        TypeData::Index => Some(8),
        TypeData::Float(kind) => Some(kind.width().div_ceil(8) as usize),
        TypeData::Complex(part) => element_bytes(ctx, part).map(|bytes| 2 * bytes),
        _ => None,
    }
}

impl Parser<'_> {
    /// Parses `array<i32: 1, 2>`.
    pub(super) fn dense_array(&mut self) -> Parsed<Attr> {
        self.advance();
        self.expect_or("<", "expected '<' after 'array'")?;
        let span = self.span();
        let element = self.ty()?;
        let bytes = match element.data(self.ctx) {
            TypeData::Integer { width, .. } if *width == 1 || width % 8 == 0 => {
                element_bytes(self.ctx, element)
            }
            TypeData::Float(kind) if kind.width() % 8 == 0 => element_bytes(self.ctx, element),
            TypeData::Integer { .. } | TypeData::Float(_) | TypeData::Index => None,
            _ => {
                let ty = crate::text::print_type(self.ctx, element);
                return Err(self.error_at(span, format!("expected integer or float type, got: '{ty}'")));
            }
        };
        let Some(bytes) = bytes else {
            return Err(self.error_at(span, "element type bitwidth must be a multiple of 8"));
        };
        let mut data = Vec::new();
        if !self.eat(">") {
            self.expect_or(":", "expected ':' after dense array type")?;
            self.list(|parser| {
                let leaf = parser.array_leaf(element, None)?;
                let integers = (parser.span(), "integer constant out of range");
                parser.leaf_bytes(leaf, element, bytes, &mut data, integers)
            })?;
            self.expect_or(">", "expected '>' to close an array attribute")?;
        }
        Ok(self.ctx.intern_attr(AttrData::DenseArray { element, data: data.into() }))
    }

    /// Parses `[1, 2]` for a known element type: a dense array in a custom form.
    pub(crate) fn bracketed_array(&mut self, element: Type, op: &str) -> Parsed<Attr> {
        let bytes = element_bytes(self.ctx, element).unwrap_or(8);
        let mut data = Vec::new();
        let message = format!("custom op '{op}' integer value too large");
        self.expect("[")?;
        self.list_until("]", "expected ']'", |parser| {
            let leaf = parser.array_leaf(element, Some(op))?;
            parser.leaf_bytes(leaf, element, bytes, &mut data, (leaf.span, &message))
        })?;
        Ok(self.ctx.intern_attr(AttrData::DenseArray { element, data: data.into() }))
    }

    /// Parses an element of a dense array.
    fn array_leaf(&mut self, element: Type, op: Option<&str>) -> Parsed<Leaf> {
        let is_sign = self.is("-");
        let wrong = match (self.tok.kind, element.is_float(self.ctx)) {
            _ if is_sign => None,
            (Tok::Word, false) if matches!(self.spelling(), "true" | "false") => None,
            (Tok::Integer, false) | (Tok::Integer | Tok::Float, true) => None,
            (_, false) => Some("expected integer literal"),
            (_, true) => Some("expected integer or floating point literal"),
        };
        if let Some(message) = wrong {
            return Err(match op {
                Some(op) if !element.is_float(self.ctx) => {
                    self.error(format!("custom op '{op}' expected integer value"))
                }
                _ => self.error(message),
            });
        }
        let leaf = self.leaf()?;
        if element == Type::I1 && leaf.kind == Tok::Integer {
            return Err(self.error("expected 'true' or 'false' values for i1 type"));
        }
        Ok(leaf)
    }

    fn leaf(&mut self) -> Parsed<Leaf> {
        let start = self.tok.start;
        let negative = self.eat("-");
        let kind = self.tok.kind;
        let known = match kind {
            Tok::Integer | Tok::Float => true,
            Tok::String => !negative,
            Tok::Word => !negative && matches!(self.spelling(), "true" | "false"),
            _ => false,
        };
        if !known {
            return Err(self.error("expected element literal of primitive type"));
        }
        let mut span = self.span();
        self.advance();
        span.start = if negative { span.start } else { start };
        Ok(Leaf { negative, kind, span })
    }

    /// Encodes a leaf; `too_large` is the message on integer overflow.
    fn leaf_bytes(
        &self,
        leaf: Leaf,
        ty: Type,
        bytes: usize,
        data: &mut Vec<u8>,
        too_large: (Span, &str),
    ) -> Parsed<()> {
        let Leaf { negative, kind, span } = leaf;
        let word = self.text_of(span);
        match *ty.data(self.ctx) {
            TypeData::Float(float) if matches!(kind, Tok::Integer | Tok::Float) => {
                let mut bits = self.float_bits(negative, word, kind, float, span)?;
                if float == FloatKind::F8E8M0FNU && bits > 0xff {
                    // There is no sign bit: as in MLIR, the sign ends up in the exponent.
                    bits = bits & 0xff | 0x80;
                }
                data.extend(&bits.to_le_bytes()[..bytes]);
            }
            TypeData::Integer { width, .. } if kind == Tok::Word => {
                if width != 1 {
                    return Err(self.error_at(span, "expected i1 type for 'true' or 'false' values"));
                }
                data.push(u8::from(word == "true"));
            }
            TypeData::Integer { signedness: Signedness::Unsigned, .. }
                if negative && kind == Tok::Integer =>
            {
                let message = "expected unsigned integer elements, but parsed negative value";
                return Err(self.error_at(span, message));
            }
            TypeData::Integer { .. } | TypeData::Index if kind == Tok::Integer => {
                let value = self.integer_value(negative, word, ty, too_large.0, too_large.1)?;
                data.extend(value.to_le_bytes(bytes));
            }
            TypeData::Integer { .. } | TypeData::Index => {
                return Err(self.error_at(span, "expected integer elements, but parsed floating-point"));
            }
            _ => return Err(self.error_at(span, "expected floating-point elements")),
        }
        Ok(())
    }

    fn literal(&mut self, literal: &mut Literal) -> Parsed<Vec<i64>> {
        if self.eat("(") {
            literal.complex = true;
            let re = self.leaf()?;
            self.expect_or(",", "expected ',' between complex elements")?;
            let im = self.leaf()?;
            self.expect_or(")", "expected ')' after complex elements")?;
            literal.leaves.extend([re, im]);
            return Ok(Vec::new());
        }
        if !self.is("[") {
            let leaf = self.leaf()?;
            literal.leaves.push(leaf);
            return Ok(Vec::new());
        }
        self.deeper(|parser| {
            parser.advance();
            let mut inner: Option<Vec<i64>> = None;
            let mut count = 0;
            parser.list_until("]", "expected ',' or ']'", |parser| {
                let shape = parser.literal(literal)?;
                count += 1;
                match &inner {
                    Some(first) if *first != shape => {
                        Err(parser
                            .error("tensor literal is invalid; ranks are not consistent between elements"))
                    }
                    Some(_) => Ok(()),
                    None => {
                        inner = Some(shape);
                        Ok(())
                    }
                }
            })?;
            let mut shape = inner.unwrap_or_default();
            shape.push(count);
            Ok(shape)
        })
    }

    /// Parses the shaped type after the colon, and returns it with the number of its elements; `span` is the literal.
    fn elements_type(&mut self, ty: Option<Type>, span: Span) -> Parsed<(Shaped, u64)> {
        let ty = match ty {
            Some(ty) => ty,
            None => {
                self.expect(":")?;
                self.ty()?
            }
        };
        let as_tensor = self.foreign_tensor(ty).unwrap_or(ty);
        let count = as_tensor.shape(self.ctx).and_then(|shape| {
            shape.iter().try_fold(1u64, |count, &extent| {
                u64::try_from(extent).ok().and_then(|extent| count.checked_mul(extent))
            })
        });
        match count {
            Some(count) => Ok((Shaped { ty, as_tensor }, count)),
            _ if as_tensor.element(self.ctx).is_some() => {
                Err(self.error_at(span, "elements literal type must have static shape"))
            }
            _ => Err(self.error_at(span, "elements literal must be a shaped type")),
        }
    }

    /// The tensor type with the parameters of a type of a dialect that is not loaded, if they begin with extents:
    /// `tensor<2xindex>` for `!emitc.array<2xindex>`.
    fn foreign_tensor(&self, ty: Type) -> Option<Type> {
        let TypeData::Opaque { dialect, text } = *ty.data(self.ctx) else { return None };
        if self.ctx.dialect(dialect.as_str(self.ctx)).is_some() {
            return None;
        }
        let (_, params) = text.as_str(self.ctx).split_once('<')?;
        let tensor = crate::text::parse_type(self.ctx, &format!("tensor<{params}")).ok()?;
        tensor.rank(self.ctx).filter(|&rank| rank > 0).map(|_| tensor)
    }

    pub(super) fn dense_elements(&mut self, ty: Option<Type>) -> Parsed<Attr> {
        let span = self.span();
        self.advance();
        self.expect_or("<", "expected '<' after 'dense'")?;
        let mut literal = Literal::default();
        let empty = self.is(">");
        if !empty {
            let mut shape = self.literal(&mut literal)?;
            shape.reverse();
            literal.shape = shape;
        }
        self.expect(">")?;
        let (shaped, count) = self.elements_type(ty, span)?;
        let elements = self.dense_value(&literal, empty, shaped.as_tensor, count, span)?;
        if shaped.ty == shaped.as_tensor {
            return Ok(elements);
        }
        Ok(self.ctx.intern_attr(AttrData::ForeignElements { ty: shaped.ty, elements }))
    }

    fn dense_value(&self, literal: &Literal, empty: bool, ty: Type, count: u64, span: Span) -> Parsed<Attr> {
        let element = ty.element_or_self(self.ctx);
        if !literal.shape.is_empty() && ty.shape(self.ctx) != Some(&literal.shape) {
            let list = |shape: &[i64]| shape.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
            let message = format!(
                "inferred shape of elements literal ([{}]) does not match type ([{}])",
                list(&literal.shape),
                list(ty.shape(self.ctx).unwrap_or(&[]))
            );
            return Err(self.error_at(span, message));
        }
        if empty && count != 0 {
            let ty = crate::text::print_type(self.ctx, ty);
            let message = format!("parsed zero elements, but type ('{ty}') expected at least 1");
            return Err(self.error_at(span, message));
        }
        let Some(bytes) = element_bytes(self.ctx, element) else {
            return self.dense_strings(literal, ty, span);
        };
        let data = match literal.leaves[..] {
            [leaf] if leaf.kind == Tok::String && literal.shape.is_empty() => {
                self.hex_data(leaf, ty, bytes, count, span)?
            }
            _ => {
                let (part, part_bytes) = match *element.data(self.ctx) {
                    TypeData::Complex(part) => (part, bytes / 2),
                    _ if literal.complex => {
                        return Err(self.error_at(span, "expected element literal of primitive type"));
                    }
                    _ => (element, bytes),
                };
                let is_splat = literal.shape.is_empty();
                let wanted = if is_splat { 2 } else { 2 * count };
                let parsed = literal.leaves.len();
                if part != element && !empty && parsed as u64 != wanted {
                    let ty = crate::text::print_type(self.ctx, if is_splat { element } else { ty });
                    let message =
                        format!("parsed {parsed} elements, but type ('{ty}') expected {wanted} elements");
                    return Err(self.error_at(span, message));
                }
                let mut data = Vec::with_capacity(parsed * part_bytes);
                for &leaf in &literal.leaves {
                    let too_large = (leaf.span, "integer constant out of range for type");
                    self.leaf_bytes(leaf, part, part_bytes, &mut data, too_large)?;
                }
                data
            }
        };
        let splat = (count > 0 || literal.shape.is_empty())
            && !data.is_empty()
            && data.chunks_exact(bytes).all(|chunk| *chunk == data[..bytes]);
        let data = if splat {
            data[..bytes].into()
        } else if count == 0 {
            [].into()
        } else {
            data.into()
        };
        Ok(self.ctx.intern_attr(AttrData::DenseElements { ty, data, splat }))
    }

    /// Decodes `"0x..."`: the elements in memory layout; bits are packed.
    fn hex_data(&self, leaf: Leaf, ty: Type, bytes: usize, count: u64, start: Span) -> Parsed<Vec<u8>> {
        let element = ty.element_or_self(self.ctx);
        let text = unescape(self.text_of(leaf.span));
        let digits = text.strip_prefix(b"0x").filter(|digits| digits.len() % 2 == 0);
        let digit = |byte: u8| (byte as char).to_digit(16).map(|digit| digit as u8);
        let raw: Option<Vec<u8>> = digits.and_then(|digits| {
            digits.chunks_exact(2).map(|pair| Some(digit(pair[0])? << 4 | digit(pair[1])?)).collect()
        });
        let Some(raw) = raw else {
            let message = "expected string containing hex digits starting with `0x`";
            return Err(self.error_at(leaf.span, message));
        };
        let wrong = || {
            let ty = crate::text::print_type(self.ctx, ty);
            let message = format!("elements hex data size is invalid for provided type: '{ty}'");
            self.error_at(start, message)
        };
        if element == Type::I1 {
            if raw.len() == 1 && (raw[0] == 0 || raw[0] == 0xff) {
                return Ok(vec![raw[0] & 1]);
            }
            if raw.len() as u64 != count.div_ceil(8) {
                return Err(wrong());
            }
            return Ok((0..count as usize).map(|at| raw[at / 8] >> (at % 8) & 1).collect());
        }
        if element.integer_width(self.ctx) == Some(0) {
            // Such elements take no memory, and all are 0.
            return if raw.is_empty() { Ok(vec![0; bytes]) } else { Err(wrong()) };
        }
        let total = count.checked_mul(bytes as u64);
        if raw.len() != bytes && total != Some(raw.len() as u64) {
            return Err(wrong());
        }
        match *element.data(self.ctx) {
            TypeData::Integer { width, signedness } if width % 8 != 0 => {
                let value = |chunk| Int::from_le_bytes(chunk, false).wrapped(width, signedness);
                Ok(raw.chunks_exact(bytes).flat_map(|chunk| value(chunk).to_le_bytes(bytes)).collect())
            }
            _ => Ok(raw),
        }
    }

    fn dense_strings(&self, literal: &Literal, ty: Type, span: Span) -> Parsed<Attr> {
        if let Some(leaf) = literal.leaves.iter().find(|leaf| leaf.kind != Tok::String) {
            let message = format!("expected string token, got {}", self.text_of(leaf.span));
            return Err(self.error_at(span, message));
        }
        let mut values: Vec<Box<[u8]>> =
            literal.leaves.iter().map(|leaf| unescape(self.text_of(leaf.span)).into()).collect();
        if values.len() > 1 && values.iter().all(|value| *value == values[0]) {
            values.truncate(1);
        }
        Ok(self.ctx.intern_attr(AttrData::DenseStrings { ty, values: values.into() }))
    }

    pub(super) fn dense_resource(&mut self, ty: Option<Type>) -> Parsed<Attr> {
        self.advance();
        self.expect_or("<", "expected '<' after 'dense_resource'")?;
        let key = match self.tok.kind {
            Tok::String => self.string_name()?,
            Tok::Word => {
                let word = self.spelling().to_owned();
                self.advance();
                word
            }
            _ => return Err(self.error("expected identifier key for 'resource' entry")),
        };
        self.expect(">")?;
        let span = self.span();
        let ty = match ty {
            Some(ty) => ty,
            None => {
                self.expect(":")?;
                self.ty()?
            }
        };
        if ty.shape(self.ctx).is_none() {
            return Err(self.error_at(span, "`dense_resource` expected a shaped type"));
        }
        Ok(self.ctx.intern_attr(AttrData::DenseResource { ty, key: self.ctx.name(&key) }))
    }

    pub(super) fn sparse_elements(&mut self, ty: Option<Type>) -> Parsed<Attr> {
        let span = self.span();
        self.advance();
        self.expect_or("<", "expected '<' after 'sparse'")?;
        let (mut indices, mut values) = (Literal::default(), Literal::default());
        let empty = self.is(">");
        if !empty {
            indices.shape = self.literal(&mut indices)?;
            self.expect(",")?;
            values.shape = self.literal(&mut values)?;
        }
        self.expect(">")?;
        let (Shaped { ty, as_tensor }, _) = self.elements_type(ty, span)?;
        if ty != as_tensor {
            return Err(self.error_at(span, "elements literal must be a shaped type"));
        }
        let rank = ty.rank(self.ctx).unwrap_or(0) as i64;
        indices.shape.reverse();
        values.shape.reverse();
        let list = |shape: &[i64]| shape.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let wrong_shapes = |indices: &[i64]| {
            format!(
                "expected shape ([{}]); inferred shape of indices literal ([{}]); inferred shape of values literal ([{}])",
                list(ty.shape(self.ctx).unwrap_or(&[])),
                list(indices),
                list(&values.shape)
            )
        };
        let n_values = match indices.shape[..] {
            [] if empty => 0,
            // A single number is the index in every dimension.
            [] if rank > 0 => 1,
            [number] if rank == 1 => number,
            [length] if length == rank => 1,
            [number, length] if length == rank => number,
            _ => return Err(self.error_at(span, wrong_shapes(&indices.shape))),
        };
        if !empty && !values.shape.is_empty() && values.shape[..] != [n_values] {
            return Err(self.error_at(span, wrong_shapes(&indices.shape)));
        }
        // One-dimensional indices may be a flat list, which is kept.
        let flat = rank == 1 && indices.shape.len() == 1;
        let shape: &[i64] = if flat { &[n_values] } else { &[n_values, rank] };
        if !empty {
            indices.shape = if indices.shape.is_empty() { Vec::new() } else { shape.to_vec() };
        }
        let indices_type = Type::tensor(self.ctx, shape, Type::I64);
        let values_type = Type::tensor(self.ctx, &[n_values], ty.element_or_self(self.ctx));
        let count = (n_values * rank) as u64;
        let indices = self.dense_value(&indices, empty, indices_type, count, span)?;
        self.check_sparse(indices, ty, span)?;
        let values = self.dense_value(&values, empty, values_type, n_values as u64, span)?;
        Ok(self.ctx.intern_attr(AttrData::Sparse { ty, indices, values }))
    }

    /// Verifies that the indices of sparse elements are in bounds.
    fn check_sparse(&self, indices: Attr, ty: Type, span: Span) -> Parsed<()> {
        let AttrData::DenseElements { data, .. } = indices.data(self.ctx) else { return Ok(()) };
        let Some(shape) = ty.shape(self.ctx).filter(|shape| !shape.is_empty()) else { return Ok(()) };
        let numbers: Vec<i64> = data.as_chunks().0.iter().map(|&bytes| i64::from_le_bytes(bytes)).collect();
        // A single number is the index in every dimension.
        let rows = numbers.chunks(shape.len());
        let rows =
            rows.map(|row| if row.len() < shape.len() { vec![row[0]; shape.len()] } else { row.to_vec() });
        for (at, row) in rows.enumerate() {
            if !row.iter().zip(shape).all(|(index, extent)| (0..*extent).contains(index)) {
                let ty = crate::text::print_type(self.ctx, ty);
                let row: Vec<u64> = row.iter().map(|&index| index as u64).collect();
                return Err(self.error_at(
                    span,
                    format!(
                        "sparse index #{at} is not contained within the value shape, with index={row:?}, and type='{ty}'"
                    ),
                ));
            }
        }
        Ok(())
    }
}
