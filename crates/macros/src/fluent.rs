//! Generates the builder by names: `Join::builder().signals(&[a, b]).gain(g).build(b)`.

use crate::declaration::Declaration;
use crate::field::{Arity, AttrField};
use crate::hygiene::quote;
use proc_macro2::{Ident, TokenStream};
use quote::format_ident;

/// A part of the operation.
struct Part {
    ident: Ident,
    /// The type of the stored value.
    stored: TokenStream,
    /// Whether it is an argument of `builder`; otherwise it is set by its name.
    mandatory: bool,
    /// The parameter of `builder` or of the setter, and its conversion to the stored value.
    param: (TokenStream, TokenStream),
    /// The argument of `build`; `None` for an attribute with a default, which is set afterwards.
    argument: Option<TokenStream>,
}

impl Part {
    fn single(ident: &Ident, ty: TokenStream) -> Self {
        let param = (quote!(#ident: #ty), quote!(#ident));
        Self { ident: ident.clone(), stored: ty, mandatory: true, param, argument: Some(quote!(self.#ident)) }
    }

    fn optional(ident: &Ident, ty: &TokenStream) -> Self {
        Self {
            ident: ident.clone(),
            stored: quote!(::core::option::Option<#ty>),
            mandatory: false,
            param: (
                quote!(#ident: impl ::core::convert::Into<::core::option::Option<#ty>>),
                quote!(#ident.into()),
            ),
            argument: Some(quote!(self.#ident)),
        }
    }

    fn list(ident: &Ident, ty: &TokenStream) -> Self {
        Self {
            ident: ident.clone(),
            stored: quote!(::std::vec::Vec<#ty>),
            mandatory: false,
            param: (quote!(#ident: &[#ty]), quote!(#ident.to_vec())),
            argument: Some(quote!(&self.#ident)),
        }
    }

    fn of_arity(ident: &Ident, arity: Arity, ty: TokenStream) -> Self {
        match arity {
            Arity::One => Self::single(ident, ty),
            Arity::Optional => Self::optional(ident, &ty),
            Arity::Variadic => Self::list(ident, &ty),
        }
    }

    fn attribute(field: &AttrField) -> Self {
        let ident = &field.common.ident;
        let ty = field.value.as_ref().map_or_else(|| quote!(::minoan_ir::Attr), |ty| quote!(#ty));
        if field.unit {
            return Self { argument: None, ..Self::optional(ident, &quote!(bool)) };
        }
        if field.default.is_some() {
            return Self { argument: None, ..Self::optional(ident, &ty) };
        }
        if field.optional {
            return Self::optional(ident, &ty);
        }
        let (param, _) = crate::field::attr_param(field);
        let param = (param, quote!(::core::convert::Into::<#ty>::into(#ident)));
        Self { ident: ident.clone(), stored: ty, mandatory: true, param, argument: Some(quote!(self.#ident)) }
    }
}

/// The struct and its methods; empty if the operation has no optional parts.
pub fn builder(declaration: &Declaration) -> TokenStream {
    let parts = parts(declaration);
    if parts.iter().all(|part| part.mandatory) {
        return TokenStream::new();
    }
    let Declaration { ident, vis, args, .. } = declaration;
    let name = format_ident!("{ident}Builder");
    let (fields, stored): (Vec<_>, Vec<_>) = parts.iter().map(|part| (&part.ident, &part.stored)).unzip();
    let mandatory: Vec<&Part> = parts.iter().filter(|part| part.mandatory).collect();
    let params = mandatory.iter().map(|part| &part.param.0);
    let values = parts.iter().map(|part| match part.mandatory {
        true => part.param.1.clone(),
        false => quote!(::core::default::Default::default()),
    });
    let op = args.name.value();
    let setters = parts.iter().filter(|part| !part.mandatory).map(|part| {
        let (field, (param, value)) = (&part.ident, &part.param);
        let doc = format!("Sets `{field}`.");
        quote! {
            #[doc = #doc]
            #[must_use]
            pub fn #field(mut self, #param) -> Self {
                self.#field = #value;
                self
            }
        }
    });
    let arguments: Vec<_> = parts.iter().filter_map(|part| part.argument.as_ref()).collect();
    let defaults = parts.iter().filter(|part| part.argument.is_none()).map(|part| {
        let (field, setter) = (&part.ident, format_ident!("set_{}", part.ident));
        quote! {
            if let ::core::option::Option::Some(value) = self.#field {
                op.#setter(b.body_mut(), value);
            }
        }
    });
    let defaults = quote!(#(#defaults)*);
    let doc =
        format!("Builds a `{op}` by the names of its parts; absent ones are empty or have their default.");
    let start = format!("A builder of a `{op}` with its mandatory parts.");
    quote! {
        #[doc = #doc]
        #[derive(Clone, Debug)]
        #[must_use]
        #vis struct #name {
            #(#fields: #stored,)*
        }

        impl #ident {
            #[doc = #start]
            #[allow(clippy::too_many_arguments, reason = "one for each mandatory part")]
            pub fn builder(#(#params),*) -> #name {
                #name { #(#fields: #values,)* }
            }
        }

        impl #name {
            #(#setters)*

            /// Creates the operation at the insertion point.
            ///
            /// # Panics
            /// As the `build` of the operation.
            #[track_caller]
            pub fn build(self, b: &mut ::minoan_ir::Builder<'_>) -> #ident {
                let op = #ident::build(b, #(#arguments),*);
                #defaults
                op
            }

            /// Creates and verifies the operation at the insertion point.
            ///
            /// # Errors
            /// As the `try_build` of the operation.
            pub fn try_build(
                self,
                b: &mut ::minoan_ir::Builder<'_>,
            ) -> ::core::result::Result<#ident, ::minoan_ir::generated::Diagnostics> {
                let state = #ident::__state(b, #(#arguments),*);
                ::minoan_ir::generated::try_build(b, state, |b, op: #ident| {
                    #defaults
                })
            }
        }
    }
}

/// The parts in the order of the parameters of `build`; attributes with defaults anywhere.
fn parts(declaration: &Declaration) -> Vec<Part> {
    let mut parts = Vec::new();
    for field in &declaration.operands {
        parts.push(Part::of_arity(&field.common.ident, field.arity, quote!(::minoan_ir::Value)));
    }
    for field in declaration.attributes.iter().filter(|field| !declaration.is_segments(field)) {
        parts.push(Part::attribute(field));
    }
    for field in declaration.results.iter().filter(|field| !declaration.infers(field)) {
        let ident = format_ident!("{}_ty", field.common.name);
        parts.push(Part::of_arity(&ident, field.arity, quote!(::minoan_ir::Type)));
    }
    for field in &declaration.successors {
        let arity = if field.variadic { Arity::Variadic } else { Arity::One };
        parts.push(Part::of_arity(&field.common.ident, arity, quote!(::minoan_ir::Block)));
    }
    if let Some(field) = declaration.regions.iter().find(|field| field.variadic) {
        let ident = &field.common.ident;
        parts.push(Part { mandatory: false, ..Part::single(ident, quote!(usize)) });
    }
    parts
}
