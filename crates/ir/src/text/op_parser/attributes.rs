//! Attributes, dictionaries of attributes, and symbols.

use super::{OpParser, Parsed, Unresolved};
use crate::affine::AffineMap;
use crate::{Attr, AttrDef, AttrSpec, Name, Traits, Type, TypeOrAttr};
use minoan_diag::Span;

impl OpParser<'_, '_> {
    /// Parses an attribute.
    pub fn attribute(&mut self) -> Parsed<Attr> {
        self.p.attribute(None)
    }

    /// Parses an attribute if one is next.
    pub fn optional_attribute(&mut self) -> Parsed<Option<Attr>> {
        if self.p.at_attribute() { self.p.attribute(None).map(Some) } else { Ok(None) }
    }

    /// Parses a typed attribute whose type is implied: `4`.
    pub fn attribute_of_type(&mut self, ty: Type) -> Parsed<Attr> {
        self.p.attribute(Some(ty))
    }

    /// Parses an attribute of a declared kind without its prefix; also with its prefix, or by an alias.
    pub fn stripped_attr<A: AttrDef>(&mut self) -> Parsed<A> {
        let op = self.op_name();
        match self.p.stripped(A::SPEC, Some((op, None)))? {
            TypeOrAttr::Attr(attr) => Ok(A::from_attr_unchecked(attr)),
            TypeOrAttr::Type(_) => Err(self.error("expected an attribute")),
        }
    }

    /// Parses the body of `affine_map<..>`: `(i, j) -> (j, i)`.
    pub fn affine_map(&mut self) -> Parsed<Attr> {
        let map = self.p.affine_map()?;
        Ok(Attr::affine_map(self.p.ctx, map))
    }

    /// Parses affine expressions over values between delimiters, `[%i + 1, symbol(%n)]`: the map, and the operands of its
    /// dimensions and of its symbols.
    pub fn affine_map_of_operands(
        &mut self,
        open: &str,
        close: &str,
    ) -> Parsed<(AffineMap, Vec<Unresolved>, Vec<Unresolved>)> {
        let found = self.p.affine_map_of_operands(open, close)?;
        Ok((found.map, found.dims, found.symbols))
    }

    /// Parses an affine expression over values, `%i + symbol(%n)`: a map with one result, and the operands of its
    /// dimensions and of its symbols.
    pub fn affine_expr_of_operands(&mut self) -> Parsed<(AffineMap, Vec<Unresolved>, Vec<Unresolved>)> {
        let found = self.p.affine_expr_of_operands()?;
        Ok((found.map, found.dims, found.symbols))
    }

    /// Parses `@name` to a string attribute.
    pub fn symbol_name(&mut self) -> Parsed<Attr> {
        let prefix =
            if self.at_symbol() { String::new() } else { format!("custom op '{}' ", self.op_name()) };
        let (span, text) = (self.p.span(), self.p.spelling());
        let bytes = self.p.at_name(&prefix)?;
        self.p.record_symbol(text.trim_matches(['@', '"']), span, self.build.kind, self.build.span.start);
        Ok(Attr::string(self.ctx(), bytes))
    }

    /// Parses `@name` or `@name::@nested`.
    pub fn symbol_ref(&mut self) -> Parsed<Attr> {
        self.p.symbol_ref()
    }

    /// Reads an attribute that is a dictionary: `{a = 1}`, or an alias of one.
    pub fn dictionary_attribute(&mut self) -> Parsed<Vec<(Name, Attr)>> {
        let (span, ctx) = (self.span(), self.p.ctx);
        let attr = self.p.attribute(None)?;
        let entries = attr.as_dictionary(ctx).map(<[_]>::to_vec);
        entries.ok_or_else(|| self.error_at(span, "invalid kind of attribute specified"))
    }

    /// Parses an optional attribute dictionary into the attributes of the operation.
    pub fn attr_dict(&mut self) -> Parsed<()> {
        if !self.p.is("{") {
            return Ok(());
        }
        let attrs = self.p.dictionary()?;
        self.add_attrs(attrs)
    }

