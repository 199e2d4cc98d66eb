//! Parsing of declared types and attributes.

use crate::text::ParseError;
use crate::text::byte_names::name_of_bytes;
use crate::text::lexer::{Lexer, Tok};
use crate::text::parser::Parser;
use crate::{
    Attr, AttrData, Context, DataAssembly, DataElement, DataSpec, EnumSpec, InvalidParams, Param, ParamKind,
    Type, TypeOrAttr,
};
use minoan_diag::{Diagnostic, Span, nearest};

type Parsed<T> = Result<T, ParseError>;

/// The operation, and the attribute of its format, that an enumeration is parsed for: its error messages name them.
pub(crate) type Wanted<'w> = Option<(&'w str, Option<&'w str>)>;

/// Parses the text of a declared type or attribute after its mnemonic.
///
/// Every method that fails has reported the error; the caller propagates it.
pub struct AttrParser<'p, 'c> {
    p: &'p mut Parser<'c>,
    mnemonic: Span,
}

impl<'c> AttrParser<'_, 'c> {
    /// The context.
    pub fn ctx(&self) -> &'c Context {
        self.p.ctx
    }

    /// The span of the next token.
    pub fn span(&self) -> Span {
        self.p.span()
    }

    /// The span of the mnemonic: the place of errors in the whole type or attribute.
    pub fn mnemonic_span(&self) -> Span {
        self.mnemonic
    }

    /// Reports an error at a span.
    pub fn error_at(&self, span: Span, message: impl Into<String>) -> ParseError {
        self.p.error_at(span, message.into())
    }

    /// The checked type or attribute, with an error in its parameters reported at the mnemonic.
    pub fn checked<T>(&self, result: Result<T, InvalidParams>) -> Parsed<T> {
        result.map_err(|error| self.error_at(self.mnemonic, error.message))
    }

    /// Parses the given punctuation: `<`, `=`.
    pub fn punct(&mut self, punct: &str) -> Parsed<()> {
        self.p.expect(punct)
    }

    /// Parses the given punctuation if it is next.
    pub fn optional_punct(&mut self, punct: &str) -> bool {
        self.p.eat(punct)
    }

    /// Whether the given punctuation is next; consumes nothing.
    pub fn at_punct(&self, punct: &str) -> bool {
        self.p.is(punct)
    }

    /// Parses the given keyword.
    pub fn keyword(&mut self, word: &str) -> Parsed<()> {
        self.p.expect_word(word, "")
    }

    /// Parses the given keyword if it is next.
    pub fn optional_keyword(&mut self, word: &str) -> bool {
        self.p.eat_word(word)
    }

    /// Whether a `#` with a name is next; consumes nothing.
    pub fn at_hash(&self) -> bool {
        self.p.tok.kind == Tok::Hash
    }

    /// Parses an attribute, which may be a type.
    pub fn attribute(&mut self) -> Parsed<Attr> {
        self.p.attribute(None)
    }

    /// Parses a type.
    pub fn ty(&mut self) -> Parsed<Type> {
        self.p.ty()
    }

    /// Parses an integer with an optional sign.
    pub fn integer(&mut self) -> Parsed<i64> {
        self.p.signed_integer(None)
    }

    /// Parses a floating-point literal of a type, with an optional sign and without the type.
    pub fn float(&mut self, ty: Type) -> Parsed<Attr> {
        let span = self.span();
        let attr = self.p.attribute(Some(ty))?;
        match attr.data(self.p.ctx) {
            AttrData::Float { .. } => Ok(attr),
            _ => Err(self.error_at(span, "expected floating point literal")),
        }
    }

    /// Parses `true` or `false`.
    pub fn boolean(&mut self) -> Parsed<bool> {
        self.p.boolean()
    }

    /// Parses a quoted string.
    pub fn string(&mut self) -> Parsed<String> {
        self.p.string_name()
    }
}

impl<'c> Parser<'c> {
    /// Parses a declared type or attribute after its mnemonic, which `mnemonic` is the span of. `ty` is the type of a
    /// typed attribute if that is known from the context.
    pub(crate) fn declared(
        &mut self,
        spec: &'static DataSpec,
        mnemonic: Span,
        ty: Option<Type>,
        wanted: Wanted<'_>,
    ) -> Parsed<TypeOrAttr> {
        match spec.assembly {
            DataAssembly::Custom { parse, .. } => parse(&mut AttrParser { p: self, mnemonic }),
            DataAssembly::Format(elements) => self.formatted((spec, elements), mnemonic, ty, wanted),
        }
    }

