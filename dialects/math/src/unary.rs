//! Floating-point functions of one operand.

use minoan_arith::constraints::FastMath;
use minoan_ir::constraints::FLOAT_LIKE;
use minoan_ir::{Flags, op};

macro_rules! functions {
    ($($doc:tt $op:ident $full_name:tt;)*) => {$(
        #[doc = $doc]
        #[op($full_name,
             traits(PURE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
             assembly = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)")]
        pub struct $op {
            operand: Operand<FLOAT_LIKE>,
            #[attr(default = Flags::NONE)]
            fastmath: Flags<FastMath>,
            result: OpResult<FLOAT_LIKE>,
        }
    )*

        /// Declares the operations of this file.
        pub(crate) fn declare(dialect: &mut minoan_ir::DialectBuilder<'_>) {
            $(dialect.op::<$op>();)*
        }
    };
}

functions! {
    "The absolute value." AbsF "math.absf";
    "The arc cosine." Acos "math.acos";
    "The inverse hyperbolic cosine." Acosh "math.acosh";
    "The arc sine." Asin "math.asin";
    "The inverse hyperbolic sine." Asinh "math.asinh";
    "The arc tangent." Atan "math.atan";
    "The inverse hyperbolic tangent." Atanh "math.atanh";
    "The cube root." Cbrt "math.cbrt";
    "Rounds toward positive infinity." Ceil "math.ceil";
    "The cosine." Cos "math.cos";
    "The hyperbolic cosine." Cosh "math.cosh";
    "The error function." Erf "math.erf";
    "The complementary error function: one minus the error function." Erfc "math.erfc";
    "e to the power." Exp "math.exp";
    "2 to the power." Exp2 "math.exp2";
    "`e` to the power, minus one; accurate near zero." ExpM1 "math.expm1";
    "Rounds toward negative infinity." Floor "math.floor";
    "The natural logarithm." Log "math.log";
    "The logarithm to base 10." Log10 "math.log10";
    "The natural logarithm of one plus the operand; accurate near zero." Log1p "math.log1p";
    "The logarithm to base 2." Log2 "math.log2";
    "Rounds to the nearest integer, halves away from zero." Round "math.round";
    "Rounds to the nearest integer, halves to even." RoundEven "math.roundeven";
    "The reciprocal of the square root." Rsqrt "math.rsqrt";
    "The sine." Sin "math.sin";
    "The hyperbolic sine." Sinh "math.sinh";
    "The square root." Sqrt "math.sqrt";
    "The tangent." Tan "math.tan";
    "The hyperbolic tangent." Tanh "math.tanh";
    "Rounds toward zero." Trunc "math.trunc";
}
