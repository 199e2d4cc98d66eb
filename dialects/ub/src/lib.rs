//! The ub dialect: poison values and unreachable code.
//!
//! Names, assembly, attributes and verification are those of MLIR's ub dialect.
//!
//! * `ub.poison` is a value that the program must not depend on. It evaluates to
//!   [`Datum::Poison`](minoan_services::Datum), for a shaped type to elements that all are poison; the evaluation ends with a
//!   [`Trap`](minoan_services::Trap) where control flow, an address or an effect depends on it.
//! * `ub.unreachable` ends a block that control never reaches; an evaluation that does ends with a trap.
//!
//! ```
//! use minoan_ir::{Builder, Context, Loc, Module, Registry, Type};
//! use minoan_ub::{Poison, UbDialect};
//!
//! let mut registry = Registry::new();
//! registry.add(UbDialect);
//! let ctx = Context::new(registry).expect("one dialect");
//! let mut module = Module::new(&ctx, Loc::UNKNOWN);
//! let block = module.block();
//! let mut b = Builder::at_end(module.body_mut(), block);
//! let poison = Poison::build(&mut b, Type::I32).result(b.body());
//! assert_eq!(b.ty(poison), Type::I32);
//! ```
#![forbid(unsafe_code)]

use minoan_ir::constraints::ANY;
use minoan_ir::text::AsmNames;
use minoan_ir::{
    Attr, AttrConstraint, AttrDef, AttrSyntax, Context, OpRef, OpState, Type, attr, dialect, op,
};
use minoan_services::{
    ConstantMaterializer, Datum, EffectSet, Effects, Evaluate, Flow, Machine, SameInMlir, ToMlir, Trap,
};

/// The poisoned part of a value: all of it.
#[attr("ub.poison", describe = "PoisonAttrInterface instance")]
pub struct PoisonAttr {}

/// "PoisonAttrInterface instance", written with its prefix.
static POISON: AttrConstraint = AttrConstraint { syntax: AttrSyntax::Any, ..PoisonAttr::CONSTRAINT };

/// A poison value: `ub.poison : i32`.
///
/// Poison propagates to dependent values, and branching on it is undefined behavior.
#[op(
    "ub.poison",
    traits(PURE, CONSTANT_LIKE),
    assembly = "attr-dict (`<` $value^ `>`)? `:` type($result)",
    services(Evaluate = PoisonValue, AsmNames = Numbered)
)]
pub struct Poison {
    /// The poisoned part of the value.
    #[attr(POISON, default = "#ub.poison")]
    value: PoisonAttr,
    /// The value.
    result: OpResult<ANY>,
}

/// Marks a point that is never executed.
#[op(
    "ub.unreachable",
    traits(TERMINATOR),
    assembly = "attr-dict",
    services(Evaluate = ReachedUnreachable, Effects = EffectSet::OUTSIDE)
)]
pub struct Unreachable {}

/// Poison is a constant of any type.
struct Constants;

impl ConstantMaterializer for Constants {
    fn materialize(&self, ctx: &Context, value: Attr, ty: Type) -> Option<OpState> {
        PoisonAttr::cast(ctx, value).map(|_| {
            let props = Attr::dictionary(ctx, &[(ctx.names().value, value)]);
            OpState::new(ctx.kind_of::<Poison>()).props(props).results(&[ty])
        })
    }
}

dialect! {
    /// The ub dialect.
    pub UbDialect = "ub":
        attrs(PoisonAttr),
        ops(Poison, Unreachable),
        services(ToMlir = SameInMlir, ConstantMaterializer = Constants)
}

struct PoisonValue;

impl Evaluate for PoisonValue {
    fn evaluate(&self, op: OpRef<'_>, _: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let ty = op.body().ty(op.result(0));
        let poison = Datum::poison_of(op.context(), ty);
        Flow::one(poison.ok_or_else(|| Trap::new("poison of this type cannot be evaluated"))?)
    }
}

struct ReachedUnreachable;

impl Evaluate for ReachedUnreachable {
    fn evaluate(&self, _: OpRef<'_>, _: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        Err(Trap::undefined("control reached 'ub.unreachable'"))
    }
}

/// Unlike other constants, poison has no suggested name.
struct Numbered;

impl AsmNames for Numbered {}