    /// Parses a declared type or attribute with a format.
    #[inline(never)]
    fn formatted(
        &mut self,
        (spec, elements): (&'static DataSpec, &'static [DataElement]),
        mnemonic: Span,
        ty: Option<Type>,
        wanted: Wanted<'_>,
    ) -> Parsed<TypeOrAttr> {
        let ctx = self.ctx;
        let mut read: Box<[Option<Param>]> = vec![None; spec.params.len()].into();
        Reader { spec, read: &mut read, wanted }.elements(self, elements)?;
        if let Some(at) = spec.self_type {
            let ty = match ty {
                Some(ty) => ty,
                None if self.eat(":") => self.ty()?,
                None => Type::NONE,
            };
            read[at] = Some(Param::Type(ty));
        }
        let mut params = Vec::with_capacity(read.len());
        for (param, declared) in read.into_iter().zip(spec.params) {
            match param.or_else(|| declared.absent(ctx)) {
                Some(param) => params.push(param),
                None => {
                    let message = format!("'{}' misses its parameter '{}'", spec.name(), declared.name);
                    return Err(self.error_at(mnemonic, message));
                }
            }
        }
        if let Err(error) = spec.check(ctx, &params) {
            return Err(self.error_at(self.span_from(mnemonic.start), error.message));
        }
        Ok(spec.intern(ctx, params.into()))
    }

    /// Parses a declared type or attribute without its prefix: only the text after the mnemonic. Also with its prefix,
    /// or by an alias.
    pub(crate) fn stripped(&mut self, spec: &'static DataSpec, wanted: Wanted<'_>) -> Parsed<TypeOrAttr> {
        let span = self.span();
        let sigil = if spec.is_type { Tok::Bang } else { Tok::Hash };
        if self.tok.kind != sigil {
            return self.deeper(|parser| parser.declared(spec, span, None, wanted));
        }
        let found: TypeOrAttr = if spec.is_type { self.ty()?.into() } else { self.attribute(None)?.into() };
        let declared = match found {
            TypeOrAttr::Type(ty) => ty.declared(self.ctx),
            TypeOrAttr::Attr(attr) => attr.declared(self.ctx),
        };
        match declared {
            Some(declared) if std::ptr::eq(declared.spec(), spec) => Ok(found),
            _ => {
                let what = if spec.is_type { "type" } else { "attribute" };
                Err(self.error_at(span, format!("invalid kind of {what} specified")))
            }
        }
    }

    /// Whether the next token may begin a declared type or attribute without its prefix.
    pub(crate) fn at_stripped(&self, spec: &DataSpec) -> bool {
        let sigil = if spec.is_type { Tok::Bang } else { Tok::Hash };
        self.tok.kind == sigil
            || match spec.assembly {
                DataAssembly::Format(elements) => begins(self, spec, elements),
                DataAssembly::Custom { .. } => self.is("<"),
            }
    }

    fn boolean(&mut self) -> Parsed<bool> {
        if self.eat_word("true") {
            Ok(true)
        } else if self.eat_word("false") {
            Ok(false)
        } else {
            Err(self.error("expected 'true' or 'false'"))
        }
    }

    fn float_param(&mut self) -> Parsed<f64> {
        let span = self.span();
        let attr = self.attribute(Some(Type::F64))?;
        attr.as_f64(self.ctx).ok_or_else(|| self.error_at(span, "expected a floating point number"))
    }

    /// Parses one value of a parameter.
    fn param(&mut self, kind: &ParamKind, wanted: Wanted<'_>) -> Parsed<Param> {
        let ctx = self.ctx;
        Ok(match *kind {
            ParamKind::Bool => Param::Int(self.boolean()?.into()),
            ParamKind::Int { bits, signed } => Param::Int(self.integer_param(bits, signed)?),
            ParamKind::F64 => Param::Int(self.float_param()?.to_bits() as i64),
            ParamKind::String => {
                let bytes = self.string()?;
                Param::Name(ctx.name(&name_of_bytes(bytes)))
            }
            ParamKind::Type => Param::Type(self.ty()?),
            ParamKind::Attr => Param::Attr(self.attribute(None)?),
            ParamKind::Symbol => Param::Attr(self.symbol_ref()?),
            ParamKind::AffineMap => {
                let span = self.span();
                let attr = self.attribute(None)?;
                if attr.as_affine_map(ctx).is_none() {
                    return Err(self.error_at(span, "expected an affine map"));
                }
                Param::Attr(attr)
            }
            ParamKind::Enum(cases) => Param::Int(self.enum_case(cases, wanted)?),
            ParamKind::Flags(cases) => Param::Int(self.flags(cases, wanted)?),
            ParamKind::Declared(spec) => match self.stripped(spec, wanted)? {
                TypeOrAttr::Type(ty) => Param::Type(ty),
                TypeOrAttr::Attr(attr) => Param::Attr(attr),
            },
            ParamKind::Array(element) => {
                let mut elements = Vec::new();
                if self.at_param(element) {
                    elements.push(self.param(element, wanted)?);
                    while self.eat_separator() {
                        elements.push(self.param(element, wanted)?);
                    }
                }
                Param::Array(elements.into())
            }
            ParamKind::Optional(inner) if self.at_param(inner) => self.param(inner, wanted)?,
            ParamKind::Optional(_) => Param::Absent,
        })
    }

