//! The macros that declare the parts of a dialect: [`#[op]`](macro@op), [`#[ty]`](macro@ty), [`#[attr]`](macro@attr),
//! [`AttrEnum`](macro@AttrEnum), and [`pattern!`] for rewrite patterns.
//!
//! An operation is a struct whose fields are its operands, attributes, results, regions and successors. The
//! documentation of `minoan_ir::op` has this one as a complete, tested program:
//!
//! ```text
//! /// Multiplies a value by a constant.
//! #[op("toy.scale", traits(PURE), same_types(x, result), assembly = "$x `by` $factor attr-dict `:` type($x)")]
//! pub struct Scale {
//!     /// The value.
//!     x: Operand<FLOAT_LIKE>,
//!     /// The constant.
//!     factor: i64,
//!     result: OpResult<FLOAT_LIKE>,
//! }
//! ```
//!
//! The examples that are tested stand where `minoan_ir` and `minoan_rewrite` re-export the macros: a crate of macros whose
//! tests depended on `minoan_ir` would have cargo build everything once with and once without the features of the tests.
//!
//! Guarantees:
//! * Everything that follows from the declaration is generated: the spec, a typed `Copy` handle, accessors, setters,
//!   a builder, and their documentation.
//! * An inconsistent declaration does not compile, and the error points at the offending token.
//! * Constraints, rules and functions are ordinary Rust paths, resolved at the place of the declaration.
//!
//! The generated code refers to `::minoan_ir` only, that of `pattern!` also to `::minoan_rewrite`; `facade` replaces these
//! by the paths of a crate that depends on `minoan` alone. `declaration`
//! parses the attribute, `field` the fields, `check` verifies consistency, and `spec`, `accessors` and `builder`
//! each generate one part of the output.

mod accessors;
mod attr_enum;
mod builder;
mod check;
mod data;
mod declaration;
mod facade;
mod field;
mod fluent;
mod format;
mod function;
mod hygiene;
mod options;
mod param;
mod pattern;
mod spec;

use proc_macro::TokenStream;
use quote::quote;
use syn::parse_macro_input;

/// Declares an operation.
///
/// The first line of the struct's documentation is the operation's summary, the rest its description. The kind of a
/// field follows from its type: `Operand<CONSTRAINT>` and `OpResult<CONSTRAINT>`, also in `Option` and `Vec`, `Region` and
/// `Vec<Region>`, `Block` and `Vec<Block>` for successors, and any other type for an attribute. A field with options has its kind
/// in front of it: fields are `#[operand(CONSTRAINT)]` of type `Value`, `Option<Value>` or `Vec<Value>`; `#[attr]` of a type that
/// implements `minoan_ir::AttrValue` (`i64`, `Vec<i64>`, `Array<i64>`, `SymbolName`, an enum by `#[derive(AttrEnum)]`, `Flags`
/// of one) or `Option` of one, with `default = expression` (or the attribute's text in quotes), `name = "irName"`, and a
/// constraint in addition, `#[attr(POSITIVE_I32)]`; `#[attr(unit)]` of type `bool`, which is not a parameter of `build`;
/// `#[attr(CONSTRAINT)]` of type `Attr` or `Option<Attr>` for any attribute; `#[result(CONSTRAINT)]` like operands, `fixed` if
/// the constraint admits a single type; `#[region]` of type `Region` or `Vec<Region>`, with `non_empty`, or with
/// `args(a, b)` if it has a block whose arguments have the types of these operands, and `yields(a, b)` if its terminators have
/// operands of the types of these results;
/// `#[successor]` of type `Block` or `Vec<Block>`.
///
/// The operation's name may be followed by, in any order:
///
/// | argument | meaning |
/// |---|---|
/// | `traits(PURE, ..)` | constants of `minoan_ir::Traits`, and types that implement `minoan_ir::OpTrait` |
/// | `assembly = "format"` | the declarative assembly format, in the language of `minoan_format` |
/// | `assembly = custom(parse_fn, print_fn)` | functions that parse and print the custom assembly |
/// | `same_types(a, b)` | operands and results of equal type, which determines the type of a result in the builders; may be repeated |
/// | `derive(target = rule(source), "message")` | a type that is a function of another; may be repeated |
/// | `parents("scf.for", ..)` | the operations that may be the parent |
/// | `terminator = "scf.yield"` | the implicit terminator of its regions |
/// | `verify = function` | additional verification: `fn(Self, &Body) -> Result<(), Violation>`, `fn(Self, &Body, &mut Violations)` or `fn(&Body, Op, &mut Violations)` |
/// | `services(Evaluate = EvaluateFn(f), group, ..)` | implementations of services, registered with the operation; `group` is a function `fn group<O: OpDef>(dialect: &mut DialectBuilder<'_>)` that registers those of several operations |
/// | `infer = function` | result types as a function of operand types and properties |
/// | `compatible = function` | whether result types may differ from the inferred ones |
/// | `no_function` | no free function is generated |
///
/// Generates the handle `Name(Op)` with its `OpDef`, one accessor per field, `set_*` for attributes, and
/// `Name::build`, whose parameters are, in this order: the operands, the attributes without default, the types
/// (`<result>_ty`) of the results that cannot be inferred, the successors, and the number of a variadic region.
/// If some of these may be absent, `Name::builder` takes the mandatory ones and returns a `NameBuilder`, whose methods give
/// the others by name. Result types are inferred by `infer`, for `fixed` results, by `derive` and `same_types` from a single
/// operand, and with `SAME_OPERANDS_AND_RESULT`.
///
/// An operation with a single result, without regions and successors, also gets a free function beside the struct, named
/// after the operation: `addi(b, lhs, rhs)` creates an `arith.addi` and returns its result. It has the parameters of `build`
/// without the optional ones, and can be left out with `no_function`.
///
/// ```text
/// /// Floating-point addition.
/// #[op("arith.addf", traits(PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT), assembly = "$lhs `,` $rhs attr-dict `:` type($result)")]
/// pub struct AddF {
///     lhs: Operand<FLOAT_LIKE>,
///     rhs: Operand<FLOAT_LIKE>,
///     result: OpResult<FLOAT_LIKE>,
/// }
/// ```
#[proc_macro_attribute]
pub fn op(args: TokenStream, item: TokenStream) -> TokenStream {
    let args = parse_macro_input!(args as declaration::Args);
    let item = parse_macro_input!(item as syn::ItemStruct);
    output(expand(args, &item))
}

