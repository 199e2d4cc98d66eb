//! Parsing of attributes.

use super::dialect_text::DialectText;
use super::{Alias, AliasUse, Parsed, Parser, Tok};
use crate::text::byte_names::name_of_bytes;
use crate::{Attr, AttrData, DYNAMIC, DataSpec, Int, Name, Signedness, Type, TypeData, TypeOrAttr};
use minoan_diag::{Diagnostic, Span, nearest};
use num_bigint::BigInt;

/// The value of an integer token, decimal or hexadecimal; `None` if it exceeds 64 bits.
pub(super) fn literal(word: &str) -> Option<u64> {
    match word.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => word.parse().ok(),
    }
}

/// The beginning of a declared type or attribute.
struct Mnemonic {
    spec: &'static DataSpec,
    /// The span of the mnemonic.
    span: Span,
    /// Whether it is in the angle brackets after the dialect: `#dialect<mnemonic ..>`.
    is_bracketed: bool,
}

impl Parser<'_> {
    /// Parses an attribute. If `ty` is given, a typed attribute has that type and does not spell it.
    pub(crate) fn attribute(&mut self, ty: Option<Type>) -> Parsed<Attr> {
        match self.tok.kind {
            Tok::Integer | Tok::Float | Tok::At => self.attribute_inner(ty),
            _ => self.deeper(|parser| parser.attribute_inner(ty)),
        }
    }

    /// Whether the current token can begin an attribute.
    pub(crate) fn at_attribute(&self) -> bool {
        match self.tok.kind {
            Tok::At | Tok::Float | Tok::Integer | Tok::Hash | Tok::String => true,
            Tok::Punct => matches!(self.spelling(), "{" | "[" | "-") || self.at_type(),
            Tok::Word => {
                matches!(
                    self.spelling(),
                    "affine_map"
                        | "affine_set"
                        | "array"
                        | "dense"
                        | "dense_resource"
                        | "distinct"
                        | "false"
                        | "loc"
                        | "sparse"
                        | "strided"
                        | "true"
                        | "unit"
                ) || self.at_type()
            }
            _ => self.at_type(),
        }
    }

    /// Every level of nesting has a frame of this function, of [`Parser::hash_attribute`] and of [`Parser::declared_element`],
    /// so code with many locals is in separate functions.
    fn attribute_inner(&mut self, ty: Option<Type>) -> Parsed<Attr> {
        match self.tok.kind {
            Tok::Integer | Tok::Float => self.number(self.span(), false, ty),
            Tok::At => self.symbol_ref(),
            Tok::Hash => self.hash_attribute(ty),
            Tok::String => self.string_attribute(ty),
            Tok::Punct => match self.spelling() {
                "-" => self.negative_number(ty),
                "[" => self.array_attribute(),
                "{" => self.dictionary_attribute(),
                "(" => self.type_attribute(),
                _ => Err(self.error_wrong_token("expected attribute value")),
            },
            Tok::Word => self.word_attribute(ty),
            Tok::Bang => self.type_attribute(),
            _ => Err(self.error_wrong_token("expected attribute value")),
        }
    }

    fn string_attribute(&mut self, ty: Option<Type>) -> Parsed<Attr> {
        let bytes = self.string()?;
        let ty = self.trailing_type(ty, Type::NONE)?;
        Ok(self.ctx.intern_attr(AttrData::String { bytes: bytes.into(), ty }))
    }

    fn negative_number(&mut self, ty: Option<Type>) -> Parsed<Attr> {
        let start = self.span();
        self.advance();
        if !matches!(self.tok.kind, Tok::Integer | Tok::Float) {
            return Err(self.error("expected constant integer or floating point value"));
        }
        self.number(start, true, ty)
    }

    fn array_attribute(&mut self) -> Parsed<Attr> {
        self.advance();
        let mut elements = Vec::new();
        self.list_until("]", "expected ',' or ']'", |parser| {
            elements.push(parser.attribute(None)?);
            Ok(())
        })?;
        Ok(Attr::array(self.ctx, &elements))
    }

    fn dictionary_attribute(&mut self) -> Parsed<Attr> {
        let entries = self.dictionary()?;
        Ok(Attr::dictionary(self.ctx, &entries))
    }

    fn type_attribute(&mut self) -> Parsed<Attr> {
        let ty = self.ty()?;
        Ok(Attr::ty(self.ctx, ty))
    }

    fn word_attribute(&mut self, ty: Option<Type>) -> Parsed<Attr> {
        let word = self.spelling();
        match word {
            "true" | "false" => {
                self.advance();
                Ok(Attr::bool(word == "true"))
            }
            "unit" => {
                self.advance();
                Ok(Attr::UNIT)
            }
            "loc" => {
                Ok(self.inline_loc()?.map_or(Attr::UNIT, |loc| self.ctx.intern_attr(AttrData::Location(loc))))
            }
            "affine_map" => {
                self.advance();
                self.expect_or("<", "expected '<' in affine map")?;
                let map = self.affine_map()?;
                self.expect_or(">", "expected '>' in affine map")?;
                Ok(Attr::affine_map(self.ctx, map))
            }
            "affine_set" => {
                self.advance();
                self.expect_or("<", "expected '<' in integer set")?;
                let set = self.integer_set()?;
                self.expect_or(">", "expected '>' in integer set")?;
                Ok(self.ctx.intern_attr(AttrData::IntegerSet(set)))
            }
            "array" => self.dense_array(),
            "dense" => self.dense_elements(ty),
            "dense_resource" => self.dense_resource(ty),
            "sparse" => self.sparse_elements(ty),
            "strided" => self.strided(),
            "distinct" => self.distinct_attribute(),
            _ if self.at_type() => self.type_attribute(),
            _ => Err(self.error_wrong_token("expected attribute value")),
        }
    }

    /// Parses `{a = 1 : i32, b}`.
    pub(crate) fn dictionary(&mut self) -> Parsed<Vec<(Name, Attr)>> {
        self.expect_or("{", "expected '{' in attribute dictionary")?;
        let mut entries: Vec<(Name, Attr)> = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        self.list_until("}", "expected '}' in attribute dictionary", |parser| {
            let span = parser.span();
            let name = match parser.tok.kind {
                Tok::String => parser.string_name()?,
                Tok::Word => {
                    let word = parser.spelling().to_owned();
                    parser.advance();
                    word
                }
                _ => return Err(parser.error_wrong_token("expected attribute name")),
            };
            if name.is_empty() {
                return Err(parser.error_at(span, "expected valid attribute name"));
            }
            let id = parser.ctx.name(&name);
            if !seen.insert(id) {
                return Err(parser.error_at(span, format!("duplicate key '{name}' in dictionary attribute")));
            }
            let assigned = parser.eat("=");
            if assigned && parser.is_recording() && name == "sym_name" && parser.tok.kind == Tok::String {
                parser.record_symbol_string();
            }
            let value = if assigned { parser.attribute(None)? } else { Attr::UNIT };
            entries.push((id, value));
            Ok(())
        })?;
        Ok(entries)
    }

    /// Parses `@a::@b`.
    pub(crate) fn symbol_ref(&mut self) -> Parsed<Attr> {
        let mut parts = Vec::new();
        self.record_part(&mut parts);
        let root = self.symbol_part()?;
        let mut nested = Vec::new();
        while self.eat("::") {
            if self.tok.kind != Tok::At {
                return Err(self.error("expected nested symbol reference identifier"));
            }
            self.record_part(&mut parts);
            nested.push(self.symbol_part()?);
        }
        self.record_symbol_ref(parts);
        Ok(self.ctx.intern_attr(AttrData::SymbolRef { root, nested: nested.into() }))
    }

    fn symbol_part(&mut self) -> Parsed<Name> {
        let bytes = self.at_name("")?;
        Ok(self.ctx.name(&name_of_bytes(bytes)))
    }

    fn hash_attribute(&mut self, ty: Option<Type>) -> Parsed<Attr> {
        match self.declared_element(false, ty)? {
            Some(TypeOrAttr::Attr(attr)) => Ok(attr),
            _ => self.opaque_attribute(ty),
        }
    }

    /// Parses an attribute of a dialect that is not loaded, or an alias.
    #[inline(never)]
    fn opaque_attribute(&mut self, ty: Option<Type>) -> Parsed<Attr> {
        let start = self.tok.start;
        if let Some(DialectText { dialect, text, pieces }) = self.dialect_text()? {
            self.check_dialect(dialect, "attribute", self.span_from(start))?;
            self.check_known(dialect, &text, "attribute", start)?;
            if !pieces.is_empty() && self.ctx.dialect(dialect).is_none() && (ty.is_some() || !self.is(":")) {
                return Ok(self.attribute_of_pieces(dialect, pieces));
            }
            let ty = match ty {
                Some(_) => Type::NONE,
                None => self.trailing_type(None, Type::NONE)?,
            };
            let (dialect, text) = (self.ctx.name(dialect), self.ctx.name(&text));
            return Ok(self.ctx.intern_attr(AttrData::Opaque { dialect, text, ty }));
        }
        let span = self.span();
        match self.alias(AliasUse::Attr)? {
            Alias::Attr(attr) => Ok(attr),
            _ => Err(self.error_at(span, "expected the alias of an attribute")),
        }
    }

    /// Rejects a type or attribute that a loaded dialect does not declare; `start` is its position.
    pub(super) fn check_known(&self, dialect: &str, text: &str, what: &str, start: u32) -> Parsed<()> {
        let mnemonics: Vec<&str> = match self.ctx.dialect(dialect) {
            Some(dialect) if dialect.allows_unknown_types() => return Ok(()),
            Some(dialect) => {
                let of_kind = |spec: &&&DataSpec| spec.is_type == (what == "type");
                dialect.data().iter().filter(of_kind).map(|spec| spec.mnemonic).collect()
            }
            None if dialect == "builtin" => Vec::new(),
            None => return Ok(()),
        };
        let mnemonic = text.trim_start_matches(['.', '<']).split(['<', ' ', '>']).next().unwrap_or_default();
        let message = if mnemonics.is_empty() {
            format!("dialect '{dialect}' provides no {what} parsing hook")
        } else {
            format!("unknown {what} `{mnemonic}` in dialect `{dialect}`")
        };
        // After the sigil, the dialect's name, and a dot or a bracket.
        let start = start + dialect.len() as u32 + 2;
        let near = nearest(mnemonic, mnemonics.iter().copied());
        let span = Span::new(self.file, start, self.prev_end.max(start + 1));
        Err(self.report(Diagnostic::error(message).at(span).did_you_mean(near)))
    }

    /// Parses `#dialect.mnemonic..` or `#dialect<mnemonic ..>`, or a type with `!`, of a dialect that declares it; `None`
    /// if none does. `ty` is the type of a typed attribute if that is known from the context.
    pub(super) fn declared_element(&mut self, is_type: bool, ty: Option<Type>) -> Parsed<Option<TypeOrAttr>> {
        let Some(Mnemonic { spec, span, is_bracketed }) = self.mnemonic(is_type)? else { return Ok(None) };
        let element = self.declared(spec, span, ty, None)?;
        if is_bracketed {
            self.expect(">")?;
        }
        Ok(Some(element))
    }

    /// Parses the dialect and the mnemonic of a declared type or attribute; consumes nothing if there is none.
    #[inline(never)]
    fn mnemonic(&mut self, is_type: bool) -> Parsed<Option<Mnemonic>> {
        let (span, name) = (self.span(), &self.spelling()[1..]);
        let find = |dialect: &str, mnemonic: &str| {
            let dialect = self.ctx.dialect(dialect)?;
            if is_type { dialect.type_spec(mnemonic) } else { dialect.attr_spec(mnemonic) }
        };
        if let Some((dialect, mnemonic)) = name.split_once('.') {
            let Some(spec) = find(dialect, mnemonic) else { return Ok(None) };
            if !self.next_is_angle() && !spec.may_be_bare() {
                let sigil = if is_type { '!' } else { '#' };
                return Err(self.error(format!("expected '{sigil}{dialect}<{mnemonic} ..>'")));
            }
            self.advance();
            let span = Span { start: span.end - mnemonic.len() as u32, ..span };
            return Ok(Some(Mnemonic { spec, span, is_bracketed: false }));
        }
        if !self.next_is_angle() || self.ctx.dialect(name).is_none() {
            return Ok(None);
        }
        let before = self.mark();
        self.advance();
        self.advance();
        let Some(spec) = find(name, self.spelling()) else {
            self.go_back(before);
            return Ok(None);
        };
        let span = self.span();
        self.advance();
        Ok(Some(Mnemonic { spec, span, is_bracketed: true }))
    }

    /// Parses the type after a colon; otherwise the given one, or the default.
    fn trailing_type(&mut self, ty: Option<Type>, default: Type) -> Parsed<Type> {
        match ty {
            Some(ty) => Ok(ty),
            None if self.eat(":") => self.ty(),
            None => Ok(default),
        }
    }

    /// A span without leading white space.
    fn trimmed(&self, span: Span) -> Span {
        let blanks = self.text_of(span).bytes().take_while(u8::is_ascii_whitespace).count();
        Span::new(span.file, span.start + blanks as u32, span.end)
    }

    /// Parses a number; `start` is the position of its sign or first digit.
    fn number(&mut self, start: Span, negative: bool, ty: Option<Type>) -> Parsed<Attr> {
        let (span, kind) = (self.span(), self.tok.kind);
        let word = self.spelling();
        self.advance();
        let default = if kind == Tok::Float { Type::F64 } else { Type::I64 };
        let colon = ty.is_none() && self.is(":");
        let before = self.span();
        let ty = self.trailing_type(ty, default)?;
        if let Some(float) = ty.float_kind(self.ctx) {
            let bits = self.float_bits(negative, word, kind, float, span)?;
            return Ok(Attr::float_bits(self.ctx, bits, ty));
        }
        // The type follows the colon.
        let shown = Span::new(span.file, before.end, self.prev_end);
        let with_type =
            |error: Diagnostic| if colon { error.label(self.trimmed(shown), "its type") } else { error };
        if kind == Tok::Float {
            let error = Diagnostic::error("floating point value not valid for specified type");
            return Err(self.report_here(with_type(error)));
        }
        match ty.data(self.ctx) {
            TypeData::Integer { .. } | TypeData::Index => {
                let message = "integer constant out of range for attribute";
                let value = self.integer_value(negative, word, ty, span, message)?;
                Ok(self.recent.integer(self.ctx, value, ty))
            }
            _ => {
                let error = Diagnostic::error("integer literal not valid for specified type").at(start);
                Err(self.report(with_type(error)))
            }
        }
    }

    /// The bits of a number in a floating-point format.
    pub(super) fn float_bits(
        &self,
        negative: bool,
        word: &str,
        kind: Tok,
        float: crate::FloatKind,
        span: minoan_diag::Span,
    ) -> Parsed<u128> {
        if kind == Tok::Float {
            let text = if negative { format!("-{word}") } else { word.to_owned() };
            return read_decimal(float, &text)
                .ok_or_else(|| self.error_at(span, "floating point value too large for attribute"));
        }
        let Some(digits) = word.strip_prefix("0x") else {
            let diagnostic = minoan_diag::Diagnostic::error(
                "unexpected decimal integer literal for a floating point value",
            );
            let diagnostic = diagnostic.at(span).note("add a trailing dot to make the literal a float");
            return Err(self.report(diagnostic));
        };
        if negative {
            return Err(self.error_at(span, "hexadecimal float literal should not have a leading minus"));
        }
        match u128::from_str_radix(digits, 16) {
            Ok(bits) if float.width() == 128 || bits >> float.width() == 0 => Ok(bits),
            _ => Err(self.error_at(span, "hexadecimal float constant out of range for type")),
        }
    }

    /// The value of an integer literal of an integer type or `index`; `too_large` is the message on overflow.
    pub(crate) fn integer_value(
        &self,
        negative: bool,
        word: &str,
        ty: Type,
        span: minoan_diag::Span,
        too_large: &str,
    ) -> Parsed<Int> {
        let (width, signedness) = match *ty.data(self.ctx) {
            TypeData::Integer { width, signedness } => (width, signedness),
            _ => (64, Signedness::Signed),
        };
        let out_of_range = || self.error_at(span, too_large);
        if word.len() > 1 << 16 {
            return Err(out_of_range());
        }
        let value = match word.strip_prefix("0x") {
            Some(digits) => BigInt::parse_bytes(digits.as_bytes(), 16),
            None => match word.parse::<i64>() {
                Ok(value) => Some(BigInt::from(value)),
                Err(_) => BigInt::parse_bytes(word.as_bytes(), 10),
            },
        };
        let value = value.ok_or_else(out_of_range)?;
        if negative && signedness == Signedness::Unsigned {
            return Err(self.error_at(span, "negative integer literal not valid for unsigned integer type"));
        }
        // The number of bits available for the magnitude.
        let magnitude_fits = if width == 0 {
            !negative && value.bits() == 0
        } else if negative {
            // There is no negative zero.
            value.bits() > 0 && value.bits() < u64::from(width)
                || value.bits() == u64::from(width)
                    && value.trailing_zeros() == Some(u64::from(width).saturating_sub(1))
        } else if signedness == Signedness::Signed {
            value.bits() < u64::from(width)
        } else {
            value.bits() <= u64::from(width)
        };
        if !magnitude_fits {
            return Err(out_of_range());
        }
        let value = Int::from(if negative { -value } else { value });
        Ok(match ty.data(self.ctx) {
            TypeData::Integer { .. } => value.wrapped(width, signedness),
            _ => value,
        })
    }

    fn strided(&mut self) -> Parsed<Attr> {
        self.advance();
        self.expect_or("<", "expected '<' after 'strided'")?;
        self.expect("[")?;
        let mut strides = Vec::new();
        self.list_until("]", "expected ']'", |parser| {
            strides.push(parser.stride()?);
            Ok(())
        })?;
        let mut offset = 0;
        if !self.is(">") {
            self.expect(",")?;
            self.expect_word("offset", " after comma")?;
            self.expect_or(":", "expected ':' after 'offset'")?;
            offset = self.stride()?;
        }
        self.expect(">")?;
        Ok(self.ctx.intern_attr(AttrData::Strided { offset, strides: strides.into() }))
    }

    fn stride(&mut self) -> Parsed<i64> {
        let span = self.span();
        if self.eat("?") {
            return Ok(DYNAMIC);
        }
        let negative = self.eat("-");
        let value = literal(self.spelling()).filter(|_| self.tok.kind == Tok::Integer).map(i128::from);
        match value.and_then(|value| i64::try_from(if negative { -value } else { value }).ok()) {
            Some(value) => {
                self.advance();
                Ok(value)
            }
            None => Err(self.error_at(span, "expected a 64-bit signed integer or '?'")),
        }
    }

    /// Parses a signed 64-bit integer, in the custom form of an operation or elsewhere.
    pub(crate) fn signed_integer(&mut self, op: Option<&str>) -> Parsed<i64> {
        let wrong = |message: &str| match op {
            Some(op) => format!("custom op '{op}' {message}"),
            None => message.to_owned(),
        };
        let span = self.span();
        let negative = self.eat("-");
        if self.tok.kind != Tok::Integer {
            return Err(self.error(wrong("expected integer value")));
        }
        let word = self.spelling();
        let magnitude = literal(word).map(i128::from);
        let value = magnitude.and_then(|value| i64::try_from(if negative { -value } else { value }).ok());
        match value {
            Some(value) => {
                self.advance();
                Ok(value)
            }
            None => Err(self.error_at(span, wrong("integer value too large"))),
        }
    }

    fn distinct_attribute(&mut self) -> Parsed<Attr> {
        let start = self.span();
        self.advance();
        self.expect_or("[", "expected '[' after 'distinct'")?;
        if self.tok.kind != Tok::Integer {
            return Err(self.error("expected distinct ID"));
        }
        let word = self.spelling();
        self.advance();
        let number = literal(word).ok_or_else(|| self.error("expected an unsigned 64-bit integer"))?;
        self.expect_or("]", "expected ']' to close distinct ID")?;
        self.expect_or("<", "expected '<' after distinct ID")?;
        let referenced = if self.is(">") { Attr::UNIT } else { self.attribute(None)? };
        self.expect_or(">", "expected '>' to close distinct attribute")?;
        let attr = match self.distinct.get(&number) {
            Some(&attr) => attr,
            None => {
                let attr = self.ctx.distinct(referenced);
                self.distinct.insert(number, attr);
                attr
            }
        };
        match attr.data(self.ctx) {
            AttrData::Distinct { referenced: before, .. } if *before != referenced => {
                let before = crate::text::print_attr(self.ctx, *before);
                let message = format!("referenced attribute does not match previous definition: {before}");
                Err(self.error_at(start, message))
            }
            _ => Ok(attr),
        }
    }
}

/// Converts a decimal number as MLIR does: to an `f64` first, then rounded to the format.
pub(crate) fn read_decimal(kind: crate::FloatKind, text: &str) -> Option<u128> {
    let value = text.parse::<f64>().ok()?;
    Some(crate::float_from_f64(kind, value))
}
