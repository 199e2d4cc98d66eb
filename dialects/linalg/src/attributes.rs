//! Attributes of this dialect.

use crate::scalar::Combine;
use minoan_ir::{ArrayElement, AttrEnum, attr};
use minoan_services::IteratorType;

/// `#linalg.iterator_type<parallel>`: the iterator type of a dimension of the iteration domain.
#[attr("linalg.iterator_type")]
pub struct IteratorTypeAttr {
    /// The iterator type.
    value: IteratorType,
}

impl ArrayElement for IteratorTypeAttr {
    const DESCRIPTION: &'static str = "Iterator type should be an enum.";
}

/// The conversion of the inputs to the element type of the output.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, AttrEnum)]
#[attr_enum(name = "::mlir::linalg::TypeFn", attr = TypeFnAttr)]
pub enum TypeFn {
    /// Integers are signed.
    CastSigned,
    /// Integers are unsigned.
    CastUnsigned,
}

/// `#linalg.type_fn<cast_signed>`.
#[attr("linalg.type_fn", describe = "allowed 32-bit signless integer cases: 0, 1")]
pub struct TypeFnAttr {
    /// The conversion.
    value: TypeFn,
}

/// Declares enumerations of scalar computations, each with its attribute.
macro_rules! computations {
    ($($doc:literal $kind:ident $name:literal $attr:ident $mnemonic:literal $describe:literal: $($case:ident $combine:ident,)*;)*) => {$(
        #[doc = $doc]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, AttrEnum)]
        #[attr_enum(name = $name, attr = $attr)]
        #[allow(missing_docs, reason = "the names are those of the computations")]
        pub enum $kind {
            $($case,)*
        }

        /// A computation as an attribute.
        #[attr($mnemonic, describe = $describe)]
        pub struct $attr {
            /// The computation.
            value: $kind,
        }

        impl From<$kind> for Combine {
            fn from(kind: $kind) -> Combine {
                match kind {
                    $($kind::$case => Combine::$combine,)*
                }
            }
        }
    )*};
}

computations! {
    "An elementwise computation." ElementwiseKind "::mlir::linalg::ElementwiseKind"
        ElementwiseKindAttr "linalg.elementwise_kind"
        "allowed 32-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23":
        Exp Exp, Log Log, Abs Abs, Ceil Ceil, Floor Floor, Negf Neg, Reciprocal Reciprocal, Round Round, Sqrt Sqrt,
        Rsqrt Rsqrt, Square Square, Tanh Tanh, Erf Erf, Add Add, Sub Sub, Mul Mul, Div Div, DivUnsigned DivUnsigned,
        MaxSigned Max, MinSigned Min, MaxUnsigned MaxUnsigned, MinUnsigned MinUnsigned, Powf Pow, Select Select,;
    "A computation of one input." UnaryFn "::mlir::linalg::UnaryFn" UnaryFnAttr "linalg.unary_fn"
        "allowed 32-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12":
        Exp Exp, Log Log, Abs Abs, Ceil Ceil, Floor Floor, Negf Neg, Reciprocal Reciprocal, Round Round, Sqrt Sqrt,
        Rsqrt Rsqrt, Square Square, Tanh Tanh, Erf Erf,;
    "A computation of two inputs." BinaryFn "::mlir::linalg::BinaryFn" BinaryFnAttr "linalg.binary_fn"
        "allowed 32-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9":
        Add Add, Sub Sub, Mul Mul, Div Div, DivUnsigned DivUnsigned, MaxSigned Max, MinSigned Min,
        MaxUnsigned MaxUnsigned, MinUnsigned MinUnsigned, Powf Pow,;
    "A computation of three inputs." TernaryFn "::mlir::linalg::TernaryFn" TernaryFnAttr "linalg.ternary_fn"
        "allowed 32-bit signless integer cases: 0":
        Select Select,;
}