/// Creates a pattern from a left-hand and a right-hand side; an expression that evaluates to an implementation of
/// `Pattern`.
///
/// ```text
/// pattern!("add-of-sub": AddI(SubI(x, y), y) => x)
/// pattern!("add-of-add", benefit = 2:
///     AddI(inner @ AddI(x, constant(a)), constant(b))
///     if let Some(sum) = add(ctx, a, b)
///     => AddI(x, constant(sum)))
/// ```
///
/// The left-hand side is a tree of operations, written by their Rust types, with a tree for each operand: another
/// operation that defines it, `constant(attr)`, a name for any value, or `_`. A repeated name matches the same value.
/// `name @ Op(..)` binds an operation. Conditions follow: `if condition`, `if let pattern = expression`; `body`,
/// `ctx` and the names are in scope.
///
/// The right-hand side is the value that replaces the root's result: a name, `constant(attribute expression)`, a new
/// operation with the arguments of its `build`, or a Rust block that evaluates to a value (inside an operation: to an
/// argument), where the `Rewriter` `rw` is in scope, too.
///
/// Unknown operations and wrong numbers of operands do not compile.
#[proc_macro]
pub fn pattern(input: TokenStream) -> TokenStream {
    let declaration = parse_macro_input!(input as pattern::Declaration);
    output(pattern::expand(&declaration))
}

