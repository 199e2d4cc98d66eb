//! The builtin dialect: modules and unrealized conversion casts.
//!
//! ```
//! use minoan_builtin::BuiltinDialect;
//! use minoan_ir::{Context, Loc, Module, Registry};
//! let mut registry = Registry::new();
//! registry.add(BuiltinDialect);
//! let ctx = Context::new(registry).expect("one dialect");
//! let module = Module::new(&ctx, Loc::UNKNOWN);
//! assert_eq!(minoan_ir::text::print_module(&module, &Default::default()), "module {\n}\n");
//! ```
#![forbid(unsafe_code)]

use minoan_ir::constraints::ANY;
mod layout;
mod signature;

use minoan_ir::{Attr, Body, Context, Op, OpRef, OpState, SymbolName, Type, Value, Violations, dialect, op};
use minoan_services::{
    ByAttributes, DataLayout, Fold, FoldResult, Folded, RawAbi, SameInMlir, Symbols, ToMlir, UnrealizedCast,
};

/// A module: a program, or a nested symbol table.
#[op(
    "builtin.module",
    traits(ISOLATED, SYMBOL_TABLE, SYMBOL, SINGLE_BLOCK, NO_TERMINATOR, NO_REGION_ARGS, GRAPH_REGION),
    assembly = "($sym_name^)? attr-dict-with-keyword $bodyRegion",
    verify = verify_module,
    services(Symbols = ByAttributes)
)]
pub struct ModuleOp {
    /// The symbol name.
    sym_name: Option<SymbolName>,
    /// The symbol visibility.
    sym_visibility: Option<String>,
    /// The module's operations.
    #[region(name = "bodyRegion", non_empty)]
    body_region: Region,
}

fn verify_module(body: &Body, op: Op, errors: &mut Violations) {
    let (view, ctx) = (body.op(op), body.context());
    let names = view.attrs().as_dictionary(ctx).unwrap_or(&[]).iter().map(|(name, _)| name.as_str(ctx));
    if let Some(name) = names.into_iter().find(|name| !name.contains('.')) {
        errors.push(format!("can only contain attributes with dialect-prefixed names, found: '{name}'"));
    }
}

/// Converts values from one list of types to another during a partial conversion.
#[op(
    "builtin.unrealized_conversion_cast",
    traits(PURE),
    assembly = "($inputs^ `:` type($inputs))? `to` type($outputs) attr-dict",
    verify = verify_cast,
    services(Fold = Cast, UnrealizedCast = Cast)
)]
pub struct UnrealizedConversionCast {
    /// The converted values.
    inputs: Vec<Operand<ANY>>,
    /// The values of the target types.
    outputs: Vec<OpResult<ANY>>,
}

fn verify_cast(body: &Body, op: Op, errors: &mut Violations) {
    if body.op(op).n_results() == 0 {
        errors.push("expected at least one result for cast operation");
    }
}

/// The materialization of casts in conversions.
struct Cast;

impl UnrealizedCast for Cast {
    fn cast(&self, ctx: &Context, values: &[Value], types: &[Type]) -> OpState {
        OpState::new(ctx.kind_of::<UnrealizedConversionCast>()).operands(values).results(types)
    }
}

impl Fold for Cast {
    fn fold(&self, op: OpRef<'_>, _: &[Option<Attr>]) -> Folded {
        match <dyn UnrealizedCast>::undone(op) {
            // In unreachable code a cast may be its own inverse.
            Some(values) if !values.iter().any(|&value| op.results().any(|own| own == value)) => {
                Folded::Results(values.into_iter().map(FoldResult::Value).collect())
            }
            _ => Folded::Unchanged,
        }
    }
}

dialect! {
    /// The builtin dialect.
    pub BuiltinDialect = "builtin":
        ops(ModuleOp, UnrealizedConversionCast),
        services(
            ToMlir = SameInMlir,
            DataLayout = layout::BuiltinLayout,
            RawAbi = signature::BuiltinTypes,
        )
}
