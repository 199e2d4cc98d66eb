//! `#[op]`: declares an operation as a struct whose fields are its operands, attributes, results, regions and
//! successors.
//!
//! Guarantees:
//! * Everything that can be derived from the declaration is: the spec, a typed `Copy` handle, accessors, setters,
//!   a builder, and documentation of each. Nothing of it is written by hand a second time.
//! * What contradicts itself does not compile, and the error points at the word that is wrong.
//! * Constraints, rules and functions are ordinary Rust paths, resolved where the macro is used.
//!
//! The generated code names `::minoan_ir` only. `declaration` reads the attribute, `field` the fields, `check` finds
//! contradictions, and `spec`, `accessors` and `builder` write one part of the output each.

mod accessors;
mod builder;
mod check;
mod declaration;
mod field;
mod spec;

use proc_macro::TokenStream;
use quote::quote;
use syn::parse_macro_input;

/// Declares an operation.
///
/// The first line of the struct's documentation is the operation's summary, the rest its description. Fields are
/// `#[operand(CONSTRAINT)]` of type `Value`, `Option<Value>` or `Vec<Value>`; `#[attr(CONSTRAINT)]` of type `Attr` or
/// `Option<Attr>`, with `default = "text"` or `name = "irName"`; `#[result(CONSTRAINT)]` like operands, `fixed` where
/// the constraint has just one type; `#[region]` of type `Region` or `Vec<Region>`, with `non_empty`; `#[successor]`
/// of type `Block` or `Vec<Block>`.
///
/// After the operation's name may come, in any order:
///
/// | argument | meaning |
/// |---|---|
/// | `traits(PURE, ..)` | constants of `minoan_ir::Traits` |
/// | `assembly = "format"` | the declarative assembly format |
/// | `assembly = custom(parse_fn, print_fn)` | a custom form by functions |
/// | `same_types(a, b)` | operands and results of one type; may be repeated |
/// | `derive(target = rule(source), "message")` | a type that follows from another; may be repeated |
/// | `parents("scf.for", ..)` | operations one of which must be directly around it |
/// | `terminator = "scf.yield"` | what the text leaves out at the end of its regions |
/// | `verify = function` | further rules |
/// | `infer = function` | result types from operand types and properties |
///
/// It generates the handle `Name(Op)` with its `OpDef`, one accessor per field, `set_*` for attributes, and
/// `Name::build`, whose parameters are, in this order: the operands, the attributes without default, the types
/// (`<result>_ty`) of the results that cannot be inferred, the successors, and the number of a variadic region.
/// Result types are inferred by `infer`, for `fixed` results, and with `SAME_OPERANDS_AND_RESULT`.
///
/// ```text
/// /// Floating-point addition.
/// #[op("arith.addf", traits(PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT), assembly = "$lhs `,` $rhs attr-dict `:` type($result)")]
/// pub struct AddF {
///     #[operand(FLOAT_LIKE)] lhs: Value,
///     #[operand(FLOAT_LIKE)] rhs: Value,
///     #[result(FLOAT_LIKE)] result: Value,
/// }
/// ```
#[proc_macro_attribute]
pub fn op(args: TokenStream, item: TokenStream) -> TokenStream {
    let args = parse_macro_input!(args as declaration::Args);
    let item = parse_macro_input!(item as syn::ItemStruct);
    expand(args, &item).unwrap_or_else(syn::Error::into_compile_error).into()
}

fn expand(args: declaration::Args, item: &syn::ItemStruct) -> syn::Result<proc_macro2::TokenStream> {
    let declaration = declaration::Declaration::new(args, item)?;
    check::check(&declaration)?;
    let handle = accessors::handle(&declaration);
    let spec = spec::spec(&declaration);
    let accessors = accessors::accessors(&declaration);
    let build = builder::build(&declaration);
    let name = &declaration.ident;
    Ok(quote! {
        #handle
        #spec
        impl #name {
            #build
            #accessors
        }
    })
}
