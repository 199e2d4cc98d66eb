//! Generates `Name::build` and `Name::try_build`.

use crate::declaration::{Declaration, Derive};
use crate::field::{Arity, ValueField};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// The builder functions.
pub fn build(declaration: &Declaration) -> TokenStream {
    let mut params = Vec::new();
    // The names of `params`.
    let mut names: Vec<Ident> = Vec::new();
    let mut steps = TokenStream::new();

    for field in &declaration.operands {
        let name = &field.common.ident;
        params.push(param(field));
        names.push(name.clone());
        steps.extend(match field.arity {
            Arity::One => quote!(state.operands.push(#name);),
            Arity::Optional => quote!(state.operands.extend(#name);),
            Arity::Variadic => quote!(state.operands.extend_from_slice(#name);),
        });
    }
    let mut entries = Vec::new();
    for field in declaration.attributes.iter().filter(|field| field.default.is_none() && !field.unit) {
        if declaration.is_segments(field) {
            continue;
        }
        let ir_name = &field.ir_name;
        let (param, value) = crate::field::attr_param(field);
        params.push(param);
        names.push(field.common.ident.clone());
        entries.push(match field.optional {
            true => quote!((#ir_name, #value)),
            false => quote!((#ir_name, ::core::option::Option::Some(#value))),
        });
    }
    if declaration.has("OPERAND_SEGMENTS") {
        let sizes = declaration.operands.iter().map(|field| size(field, field.common.ident.clone()));
        let sizes = quote!(::minoan_ir::Attr::dense_i32(&ctx, &[#(#sizes),*]));
        entries.push(quote!(("operandSegmentSizes", ::core::option::Option::Some(#sizes))));
    }

    let mut results = TokenStream::new();
    let infer = declaration.args.infer.as_ref();
    let same = declaration.has("SAME_OPERANDS_AND_RESULT");
    if infer.is_some() {
        results.extend(quote!(::minoan_ir::generated::infer::<Self>(b, &mut state)?;));
    } else {
        for field in &declaration.results {
            let (ty, constraint) = (type_param(field), crate::field::type_constraint(&field.constraint));
            if field.fixed {
                results.extend(quote!(state.results.extend(#constraint.only(&ctx));));
            } else if same && field.arity == Arity::One {
                results.extend(
                    quote!(state.results.push(::minoan_ir::generated::first_type::<Self>(b, &state)?);),
                );
            } else if let Some(Derive { rule, source, .. }) = declaration.derived_from_operand(field) {
                results.extend(
                    quote!(state.results.push(::minoan_ir::generated::derived_type::<Self>(b, #source, #rule)?);),
                );
            } else if let Some(source) = declaration.same_as_operand(field) {
                let rule = quote!(::minoan_ir::constraints::same_as);
                results.extend(
                    quote!(state.results.push(::minoan_ir::generated::derived_type::<Self>(b, #source, #rule)?);),
                );
            } else {
                names.push(ty.clone());
                params.push(match field.arity {
                    Arity::One => quote!(#ty: ::minoan_ir::Type),
                    Arity::Optional => quote!(#ty: ::core::option::Option<::minoan_ir::Type>),
                    Arity::Variadic => quote!(#ty: &[::minoan_ir::Type]),
                });
                results.extend(match field.arity {
                    Arity::One => quote!(state.results.push(#ty);),
                    Arity::Optional => quote!(state.results.extend(#ty);),
                    Arity::Variadic => quote!(state.results.extend_from_slice(#ty);),
                });
            }
        }
    }
    if declaration.has("RESULT_SEGMENTS") && infer.is_none() {
        let sizes = declaration.results.iter().map(|field| size(field, type_param(field)));
        let sizes = quote!(::minoan_ir::Attr::dense_i32(&ctx, &[#(#sizes),*]));
        entries.push(quote!(("resultSegmentSizes", ::core::option::Option::Some(#sizes))));
    }

    for field in &declaration.successors {
        let name = &field.common.ident;
        names.push(name.clone());
        if field.variadic {
            params.push(quote!(#name: &[::minoan_ir::Block]));
            steps.extend(quote!(state.successors.extend_from_slice(#name);));
        } else {
            params.push(quote!(#name: ::minoan_ir::Block));
            steps.extend(quote!(state.successors.push(#name);));
        }
    }
    let fixed = declaration.regions.iter().filter(|field| !field.variadic).count();
    match declaration.regions.iter().find(|field| field.variadic) {
        Some(field) => {
            let name = &field.common.ident;
            params.push(quote!(#name: usize));
            names.push(name.clone());
            steps.extend(quote!(state.regions = #fixed + #name;));
        }
        None if fixed > 0 => steps.extend(quote!(state.regions = #fixed;)),
        None => {}
    }

    let doc = format!("Creates a `{}` at the insertion point.", declaration.args.name.value());
    let panics = match (infer, same) {
        (Some(_), _) => "If the result types cannot be inferred, or the dialect is not loaded.",
        _ => "If the dialect is not loaded.",
    };
    let tried = format!("Creates and verifies a `{}` at the insertion point.", declaration.args.name.value());
    quote! {
        /// The operation that `build` creates.
        #[allow(clippy::too_many_arguments, reason = "one for each declared part")]
        fn __state(
            b: &::minoan_ir::Builder<'_>, #(#params),*
        ) -> ::core::result::Result<::minoan_ir::OpState, ::minoan_ir::generated::Diagnostics> {
            let ctx = b.context();
            let mut state = ::minoan_ir::generated::state::<Self>(b)?;
            #steps
            state.props = ::minoan_ir::generated::props::<Self>(&ctx, &[#(#entries),*]);
            #results
            ::core::result::Result::Ok(state)
        }

        #[doc = #doc]
        ///
        /// # Panics
        #[doc = #panics]
        #[allow(clippy::too_many_arguments, reason = "one for each declared part")]
        #[track_caller]
        pub fn build(b: &mut ::minoan_ir::Builder<'_>, #(#params),*) -> Self {
            let state = Self::__state(b, #(#names),*);
            Self(::minoan_ir::generated::build(b, state))
        }

        #[doc = #tried]
        ///
        /// # Errors
        /// As [`Builder::try_create`](::minoan_ir::Builder::try_create), and where `build` panics.
        #[allow(clippy::too_many_arguments, reason = "one for each declared part")]
        pub fn try_build(
            b: &mut ::minoan_ir::Builder<'_>, #(#params),*
        ) -> ::core::result::Result<Self, ::minoan_ir::generated::Diagnostics> {
            let state = Self::__state(b, #(#names),*);
            ::minoan_ir::generated::try_build(b, state, |_, _| {})
        }
    }
}

fn param(field: &ValueField) -> TokenStream {
    let name = &field.common.ident;
    match field.arity {
        Arity::One => quote!(#name: ::minoan_ir::Value),
        Arity::Optional => quote!(#name: ::core::option::Option<::minoan_ir::Value>),
        Arity::Variadic => quote!(#name: &[::minoan_ir::Value]),
    }
}

fn type_param(field: &ValueField) -> proc_macro2::Ident {
    format_ident!("{}_ty", field.common.name)
}

/// The number of values of a group, from its parameter.
fn size(field: &ValueField, name: proc_macro2::Ident) -> TokenStream {
    match field.arity {
        Arity::One => quote!(1),
        Arity::Optional => quote!(i32::from(#name.is_some())),
        Arity::Variadic => quote!(#name.len() as i32),
    }
}
