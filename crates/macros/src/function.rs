//! The free function of an operation with a single result: `addi(b, lhs, rhs)` creates an `arith.addi` and returns the
//! value.

use crate::declaration::Declaration;
use crate::field::Arity;
use crate::hygiene::quote;
use proc_macro2::TokenStream;
use quote::format_ident;

/// The function, named after the operation without its dialect. Empty for an operation that has regions, successors or
/// another number of results than one, whose name is a Rust keyword, or that declares `no_function`.
///
/// The parameters are those of `build` without optional operands and attributes, which stay absent.
pub fn function(declaration: &Declaration) -> TokenStream {
    let Some(name) = name(declaration) else { return TokenStream::new() };
    let Declaration { ident, vis, args, summary, .. } = declaration;
    let mut params = Vec::new();
    let mut arguments = Vec::new();
    for field in &declaration.operands {
        let operand = &field.common.ident;
        match field.arity {
            Arity::One => params.push(quote!(#operand: ::minoan_ir::Value)),
            Arity::Variadic => params.push(quote!(#operand: &[::minoan_ir::Value])),
            Arity::Optional => {
                arguments.push(quote!(::core::option::Option::None));
                continue;
            }
        }
        arguments.push(quote!(#operand));
    }
    let in_build = |field: &&crate::field::AttrField| {
        field.default.is_none() && !field.unit && !declaration.is_segments(field)
    };
    for field in declaration.attributes.iter().filter(in_build) {
        let attr = &field.common.ident;
        if field.optional {
            arguments.push(quote!(::core::option::Option::None));
        } else {
            params.push(crate::field::attr_param(field).0);
            arguments.push(quote!(#attr));
        }
    }
    let result = &declaration.results[0];
    let accessor = &result.common.ident;
    if !declaration.infers(result) {
        let ty = format_ident!("{}_ty", result.common.name);
        params.push(quote!(#ty: ::minoan_ir::Type));
        arguments.push(quote!(#ty));
    }
    let doc = format!("Creates a `{}` and returns its result. {summary}", args.name.value());
    quote! {
        #[doc = #doc]
        ///
        /// # Panics
        /// As the `build` of the operation.
        #[allow(clippy::too_many_arguments, reason = "one for each declared part")]
        #[track_caller]
        #vis fn #name(b: &mut ::minoan_ir::Builder<'_>, #(#params),*) -> ::minoan_ir::Value {
            let op = #ident::build(b, #(#arguments),*);
            op.#accessor(b.body())
        }
    }
}

fn name(declaration: &Declaration) -> Option<syn::Ident> {
    let single = matches!(&declaration.results[..], [result] if result.arity == Arity::One);
    if declaration.args.no_function
        || !single
        || !declaration.regions.is_empty()
        || !declaration.successors.is_empty()
    {
        return None;
    }
    let full = declaration.args.name.value();
    let (_, mnemonic) = full.split_once('.')?;
    syn::parse_str(&mnemonic.replace('.', "_")).ok()
}