    fn integer_param(&mut self, bits: u32, signed: bool) -> Parsed<i64> {
        let start = self.span();
        let negative = self.eat("-");
        if self.tok.kind != Tok::Integer {
            return Err(self.error("expected integer value"));
        }
        let magnitude = match self.spelling().strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => self.spelling().parse().ok(),
        };
        self.advance();
        let value = magnitude.map(|value| if negative { -i128::from(value) } else { i128::from(value) });
        let range = match signed {
            true => -(1i128 << (bits - 1))..1i128 << (bits - 1),
            false => 0..1i128 << bits,
        };
        // A `u64` is stored by its bits.
        value.filter(|value| range.contains(value)).map(|value| value as i64).ok_or_else(|| {
            let kind = if signed { "a signed" } else { "an unsigned" };
            let message = format!("integer value out of range: expected {kind} {bits}-bit integer");
            self.error_at(self.span_from(start.start), message)
        })
    }

    /// Whether the next token may begin a value.
    fn at_param(&self, kind: &ParamKind) -> bool {
        match kind {
            ParamKind::Bool => self.is_word("true") || self.is_word("false"),
            ParamKind::Int { .. } => self.tok.kind == Tok::Integer || self.is("-"),
            ParamKind::F64 => matches!(self.tok.kind, Tok::Integer | Tok::Float) || self.is("-"),
            ParamKind::String => self.tok.kind == Tok::String,
            ParamKind::Type => self.at_type(),
            ParamKind::Attr => self.at_attribute(),
            ParamKind::Symbol => self.tok.kind == Tok::At,
            ParamKind::AffineMap => self.is_word("affine_map") || self.tok.kind == Tok::Hash,
            ParamKind::Enum(_) | ParamKind::Flags(_) => matches!(self.tok.kind, Tok::Word | Tok::String),
            ParamKind::Declared(spec) => self.at_stripped(spec),
            ParamKind::Array(element) | ParamKind::Optional(element) => self.at_param(element),
        }
    }

    /// Parses a keyword of an enumeration.
    fn enum_case(&mut self, cases: &'static EnumSpec, wanted: Wanted<'_>) -> Parsed<i64> {
        let value = self.enum_word().and_then(|word| cases.value(word));
        let value =
            value.ok_or_else(|| self.wrong_keyword(wanted, cases, cases.cases.iter().map(|case| case.0)))?;
        self.advance();
        Ok(value)
    }

    /// Parses keywords of a set.
    fn flags(&mut self, cases: &'static EnumSpec, wanted: Wanted<'_>) -> Parsed<i64> {
        let mut bits = 0;
        loop {
            let value = self.enum_word().and_then(|word| cases.set_value(word));
            bits |= value.ok_or_else(|| self.wrong_keyword(wanted, cases, cases.set_keywords()))?;
            self.advance();
            if !self.eat_separator() {
                return Ok(bits);
            }
        }
    }

    /// Parses the comma before another element of a list. One before `name =` ends the list, which is a field of a
    /// `struct`.
    fn eat_separator(&mut self) -> bool {
        let before = self.mark();
        if !self.eat(",") {
            return false;
        }
        let is_field = self.tok.kind == Tok::Word && self.next_is_equals();
        if is_field {
            self.go_back(before);
        }
        !is_field
    }

    /// The keyword at the current token, which may be in quotes.
    fn enum_word(&self) -> Option<&'c str> {
        match self.tok.kind {
            Tok::Word => Some(self.spelling()),
            Tok::String => Some(self.spelling().trim_matches('"')),
            _ => None,
        }
    }

    /// Reports a token that is not among the keywords.
    #[cold]
    fn wrong_keyword(
        &self,
        wanted: Wanted<'_>,
        spec: &EnumSpec,
        cases: impl Iterator<Item = &'static str>,
    ) -> ParseError {
        if !matches!(self.tok.kind, Tok::Word | Tok::String) {
            let op = wanted.map(|(op, _)| format!("custom op '{op}' ")).unwrap_or_default();
            return self.error(format!("{op}expected valid keyword or string"));
        }
        let cases: Vec<&str> = cases.collect();
        let near = nearest(self.spelling(), cases.iter().copied());
        let cases = cases.join(", ");
        let message = match wanted {
            Some((op, Some(name))) => format!(
                "custom op '{op}' expected string or keyword containing one of the following enum values for attribute '{name}' [{cases}]"
            ),
            _ => {
                let op = wanted.map(|(op, _)| format!("custom op '{op}' ")).unwrap_or_default();
                let name = spec.name.map(|name| format!("{name} to be ")).unwrap_or_default();
                format!("{op}expected {name}one of: {cases}")
            }
        };
        self.report(Diagnostic::error(message).at(self.span()).did_you_mean(near))
    }
}

