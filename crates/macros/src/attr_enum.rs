//! `#[derive(AttrEnum)]`: an enum whose variants are keywords of the IR.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Fields, Ident, LitStr, Path, Result};

/// Expands the derive.
pub fn expand(item: &DeriveInput) -> Result<TokenStream> {
    let Data::Enum(data) = &item.data else {
        return Err(Error::new_spanned(&item.ident, "`AttrEnum` is derived for enums"));
    };
    let (mut separator, mut all, mut name) = (", ".to_owned(), None::<LitStr>, None::<LitStr>);
    let (mut given_describe, mut integer) = (None::<LitStr>, quote!(I64));
    let (mut attr_of, mut flags_of) = (None::<Path>, None::<Path>);
    for attr in item.attrs.iter().filter(|attr| attr.path().is_ident("attr_enum")) {
        attr.parse_nested_meta(|meta| {
            if meta.path.is_ident("separator") {
                separator = meta.value()?.parse::<LitStr>()?.value();
            } else if meta.path.is_ident("all") {
                all = Some(meta.value()?.parse()?);
            } else if meta.path.is_ident("name") {
                name = Some(meta.value()?.parse()?);
            } else if meta.path.is_ident("describe") {
                given_describe = Some(meta.value()?.parse()?);
            } else if meta.path.is_ident("integer") {
                let ty: Ident = meta.value()?.parse()?;
                integer = match &*ty.to_string() {
                    "i64" => quote!(I64),
                    "i32" => quote!(I32),
                    _ => return Err(Error::new(ty.span(), "expected `i64` or `i32`")),
                };
            } else if meta.path.is_ident("attr") {
                attr_of = Some(meta.value()?.parse()?);
            } else if meta.path.is_ident("flags") {
                flags_of = Some(meta.value()?.parse()?);
            } else {
                return Err(meta.error(
                    "expected `separator = \"..\"`, `all = \"..\"`, `name = \"..\"`, `describe = \"..\"`, `integer = i32`, `attr = Attribute` or `flags = Attribute`",
                ));
            }
            Ok(())
        })?;
    }
    let mut describe = String::new();
    if let Some(summary) = crate::field::docs(&item.attrs)?.into_iter().find(|line| !line.is_empty()) {
        describe = crate::data::described(&summary);
    }
    if let Some(given) = given_describe {
        describe = given.value();
    }
    let mut keywords = Vec::new();
    let mut variants = Vec::new();
    for variant in &data.variants {
        if !matches!(variant.fields, Fields::Unit) {
            return Err(Error::new_spanned(&variant.fields, "a keyword has no fields"));
        }
        let given = variant.attrs.iter().find(|attr| attr.path().is_ident("keyword"));
        keywords.push(match given {
            Some(attr) => attr.parse_args::<LitStr>()?.value(),
            None => snake_case(&variant.ident.to_string()),
        });
        variants.push(&variant.ident);
    }
    for (at, keyword) in keywords.iter().enumerate() {
        if keywords[..at].contains(keyword) {
            return Err(Error::new_spanned(variants[at], format!("keyword `{keyword}` is used twice")));
        }
    }
    let ident = &item.ident;
    // As an attribute of an operation: a set in a declared attribute, a declared attribute, or an integer.
    let value = if let Some(of) = flags_of {
        quote! {
            impl ::minoan_ir::FlagEnum for #ident {
                type Attr = #of;
            }
        }
    } else {
        let (constraint, into, from) = match attr_of {
            Some(of) => (
                quote!(&<#of as ::minoan_ir::AttrDef>::CONSTRAINT),
                quote!(::minoan_ir::generated::wrap::<#of, Self>(ctx, self)),
                quote!(::minoan_ir::generated::unwrap::<#of, Self>(ctx, attr)),
            ),
            None => (
                quote!(&::minoan_ir::generated::enum_constraint::<#ident>()),
                quote!(::minoan_ir::Attr::integer(ctx, self as i64, ::minoan_ir::Type::#integer)),
                quote!(attr.as_i64(ctx).and_then(<Self as ::minoan_ir::AttrEnum>::from_value)),
            ),
        };
        quote! {
            impl ::minoan_ir::AttrValue for #ident {
                const DEFAULT_CONSTRAINT: &'static ::minoan_ir::AttrConstraint = #constraint;
                type Get<'c> = Self;

                fn into_attr(self, ctx: &::minoan_ir::Context) -> ::minoan_ir::Attr {
                    #into
                }

                fn from_attr(ctx: &::minoan_ir::Context, attr: ::minoan_ir::Attr) -> ::core::option::Option<Self> {
                    #from
                }
            }
        }
    };
    let (all, name) = (crate::spec::option(all.as_ref()), crate::spec::option(name.as_ref()));
    Ok(quote! {
        impl ::minoan_ir::AttrEnum for #ident {
            const SPEC: &'static ::minoan_ir::EnumSpec = &::minoan_ir::EnumSpec {
                name: #name,
                describe: #describe,
                integer: ::minoan_ir::Type::#integer,
                cases: &[#((#keywords, #ident::#variants as i64)),*],
                separator: #separator,
                all: #all,
            };
            const ALL: &'static [Self] = &[#(#ident::#variants),*];

            fn value(self) -> i64 {
                self as i64
            }

            fn from_value(value: i64) -> ::core::option::Option<Self> {
                <Self as ::minoan_ir::AttrEnum>::ALL.iter().copied().find(|&variant| variant as i64 == value)
            }

            fn keyword(self) -> &'static str {
                match self {
                    #(#ident::#variants => #keywords,)*
                }
            }
        }

        #value

        impl ::minoan_ir::Parameter for #ident {
            const KIND: ::minoan_ir::ParamKind =
                ::minoan_ir::ParamKind::Enum(<#ident as ::minoan_ir::AttrEnum>::SPEC);
            type Get<'c> = Self;

            fn store(self, _: &::minoan_ir::Context) -> ::minoan_ir::Param {
                ::minoan_ir::Param::Int(self as i64)
            }

            fn load<'c>(_: &'c ::minoan_ir::Context, param: &'c ::minoan_ir::Param) -> Self {
                ::minoan_ir::generated::case(param)
            }
        }
    })
}

/// `TowardZero` as `toward_zero`.
fn snake_case(name: &str) -> String {
    let mut text = String::new();
    for (at, letter) in name.char_indices() {
        if letter.is_uppercase() && at > 0 {
            text.push('_');
        }
        text.extend(letter.to_lowercase());
    }
    text
}
