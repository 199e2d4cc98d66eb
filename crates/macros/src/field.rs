//! The fields of a declaration.

use crate::options::Options;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{
    Attribute, Error, Expr, ExprLit, GenericArgument, Ident, Lit, LitStr, Meta, Path, PathArguments, Result,
    Type,
};

/// The arity of a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arity {
    /// `Value`.
    One,
    /// `Option<Value>`.
    Optional,
    /// `Vec<Value>`.
    Variadic,
}

/// An operand or a result.
pub struct ValueField {
    pub common: Common,
    pub arity: Arity,
    pub constraint: Path,
    /// Whether the constraint of a result admits a single type.
    pub fixed: bool,
}

/// An attribute.
#[derive(Clone)]
pub struct AttrField {
    pub common: Common,
    /// The constraint; `None` for the constraint of the Rust type.
    pub constraint: Option<Path>,
    /// The Rust type of the value, without `Option`; `None` for an `Attr`.
    pub value: Option<Type>,
    /// The name in the IR.
    pub ir_name: String,
    pub optional: bool,
    /// The default value.
    pub default: Option<Default>,
    /// Whether it is a unit attribute, whose value is its presence.
    pub unit: bool,
}

/// The default value of an attribute.
#[derive(Clone)]
pub enum Default {
    /// The text of an attribute.
    Text(LitStr),
    /// A value of the field's type.
    Value(Box<Expr>),
}

impl ToTokens for Default {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Default::Text(text) => text.to_tokens(tokens),
            Default::Value(value) => value.to_tokens(tokens),
        }
    }
}

impl Default {
    /// The text for documentation.
    pub fn shown(&self) -> String {
        match self {
            Default::Text(text) => text.value(),
            Default::Value(value) => value.to_token_stream().to_string().replace(' ', ""),
        }
    }
}

/// A region.
pub struct RegionField {
    pub common: Common,
    pub variadic: bool,
    pub non_empty: bool,
    /// The operands whose types are those of the arguments of the entry block, if declared.
    pub args: Option<Vec<Ident>>,
    /// The results whose types are those of the operands of its terminators, if declared.
    pub yields: Option<Vec<Ident>>,
}

/// A successor.
pub struct SuccessorField {
    pub common: Common,
    pub variadic: bool,
}

/// Properties of all fields.
#[derive(Clone)]
pub struct Common {
    /// The identifier as written, including `r#`.
    pub ident: Ident,
    /// The name without `r#`.
    pub name: String,
    /// The documentation, one line per element.
    pub docs: Vec<String>,
    pub ty_span: Span,
}

/// A field.
pub enum Field {
    Operand(ValueField),
    Attr(Box<AttrField>),
    Result(ValueField),
    Region(RegionField),
    Successor(SuccessorField),
}

const KINDS: [&str; 5] = ["operand", "attr", "result", "region", "successor"];

impl Field {
    pub fn new(field: &syn::Field) -> Result<Self> {
        let ident = field.ident.clone().expect("the fields are named");
        let mut kinds = Vec::new();
        for attr in &field.attrs {
            if KINDS.iter().any(|kind| attr.path().is_ident(kind)) {
                kinds.push(attr);
            } else if !attr.path().is_ident("doc") {
                return Err(Error::new_spanned(
                    attr,
                    "unknown attribute: a field has documentation and one of `#[operand(..)]`, `#[attr(..)]`, `#[result(..)]`, `#[region]`, `#[successor]`",
                ));
            }
        }
        // The kind of a field without an attribute follows from its type.
        let (implied, ty) = match &kinds[..] {
            [] => implied(&field.ty).unzip(),
            _ => (None, None),
        };
        let ty = ty.as_ref().unwrap_or(&field.ty);
        kinds.extend(&implied);
        let [kind] = kinds[..] else {
            let message = format!(
                "field `{ident}` needs exactly one of `#[operand(..)]`, `#[attr(..)]`, `#[result(..)]`, `#[region]`, `#[successor]`, or a type that says as much: `Operand<F32>`, `OpResult<F32>`, `Region`, `Block`"
            );
            return Err(Error::new(ident.span(), message));
        };
        let name = ident.to_string();
        let name = name.strip_prefix("r#").unwrap_or(&name).to_owned();
        let common = Common { ident, name, docs: docs(&field.attrs)?, ty_span: field.ty.span() };
        let word = kind.path().get_ident().expect("just compared").to_string();
        match word.as_str() {
            "operand" => Ok(Field::Operand(ValueField::new(common, kind, ty, false)?)),
            "result" => Ok(Field::Result(ValueField::new(common, kind, ty, true)?)),
            "attr" => Ok(Field::Attr(Box::new(AttrField::new(common, kind, ty)?))),
            "region" => {
                let options = Options::of(kind)?;
                options.allow(&["non_empty", "name", "args", "yields"])?;
                options.no_constraint("a region")?;
                let common = common.renamed(&options)?;
                let variadic = arity(ty, "Region", &[Arity::One, Arity::Variadic])? == Arity::Variadic;
                let [args, yields] = ["args", "yields"].map(|word| options.list(word));
                let non_empty = args.is_some() || yields.is_some() || options.flag("non_empty");
                Ok(Field::Region(RegionField { common, variadic, non_empty, args, yields }))
            }
            _ => {
                let options = Options::of(kind)?;
                options.allow(&[])?;
                options.no_constraint("a successor")?;
                let variadic = arity(ty, "Block", &[Arity::One, Arity::Variadic])? == Arity::Variadic;
                Ok(Field::Successor(SuccessorField { common, variadic }))
            }
        }
    }

