//! Classification of floats.

use minoan_arith::constraints::{FastMath, bool_like};
use minoan_ir::constraints::{BOOL_LIKE, FLOAT_LIKE};
use minoan_ir::{Attr, DialectBuilder, Flags, InferInput, OpRef, Type, op};
use minoan_services::{InMlir, ToMlir};
use std::sync::Arc;

macro_rules! classes {
    ($($doc:tt $op:ident $full_name:tt;)*) => {$(
        #[doc = $doc]
        #[op($full_name,
             traits(PURE, ELEMENTWISE),
             assembly = "$operand attr-dict `:` type($operand)",
             derive(result = bool_like(operand), "result type has i1 element type and same shape as operands"),
             infer = infer_bool_like)]
        pub struct $op {
            operand: Operand<FLOAT_LIKE>,
            #[attr(default = Flags::NONE)]
            fastmath: Flags<FastMath>,
            result: OpResult<BOOL_LIKE>,
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

/// The implementations of [`ToMlir`] for operations that MLIR 22 does not lower.
pub(crate) fn register(dialect: &mut DialectBuilder<'_>) {
    dialect.op_service::<IsInf, dyn ToMlir>(Arc::new(FloatClass { bits: 0x204 }));
    dialect.op_service::<IsNormal, dyn ToMlir>(Arc::new(FloatClass { bits: 0x108 }));
}

/// A test by LLVM's intrinsic, whose mask bits are: signaling and quiet NaN, negative infinity, normal, subnormal and
/// zero, and positive zero, subnormal, normal and infinity.
struct FloatClass {
    bits: i64,
}

impl ToMlir for FloatClass {
    fn operation(&self, op: OpRef<'_>) -> InMlir {
        let ctx = op.context();
        let bit = (ctx.name("bit"), Attr::integer(ctx, self.bits, Type::I32));
        InMlir::elementwise(op, "llvm.intr.is.fpclass", Attr::dictionary(ctx, &[bit]))
    }
}
