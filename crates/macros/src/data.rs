//! `#[ty]` and `#[attr]`: declare a type or an attribute of a dialect as a struct whose fields are its parameters.

use crate::declaration::{Assembly, merge};
use crate::field;
use crate::param::ParamField;
use minoan_format::{DataElement, ParamName, parse_data};
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Error, Expr, Fields, Ident, ItemEnum, ItemStruct, LitStr, Result, Token, parse_quote};

/// The arguments of `#[ty(..)]` and `#[attr(..)]`.
pub struct Args {
    name: LitStr,
    assembly: Option<Assembly>,
    verify: Option<Expr>,
    alias: Option<LitStr>,
    describe: Option<LitStr>,
}

impl Parse for Args {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if !input.peek(LitStr) {
            return Err(input.error("the full name comes first: `#[ty(\"quantum.reg\", ..)]`"));
        }
        let name = input.parse()?;
        let mut args = Args { name, assembly: None, verify: None, alias: None, describe: None };
        while !input.is_empty() {
            input.parse::<Token![,]>()?;
            if input.is_empty() {
                break;
            }
            let word: Ident = input.parse()?;
            let again = match word.to_string().as_str() {
                "assembly" => args.assembly.replace(crate::declaration::value(input)?).is_some(),
                "verify" => args.verify.replace(crate::declaration::value(input)?).is_some(),
                "alias" => args.alias.replace(crate::declaration::value(input)?).is_some(),
                "describe" => args.describe.replace(crate::declaration::value(input)?).is_some(),
                _ => {
                    let known = "`assembly = ..`, `verify = ..`, `alias = \"..\"`, `describe = \"..\"`";
                    return Err(Error::new(
                        word.span(),
                        format!("unknown argument `{word}`; there are {known}"),
                    ));
                }
            };
            if again {
                return Err(Error::new(word.span(), format!("`{word}` is given twice")));
            }
        }
        Ok(args)
    }
}

/// Whether a type or an attribute is declared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum DataKind {
    Type,
    Attr,
}

impl DataKind {
    pub fn is_type(self) -> bool {
        self == DataKind::Type
    }

    /// With its article, for messages.
    fn noun(self) -> &'static str {
        if self.is_type() { "a type" } else { "an attribute" }
    }

    /// The handle that the declared one wraps, and the variant of `TypeOrAttr` and `Param`.
    fn handle(self) -> Ident {
        format_ident!("{}", if self.is_type() { "Type" } else { "Attr" })
    }

    /// The trait of declared types or attributes.
    fn def(self) -> Ident {
        format_ident!("{}", if self.is_type() { "TypeDef" } else { "AttrDef" })
    }

    /// The method of [`def`](Self::def) that wraps a handle.
    fn unchecked(self) -> Ident {
        format_ident!("{}", if self.is_type() { "from_type_unchecked" } else { "from_attr_unchecked" })
    }

    /// The character before the name in the text.
    fn sigil(self) -> char {
        if self.is_type() { '!' } else { '#' }
    }
}

/// The documentation, the name and the parameters of a declaration.
struct Header {
    summary: String,
    description: String,
    /// The full name, `dialect.mnemonic`.
    full: String,
    dialect: String,
    mnemonic: String,
    params: Vec<ParamField>,
}

impl Header {
    fn of(args: &Args, item: &ItemStruct, kind: DataKind) -> Result<Self> {
        let ItemStruct { attrs, ident, generics, fields, .. } = item;
        let what = kind.noun();
        if !generics.params.is_empty() {
            return Err(Error::new_spanned(generics, format!("{what} has no generic parameters")));
        }
        let lines = field::docs(attrs)?;
        let first = lines.iter().position(|line| !line.is_empty()).ok_or_else(|| {
            Error::new(ident.span(), format!("{what} needs documentation: its first line is the summary"))
        })?;
        let full = args.name.value();
        let (dialect, mnemonic) = full
            .split_once('.')
            .filter(|(dialect, mnemonic)| !dialect.is_empty() && !mnemonic.is_empty())
            .ok_or_else(|| {
                Error::new(args.name.span(), format!("the full name of {what} is `dialect.mnemonic`"))
            })?;
        Ok(Self {
            summary: lines[first].clone(),
            description: lines[first + 1..].join("\n").trim().to_owned(),
            dialect: dialect.to_owned(),
            mnemonic: mnemonic.to_owned(),
            params: params(fields, kind)?,
            full,
        })
    }
}

