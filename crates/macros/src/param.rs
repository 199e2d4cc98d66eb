//! The parameters of types and attributes: the fields of a struct with `#[ty]` or `#[attr]`.

use crate::data::DataKind;
use crate::field;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Error, Expr, Ident, Result, Token, Type};

/// A field of the struct: a parameter of the type or attribute.
pub struct ParamField {
    pub ident: Ident,
    pub name: String,
    pub ty: Type,
    pub docs: Vec<String>,
    pub default: Option<Expr>,
    pub unaliased: bool,
    pub self_type: bool,
}

/// The argument of `#[param(..)]`.
#[derive(Default)]
struct Options {
    default: Option<Expr>,
    unaliased: bool,
    self_type: bool,
}

impl Parse for Options {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut options = Options::default();
        while !input.is_empty() {
            let word = input.call(Ident::parse_any)?;
            match word.to_string().as_str() {
                "default" => {
                    input.parse::<Token![=]>()?;
                    options.default = Some(input.parse()?);
                }
                "unaliased" => options.unaliased = true,
                "self_type" => options.self_type = true,
                _ => {
                    let message = format!(
                        "unknown option `{word}`; there are `default = ..`, `unaliased`, `self_type`"
                    );
                    return Err(Error::new(word.span(), message));
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(options)
    }
}

/// The outermost type constructor: `Vec` of `Vec<Type>`.
fn constructor(ty: &Type) -> String {
    match ty {
        Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default(),
        _ => String::new(),
    }
}

const RESERVED: [&str; 5] = ["get", "checked", "cast", "from_type_unchecked", "from_attr_unchecked"];

impl ParamField {
    /// Reads a field of the struct.
    pub fn new(field: &syn::Field, kind: DataKind) -> Result<Self> {
        let ident = field.ident.clone().expect("the fields are named");
        let mut options = Options::default();
        for attr in &field.attrs {
            if attr.path().is_ident("param") {
                options = attr.parse_args()?;
            } else if !attr.path().is_ident("doc") {
                return Err(Error::new_spanned(
                    attr,
                    "unknown attribute: a parameter has documentation and `#[param(..)]`",
                ));
            }
        }
        let name = ident.unraw().to_string();
        if RESERVED.contains(&name.as_str()) || (kind.is_type() && name == "of") {
            let message =
                format!("`{name}` is a method of every type and attribute; give the parameter another name");
            return Err(Error::new(ident.span(), message));
        }
        if options.self_type && (kind.is_type() || constructor(&field.ty) != "Type") {
            return Err(Error::new(ident.span(), "`self_type` is the `Type` of a typed attribute"));
        }
        Ok(Self {
            ident,
            name,
            ty: field.ty.clone(),
            docs: field::docs(&field.attrs)?,
            default: options.default,
            unaliased: options.unaliased,
            self_type: options.self_type,
        })
    }

    /// Whether it may be absent from the text.
    pub fn can_miss(&self) -> bool {
        self.default.is_some() || matches!(constructor(&self.ty).as_str(), "Option" | "Vec")
    }

    /// The parameter of `get`, and its conversion.
    pub fn argument(&self) -> (TokenStream, TokenStream) {
        let (ident, ty) = (&self.ident, &self.ty);
        match constructor(ty).as_str() {
            "String" | "Vec" | "Option" => (
                quote!(#ident: impl ::core::convert::Into<#ty>),
                quote!(::core::convert::Into::<#ty>::into(#ident)),
            ),
            _ => (quote!(#ident: #ty), quote!(#ident)),
        }
    }

    /// The declaration of the parameter.
    pub fn spec(&self) -> TokenStream {
        let ParamField { name, ty, unaliased, .. } = self;
        let default = self.default.as_ref().map(|default| {
            quote_spanned! {default.span()=>
                (|ctx: &::minoan_ir::Context| {
                    let value: #ty = #default;
                    <#ty as ::minoan_ir::Parameter>::store(value, ctx)
                }) as fn(&::minoan_ir::Context) -> ::minoan_ir::Param
            }
        });
        let default = crate::spec::option(default.as_ref());
        quote_spanned! {ty.span()=>
            ::minoan_ir::ParamSpec {
                name: #name,
                kind: <#ty as ::minoan_ir::Parameter>::KIND,
                default: #default,
                unaliased: #unaliased,
            }
        }
    }
}