    pub fn common(&self) -> &Common {
        match self {
            Field::Operand(field) | Field::Result(field) => &field.common,
            Field::Attr(field) => &field.common,
            Field::Region(field) => &field.common,
            Field::Successor(field) => &field.common,
        }
    }
}

impl Common {
    /// With the name `value`, as the parameter of a setter.
    pub fn as_value(&self) -> Self {
        Self { ident: Ident::new("value", self.ident.span()), ..self.clone() }
    }

    /// The name in the IR that `name = ".."` specifies, if it differs from the field's.
    fn renamed(mut self, options: &Options) -> Result<Self> {
        if let Some(name) = options.text("name")? {
            self.name = name.value();
        }
        Ok(self)
    }
}

impl ValueField {
    fn new(common: Common, attr: &Attribute, ty: &Type, result: bool) -> Result<Self> {
        let options = Options::of(attr)?;
        options.allow(if result { &["fixed", "name"] } else { &["name"] })?;
        let common = common.renamed(&options)?;
        let arity = arity(ty, "Value", &[Arity::One, Arity::Optional, Arity::Variadic])?;
        let fixed = options.flag("fixed");
        if fixed && arity != Arity::One {
            return Err(Error::new_spanned(ty, "a `fixed` result is exactly one `Value`"));
        }
        Ok(Self { common, arity, constraint: options.required_constraint(attr, "FLOAT_LIKE")?, fixed })
    }
}

impl AttrField {
    fn new(common: Common, attr: &Attribute, ty: &Type) -> Result<Self> {
        let options = Options::of(attr)?;
        options.allow(&["default", "name", "unit"])?;
        let (optional, value) = match last_segment(ty) {
            Some((name, Some(inner))) if name == "Option" => (true, inner),
            _ => (false, ty),
        };
        let value =
            Some(value).filter(|ty| !matches!(last_segment(ty), Some((name, None)) if name == "Attr"));
        if let Some((outer, Some(inner))) = value.and_then(last_segment)
            && outer != "Array"
            && matches!(last_segment(inner), Some((name, None)) if name == "Attr")
        {
            arity(ty, "Attr", &[Arity::One, Arity::Optional])?;
        }
        let default = options.default(value)?;
        if let (true, Some(default)) = (optional, &default) {
            return Err(Error::new_spanned(
                default,
                "an attribute with a default is always there: declare it without `Option`, or leave the default out",
            ));
        }
        let ir_name = options.text("name")?.map_or_else(|| common.name.clone(), |name| name.value());
        if options.flag("unit") {
            if !is_bool(ty) || default.is_some() || options.constraint.is_some() {
                return Err(Error::new_spanned(
                    ty,
                    "a unit attribute is a `bool`, false if absent, without constraint and default",
                ));
            }
            return Ok(Self {
                constraint: None,
                value: None,
                common,
                ir_name,
                optional: true,
                default,
                unit: true,
            });
        }
        let constraint = match value {
            Some(_) => options.constraint.clone(),
            None => Some(options.required_constraint(attr, "I64_ATTR")?),
        };
        Ok(Self { constraint, value: value.cloned(), common, ir_name, optional, default, unit: false })
    }
}

