//! Binary operations on indices.

use minoan_ir::constraints::INDEX;
use minoan_ir::{Attr, Context, DialectBuilder, OpDef, OpRef, Traits, op};
use minoan_services::{
    Bits, Datum, DefinedDivision, EffectSet, Effects, Evaluate, Flow, IntBits as _, Machine, Precondition,
    Speculation, Trap, UNDEFINED_DIVISION, constant_of, wrap,
};
use std::sync::Arc;

/// The width at which an index is evaluated.
pub(crate) const WIDTH: u32 = i64::BITS;

/// The function that an operation computes, at any width of an index.
pub(crate) type Compute = fn(Bits, Bits) -> Result<i128, Undefined>;

/// The reason why the result is undefined.
pub(crate) enum Undefined {
    /// The result is poison.
    Poison,
    /// The behavior is undefined.
    Behavior(&'static str),
}

/// Evaluates an operation at 64 bits.
struct Binary(Compute);

impl Evaluate for Binary {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let is_poison = |at: usize| matches!(operands[at], Datum::Poison);
        // A divisor that is poison may be zero; other operands make the result poison.
        let divides = !op.has_trait(Traits::PURE);
        let gives_poison =
            if divides { is_poison(0) && operands[1].int()? != 0 } else { is_poison(0) || is_poison(1) };
        if gives_poison {
            return Flow::one(Datum::Poison);
        }
        let at = |at: usize| Ok::<_, Trap>(Bits { value: operands[at].int()?, width: WIDTH });
        match (self.0)(at(0)?, at(1)?) {
            Ok(result) => Flow::one(wrap(result, WIDTH)),
            Err(Undefined::Poison) => Flow::one(Datum::Poison),
            Err(Undefined::Behavior(why)) => Err(Trap::undefined(why)),
        }
    }
}

/// The constant result of an operation on two constants, if an index of 32 bits and one of 64 bits agree on the low 32
/// bits: the width is the target's.
pub(crate) fn constant(ctx: &Context, a: Attr, b: Attr, compute: Compute) -> Option<Attr> {
    let (a, b) = (a.as_i64(ctx)?, b.as_i64(ctx)?);
    let at = |width: u32| {
        let bits = |value: i64| Bits { value: wrap(value.into(), width), width };
        compute(bits(a), bits(b)).ok().map(|result| wrap(result, width))
    };
    let (narrow, wide) = (at(32)?, at(64)?);
    (wrap(wide.into(), 32) == narrow).then(|| Attr::index_value(ctx, wide))
}

macro_rules! binary {
    ($($doc:literal $op:ident $name:literal ($($trait:ident)*) $compute:expr;)*) => {
        $(
            #[doc = $doc]
            #[op($name, traits($($trait),*), assembly = "$lhs `,` $rhs attr-dict")]
            pub struct $op {
                lhs: Operand<INDEX>,
                rhs: Operand<INDEX>,
                #[result(INDEX, fixed)]
                result: Value,
            }
        )*

        /// The operations of this file by name, with the function that each computes.
        pub(crate) const ALL: &[(&str, Compute)] = &[$(($name, $compute)),*];

        /// Declares the operations of this file.
        pub(crate) fn declare(dialect: &mut DialectBuilder<'_>) {
            $(dialect.op::<$op>();)*
            for &(name, compute) in ALL {
                dialect.service_of::<dyn Evaluate>(name, Arc::new(Binary(compute)));
            }
        }
    };
}

