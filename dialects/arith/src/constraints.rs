//! Type and attribute constraints of upstream's arith dialect, with its descriptions.

use minoan_ir::{AttrEnum, Context, Flags, OpRef, Type, TypeData, attr, type_constraints};

type_constraints! {
    pub FIXED_WIDTH_INTEGER_LIKE "signless-fixed-width-integer-like" |ctx, ty|
        !ty.is_memref(ctx) && ty.element_or_self(ctx).is_signless_integer(ctx);
    pub INTEGER_OR_MEMREF "signless-integer-like or memref of signless-integer" |ctx, ty|
        ty.element_or_self(ctx) == Type::INDEX || ty.element_or_self(ctx).is_signless_integer(ctx);
    pub NUMBER_OR_MEMREF "signless-integer-or-float-like or memref of signless-integer or float" is_number;
}

fn is_number(ctx: &Context, ty: Type) -> bool {
    let element = ty.element_or_self(ctx);
    element.is_float(ctx) || element.is_signless_integer(ctx)
}

/// A permission to deviate from IEEE 754.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, AttrEnum)]
#[attr_enum(name = "::mlir::arith::FastMathFlags", separator = ",", all = "fast", flags = FastMathAttr)]
pub enum FastMath {
    /// The operations may be reassociated.
    Reassoc = 1,
    /// Operands and results are not NaN.
    #[keyword("nnan")]
    NoNaN = 2,
    /// Operands and results are not infinite.
    #[keyword("ninf")]
    NoInf = 4,
    /// The sign of zero is irrelevant.
    #[keyword("nsz")]
    NoSignedZero = 8,
    /// A division may become a multiplication by the reciprocal.
    #[keyword("arcp")]
    AllowReciprocal = 16,
    /// Operations may be contracted, e.g. to fused multiplication and addition.
    Contract = 32,
    /// Functions may be approximated.
    #[keyword("afn")]
    ApproxFunc = 64,
}

/// `#arith.fastmath<nnan,contract>`. The evaluation makes no use of the permissions.
#[attr("arith.fastmath", describe = "Floating point fast math flags")]
pub struct FastMathAttr {
    /// The permissions.
    value: Flags<FastMath>,
}

/// An assertion that an integer result fits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, AttrEnum)]
#[attr_enum(name = "::mlir::arith::IntegerOverflowFlags", separator = ", ", flags = OverflowAttr)]
pub enum Overflow {
    /// As a signed number.
    #[keyword("nsw")]
    NoSignedWrap = 1,
    /// As an unsigned number.
    #[keyword("nuw")]
    NoUnsignedWrap = 2,
}

/// `#arith.overflow<nsw, nuw>`.
#[attr("arith.overflow", describe = "Integer overflow arith flags")]
pub struct OverflowAttr {
    /// The assertions.
    value: Flags<Overflow>,
}

/// A rounding mode, stored as a number of type `i32`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, AttrEnum)]
#[attr_enum(integer = i32, describe = "Floating point rounding mode")]
pub enum RoundingMode {
    /// To the nearest value, ties to even.
    ToNearestEven,
    /// Towards negative infinity.
    Downward,
    /// Towards positive infinity.
    Upward,
    /// Towards zero.
    TowardZero,
    /// To the nearest value, ties away from zero.
    ToNearestAway,
}

/// The overflow flags of an operation.
pub(crate) fn overflow_of(op: OpRef<'_>) -> Flags<Overflow> {
    op.attr_value::<Flags<Overflow>>("overflowFlags").unwrap_or_default()
}

/// The result type of a comparison: `i1`, or `i1` elements with the same extents.
pub fn bool_like(ctx: &Context, ty: Type) -> Option<Type> {
    match ty.data(ctx) {
        TypeData::RankedTensor { .. } | TypeData::UnrankedTensor(_) | TypeData::Vector { .. } => {
            ty.with_element(ctx, Type::I1)
        }
        _ => Some(Type::I1),
    }
}
