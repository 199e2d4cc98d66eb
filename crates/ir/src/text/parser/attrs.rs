//! Parsing of attributes.

use super::dialect_text::DialectText;
use super::numbers::literal;
use super::{Alias, AliasUse, Parsed, Parser, Tok};
use crate::text::byte_names::name_of_bytes;
use crate::{Attr, AttrData, DYNAMIC, DataSpec, Name, Type, TypeOrAttr};
use minoan_diag::{Diagnostic, Span, nearest};

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
        match self.alias(AliasUse::Earlier)? {
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
    pub(super) fn trailing_type(&mut self, ty: Option<Type>, default: Type) -> Parsed<Type> {
        match ty {
            Some(ty) => Ok(ty),
            None if self.eat(":") => self.ty(),
            None => Ok(default),
        }
    }

    /// A span without leading white space.
    pub(super) fn trimmed(&self, span: Span) -> Span {
        let blanks = self.text_of(span).bytes().take_while(u8::is_ascii_whitespace).count();
        Span::new(span.file, span.start + blanks as u32, span.end)
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
