//! Generates `Name::build` and `Name::try_build`.

use crate::declaration::{Declaration, Derive};
use crate::field::{Arity, ValueField};
use crate::hygiene::quote;
use proc_macro2::{Ident, TokenStream};
use quote::format_ident;

/// The parts of the builder functions; each kind of field contributes to them.
#[derive(Default)]
struct Parts {
    /// The parameters, with their types.
    params: Vec<TokenStream>,
    /// The names of `params`.
    names: Vec<Ident>,
    /// The statements that add operands, successors and regions to `state`.
    steps: TokenStream,
    /// The inherent attributes: pairs of a name and an optional attribute.
    entries: Vec<TokenStream>,
    /// The statements that add the result types to `state`, which has operands and attributes by then.
    results: TokenStream,
}

impl Parts {
    fn of(declaration: &Declaration) -> Self {
        let mut parts = Self::default();
        parts.operands(declaration);
        parts.attributes(declaration);
        parts.results(declaration);
        parts.successors(declaration);
        parts.regions(declaration);
        parts
    }

    fn param(&mut self, name: &Ident, param: TokenStream) {
        self.params.push(param);
        self.names.push(name.clone());
    }

    fn operands(&mut self, declaration: &Declaration) {
        for field in &declaration.operands {
            let name = &field.common.ident;
            self.param(name, param(field));
            self.steps.extend(match field.arity {
                Arity::One => quote!(state.operands.push(#name);),
                Arity::Optional => quote!(state.operands.extend(#name);),
                Arity::Variadic => quote!(state.operands.extend_from_slice(#name);),
            });
        }
    }

    fn attributes(&mut self, declaration: &Declaration) {
        for field in declaration.attributes.iter().filter(|field| field.default.is_none() && !field.unit) {
            if declaration.is_segments(field) {
                continue;
            }
            let ir_name = &field.ir_name;
            let (param, value) = crate::field::attr_param(field);
            self.param(&field.common.ident, param);
            self.entries.push(match field.optional {
                true => quote!((#ir_name, #value)),
                false => quote!((#ir_name, ::core::option::Option::Some(#value))),
            });
        }
        if declaration.has("OPERAND_SEGMENTS") {
            let sizes = declaration.operands.iter().map(|field| size(field, field.common.ident.clone()));
            self.segments("operandSegmentSizes", sizes);
        }
    }

    fn segments(&mut self, name: &str, sizes: impl Iterator<Item = TokenStream>) {
        let sizes = quote!(::minoan_ir::Attr::dense_i32(&ctx, &[#(#sizes),*]));
        self.entries.push(quote!((#name, ::core::option::Option::Some(#sizes))));
    }

    fn results(&mut self, declaration: &Declaration) {
        if declaration.args.infer.is_some() {
            self.results.extend(quote!(::minoan_ir::generated::infer::<Self>(b, &mut state)?;));
            return;
        }
        for field in &declaration.results {
            let result = self.result(declaration, field);
            self.results.extend(result);
        }
        if declaration.has("RESULT_SEGMENTS") {
            let sizes = declaration.results.iter().map(|field| size(field, type_param(field)));
            self.segments("resultSegmentSizes", sizes);
        }
    }

    /// The statement that adds the type of a result; the type is a parameter unless it follows from the declaration.
    fn result(&mut self, declaration: &Declaration, field: &ValueField) -> TokenStream {
        if field.fixed {
            let constraint = crate::field::type_constraint(&field.constraint);
            return quote!(state.results.extend(#constraint.only(&ctx)););
        }
        if declaration.has("SAME_OPERANDS_AND_RESULT") && field.arity == Arity::One {
            return quote!(state.results.push(::minoan_ir::generated::first_type::<Self>(b, &state)?););
        }
        if let Some(Derive { rule, source, .. }) = declaration.derived_from_operand(field) {
            return quote!(state.results.push(::minoan_ir::generated::derived_type::<Self>(b, #source, #rule)?););
        }
        if let Some(source) = declaration.same_as_operand(field) {
            let rule = quote!(::minoan_ir::constraints::same_as);
            return quote!(state.results.push(::minoan_ir::generated::derived_type::<Self>(b, #source, #rule)?););
        }
        let ty = type_param(field);
        let (param, step) = match field.arity {
            Arity::One => (quote!(#ty: ::minoan_ir::Type), quote!(state.results.push(#ty);)),
            Arity::Optional => {
                (quote!(#ty: ::core::option::Option<::minoan_ir::Type>), quote!(state.results.extend(#ty);))
            }
            Arity::Variadic => {
                (quote!(#ty: &[::minoan_ir::Type]), quote!(state.results.extend_from_slice(#ty);))
            }
        };
        self.param(&ty, param);
        step
    }

    fn successors(&mut self, declaration: &Declaration) {
        for field in &declaration.successors {
            let name = &field.common.ident;
            let (param, step) = match field.variadic {
                true => {
                    (quote!(#name: &[::minoan_ir::Block]), quote!(state.successors.extend_from_slice(#name);))
                }
                false => (quote!(#name: ::minoan_ir::Block), quote!(state.successors.push(#name);)),
            };
            self.param(name, param);
            self.steps.extend(step);
        }
    }

    fn regions(&mut self, declaration: &Declaration) {
        let fixed = declaration.regions.iter().filter(|field| !field.variadic).count();
        match declaration.regions.iter().find(|field| field.variadic) {
            Some(field) => {
                let name = &field.common.ident;
                self.param(name, quote!(#name: usize));
                self.steps.extend(quote!(state.regions = #fixed + #name;));
            }
            None if fixed > 0 => self.steps.extend(quote!(state.regions = #fixed;)),
            None => {}
        }
    }
}

/// The builder functions.
pub fn build(declaration: &Declaration) -> TokenStream {
    let Parts { params, names, steps, entries, results } = Parts::of(declaration);
    let doc = format!("Creates a `{}` at the insertion point.", declaration.args.name.value());
    let panics = match declaration.args.infer {
        Some(_) => "Panics if the result types cannot be inferred, or the dialect is not loaded.",
        None => "Panics if the dialect is not loaded.",
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

fn type_param(field: &ValueField) -> Ident {
    format_ident!("{}_ty", field.common.name)
}

/// The number of values of a group, from its parameter.
fn size(field: &ValueField, name: Ident) -> TokenStream {
    match field.arity {
        Arity::One => quote!(1),
        Arity::Optional => quote!(i32::from(#name.is_some())),
        Arity::Variadic => quote!(#name.len() as i32),
    }
}
