//! `#[derive(AttrEnum)]`: an enum whose variants are keywords of the IR.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::meta::ParseNestedMeta;
use syn::{Data, DataEnum, DeriveInput, Error, Fields, Ident, LitStr, Path, Result};

/// The arguments of `#[attr_enum(..)]`.
struct Options {
    separator: String,
    all: Option<LitStr>,
    name: Option<LitStr>,
    /// The description; by default, of the first line of the documentation.
    describe: Option<LitStr>,
    /// The type of the integers: `I64` or `I32`.
    integer: Ident,
    /// The declared attribute that holds a case.
    attr: Option<Path>,
    /// The declared attribute that holds a set of cases.
    flags: Option<Path>,
}

impl Options {
    fn parse(item: &DeriveInput) -> Result<Self> {
        let mut options = Self {
            separator: ", ".to_owned(),
            all: None,
            name: None,
            describe: None,
            integer: format_ident!("I64"),
            attr: None,
            flags: None,
        };
        for attr in item.attrs.iter().filter(|attr| attr.path().is_ident("attr_enum")) {
            attr.parse_nested_meta(|meta| options.set(&meta))?;
        }
        Ok(options)
    }

    fn set(&mut self, meta: &ParseNestedMeta<'_>) -> Result<()> {
        if meta.path.is_ident("separator") {
            self.separator = meta.value()?.parse::<LitStr>()?.value();
        } else if meta.path.is_ident("all") {
            self.all = Some(meta.value()?.parse()?);
        } else if meta.path.is_ident("name") {
            self.name = Some(meta.value()?.parse()?);
        } else if meta.path.is_ident("describe") {
            self.describe = Some(meta.value()?.parse()?);
        } else if meta.path.is_ident("integer") {
            let ty: Ident = meta.value()?.parse()?;
            self.integer = match &*ty.to_string() {
                "i64" => format_ident!("I64"),
                "i32" => format_ident!("I32"),
                _ => return Err(Error::new(ty.span(), "expected `i64` or `i32`")),
            };
        } else if meta.path.is_ident("attr") {
            self.attr = Some(meta.value()?.parse()?);
        } else if meta.path.is_ident("flags") {
            self.flags = Some(meta.value()?.parse()?);
        } else {
            return Err(meta.error(
                "expected `separator = \"..\"`, `all = \"..\"`, `name = \"..\"`, `describe = \"..\"`, `integer = i32`, `attr = Attribute` or `flags = Attribute`",
            ));
        }
        Ok(())
    }
}

/// Expands the derive.
pub fn expand(item: &DeriveInput) -> Result<TokenStream> {
    let Data::Enum(data) = &item.data else {
        return Err(Error::new_spanned(&item.ident, "`AttrEnum` is derived for enums"));
    };
    let options = Options::parse(item)?;
    let summary = crate::field::docs(&item.attrs)?.into_iter().find(|line| !line.is_empty());
    let describe = match &options.describe {
        Some(given) => given.value(),
        None => summary.map_or_else(String::new, |summary| crate::data::described(&summary)),
    };
    let (variants, keywords) = variants_and_keywords(data)?;
    let ident = &item.ident;
    let value = value(ident, &options);
    let Options { separator, integer, .. } = &options;
    let (all, name) = (crate::spec::option(options.all.as_ref()), crate::spec::option(options.name.as_ref()));
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

/// The variants and their keywords, which are unique.
fn variants_and_keywords(data: &DataEnum) -> Result<(Vec<&Ident>, Vec<String>)> {
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
    Ok((variants, keywords))
}

/// The enum as an attribute of an operation: a set in a declared attribute, a declared attribute, or an integer.
fn value(ident: &Ident, options: &Options) -> TokenStream {
    if let Some(of) = &options.flags {
        return quote! {
            impl ::minoan_ir::FlagEnum for #ident {
                type Attr = #of;
            }
        };
    }
    let integer = &options.integer;
    let (constraint, into, from) = match &options.attr {
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
