//! Algebraic laws of the arith operations.

use crate::{
    AddF, AddI, AndI, FastMath, FastMathAttr, MaxNumF, MaxSI, MaxUI, MaximumF, MinNumF, MinSI, MinUI,
    MinimumF, MulF, MulI, OrI, XOrI, constant_float, divf, mulf, negf,
};
use minoan_ir::{Attr, Body, Builder, Context, DialectBuilder, Flags, Op, OpRef, Type, Value};
use minoan_services::{Algebra, CombineKind, Correction, FloatFlags, FloatPolicy, Monoid, Order};
use std::sync::Arc;

/// Sets the `fastmath` flags of the operation that defines a value. Does nothing if the operation has no such flags or the value
/// is a block argument. Returns the value.
pub fn with_fastmath(b: &mut Builder<'_>, value: Value, flags: impl IntoIterator<Item = FastMath>) -> Value {
    let ctx = b.context();
    let has_flags = |op: &Op| {
        let spec = b.body().op(*op).spec();
        spec.is_some_and(|spec| spec.attrs.iter().any(|attr| attr.name == "fastmath"))
    };
    if let Some(op) = b.body().defining_op(value).filter(has_flags) {
        let flags: Attr = FastMathAttr::get(&ctx, flags.into_iter().collect::<Flags<FastMath>>()).into();
        b.body_mut().set_attr(op, ctx.name("fastmath"), Some(flags));
    }
    value
}

/// Whether the `fastmath` attribute of an operation has a flag.
pub fn has_fastmath_flag(op: OpRef<'_>, flag: FastMath) -> bool {
    let attr = op.attr_named("fastmath").and_then(|attr| FastMathAttr::cast(op.context(), attr));
    attr.is_some_and(|attr| attr.value(op.context()).has(flag))
}

/// The `fastmath` attribute of operations as the permissions to deviate from IEEE 754.
pub struct FastMathFlags;

/// The flags that the policy `fast` adds: all except `reassoc`.
const FAST: [FastMath; 6] = [
    FastMath::NoNaN,
    FastMath::NoInf,
    FastMath::NoSignedZero,
    FastMath::AllowReciprocal,
    FastMath::Contract,
    FastMath::ApproxFunc,
];

impl FloatFlags for FastMathFlags {
    fn apply(&self, body: &mut Body, op: Op, policy: FloatPolicy) -> bool {
        let ctx = body.context().clone();
        let (view, name) = (body.op(op), ctx.name("fastmath"));
        if !view.spec().is_some_and(|spec| spec.attrs.iter().any(|attr| attr.name == "fastmath")) {
            return false;
        }
        let old = view.attr_named("fastmath");
        let reassoc = has_fastmath_flag(view, FastMath::Reassoc).then_some(FastMath::Reassoc);
        let flags: Flags<FastMath> = match policy {
            FloatPolicy::Default => return false,
            FloatPolicy::Strict => Flags::default(),
            FloatPolicy::Fast => reassoc.into_iter().chain(FAST).collect(),
        };
        let new: Attr = FastMathAttr::get(&ctx, flags).into();
        if old == Some(new) {
            return false;
        }
        body.set_attr(op, name, Some(new));
        true
    }
}

/// The identity of a combination of integers.
fn integer_identity(ctx: &Context, kind: CombineKind, ty: Type) -> Option<Attr> {
    use CombineKind::*;
    let width = if ty == Type::INDEX { 64 } else { ty.integer_width(ctx)? };
    if !(1..=64).contains(&width) {
        return None;
    }
    let least = i64::MIN >> (64 - width);
    let value = match kind {
        AddI | Or | Xor | MaxUI => 0,
        MulI => 1,
        And | MinUI => -1,
        MaxSI => least,
        MinSI => !least,
        _ => return None,
    };
    // A boolean is printed as `true`, which is stored as 1.
    Some(if ty == Type::I1 { Attr::bool(value & 1 == 1) } else { Attr::integer(ctx, value, ty) })
}

/// The identity of a combination of floats. -0.0 is the identity of addition (0.0 would change -0.0); NaN is the identity of
/// `minnumf` and `maxnumf`.
fn float_identity(ctx: &Context, kind: CombineKind, ty: Type) -> Option<Attr> {
    use CombineKind::*;
    let value = match kind {
        AddF => -0.0,
        MulF => 1.0,
        MaximumF => f64::NEG_INFINITY,
        MinimumF => f64::INFINITY,
        MaxNumF | MinNumF => f64::NAN,
        _ => return None,
    };
    Some(Attr::float(ctx, value, ty))
}

