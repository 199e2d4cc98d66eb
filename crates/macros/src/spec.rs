//! Generates the `OpSpec` of a declaration.

use crate::declaration::{Assembly, Declaration, Derive, Service};
use crate::field::{
    Arity, AttrField, Default, RegionField, SuccessorField, ValueField, attr_constraint, type_constraint,
};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Ident;
use syn::spanned::Spanned;

/// `impl OpDef` with the static spec.
pub fn spec(declaration: &Declaration) -> TokenStream {
    let Declaration { args, ident, summary, description, .. } = declaration;
    let name = &args.name;
    let operands = declaration.operands.iter().map(value);
    let results = declaration.results.iter().map(value);
    let attributes = declaration.attributes.iter().map(attribute);
    let regions = declaration.regions.iter().map(|field| region(declaration, field));
    let successors = declaration.successors.iter().map(successor);
    let traits = args.traits.iter().fold(
        quote!(::minoan_ir::Traits::NONE),
        |all, word| quote_spanned!(word.span()=> #all.and(::minoan_ir::Traits::#word)),
    );
    let same_types = args.same_types.iter().map(|group| {
        let group = group.iter().map(plain);
        quote!(&[#(#group),*])
    });
    let derived = args.derives.iter().map(derived_type);
    let parents = args.parents.iter().flatten();
    let assembly = assembly(args.assembly.as_ref().unwrap_or(&Assembly::Generic));
    let verify = args.verify.as_ref().map(|verify| {
        quote_spanned! {verify.span()=>
            |body, op, errors| ::minoan_ir::generated::verify::<#ident, _>(#verify, body, op, errors)
        }
    });
    let (verify, infer) = (option(verify.as_ref()), option(args.infer.as_ref()));
    let op_traits = args
        .op_traits
        .iter()
        .map(|path| quote_spanned!(path.span()=> ::minoan_ir::OpTraitSpec::of::<#path>()));
    let compatible = option(args.compatible.as_ref());
    let terminator = option(args.terminator.as_ref());
    let fixed = declaration.results.iter().filter(|field| field.fixed).map(has_only_type);
    let op_def = op_def(ident, &args.services);
    quote! {
        const _: () = {
            #(#fixed)*
            static SPEC: ::minoan_ir::OpSpec = ::minoan_ir::OpSpec {
                name: #name,
                summary: #summary,
                description: #description,
                operands: &[#(#operands),*],
                results: &[#(#results),*],
                attrs: &[#(#attributes),*],
                regions: &[#(#regions),*],
                successors: &[#(#successors),*],
                traits: #traits,
                same_types: &[#(#same_types),*],
                derived: &[#(#derived),*],
                parents: &[#(#parents),*],
                assembly: #assembly,
                verify: #verify,
                infer: #infer,
                compatible: #compatible,
                terminator: #terminator,
                op_traits: &[#(#op_traits),*],
            };
            #op_def
        };
    }
}

/// `impl OpDef` for the static `SPEC`, and the conversion to `Op`.
fn op_def(ident: &Ident, services: &[Service]) -> TokenStream {
    let register = register(services);
    quote! {
        impl ::minoan_ir::OpDef for #ident {
            const SPEC: &'static ::minoan_ir::OpSpec = &SPEC;
            #[inline]
            fn from_op_unchecked(op: ::minoan_ir::Op) -> Self {
                Self(op)
            }
            #[inline]
            fn op(self) -> ::minoan_ir::Op {
                self.0
            }
            #register
        }
        impl ::core::convert::From<#ident> for ::minoan_ir::Op {
            #[inline]
            fn from(op: #ident) -> Self {
                op.0
            }
        }
    }
}

/// The function that registers the services, if there are any.
fn register(services: &[Service]) -> Option<TokenStream> {
    // `dialect` is the parameter of the generated function, also if a `macro_rules!` macro wrote the list.
    let span = |path: &syn::Path| path.span().resolved_at(proc_macro2::Span::call_site());
    let calls = services.iter().map(|service| match service {
        Service::One(service, implementation) => quote_spanned! {span(service)=>
            dialect.op_service::<Self, dyn #service>(::std::sync::Arc::new(#implementation));
        },
        Service::Group(register) => quote_spanned!(span(register)=> #register::<Self>(dialect);),
    });
    (!services.is_empty()).then(|| {
        quote! {
            fn register(dialect: &mut ::minoan_ir::DialectBuilder<'_>) {
                #(#calls)*
            }
        }
    })
}

fn attribute(field: &AttrField) -> TokenStream {
    let (name, constraint, optional) = (&field.ir_name, attr_constraint(field), field.optional);
    let default = field.default.as_ref().map(|default| match default {
        Default::Text(text) => quote!(::minoan_ir::AttrDefault::Text(#text)),
        Default::Value(value) => {
            let ty = &field.value;
            quote_spanned! {value.span()=>
                ::minoan_ir::AttrDefault::Value(|ctx| <#ty as ::minoan_ir::AttrValue>::into_attr(#value, ctx))
            }
        }
    });
    let default = option(default.as_ref());
    quote!(::minoan_ir::AttrSpec { name: #name, constraint: #constraint, optional: #optional, default: #default })
}

fn region(declaration: &Declaration, field: &RegionField) -> TokenStream {
    let (name, variadic, non_empty) = (&field.common.name, field.variadic, field.non_empty);
    let positions = |fields: &[ValueField], names: &Option<Vec<Ident>>| {
        let list = names.as_ref().map(|names| {
            let positions = names.iter().filter_map(|name| Declaration::position(fields, name));
            quote!(&[#(#positions),*])
        });
        option(list.as_ref())
    };
    let args = positions(&declaration.operands, &field.args);
    let yields = positions(&declaration.results, &field.yields);
    quote! {
        ::minoan_ir::RegionSpec {
            name: #name,
            variadic: #variadic,
            non_empty: #non_empty,
            args: #args,
            yields: #yields,
        }
    }
}

fn successor(field: &SuccessorField) -> TokenStream {
    let (name, variadic) = (&field.common.name, field.variadic);
    quote!(::minoan_ir::SuccessorSpec { name: #name, variadic: #variadic })
}

fn derived_type(derive: &Derive) -> TokenStream {
    let (target, source) = (plain(&derive.target), plain(&derive.source));
    let (rule, message) = (&derive.rule, &derive.message);
    quote!(::minoan_ir::DerivedType { target: #target, source: #source, rule: #rule, message: #message })
}

fn assembly(assembly: &Assembly) -> TokenStream {
    match assembly {
        Assembly::Generic => quote!(::minoan_ir::Assembly::Generic),
        Assembly::Format(text) => quote!(::minoan_ir::Assembly::Format(#text)),
        Assembly::Custom { parse, print } => {
            quote!(::minoan_ir::Assembly::Custom { parse: #parse, print: #print })
        }
    }
}

/// The assertion that one type satisfies the constraint of a `fixed` result.
fn has_only_type(field: &ValueField) -> TokenStream {
    let constraint = type_constraint(&field.constraint);
    quote_spanned! {field.constraint.span()=>
        const _: () = ::core::assert!(
            #constraint.has_only_type(),
            "a `fixed` result needs a constraint that only one type satisfies"
        );
    }
}

fn value(field: &ValueField) -> TokenStream {
    let (name, constraint) = (&field.common.name, type_constraint(&field.constraint));
    let constraint = quote_spanned!(field.constraint.span()=> &#constraint);
    let arity = match field.arity {
        Arity::One => quote!(One),
        Arity::Optional => quote!(Optional),
        Arity::Variadic => quote!(Variadic),
    };
    quote!(::minoan_ir::ValueSpec { name: #name, arity: ::minoan_ir::Arity::#arity, constraint: #constraint })
}

/// `Some(value)` or `None`.
pub fn option(value: Option<&impl quote::ToTokens>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}

fn plain(word: &Ident) -> String {
    let text = word.to_string();
    text.strip_prefix("r#").unwrap_or(&text).to_owned()
}
