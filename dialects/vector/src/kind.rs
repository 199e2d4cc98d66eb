//! Combining kinds, such as `#vector.kind<add>`.

use minoan_ir::{Attr, AttrEnum, Context, OpRef, Type, attr};
use minoan_services::{Datum, Evaluate, Flow, Machine, Scalar, Trap};
use num_bigint::BigInt;

macro_rules! kinds {
    ($($name:ident $word:literal $doc:literal $integer:expr, $float:expr;)*) => {
        /// A binary operation that combines elements.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, AttrEnum)]
        #[attr_enum(name = "::mlir::vector::CombiningKind", attr = CombiningKindAttr)]
        pub enum CombiningKind {
            $(#[doc = $doc] #[keyword($word)] $name,)*
        }

        impl CombiningKind {
            /// The names of the operations on integers and on floats; `None` if unsupported.
            fn operations(self) -> (Option<&'static str>, Option<&'static str>) {
                match self {
                    $(Self::$name => ($integer, $float),)*
                }
            }
        }
    };
}

kinds! {
    Add "add" "The sum." Some("arith.addi"), Some("arith.addf");
    Mul "mul" "The product." Some("arith.muli"), Some("arith.mulf");
    MinUI "minui" "Minimum of unsigned integers." Some("arith.minui"), None;
    MinSI "minsi" "Minimum of signed integers." Some("arith.minsi"), None;
    MinNumF "minnumf" "Minimum; if one operand is NaN, the other." None, Some("arith.minnumf");
    MaxUI "maxui" "Maximum of unsigned integers." Some("arith.maxui"), None;
    MaxSI "maxsi" "Maximum of signed integers." Some("arith.maxsi"), None;
    MaxNumF "maxnumf" "Maximum; if one operand is NaN, the other." None, Some("arith.maxnumf");
    And "and" "Bitwise and." Some("arith.andi"), None;
    Or "or" "Bitwise or." Some("arith.ori"), None;
    Xor "xor" "Bitwise exclusive or." Some("arith.xori"), None;
    MaximumF "maximumf" "Maximum; NaN if an operand is NaN." None, Some("arith.maximumf");
    MinimumF "minimumf" "Minimum; NaN if an operand is NaN." None, Some("arith.minimumf");
}

/// `#vector.kind<add>`.
#[attr("vector.kind", describe = "Kind of combining function for contractions and reductions")]
pub struct CombiningKindAttr {
    /// The kind.
    value: CombiningKind,
}

impl CombiningKind {
    /// The kind that an attribute denotes.
    pub fn of_attr(ctx: &Context, attr: Attr) -> Option<Self> {
        Some(CombiningKindAttr::cast(ctx, attr)?.value(ctx))
    }

    /// The kind of an operation; `add` by default.
    pub(crate) fn of(op: OpRef<'_>) -> Self {
        op.attr_named("kind").and_then(|attr| Self::of_attr(op.context(), attr)).unwrap_or(Self::Add)
    }

    /// `#vector.kind<add>`.
    pub fn attr(self, ctx: &Context) -> Attr {
        CombiningKindAttr::get(ctx, self).into()
    }

    /// The name of the operation that combines two elements of a type, or two vectors of them.
    pub fn operation(self, ctx: &Context, element: Type) -> Option<&'static str> {
        let (integer, float) = self.operations();
        if element.is_float(ctx) {
            return float;
        }
        integer.filter(|_| element == Type::INDEX || element.integer_width(ctx).is_some())
    }

    /// The neutral element of a type: combining it with any value leaves that value unchanged. `None` for types that cannot be
    /// evaluated. A reduction under a mask that is not set has this value.
    pub(crate) fn neutral(self, ctx: &Context, element: Type) -> Option<Datum> {
        let scalar = Scalar::of(ctx, element).ok()?;
        if let Scalar::Int { width } = scalar {
            let above = || BigInt::from(1) << (width - 1);
            return match self {
                Self::Mul => scalar.integer(1),
                Self::MinUI | Self::And => scalar.integer(-1),
                Self::MinSI => scalar.big_integer(above() - 1),
                Self::MaxSI => scalar.big_integer(-above()),
                Self::Add | Self::Or | Self::Xor | Self::MaxUI => scalar.integer(0),
                Self::MinNumF | Self::MaxNumF | Self::MinimumF | Self::MaximumF => return None,
            }
            .ok();
        }
        let value = match self {
            // The sum of a positive zero and a negative one is positive.
            Self::Add => -0.0,
            Self::Mul => 1.0,
            Self::MinNumF | Self::MaxNumF => f64::NAN,
            Self::MinimumF => f64::INFINITY,
            Self::MaximumF => f64::NEG_INFINITY,
            Self::MinUI | Self::MinSI | Self::MaxUI | Self::MaxSI | Self::And | Self::Or | Self::Xor => {
                return None;
            }
        };
        scalar.float(value).ok()
    }

    /// Combines two elements, or two vectors elementwise, by evaluating the combining operation; the first result of
    /// `op` has the element type.
    ///
    /// # Errors
    /// The operation does not exist, or its evaluation traps.
    pub(crate) fn combine(
        self,
        op: OpRef<'_>,
        machine: &mut dyn Machine,
        a: Datum,
        b: Datum,
    ) -> Result<Datum, Trap> {
        let ctx = op.context();
        let element = op.result_types().next().map_or(Type::NONE, |ty| ty.element_or_self(ctx));
        let kind = self.operation(ctx, element).and_then(|name| ctx.op_kind(name));
        let service = kind.and_then(|kind| ctx.service::<dyn Evaluate>(kind));
        let missing = || Trap::new(format!("the kind '{}' cannot be evaluated", self.keyword()));
        match service.ok_or_else(missing)?.evaluate(op, &[a, b], machine)? {
            Flow::Next(mut results) if results.len() == 1 => Ok(results.remove(0)),
            _ => Err(missing()),
        }
    }
}