/// An operation that combines elements.
struct Combines(CombineKind);

impl Algebra for Combines {
    fn monoid(&self, op: OpRef<'_>) -> Option<Monoid> {
        use CombineKind::*;
        let (ctx, kind) = (op.context(), self.0);
        let ty = op.result_types().next()?;
        if ty.shape(ctx).is_some() {
            return None;
        }
        let identity = match kind.is_float() {
            true => float_identity(ctx, kind, ty)?,
            false => integer_identity(ctx, kind, ty)?,
        };
        let order = match kind {
            AddF | MulF if has_fastmath_flag(op, FastMath::Reassoc) => Order::Rounds,
            AddF | MulF => Order::Fixed,
            // The sign of a zero depends on the order.
            MaximumF | MinimumF if has_fastmath_flag(op, FastMath::NoSignedZero) => Order::Rounds,
            _ => Order::Exact,
        };
        let idempotent = !matches!(kind, AddI | AddF | MulI | MulF | Xor);
        Some(Monoid { identity, order, idempotent, kind })
    }

    fn carry(&self, _: OpRef<'_>, _: usize, correction: Correction) -> Option<Correction> {
        match (self.0, correction) {
            (CombineKind::AddF, Correction::Plus) => Some(Correction::Plus),
            (CombineKind::MulF, either) => Some(either),
            _ => None,
        }
    }

    fn carried(
        &self,
        b: &mut Builder<'_>,
        _: Op,
        operand: usize,
        correction: Correction,
        by: Value,
        operands: &[Value],
    ) -> Value {
        match (self.0, correction) {
            // (x + by) * y is x * y + by * y.
            (CombineKind::MulF, Correction::Plus) => mulf(b, by, operands[1 - operand]),
            _ => by,
        }
    }
}

/// Subtraction and negation.
pub(crate) struct Subtracts;

impl Algebra for Subtracts {
    fn monoid(&self, _: OpRef<'_>) -> Option<Monoid> {
        None
    }

    fn carry(&self, op: OpRef<'_>, _: usize, correction: Correction) -> Option<Correction> {
        match correction {
            Correction::Plus => Some(Correction::Plus),
            Correction::Times => (op.n_operands() == 1).then_some(Correction::Times),
        }
    }

    fn carried(
        &self,
        b: &mut Builder<'_>,
        _: Op,
        operand: usize,
        correction: Correction,
        by: Value,
        operands: &[Value],
    ) -> Value {
        let is_negated = operand + 1 == operands.len();
        if correction == Correction::Plus && is_negated { negf(b, by) } else { by }
    }
}

/// Division.
pub(crate) struct Divides;

impl Algebra for Divides {
    fn monoid(&self, _: OpRef<'_>) -> Option<Monoid> {
        None
    }

    fn carry(&self, _: OpRef<'_>, operand: usize, correction: Correction) -> Option<Correction> {
        (operand == 0 || correction == Correction::Times).then_some(correction)
    }

    fn carried(
        &self,
        b: &mut Builder<'_>,
        _: Op,
        operand: usize,
        correction: Correction,
        by: Value,
        operands: &[Value],
    ) -> Value {
        match (operand, correction) {
            (0, Correction::Plus) => divf(b, by, operands[1]),
            (0, Correction::Times) => by,
            _ => {
                let ty = b.ty(by);
                let one = constant_float(b, 1.0, ty);
                divf(b, one, by)
            }
        }
    }
}

pub(crate) fn register(dialect: &mut DialectBuilder<'_>) {
    use CombineKind as Kind;
    macro_rules! combine {
        ($($op:ident $kind:ident;)*) => {
            $(dialect.op_service::<$op, dyn Algebra>(Arc::new(Combines(Kind::$kind)));)*
        };
    }
    combine! {
        AddI AddI; AddF AddF; MulI MulI; MulF MulF;
        MinSI MinSI; MinUI MinUI; MaxSI MaxSI; MaxUI MaxUI;
        MinimumF MinimumF; MaximumF MaximumF; MinNumF MinNumF; MaxNumF MaxNumF;
        AndI And; OrI Or; XOrI Xor;
    }
}