/// Declares a type of a dialect as a struct whose fields are its parameters.
///
/// The first line of the struct's documentation is the summary, and the description of the constraint in messages unless
/// `describe = ".."` gives another one. A field may be of any type that implements `minoan_ir::Parameter`: integers,
/// `bool`, `f64`, `String`, `Type`, `Attr`, `SymbolRef`, `AffineMap`, enums by `#[derive(AttrEnum)]` and `Flags` of them,
/// declared types and attributes, and `Vec` and `Option` of these. The full name may be followed by, in any order:
///
/// | argument | meaning |
/// |---|---|
/// | `assembly = "format"` | the format of the text after the mnemonic, in the language of `minoan_format::parse_data`; `` `<` params `>` `` by default |
/// | `assembly = custom(parse_fn, print_fn)` | `fn(&mut AttrParser) -> Result<Self, ParseError>` and `fn(Self, &mut AttrPrinter)` |
/// | `verify = function` | `fn(&Context, parameters ..) -> Result<(), InvalidParams>`, or such a closure; the error may also be a string |
/// | `alias = "prefix"` | it is printed by an alias with this prefix |
/// | `describe = "text"` | the description of the constraint |
///
/// A field may have `#[param(default = expression)]`, the value of an absent optional group, and `#[param(unaliased)]`: it
/// is printed without aliases.
///
/// Generates the handle, `get`, which panics if the verifier rejects the parameters, `checked`, which returns its error,
/// and an accessor for each parameter. The handle's name is its constraint: `#[operand(Reg)]`.
///
/// ```text
/// /// A register of qubits.
/// #[ty("quantum.reg", assembly = "`<` $size `>`", verify = verify_reg)]
/// pub struct Reg {
///     /// The number of qubits.
///     size: u32,
/// }
/// ```
#[proc_macro_attribute]
pub fn ty(args: TokenStream, item: TokenStream) -> TokenStream {
    declare(args, item, data::DataKind::Type)
}

/// Declares an attribute of a dialect as a struct whose fields are its parameters, like `#[ty]`.
///
/// A `Type` with `#[param(self_type)]` is the type of a typed attribute: `#quantum.phase<1> : f32`. Formats of operations
/// print the attribute without its prefix: `<fast>` for `#arith.fastmath<fast>`.
///
/// On an enum, declares the attribute that holds one of its variants: derives [`AttrEnum`](macro@AttrEnum), with
/// its options, and the traits that it requires (`Clone`, `Copy`, `PartialEq`, `Eq`, `Hash`, `Debug`), and
/// generates the handle of the attribute. It is named like the enum with the suffix `Attr` and has the parameter
/// `value`.
///
/// ```text
/// /// The rounding mode.
/// #[attr("fixed.rounding")]
/// pub enum Rounding { Down, Nearest }   // `#fixed.rounding<down>` is `RoundingAttr::get(ctx, Rounding::Down)`
/// ```
#[proc_macro_attribute]
pub fn attr(args: TokenStream, item: TokenStream) -> TokenStream {
    declare(args, item, data::DataKind::Attr)
}

fn declare(args: TokenStream, item: TokenStream, kind: data::DataKind) -> TokenStream {
    let args = parse_macro_input!(args as data::Args);
    output(match parse_macro_input!(item as syn::Item) {
        syn::Item::Struct(item) => data::expand(&args, &item, kind),
        syn::Item::Enum(item) if kind == data::DataKind::Attr => data::expand_enum(&args, item),
        item => {
            let what = match kind {
                data::DataKind::Type => "a type is declared as a struct",
                data::DataKind::Attr => "an attribute is declared as a struct or an enum",
            };
            Err(syn::Error::new_spanned(item, what))
        }
    })
}

/// Makes the variants of an enum keywords of the IR: its name in snake case, or `#[keyword("..")]`.
///
/// A variant's value is its discriminant. The enum may be a parameter of types and attributes; so may a set of its
/// variants, `Flags<E>`, if the discriminants are bits. `#[attr_enum(separator = ", ", all = "fast")]` gives the
/// separator of such a set and the keyword that stands for every variant; `none` is the empty set. `name = ".."` is the name
/// of the enumeration in messages, `describe = ".."` the description of the constraint.
///
/// An operation stores a variant as an integer of type `i64`, or `i32` with `integer = i32`; with `attr = KindAttr`, as the
/// declared attribute `KindAttr`, whose only parameter is the variant; with `flags = FlagsAttr`, a `Flags` as the declared
/// attribute `FlagsAttr`, whose only parameter is the set.
#[proc_macro_derive(AttrEnum, attributes(attr_enum, keyword))]
pub fn attr_enum(item: TokenStream) -> TokenStream {
    let item = parse_macro_input!(item as syn::DeriveInput);
    output(attr_enum::expand(&item))
}

fn output(result: syn::Result<proc_macro2::TokenStream>) -> TokenStream {
    facade::resolve(result.unwrap_or_else(syn::Error::into_compile_error)).into()
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
    let fluent = fluent::builder(&declaration);
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
        #fluent
    })
}