/// Desugars the shorthand field types into the attribute form, an attribute and a type: `Operand<C>` and `OpResult<C>`, also in
/// `Option` and `Vec`, into a `Value` with the constraint `C`, `Region` into a region, `Block` into a successor, and any other
/// type into an attribute. `None` for a `Value`, which may be an operand or a result.
fn implied(ty: &Type) -> Option<(Attribute, Type)> {
    let (outer, base) = match last_segment(ty) {
        Some((name, Some(inner))) if name == "Option" || name == "Vec" => (Some(name), inner),
        _ => (None, ty),
    };
    let (name, argument) = last_segment(base)?;
    let value = || match outer {
        Some(outer) => syn::parse_quote!(#outer<Value>),
        None => syn::parse_quote!(Value),
    };
    match (name.to_string().as_str(), argument) {
        ("Operand", Some(constraint)) => Some((syn::parse_quote!(#[operand(#constraint)]), value())),
        ("OpResult", Some(constraint)) => Some((syn::parse_quote!(#[result(#constraint)]), value())),
        ("Operand" | "OpResult" | "Value", _) => None,
        ("Region", None) => Some((syn::parse_quote!(#[region]), ty.clone())),
        ("Block", None) => Some((syn::parse_quote!(#[successor]), ty.clone())),
        _ => Some((syn::parse_quote!(#[attr]), ty.clone())),
    }
}

/// The constraint of an operand or result: a static, or that of a declared type.
pub fn type_constraint(path: &Path) -> TokenStream {
    if names_type(path) {
        quote_spanned!(path.span()=> <#path as ::minoan_ir::TypeDef>::CONSTRAINT)
    } else {
        quote!(#path)
    }
}

/// A reference to the constraint of an attribute: a static, or that of a declared attribute or Rust type.
pub fn attr_constraint(field: &AttrField) -> TokenStream {
    match (&field.constraint, &field.value) {
        _ if field.unit => quote!(&::minoan_ir::constraints::UNIT_ATTR),
        (Some(path), _) if names_type(path) => {
            quote_spanned!(path.span()=> &<#path as ::minoan_ir::AttrDef>::CONSTRAINT)
        }
        (Some(path), _) => quote!(&#path),
        (None, Some(ty)) => quote_spanned!(ty.span()=> <#ty as ::minoan_ir::AttrValue>::DEFAULT_CONSTRAINT),
        (None, None) => quote!(&::minoan_ir::constraints::ANY_ATTR),
    }
}

/// Types for which a builder accepts any value that converts to them.
const CONVERTED: [&str; 7] = ["String", "Vec", "Array", "Flags", "SymbolName", "FlatSymbolRef", "SymbolRef"];

/// The parameter of a builder for the value of an attribute, and its conversion to an `Attr` (an `Option` of one if it is
/// optional).
pub fn attr_param(field: &AttrField) -> (TokenStream, TokenStream) {
    use crate::hygiene::quote;

    let name = &field.common.ident;
    let Some(ty) = &field.value else {
        return match field.optional {
            true => (quote!(#name: ::core::option::Option<::minoan_ir::Attr>), quote!(#name)),
            false => (quote!(#name: ::minoan_ir::Attr), quote!(#name)),
        };
    };
    let into = last_segment(ty)
        .is_some_and(|(name, _)| CONVERTED.iter().any(|converted| name == converted) && !field.unit);
    match field.optional {
        true => (
            quote!(#name: ::core::option::Option<#ty>),
            quote!(#name.map(|value| <#ty as ::minoan_ir::AttrValue>::into_attr(value, &ctx))),
        ),
        false if into => (
            quote!(#name: impl ::core::convert::Into<#ty>),
            quote!(<#ty as ::minoan_ir::AttrValue>::into_attr(#name.into(), &ctx)),
        ),
        false => (quote!(#name: #ty), quote!(<#ty as ::minoan_ir::AttrValue>::into_attr(#name, &ctx))),
    }
}

/// Whether a path names a Rust type by convention; statics are upper case.
fn names_type(path: &Path) -> bool {
    path.segments.last().is_some_and(|last| last.ident.to_string().contains(char::is_lowercase))
}

fn is_bool(ty: &Type) -> bool {
    matches!(last_segment(ty), Some((name, None)) if name == "bool")
}

/// Reads `Base`, `Option<Base>` or `Vec<Base>`.
fn arity(ty: &Type, base: &str, allowed: &[Arity]) -> Result<Arity> {
    let text = |arity| match arity {
        Arity::One => format!("`{base}`"),
        Arity::Optional => format!("`Option<{base}>`"),
        Arity::Variadic => format!("`Vec<{base}>`"),
    };
    let found = match last_segment(ty) {
        Some((name, None)) if name == base => Some(Arity::One),
        Some((name, Some(inner)))
            if last_segment(inner).is_some_and(|(name, of)| name == base && of.is_none()) =>
        {
            match name.to_string().as_str() {
                "Option" => Some(Arity::Optional),
                "Vec" => Some(Arity::Variadic),
                _ => None,
            }
        }
        _ => None,
    };
    found.filter(|found| allowed.contains(found)).ok_or_else(|| {
        let allowed: Vec<_> = allowed.iter().copied().map(text).collect();
        Error::new_spanned(ty, format!("the type here must be {}", allowed.join(" or ")))
    })
}

pub fn last_segment(ty: &Type) -> Option<(&Ident, Option<&Type>)> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    match &last.arguments {
        PathArguments::None => Some((&last.ident, None)),
        PathArguments::AngleBracketed(args) if args.args.len() == 1 => match &args.args[0] {
            GenericArgument::Type(inner) => Some((&last.ident, Some(inner))),
            _ => None,
        },
        _ => None,
    }
}

/// The lines of the documentation.
pub fn docs(attrs: &[Attribute]) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("doc")) {
        let Meta::NameValue(pair) = &attr.meta else { continue };
        let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &pair.value else {
            return Err(Error::new_spanned(
                attr,
                "the documentation of an operation is a literal: it becomes part of the spec",
            ));
        };
        let text = text.value();
        lines.extend(
            text.split('\n').map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end().to_owned()),
        );
    }
    Ok(lines)
}
