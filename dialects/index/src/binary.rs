//! Binary operations on indices.

use minoan_ir::constraints::INDEX;
use minoan_ir::{DialectBuilder, OpRef, op};
use minoan_services::{Datum, EffectSet, Effects, Evaluate, Flow, Machine, Trap};
use std::sync::Arc;

/// The evaluation on 64-bit operands.
struct Binary(fn(i64, i64) -> Result<i64, Trap>);

impl Evaluate for Binary {
    fn evaluate(&self, _: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        Flow::one(Datum::Int((self.0)(operands[0].int()?, operands[1].int()?)?))
    }
}

macro_rules! binary {
    ($($doc:literal $op:ident $name:literal ($($trait:ident)*) $compute:expr;)*) => {
        $(
            #[doc = $doc]
            #[op($name, traits($($trait),*), assembly = "$lhs `,` $rhs attr-dict")]
            pub struct $op {
                #[operand(INDEX)]
                lhs: Value,
                #[operand(INDEX)]
                rhs: Value,
                #[result(INDEX, fixed)]
                result: Value,
            }
        )*

        /// Declares the operations of this file and their evaluation.
        pub(crate) fn declare(dialect: &mut DialectBuilder<'_>) {
            $(
                dialect.op::<$op>();
                dialect.op_service::<$op, dyn Evaluate>(Arc::new(Binary($compute)));
            )*
        }
    };
}

binary! {
    "The sum, modulo 2^width." Add "index.add" (PURE COMMUTATIVE) |a, b| Ok(a.wrapping_add(b));
    "Bitwise and." And "index.and" (PURE COMMUTATIVE) |a, b| Ok(a & b);
    "Signed division, rounded toward positive infinity." CeilDivS "index.ceildivs" () |a, b| {
        let (quotient, rest) = signed_division(a, b)?;
        Ok(quotient + i64::from(rest != 0 && (a < 0) == (b < 0)))
    };
    "Unsigned division, rounded up." CeilDivU "index.ceildivu" () |a, b| {
        Ok((a as u64).div_ceil(divisor(b)?) as i64)
    };
    "Signed division, rounded toward zero." DivS "index.divs" () |a, b| Ok(signed_division(a, b)?.0);
    "Unsigned division, rounded down." DivU "index.divu" () |a, b| Ok((a as u64 / divisor(b)?) as i64);
    "Signed division, rounded toward negative infinity." FloorDivS "index.floordivs" () |a, b| {
        let (quotient, rest) = signed_division(a, b)?;
        Ok(quotient - i64::from(rest != 0 && (a < 0) != (b < 0)))
    };
    "The larger one, signed." MaxS "index.maxs" (PURE COMMUTATIVE) |a, b| Ok(a.max(b));
    "The larger one, unsigned." MaxU "index.maxu" (PURE COMMUTATIVE) |a, b| Ok((a as u64).max(b as u64) as i64);
    "The smaller one, signed." MinS "index.mins" (PURE COMMUTATIVE) |a, b| Ok(a.min(b));
    "The smaller one, unsigned." MinU "index.minu" (PURE COMMUTATIVE) |a, b| Ok((a as u64).min(b as u64) as i64);
    "The product, modulo 2^width." Mul "index.mul" (PURE COMMUTATIVE) |a, b| Ok(a.wrapping_mul(b));
    "Bitwise or." Or "index.or" (PURE COMMUTATIVE) |a, b| Ok(a | b);
    "Signed remainder, with the sign of the dividend." RemS "index.rems" () |a, b| {
        Ok(signed_division(a, b)?.1)
    };
    "Unsigned remainder." RemU "index.remu" () |a, b| Ok((a as u64 % divisor(b)?) as i64);
    "Shifted left." Shl "index.shl" (PURE) |a, b| Ok(a << distance(b)?);
    "Arithmetic right shift." ShrS "index.shrs" (PURE) |a, b| Ok(a >> distance(b)?);
    "Logical right shift." ShrU "index.shru" (PURE) |a, b| Ok((a as u64 >> distance(b)?) as i64);
    "The difference, modulo 2^width." Sub "index.sub" (PURE) |a, b| Ok(a.wrapping_sub(b));
    "Bitwise exclusive or." Xor "index.xor" (PURE COMMUTATIVE) |a, b| Ok(a ^ b);
}

/// A division has no side effects but is not speculatable.
pub(crate) fn declare_effects(dialect: &mut DialectBuilder<'_>) {
    let none: Arc<dyn Effects> = Arc::new(EffectSet::NONE);
    dialect.op_service::<CeilDivS, dyn Effects>(none.clone());
    dialect.op_service::<CeilDivU, dyn Effects>(none.clone());
    dialect.op_service::<DivS, dyn Effects>(none.clone());
    dialect.op_service::<DivU, dyn Effects>(none.clone());
    dialect.op_service::<FloorDivS, dyn Effects>(none.clone());
    dialect.op_service::<RemS, dyn Effects>(none.clone());
    dialect.op_service::<RemU, dyn Effects>(none);
}

fn divisor(b: i64) -> Result<u64, Trap> {
    if b == 0 { Err(Trap::new("division by zero")) } else { Ok(b as u64) }
}

/// The quotient and the remainder.
fn signed_division(a: i64, b: i64) -> Result<(i64, i64), Trap> {
    divisor(b)?;
    let quotient = a.checked_div(b).ok_or_else(|| Trap::new("signed overflow in a division"))?;
    Ok((quotient, a % b))
}

fn distance(b: i64) -> Result<u32, Trap> {
    let fits = u32::try_from(b).ok().filter(|&by| by < i64::BITS);
    fits.ok_or_else(|| Trap::new(format!("shift of an integer of 64 bits by {}", b as u64)))
}