/// The parameters, or the errors of all fields.
fn params(fields: &Fields, kind: DataKind) -> Result<Vec<ParamField>> {
    let mut params = Vec::new();
    let mut errors = None;
    match fields {
        Fields::Named(fields) => {
            for field in &fields.named {
                match ParamField::new(field, kind) {
                    Ok(param) => params.push(param),
                    Err(error) => merge(&mut errors, error),
                }
            }
        }
        Fields::Unit => {}
        Fields::Unnamed(fields) => return Err(Error::new_spanned(fields, "parameters have names")),
    }
    errors.map_or(Ok(params), Err)
}

/// The verifier, as a function of the stored parameters; none if the declaration has none.
fn verify_fn(args: &Args, params: &[ParamField]) -> TokenStream {
    let types = params.iter().map(|param| &param.ty);
    let indices = 0..params.len();
    let verify = args.verify.as_ref().map(|verify| {
        // The parentheses make a closure a callee.
        let callee = match verify {
            Expr::Path(_) => quote!(#verify),
            _ => quote!((#verify)),
        };
        quote_spanned! {verify.span()=>
            (|ctx: &::minoan_ir::Context, params: &[::minoan_ir::Param]| {
                let _ = params;
                #callee(ctx, #(<#types as ::minoan_ir::Parameter>::load(ctx, &params[#indices])),*)
                    .map_err(::minoan_ir::InvalidParams::from)
            }) as fn(&::minoan_ir::Context, &[::minoan_ir::Param]) -> ::core::result::Result<(), ::minoan_ir::InvalidParams>
        }
    });
    crate::spec::option(verify.as_ref())
}

/// The static `SPEC`.
fn spec_item(args: &Args, header: &Header, kind: DataKind, assembly: &TokenStream) -> TokenStream {
    let Header { summary, description, dialect, mnemonic, params, .. } = header;
    let constraint = args.describe.as_ref().map_or_else(|| described(summary), LitStr::value);
    let specs = params.iter().map(ParamField::spec);
    let alias = crate::spec::option(args.alias.as_ref());
    let self_type = crate::spec::option(params.iter().position(|param| param.self_type).as_ref());
    let verify = verify_fn(args, params);
    let is_type = kind.is_type();
    quote! {
        static SPEC: ::minoan_ir::DataSpec = ::minoan_ir::DataSpec {
            dialect: #dialect,
            mnemonic: #mnemonic,
            constraint: #constraint,
            summary: #summary,
            description: #description,
            is_type: #is_type,
            params: &[#(#specs),*],
            assembly: #assembly,
            alias: #alias,
            self_type: #self_type,
            verify: #verify,
        };
    }
}

/// The method for each parameter.
fn accessors(params: &[ParamField]) -> impl Iterator<Item = TokenStream> + '_ {
    params.iter().enumerate().map(|(index, param)| {
        let (name, ty) = (&param.ident, &param.ty);
        let doc = match param.docs.is_empty() {
            true => format!("The parameter `{}`.", param.name),
            false => param.docs.join("\n"),
        };
        quote! {
            #[doc = #doc]
            pub fn #name(self, ctx: &::minoan_ir::Context) -> <#ty as ::minoan_ir::Parameter>::Get<'_> {
                <#ty as ::minoan_ir::Parameter>::load(ctx, ::minoan_ir::generated::param(self.0.declared(ctx), #index))
            }
        }
    })
}

/// The methods `get`, `checked` and `cast`, and `of` for types.
fn constructors(header: &Header, kind: DataKind) -> TokenStream {
    let Header { full, params, .. } = header;
    let (handle, def, sigil) = (kind.handle(), kind.def(), kind.sigil());
    let types = params.iter().map(|param| &param.ty);
    let (parameters, arguments): (Vec<_>, Vec<_>) = params.iter().map(ParamField::argument).unzip();
    let of_doc = format!("The `!{full}` that is the type of a value.");
    let of_value = kind.is_type().then(|| {
        quote! {
            #[doc = #of_doc]
            ///
            /// # Panics
            /// Panics if the value is of another type.
            #[track_caller]
            pub fn of(body: &::minoan_ir::Body, value: ::minoan_ir::Value) -> Self {
                ::minoan_ir::generated::type_of::<Self>(body, value)
            }
        }
    });
    let cast_doc = format!("Downcasts to `{sigil}{full}`; `None` for another one.");
    let get_doc = format!("`{sigil}{full}` with these parameters.");
    quote! {
        #[doc = #get_doc]
        ///
        /// # Panics
        /// Panics if the verifier rejects the parameters.
        #[track_caller]
        #[allow(clippy::too_many_arguments, reason = "one for each parameter")]
        pub fn get(ctx: &::minoan_ir::Context, #(#parameters),*) -> Self {
            ::minoan_ir::generated::valid::<Self>(Self::checked(ctx, #(#arguments),*))
        }

        #[doc = #get_doc]
        ///
        /// # Errors
        /// The verifier rejects the parameters.
        #[allow(clippy::too_many_arguments, reason = "one for each parameter")]
        pub fn checked(ctx: &::minoan_ir::Context, #(#parameters),*) -> ::core::result::Result<Self, ::minoan_ir::InvalidParams> {
            let params = [#(<#types as ::minoan_ir::Parameter>::store(#arguments, ctx)),*];
            ::minoan_ir::generated::data(ctx, <Self as ::minoan_ir::#def>::SPEC, ::std::boxed::Box::new(params))
                .map(|found| match found {
                    ::minoan_ir::TypeOrAttr::#handle(found) => Self(found),
                    _ => ::core::unreachable!("a declaration is a type or an attribute"),
                })
        }

        #[doc = #cast_doc]
        #[inline]
        pub fn cast(ctx: &::minoan_ir::Context, of: ::minoan_ir::#handle) -> ::core::option::Option<Self> {
            <Self as ::minoan_ir::#def>::cast(ctx, of)
        }

        #of_value
    }
}

/// The implementation of `AttrValue`, through which an operation can have the attribute as a field.
fn attr_value(ident: &Ident) -> TokenStream {
    quote! {
        impl ::minoan_ir::AttrValue for #ident {
            const DEFAULT_CONSTRAINT: &'static ::minoan_ir::AttrConstraint =
                &<#ident as ::minoan_ir::AttrDef>::CONSTRAINT;
            type Get<'c> = Self;
            fn into_attr(self, _: &::minoan_ir::Context) -> ::minoan_ir::Attr {
                self.0
            }
            fn from_attr(ctx: &::minoan_ir::Context, attr: ::minoan_ir::Attr) -> ::core::option::Option<Self> {
                Self::cast(ctx, attr)
            }
        }
    }
}

/// Expands `#[ty]` or `#[attr]`.
pub fn expand(args: &Args, item: &ItemStruct, kind: DataKind) -> Result<TokenStream> {
    let ItemStruct { attrs, vis, ident, .. } = item;
    let header = Header::of(args, item, kind)?;
    let (assembly, shown) = assembly(args, &header.params, ident, kind)?;
    let spec = spec_item(args, &header, kind, &assembly);
    let doc = table(&header.params, &format!("{}{}{shown}", kind.sigil(), header.full));
    let (handle, def, unchecked) = (kind.handle(), kind.def(), kind.unchecked());
    let attr_value = (!kind.is_type()).then(|| attr_value(ident));
    let constructors = constructors(&header, kind);
    let accessors = accessors(&header.params);
    Ok(quote! {
        #(#attrs)*
        #[doc = #doc]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #vis struct #ident(::minoan_ir::#handle);

        const _: () = {
            #spec

            impl ::minoan_ir::#def for #ident {
                const SPEC: &'static ::minoan_ir::DataSpec = &SPEC;
                #[inline]
                fn #unchecked(of: ::minoan_ir::#handle) -> Self {
                    Self(of)
                }
            }

            impl ::core::convert::From<#ident> for ::minoan_ir::#handle {
                fn from(of: #ident) -> ::minoan_ir::#handle {
                    of.0
                }
            }

            impl ::minoan_ir::Parameter for #ident {
                const KIND: ::minoan_ir::ParamKind = ::minoan_ir::ParamKind::Declared(&SPEC);
                type Get<'c> = Self;
                fn store(self, _: &::minoan_ir::Context) -> ::minoan_ir::Param {
                    ::minoan_ir::Param::#handle(self.0)
                }
                fn load<'c>(ctx: &'c ::minoan_ir::Context, param: &'c ::minoan_ir::Param) -> Self {
                    Self(<::minoan_ir::#handle as ::minoan_ir::Parameter>::load(ctx, param))
                }
            }
        };

        #attr_value

        impl #ident {
            #constructors

            #(#accessors)*
        }
    })
}

