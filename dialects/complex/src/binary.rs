//! Functions of two numbers, and of one number with a real result.

use crate::constraints::{COMPLEX, SIGNLESS_INTEGER, part_type};
use minoan_arith::constraints::FastMath;
use minoan_ir::constraints::{ANY_FLOAT, I1};
use minoan_ir::{Flags, op};

macro_rules! arithmetic {
    ($($doc:tt $op:ident $full_name:tt;)*) => {$(
        #[doc = $doc]
        #[op($full_name,
             traits(PURE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
             assembly = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)")]
        pub struct $op {
            lhs: Operand<COMPLEX>,
            rhs: Operand<COMPLEX>,
            #[attr(default = Flags::NONE)]
            fastmath: Flags<FastMath>,
            result: OpResult<COMPLEX>,
        }
    )*};
}

arithmetic! {
    "The sum." Add "complex.add";
    "The angle of a point with complex coordinates, `-i log((x + iy) / sqrt(x^2 + y^2))`; the first operand is the ordinate." Atan2 "complex.atan2";
    "The quotient." Div "complex.div";
    "The product." Mul "complex.mul";
    "The first operand raised to the power of the second." Pow "complex.pow";
    "The difference." Sub "complex.sub";
}

/// The first operand raised to a signed integer power.
#[op(
    "complex.powi",
    traits(PURE, ELEMENTWISE),
    same_types(lhs, result),
    assembly = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result) `,` type($rhs)"
)]
pub struct PowI {
    lhs: Operand<COMPLEX>,
    rhs: Operand<SIGNLESS_INTEGER>,
    fastmath: Option<Flags<FastMath>>,
    result: OpResult<COMPLEX>,
}

macro_rules! comparisons {
    ($($doc:tt $op:ident $full_name:tt;)*) => {$(
        #[doc = $doc]
        #[op($full_name,
             traits(PURE, ELEMENTWISE),
             same_types(lhs, rhs),
             assembly = "$lhs `,` $rhs attr-dict `:` type($lhs)")]
        pub struct $op {
            lhs: Operand<COMPLEX>,
            rhs: Operand<COMPLEX>,
            #[result(I1, fixed)]
            result: minoan_ir::Value,
        }
    )*};
}

comparisons! {
    "Whether both parts are equal; false if one is NaN." Eq "complex.eq";
    "Whether a part differs; true if one is NaN." Neq "complex.neq";
}

macro_rules! real {
    ($($doc:tt $op:ident $full_name:tt;)*) => {$(
        #[doc = $doc]
        #[op($full_name,
             traits(PURE, ELEMENTWISE),
             derive(result = part_type(complex), "complex element type matches result type"),
             assembly = "$complex (`fastmath` `` $fastmath^)? attr-dict `:` type($complex)")]
        pub struct $op {
            complex: Operand<COMPLEX>,
            #[attr(default = Flags::NONE)]
            fastmath: Flags<FastMath>,
            result: OpResult<ANY_FLOAT>,
        }
    )*};
}

real! {
    "The absolute value." Abs "complex.abs";
    "The angle in `[-pi, pi]`, with a branch cut along the negative real axis." Angle "complex.angle";
}
