//! `#[ty]` and `#[attr]`: declare a type or an attribute of a dialect as a struct whose fields are its parameters.

use crate::declaration::{Assembly, merge};
use crate::field;
use minoan_format::{DataElement, ParamName, parse_data};
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Error, Expr, Fields, Ident, ItemEnum, ItemStruct, LitStr, Result, Token, Type, parse_quote};

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

struct ParamField {
    ident: Ident,
    name: String,
    ty: Type,
    docs: Vec<String>,
    default: Option<Expr>,
    unaliased: bool,
    self_type: bool,
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
    fn new(field: &syn::Field, is_type: bool) -> Result<Self> {
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
        if RESERVED.contains(&name.as_str()) || (is_type && name == "of") {
            let message =
                format!("`{name}` is a method of every type and attribute; give the parameter another name");
            return Err(Error::new(ident.span(), message));
        }
        if options.self_type && (is_type || constructor(&field.ty) != "Type") {
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
    fn can_miss(&self) -> bool {
        self.default.is_some() || matches!(constructor(&self.ty).as_str(), "Option" | "Vec")
    }

    /// The parameter of `get`, and its conversion.
    fn argument(&self) -> (TokenStream, TokenStream) {
        let (ident, ty) = (&self.ident, &self.ty);
        match constructor(ty).as_str() {
            "String" | "Vec" | "Option" => (
                quote!(#ident: impl ::core::convert::Into<#ty>),
                quote!(::core::convert::Into::<#ty>::into(#ident)),
            ),
            _ => (quote!(#ident: #ty), quote!(#ident)),
        }
    }
}

/// Expands `#[ty]` or `#[attr]`.
pub fn expand(args: &Args, item: &ItemStruct, is_type: bool) -> Result<TokenStream> {
    let what = if is_type { "a type" } else { "an attribute" };
    let ItemStruct { attrs, vis, ident, generics, fields, .. } = item;
    if !generics.params.is_empty() {
        return Err(Error::new_spanned(generics, format!("{what} has no generic parameters")));
    }
    let lines = field::docs(attrs)?;
    let first = lines.iter().position(|line| !line.is_empty()).ok_or_else(|| {
        Error::new(ident.span(), format!("{what} needs documentation: its first line is the summary"))
    })?;
    let summary = &lines[first];
    let description = lines[first + 1..].join("\n").trim().to_owned();
    let full = args.name.value();
    let (dialect, mnemonic) = full
        .split_once('.')
        .filter(|(dialect, mnemonic)| !dialect.is_empty() && !mnemonic.is_empty())
        .ok_or_else(|| {
            Error::new(args.name.span(), format!("the full name of {what} is `dialect.mnemonic`"))
        })?;
    let mut params = Vec::new();
    let mut errors = None;
    match fields {
        Fields::Named(fields) => {
            for field in &fields.named {
                match ParamField::new(field, is_type) {
                    Ok(param) => params.push(param),
                    Err(error) => merge(&mut errors, error),
                }
            }
        }
        Fields::Unit => {}
        Fields::Unnamed(fields) => return Err(Error::new_spanned(fields, "parameters have names")),
    }
    errors.map_or(Ok(()), Err)?;

    let constraint = args.describe.as_ref().map_or_else(|| described(summary), LitStr::value);
    let (assembly, shown) = assembly(args, &params, ident, is_type)?;
    let specs = params.iter().map(param_spec);
    let alias = crate::spec::option(args.alias.as_ref());
    let self_type = crate::spec::option(params.iter().position(|param| param.self_type).as_ref());
    let types: Vec<&Type> = params.iter().map(|param| &param.ty).collect();
    let indices: Vec<usize> = (0..params.len()).collect();
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
    let verify = crate::spec::option(verify.as_ref());
    let (handle, def, unchecked, variant) = match is_type {
        true => (
            format_ident!("Type"),
            format_ident!("TypeDef"),
            format_ident!("from_type_unchecked"),
            format_ident!("Type"),
        ),
        false => (
            format_ident!("Attr"),
            format_ident!("AttrDef"),
            format_ident!("from_attr_unchecked"),
            format_ident!("Attr"),
        ),
    };
    let sigil = if is_type { "!" } else { "#" };
    let doc = table(&params, &format!("{sigil}{full}{shown}"));
    let (parameters, arguments): (Vec<_>, Vec<_>) = params.iter().map(ParamField::argument).unzip();
    let accessors = params.iter().enumerate().map(|(index, param)| {
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
    });
    let attr_value = (!is_type).then(|| {
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
    });
    let of_doc = format!("The `!{full}` that is the type of a value.");
    let of_value = is_type.then(|| {
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
    Ok(quote! {
        #(#attrs)*
        #[doc = #doc]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #vis struct #ident(::minoan_ir::#handle);

        const _: () = {
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
                    ::minoan_ir::Param::#variant(self.0)
                }
                fn load<'c>(ctx: &'c ::minoan_ir::Context, param: &'c ::minoan_ir::Param) -> Self {
                    Self(<::minoan_ir::#handle as ::minoan_ir::Parameter>::load(ctx, param))
                }
            }
        };

        #attr_value

        impl #ident {
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
                        ::minoan_ir::TypeOrAttr::#variant(found) => Self(found),
                        _ => ::core::unreachable!("a declaration is a type or an attribute"),
                    })
            }

            #[doc = #cast_doc]
            #[inline]
            pub fn cast(ctx: &::minoan_ir::Context, of: ::minoan_ir::#handle) -> ::core::option::Option<Self> {
                <Self as ::minoan_ir::#def>::cast(ctx, of)
            }

            #of_value

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
    let data = expand(args, &data, false)?;
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
    is_type: bool,
) -> Result<(TokenStream, String)> {
    let (text, span) = match &args.assembly {
        Some(Assembly::Format(text)) => (text.value(), text.span()),
        Some(Assembly::Custom { parse, print }) => {
            let (variant, unchecked) = match is_type {
                true => (format_ident!("Type"), quote!(::minoan_ir::TypeDef > ::from_type_unchecked)),
                false => (format_ident!("Attr"), quote!(::minoan_ir::AttrDef > ::from_attr_unchecked)),
            };
            let tokens = quote! {
                ::minoan_ir::DataAssembly::Custom {
                    parse: |p| {
                        let found: #ident = #parse(p)?;
                        ::core::result::Result::Ok(::minoan_ir::TypeOrAttr::#variant(::core::convert::Into::into(found)))
                    },
                    print: |p| {
                        if let ::minoan_ir::TypeOrAttr::#variant(of) = p.element() {
                            #print(<#ident as #unchecked(of), p);
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

fn param_spec(param: &ParamField) -> TokenStream {
    let ParamField { name, ty, unaliased, .. } = param;
    let default = param.default.as_ref().map(|default| {
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