/// Expands `#[attr]` on an enum: the enum, and the attribute whose only parameter is a variant.
pub fn expand_enum(args: &Args, item: ItemEnum) -> Result<TokenStream> {
    let (name, vis) = (&item.ident, &item.vis);
    let handle = format_ident!("{name}Attr");
    let docs = item.attrs.iter().filter(|attr| attr.path().is_ident("doc"));
    let data: ItemStruct = parse_quote! {
        #(#docs)*
        #vis struct #handle {
            /// The variant.
            value: #name,
        }
    };
    let data = expand(args, &data, DataKind::Attr)?;
    Ok(quote! {
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, ::minoan_ir::AttrEnum)]
        #[attr_enum(attr = #handle)]
        #item
        #data
    })
}

/// The description of a constraint from the summary: `A register.` becomes `a register`.
pub fn described(summary: &str) -> String {
    let text = summary.trim_end_matches('.');
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        (Some(first), second) if second.is_none_or(|second| second == ' ' || second.is_lowercase()) => {
            first.to_lowercase().chain(text.chars().skip(1)).collect()
        }
        _ => text.to_owned(),
    }
}

/// The assembly, and its text for the documentation.
fn assembly(
    args: &Args,
    params: &[ParamField],
    ident: &Ident,
    kind: DataKind,
) -> Result<(TokenStream, String)> {
    let (text, span) = match &args.assembly {
        Some(Assembly::Format(text)) => (text.value(), text.span()),
        Some(Assembly::Custom { parse, print }) => {
            let (handle, def, unchecked) = (kind.handle(), kind.def(), kind.unchecked());
            let tokens = quote! {
                ::minoan_ir::DataAssembly::Custom {
                    parse: |p| {
                        let found: #ident = #parse(p)?;
                        ::core::result::Result::Ok(::minoan_ir::TypeOrAttr::#handle(::core::convert::Into::into(found)))
                    },
                    print: |p| {
                        if let ::minoan_ir::TypeOrAttr::#handle(of) = p.element() {
                            #print(<#ident as ::minoan_ir::#def>::#unchecked(of), p);
                        }
                    },
                }
            };
            return Ok((tokens, "..".to_owned()));
        }
        Some(Assembly::Generic) | None if params.iter().all(|param| param.self_type) => {
            (String::new(), Span::call_site())
        }
        Some(Assembly::Generic) | None => ("`<` params `>`".to_owned(), Span::call_site()),
    };
    let names: Vec<ParamName<'_>> = params
        .iter()
        .map(|param| ParamName { name: &param.name, can_miss: param.can_miss(), implicit: param.self_type })
        .collect();
    let elements = parse_data(&text, &names)
        .map_err(|error| Error::new(span, format!("in the assembly format: {error}")))?;
    let tokens = data_elements(&elements);
    Ok((quote!(::minoan_ir::DataAssembly::Format(#tokens)), text))
}

fn data_elements(elements: &[DataElement<'_>]) -> TokenStream {
    let elements = elements.iter().map(|element| {
        let element = match element {
            DataElement::Literal(space, text) => quote!(Literal(#space, #text)),
            DataElement::Space(space) => quote!(Space(#space)),
            DataElement::Param(space, at) => quote!(Param(#space, #at)),
            DataElement::Params(space, indices) => quote!(Params(#space, &[#(#indices),*])),
            DataElement::Struct(space, indices) => quote!(Struct(#space, &[#(#indices),*])),
            DataElement::Group { anchor, then, otherwise } => {
                let (then, otherwise) = (data_elements(then), data_elements(otherwise));
                quote!(Group(#anchor, #then, #otherwise))
            }
        };
        quote!(::minoan_ir::DataElement::#element)
    });
    quote!(&[#(#elements),*])
}

/// The parameters and the assembly, for the documentation.
fn table(params: &[ParamField], text: &str) -> String {
    let mut doc = String::new();
    if !params.is_empty() {
        let rows = params.iter().map(|param| {
            let words = param.docs.join(" ");
            let words =
                if words.trim().is_empty() { String::new() } else { format!(" — {}", words.trim()) };
            let ty = &param.ty;
            format!("* `{}`: `{}`{words}", param.name, quote!(#ty).to_string().replace(' ', ""))
        });
        doc = format!("\n\n# Parameters\n\n{}", rows.collect::<Vec<_>>().join("\n"));
    }
    format!("{doc}\n\n# Assembly\n\n````text\n{text}\n````")
}