binary! {
    "The sum, modulo 2^width." Add "index.add" (PURE COMMUTATIVE) |a, b| Ok(a.signed() + b.signed());
    "Bitwise and." And "index.and" (PURE COMMUTATIVE) |a, b| Ok(a.signed() & b.signed());
    "Signed division, rounded toward positive infinity." CeilDivS "index.ceildivs" () |a, b| {
        let (a, b) = signed_division(a, b)?;
        Ok(a / b + i128::from(a % b != 0 && (a < 0) == (b < 0)))
    };
    "Unsigned division, rounded up." CeilDivU "index.ceildivu" () |a, b| {
        let (a, b) = unsigned_division(a, b)?;
        Ok((a + b - 1) / b)
    };
    "Signed division, rounded toward zero." DivS "index.divs" () |a, b| signed_division(a, b).map(|(a, b)| a / b);
    "Unsigned division, rounded down." DivU "index.divu" () |a, b| unsigned_division(a, b).map(|(a, b)| a / b);
    "Signed division, rounded toward negative infinity." FloorDivS "index.floordivs" () |a, b| {
        let (a, b) = signed_division(a, b)?;
        Ok(a / b - i128::from(a % b != 0 && (a < 0) != (b < 0)))
    };
    "The larger one, signed." MaxS "index.maxs" (PURE COMMUTATIVE) |a, b| Ok(a.signed().max(b.signed()));
    "The larger one, unsigned." MaxU "index.maxu" (PURE COMMUTATIVE) |a, b| Ok(a.unsigned().max(b.unsigned()) as i128);
    "The smaller one, signed." MinS "index.mins" (PURE COMMUTATIVE) |a, b| Ok(a.signed().min(b.signed()));
    "The smaller one, unsigned." MinU "index.minu" (PURE COMMUTATIVE) |a, b| Ok(a.unsigned().min(b.unsigned()) as i128);
    "The product, modulo 2^width." Mul "index.mul" (PURE COMMUTATIVE) |a, b| Ok(a.signed() * b.signed());
    "Bitwise or." Or "index.or" (PURE COMMUTATIVE) |a, b| Ok(a.signed() | b.signed());
    "Signed remainder, with the sign of the dividend." RemS "index.rems" () |a, b| {
        signed_division(a, b).map(|(a, b)| a % b)
    };
    "Unsigned remainder." RemU "index.remu" () |a, b| unsigned_division(a, b).map(|(a, b)| a % b);
    "Left shift; poison for a distance of the width or more." Shl "index.shl" (PURE) |a, b| {
        Ok(a.signed() << distance(b)?)
    };
    "Arithmetic right shift; poison for a distance of the width or more." ShrS "index.shrs" (PURE) |a, b| {
        Ok(a.signed() >> distance(b)?)
    };
    "Logical right shift; poison for a distance of the width or more." ShrU "index.shru" (PURE) |a, b| {
        Ok((a.unsigned() >> distance(b)?) as i128)
    };
    "The difference, modulo 2^width." Sub "index.sub" (PURE) |a, b| Ok(a.signed() - b.signed());
    "Bitwise exclusive or." Xor "index.xor" (PURE COMMUTATIVE) |a, b| Ok(a.signed() ^ b.signed());
}

/// A division has no effect. It may be executed speculatively if the divisor is a constant for which it is defined, for
/// every width of an index.
pub(crate) fn declare_effects(dialect: &mut DialectBuilder<'_>) {
    let none: Arc<dyn Effects> = Arc::new(EffectSet::NONE);
    let is_signed_divisor = |op: OpRef<'_>| is_divisor(op, |low| low != 0 && low != -1);
    let is_unsigned_divisor = |op: OpRef<'_>| is_divisor(op, |low| low != 0);
    let signed: Arc<dyn Speculation> = Arc::new(is_signed_divisor);
    let unsigned: Arc<dyn Speculation> = Arc::new(is_unsigned_divisor);
    let defined: Arc<dyn Precondition> =
        Arc::new(DefinedDivision { signed: true, is_known: is_signed_divisor });
    let nonzero: Arc<dyn Precondition> =
        Arc::new(DefinedDivision { signed: false, is_known: is_unsigned_divisor });
    for division in [DivS::SPEC, CeilDivS::SPEC, FloorDivS::SPEC, RemS::SPEC] {
        dialect.service_of::<dyn Effects>(division.name, none.clone());
        dialect.service_of::<dyn Speculation>(division.name, signed.clone());
        dialect.service_of::<dyn Precondition>(division.name, defined.clone());
    }
    for division in [DivU::SPEC, CeilDivU::SPEC, RemU::SPEC] {
        dialect.service_of::<dyn Effects>(division.name, none.clone());
        dialect.service_of::<dyn Speculation>(division.name, unsigned.clone());
        dialect.service_of::<dyn Precondition>(division.name, nonzero.clone());
    }
}

/// Whether the divisor is a constant whose low 32 bits pass a test.
fn is_divisor(op: OpRef<'_>, test: fn(i32) -> bool) -> bool {
    let number = constant_of(op.body(), op.operand(1)).and_then(|attr| attr.as_i64(op.context()));
    number.is_some_and(|number| test(number as i32))
}

/// The operands of an unsigned division that is defined.
fn unsigned_division(a: Bits, b: Bits) -> Result<(i128, i128), Undefined> {
    match b.unsigned() {
        0 => Err(Undefined::Behavior(UNDEFINED_DIVISION)),
        divisor => Ok((a.unsigned() as i128, divisor as i128)),
    }
}

/// The operands of a signed division that is defined.
fn signed_division(a: Bits, b: Bits) -> Result<(i128, i128), Undefined> {
    match (a.signed(), b.signed()) {
        (_, 0) => Err(Undefined::Behavior(UNDEFINED_DIVISION)),
        (value, -1) if value == a.least() => Err(Undefined::Behavior(UNDEFINED_DIVISION)),
        pair => Ok(pair),
    }
}

/// The shift amount, if it is less than the width.
fn distance(by: Bits) -> Result<u32, Undefined> {
    let distance = by.unsigned();
    if distance < u128::from(by.width) { Ok(distance as u32) } else { Err(Undefined::Poison) }
}
