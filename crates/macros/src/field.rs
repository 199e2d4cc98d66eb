//! The fields of a declaration.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{
    Attribute, Error, Expr, ExprLit, GenericArgument, Ident, Lit, LitStr, Meta, Path, PathArguments, Result,
    Token, Type,
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
        Ok(Self { common, arity, constraint: options.constraint(attr, "FLOAT_LIKE")?, fixed })
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
            None => Some(options.constraint(attr, "I64_ATTR")?),
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

/// The arguments of a field's attribute: a constraint, flags, texts, and lists of names.
struct Options {
    constraint: Option<Path>,
    flags: Vec<Ident>,
    lists: Vec<(Ident, Vec<Ident>)>,
    values: Vec<(Ident, Expr)>,
}

impl Options {
    fn empty() -> Self {
        Self { constraint: None, flags: Vec::new(), lists: Vec::new(), values: Vec::new() }
    }

    fn of(attr: &Attribute) -> Result<Self> {
        match &attr.meta {
            Meta::Path(_) => Ok(Self::empty()),
            _ => attr.parse_args(),
        }
    }

    fn allow(&self, allowed: &[&str]) -> Result<()> {
        let lists = self.lists.iter().map(|(word, _)| word);
        for word in self.flags.iter().chain(lists).chain(self.values.iter().map(|(word, _)| word)) {
            if !allowed.iter().any(|allowed| word == allowed) {
                let known = match allowed {
                    [] => "no options are allowed here".to_owned(),
                    _ => format!("allowed here: `{}`", allowed.join("`, `")),
                };
                return Err(Error::new(word.span(), format!("unknown option `{word}`; {known}")));
            }
        }
        Ok(())
    }

    fn no_constraint(&self, what: &str) -> Result<()> {
        match &self.constraint {
            Some(path) => Err(Error::new_spanned(path, format!("{what} has no constraint"))),
            None => Ok(()),
        }
    }

    fn constraint(&self, attr: &Attribute, example: &str) -> Result<Path> {
        self.constraint.clone().ok_or_else(|| {
            let word = attr.path().to_token_stream();
            Error::new_spanned(attr, format!("a constraint is missing: `#[{word}({example})]`"))
        })
    }

    fn flag(&self, word: &str) -> bool {
        self.flags.iter().any(|flag| flag == word)
    }

    fn list(&self, word: &str) -> Option<Vec<Ident>> {
        self.lists.iter().find(|(name, _)| name == word).map(|(_, list)| list.clone())
    }

    fn text(&self, word: &str) -> Result<Option<LitStr>> {
        let mut found = self.values.iter().filter(|(name, _)| name == word);
        let first = found.next().map(|(_, text)| text.clone());
        match (found.next(), first) {
            (Some((again, _)), _) => Err(Error::new(again.span(), format!("`{word}` is given twice"))),
            (None, Some(Expr::Lit(ExprLit { lit: Lit::Str(text), .. }))) => Ok(Some(text)),
            (None, Some(other)) => Err(Error::new(other.span(), format!("`{word}` is a text in quotes"))),
            (None, None) => Ok(None),
        }
    }

    /// The default value: the text of an attribute in quotes, or an expression of the Rust type.
    fn default(&self, ty: Option<&Type>) -> Result<Option<Default>> {
        let Some((word, value)) = self.values.iter().find(|(word, _)| word == "default") else {
            return Ok(None);
        };
        let is_string = matches!(ty.and_then(last_segment), Some((name, None)) if name == "String");
        match (value, ty) {
            (Expr::Lit(ExprLit { lit: Lit::Str(_), .. }), _) if is_string => {
                Ok(Some(Default::Value(Box::new(syn::parse_quote!(::std::string::String::from(#value))))))
            }
            (Expr::Lit(ExprLit { lit: Lit::Str(text), .. }), _) => {
                self.text("default")?;
                Ok(Some(Default::Text(text.clone())))
            }
            (_, Some(_)) => Ok(Some(Default::Value(Box::new(value.clone())))),
            (_, None) => Err(Error::new(word.span(), "the default of an `Attr` is its text in quotes")),
        }
    }
}

impl Parse for Options {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut options = Options::empty();
        while !input.is_empty() {
            if input.peek(Ident) && input.peek2(Token![=]) {
                let word: Ident = input.parse()?;
                input.parse::<Token![=]>()?;
                options.values.push((word, input.parse::<Expr>()?));
            } else if input.peek(Ident) && input.peek2(syn::token::Paren) {
                let word = input.parse()?;
                options.lists.push((word, crate::declaration::idents(input)?));
            } else {
                let path: Path = input.parse()?;
                // Flags are lower case, constraints are statics.
                match path.get_ident() {
                    Some(word) if is_lower(word) => options.flags.push(word.clone()),
                    _ if options.constraint.is_none() => options.constraint = Some(path),
                    _ => return Err(Error::new_spanned(path, "a second constraint")),
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(options)
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

fn is_lower(word: &Ident) -> bool {
    word.to_string().chars().all(|letter| letter.is_lowercase() || letter == '_')
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

fn last_segment(ty: &Type) -> Option<(&Ident, Option<&Type>)> {
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
