//! Floating-point classification.

use minoan_arith::constraints::{FASTMATH, bool_like};
use minoan_ir::constraints::{BOOL_LIKE, FLOAT_LIKE};
use minoan_ir::{InferInput, Type, op};

macro_rules! classes {
    ($($doc:tt $op:ident $full_name:tt;)*) => {$(
        #[doc = $doc]
        #[op($full_name,
             traits(PURE, ELEMENTWISE),
             assembly = "$operand attr-dict `:` type($operand)",
             derive(result = bool_like(operand), "result type has i1 element type and same shape as operands"),
             infer = infer_bool_like)]
        pub struct $op {
            #[operand(FLOAT_LIKE)]
            operand: Value,
            #[attr(FASTMATH, default = "#arith.fastmath<none>")]
            fastmath: Attr,
            #[result(BOOL_LIKE)]
            result: Value,
        }
    )*

        /// Declares the operations of this file.
        pub(crate) fn declare(dialect: &mut minoan_ir::DialectBuilder<'_>) {
            $(dialect.op::<$op>();)*
        }
    };
}

classes! {
    "Tests whether the operand is finite." IsFinite "math.isfinite";
    "Tests whether the operand is infinite." IsInf "math.isinf";
    "Tests whether the operand is NaN." IsNaN "math.isnan";
    "Tests whether the operand is normal: neither zero, subnormal, infinite nor NaN." IsNormal "math.isnormal";
}

fn infer_bool_like(input: &InferInput<'_>) -> Result<Vec<Type>, String> {
    let operand = input.operands.first().ok_or("expected 1 operand, but found 0")?;
    Ok(vec![bool_like(input.ctx, *operand).unwrap_or(Type::I1)])
}