    /// Parses an optional attribute dictionary after the keyword `attributes`.
    pub fn attr_dict_with_keyword(&mut self) -> Parsed<()> {
        self.attr_dict_with_keyword_except(&[])
    }

    /// Parses an optional attribute dictionary after the word `attributes`. The attributes of these names are
    /// written elsewhere, and must not be in it.
    pub fn attr_dict_with_keyword_except(&mut self, inferred: &[&str]) -> Parsed<()> {
        let span = self.span();
        if !self.p.eat_word("attributes") {
            return Ok(());
        }
        if !self.p.is("{") {
            return Err(self.p.error_wrong_token("expected '{' in attribute dictionary"));
        }
        let attrs = self.p.dictionary()?;
        let is_there = |name: &&&str| attrs.iter().any(|(entry, _)| entry.as_str(self.p.ctx) == **name);
        if let Some(name) = inferred.iter().find(is_there) {
            return Err(self.error_at(
                span,
                format!(
                    "'{name}' is an inferred attribute and should not be specified in the explicit attribute dictionary"
                ),
            ));
        }
        self.add_attrs(attrs)
    }

    /// Parses an optional attribute dictionary. Its entries replace the values of attributes that were parsed before.
    pub(in crate::text) fn overriding_attr_dict(&mut self) -> Parsed<()> {
        if self.p.is("{") {
            let attrs = self.p.dictionary()?;
            self.build.set_attrs(self.p.ctx, attrs);
        }
        Ok(())
    }

    /// Parses the optional inherent attributes `<{a = 1}>`, or `<#alias>`.
    pub fn optional_properties(&mut self) -> Parsed<()> {
        if !self.p.eat("<") {
            return Ok(());
        }
        let attrs = self.dictionary_attribute()?;
        self.p.expect(">")?;
        self.add_attrs(attrs)
    }

    /// Sets an attribute of the operation.
    pub fn set_attr(&mut self, name: &str, value: Attr) {
        let name = self.p.ctx.name(name);
        self.build.set_attr(self.p.ctx, name, value);
    }

    /// An attribute that has been parsed or set.
    pub fn get_attr(&self, name: &str) -> Option<Attr> {
        self.build.get_attr(self.p.ctx.name(name))
    }

    /// Verifies the declared attributes parsed so far; reports the first violation by name at a span.
    pub fn check_attrs(&mut self, span: Span) -> Parsed<()> {
        let ctx = self.ctx();
        let spec = self.build.info(ctx).and_then(|info| info.spec);
        let declared = spec.map_or(&[][..], |spec| spec.attrs).iter();
        let is_wrong = |attr: &&AttrSpec| {
            self.get_attr(attr.name).is_some_and(|value| !(attr.constraint.check)(ctx, value))
        };
        match declared.filter(is_wrong).min_by_key(|attr| attr.name) {
            Some(AttrSpec { name, constraint, .. }) => {
                let (op, description) = (self.op_name(), constraint.description);
                let message =
                    format!("'{op}' op attribute '{name}' failed to satisfy constraint: {description}");
                Err(self.error_at(span, message))
            }
            None => Ok(()),
        }
    }

    /// Adds attributes, which must not be there already.
    fn add_attrs(&mut self, attrs: Vec<(Name, Attr)>) -> Parsed<()> {
        let ctx = self.p.ctx;
        let names = ctx.names();
        // The functions that read operations with segments set these themselves.
        let is_implied = |name: &Name| {
            let traits = self.build.info(ctx).map_or(Traits::NONE, |info| info.traits);
            *name == names.operand_segments && traits.has(Traits::OPERAND_SEGMENTS)
                || *name == names.result_segments && traits.has(Traits::RESULT_SEGMENTS)
        };
        let is_repeated = |name: &Name| is_implied(name) || self.build.get_attr(*name).is_some();
        if let Some((name, _)) = attrs.iter().find(|(name, _)| is_repeated(name)) {
            let name = name.as_str(ctx);
            return Err(
                self.error_at_name(format!("attribute '{name}' occurs more than once in the attribute list"))
            );
        }
        self.build.set_attrs(ctx, attrs);
        Ok(())
    }
}
