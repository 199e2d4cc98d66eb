//! Functions of one complex number with a complex result.

use crate::constraints::COMPLEX;
use minoan_arith::constraints::FastMath;
use minoan_ir::{Flags, op};

macro_rules! functions {
    ($($doc:tt $op:ident $full_name:tt $($law:ident)?;)*) => {$(
        #[doc = $doc]
        #[op($full_name,
             traits(PURE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE $(, $law)?),
             assembly = "$complex (`fastmath` `` $fastmath^)? attr-dict `:` type($complex)")]
        pub struct $op {
            complex: Operand<COMPLEX>,
            #[attr(default = Flags::NONE)]
            fastmath: Flags<FastMath>,
            result: OpResult<COMPLEX>,
        }
    )*

        /// Declares the operations of this file.
        pub(crate) fn declare(dialect: &mut minoan_ir::DialectBuilder<'_>) {
            $(dialect.op::<$op>();)*
        }
    };
}

functions! {
    "The complex conjugate." Conj "complex.conj" INVOLUTION;
    "The cosine." Cos "complex.cos";
    "e to the power." Exp "complex.exp";
    "e to the power, minus one; accurate near zero." ExpM1 "complex.expm1";
    "The natural logarithm, with a branch cut along the negative real axis." Log "complex.log";
    "The natural logarithm of one plus the operand; accurate near zero." Log1p "complex.log1p";
    "The negated number." Neg "complex.neg" INVOLUTION;
    "The reciprocal of the square root." Rsqrt "complex.rsqrt";
    "The number divided by its absolute value; zero for zero." Sign "complex.sign";
    "The sine." Sin "complex.sin";
    "The square root with a nonnegative real part." Sqrt "complex.sqrt";
    "The tangent." Tan "complex.tan";
    "The hyperbolic tangent." Tanh "complex.tanh";
}
