//! Functions of one float.

use minoan_arith::constraints::FASTMATH;
use minoan_ir::constraints::FLOAT_LIKE;
use minoan_ir::{Builder, Value, op};

macro_rules! functions {
    ($($doc:tt $op:ident $name:ident $full_name:tt;)*) => {$(
        #[doc = $doc]
        #[op($full_name,
             traits(PURE, SAME_OPERANDS_AND_RESULT, ELEMENTWISE),
             assembly = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)")]
        pub struct $op {
            #[operand(FLOAT_LIKE)]
            operand: Value,
            #[attr(FASTMATH, default = "#arith.fastmath<none>")]
            fastmath: Attr,
            #[result(FLOAT_LIKE)]
            result: Value,
        }

        #[doc = concat!("Creates a `", $full_name, "`.")]
        #[track_caller]
        pub fn $name(b: &mut Builder<'_>, operand: Value) -> Value {
            let op = $op::build(b, operand);
            op.result(b.body())
        }
    )*

        /// Declares the operations of this file.
        pub(crate) fn declare(dialect: &mut minoan_ir::DialectBuilder<'_>) {
            $(dialect.op::<$op>();)*
        }
    };
}

functions! {
    "The absolute value." AbsF absf "math.absf";
    "The arc cosine." Acos acos "math.acos";
    "The inverse hyperbolic cosine." Acosh acosh "math.acosh";
    "The arc sine." Asin asin "math.asin";
    "The inverse hyperbolic sine." Asinh asinh "math.asinh";
    "The arc tangent." Atan atan "math.atan";
    "The inverse hyperbolic tangent." Atanh atanh "math.atanh";
    "The cube root." Cbrt cbrt "math.cbrt";
    "Rounded up to a whole number." Ceil ceil "math.ceil";
    "The cosine." Cos cos "math.cos";
    "The hyperbolic cosine." Cosh cosh "math.cosh";
    "The error function." Erf erf "math.erf";
    "One minus the error function." Erfc erfc "math.erfc";
    "e to the power." Exp exp "math.exp";
    "2 to the power." Exp2 exp2 "math.exp2";
    "e to the power, minus one, exact near zero." ExpM1 expm1 "math.expm1";
    "Rounded down to a whole number." Floor floor "math.floor";
    "The natural logarithm." Log log "math.log";
    "The logarithm to base 10." Log10 log10 "math.log10";
    "The natural logarithm of one plus the operand, exact near zero." Log1p log1p "math.log1p";
    "The logarithm to base 2." Log2 log2 "math.log2";
    "Rounded to the nearest whole number, halves away from zero." Round round "math.round";
    "Rounded to the nearest whole number, halves to even." RoundEven roundeven "math.roundeven";
    "One by the square root." Rsqrt rsqrt "math.rsqrt";
    "The sine." Sin sin "math.sin";
    "The hyperbolic sine." Sinh sinh "math.sinh";
    "The square root." Sqrt sqrt "math.sqrt";
    "The tangent." Tan tan "math.tan";
    "The hyperbolic tangent." Tanh tanh "math.tanh";
    "Rounded towards zero to a whole number." Trunc trunc "math.trunc";
}