struct Reader<'r, 'w> {
    spec: &'static DataSpec,
    read: &'r mut [Option<Param>],
    wanted: Wanted<'w>,
}

impl Reader<'_, '_> {
    fn elements(&mut self, p: &mut Parser<'_>, elements: &[DataElement]) -> Parsed<()> {
        elements.iter().try_for_each(|element| self.element(p, element))
    }

    fn element(&mut self, p: &mut Parser<'_>, element: &DataElement) -> Parsed<()> {
        match *element {
            DataElement::Space(_) => Ok(()),
            DataElement::Literal(_, text) => literal(p, text),
            DataElement::Param(_, at) => self.param(p, at),
            DataElement::Params(_, indices) => {
                let mut first = true;
                for &at in indices {
                    let can_miss = self.spec.params[at].absent(p.ctx).is_some();
                    if !first {
                        if can_miss && !p.is(",") {
                            continue;
                        }
                        p.expect(",")?;
                    } else if can_miss && !p.at_param(&self.spec.params[at].kind) {
                        continue;
                    }
                    self.param(p, at)?;
                    first = false;
                }
                Ok(())
            }
            DataElement::Struct(_, indices) => self.fields(p, indices),
            DataElement::Group(_, then, otherwise) => {
                if begins(p, self.spec, then) {
                    self.elements(p, then)
                } else {
                    self.elements(p, otherwise)
                }
            }
        }
    }

    fn param(&mut self, p: &mut Parser<'_>, at: usize) -> Parsed<()> {
        self.read[at] = Some(p.param(&self.spec.params[at].kind, self.wanted)?);
        Ok(())
    }

    /// Parses `a = 1, b = 2`, in any order.
    fn fields(&mut self, p: &mut Parser<'_>, indices: &[usize]) -> Parsed<()> {
        let name = |at: usize| self.spec.params[at].name;
        let find = |p: &Parser<'_>| {
            indices.iter().copied().find(|&at| p.tok.kind == Tok::Word && p.spelling() == name(at))
        };
        if p.tok.kind == Tok::Word {
            loop {
                let Some(at) = find(p) else {
                    let near = nearest(p.spelling(), indices.iter().map(|&at| name(at)));
                    let names: Vec<&str> = indices.iter().map(|&at| name(at)).collect();
                    let message = format!("expected one of the parameters: {}", names.join(", "));
                    return Err(p.report(Diagnostic::error(message).at(p.span()).did_you_mean(near)));
                };
                if self.read[at].is_some() {
                    return Err(p.error(format!("duplicate parameter '{}'", self.spec.params[at].name)));
                }
                p.advance();
                p.expect("=")?;
                self.read[at] = Some(p.param(&self.spec.params[at].kind, self.wanted)?);
                if !p.eat(",") {
                    break;
                }
            }
        }
        Ok(())
    }
}

/// Whether the next token is the beginning of these elements.
fn begins(p: &Parser<'_>, spec: &DataSpec, elements: &[DataElement]) -> bool {
    for element in elements {
        return match *element {
            DataElement::Space(_) => continue,
            DataElement::Literal(_, text) => {
                let first = Lexer::new(text).next();
                let text = &text[first.start as usize..first.end as usize];
                if first.kind == Tok::Word { p.is_word(text) } else { p.is(text) }
            }
            DataElement::Param(_, at) => p.at_param(&spec.params[at].kind),
            DataElement::Params(_, indices) => {
                indices.first().is_some_and(|&at| p.at_param(&spec.params[at].kind))
            }
            DataElement::Struct(_, indices) => {
                p.tok.kind == Tok::Word && indices.iter().any(|&at| spec.params[at].name == p.spelling())
            }
            DataElement::Group(_, then, otherwise) => begins(p, spec, then) || begins(p, spec, otherwise),
        };
    }
    false
}

/// Parses the tokens of a literal.
fn literal(p: &mut Parser<'_>, text: &str) -> Parsed<()> {
    let mut lexer = Lexer::new(text);
    loop {
        let token = lexer.next();
        let text = &text[token.start as usize..token.end as usize];
        match token.kind {
            Tok::Eof => return Ok(()),
            Tok::Word => p.expect_word(text, "")?,
            _ => p.expect(text)?,
        }
    }
}
