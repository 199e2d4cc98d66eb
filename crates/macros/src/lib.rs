//! `#[op]`: declares an operation as a struct whose fields are its operands, attributes, results, regions and
//! successors.
//!
//! Guarantees:
//! * Everything that can be derived from the declaration is: the spec, a typed `Copy` handle, accessors, setters,
//!   a builder, and documentation of each. Nothing of it is written by hand a second time.
//! * What contradicts itself does not compile, and the error points at the word that is wrong.
//! * Constraints, rules and functions are ordinary Rust paths, resolved where the macro is used.
//!
//! The generated code names `::minoan_ir` only, that of `pattern!` `::minoan_rewrite` too. `declaration` reads the attribute, `field` the fields, `check` finds
//! contradictions, and `spec`, `accessors` and `builder` write one part of the output each.

mod accessors;
mod builder;
mod check;
mod declaration;
mod field;
mod format;
mod function;
mod pattern;
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
/// | `assembly = "format"` | the declarative assembly format, in the language that `minoan_format` describes |
/// | `assembly = custom(parse_fn, print_fn)` | a custom form by functions |
/// | `same_types(a, b)` | operands and results of one type; may be repeated |
/// | `derive(target = rule(source), "message")` | a type that follows from another; may be repeated |
/// | `parents("scf.for", ..)` | operations one of which must be directly around it |
/// | `terminator = "scf.yield"` | what the text leaves out at the end of its regions |
/// | `verify = function` | further rules |
/// | `infer = function` | result types from operand types and properties |
/// | `compatible = function` | whether result types may be others than those that are inferred |
/// | `no_function` | no free function is generated |
///
/// It generates the handle `Name(Op)` with its `OpDef`, one accessor per field, `set_*` for attributes, and
/// `Name::build`, whose parameters are, in this order: the operands, the attributes without default, the types
/// (`<result>_ty`) of the results that cannot be inferred, the successors, and the number of a variadic region.
/// Result types are inferred by `infer`, for `fixed` results, by `derive` from a single operand, and with
/// `SAME_OPERANDS_AND_RESULT`.
///
/// An operation with a single result, without regions and successors, also gets a free function beside the struct, named
/// after the operation: `addi(b, lhs, rhs)` creates an `arith.addi` and returns its result. It has the parameters of `build`
/// without the optional ones, and can be left out with `no_function`.
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

/// A pattern from a left and a right side; an expression that gives an implementation of `Pattern`.
///
/// ```text
/// pattern!("add-of-sub": AddI(SubI(x, y), y) => x)
/// pattern!("add-of-add", benefit = 2:
///     AddI(inner @ AddI(x, constant(a)), constant(b))
///     if let Some(sum) = add(ctx, a, b)
///     => AddI(x, constant(sum)))
/// ```
///
/// On the left stand operations by their Rust types, with a tree for each operand: another operation that defines it,
/// `constant(attr)`, a name for any value, or `_`. A name that stands twice means one value. `name @ Op(..)` names an
/// operation. Conditions follow: `if condition`, `if let pattern = expression`; in them `body`, `ctx` and the names are
/// in scope.
///
/// On the right stands the value that replaces the first operation's result: a name, `constant(attribute expression)`, a
/// new operation with the arguments of its `build`, or a block of Rust that gives a value (an argument, inside an
/// operation), where `rw`, the `Rewriter`, is in scope too.
///
/// An operation that does not exist, or has another number of operands, does not compile.
#[proc_macro]
pub fn pattern(input: TokenStream) -> TokenStream {
    let declaration = parse_macro_input!(input as pattern::Declaration);
    pattern::expand(&declaration).unwrap_or_else(syn::Error::into_compile_error).into()
}

fn expand(args: declaration::Args, item: &syn::ItemStruct) -> syn::Result<proc_macro2::TokenStream> {
    let declaration = declaration::Declaration::new(args, item)?;
    check::check(&declaration)?;
    let types = format::check(&declaration)?;
    let handle = accessors::handle(&declaration);
    let spec = spec::spec(&declaration);
    let accessors = accessors::accessors(&declaration);
    let build = builder::build(&declaration);
    let function = function::function(&declaration);
    let name = &declaration.ident;
    Ok(quote! {
        #handle
        #types
        #spec
        impl #name {
            #build
            #accessors
        }
        #function
    })
}
