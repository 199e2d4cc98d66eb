//! Iterator types and punctuation.

use minoan_ir::{ArrayElement, AttrEnum, attr};

/// The iterator type of a dimension of a contraction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, AttrEnum)]
#[attr_enum(name = "::mlir::vector::IteratorType", attr = IteratorTypeAttr)]
pub enum IteratorType {
    /// A dimension of the result.
    Parallel,
    /// A dimension that is summed over.
    Reduction,
}

/// `#vector.iterator_type<parallel>`.
#[attr("vector.iterator_type")]
pub struct IteratorTypeAttr {
    /// The iterator type.
    value: IteratorType,
}

impl ArrayElement for IteratorType {
    const DESCRIPTION: &'static str = "Iterator type should be an enum.";
}

/// The text that `vector.print` appends to a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, AttrEnum)]
#[attr_enum(name = "::mlir::vector::PrintPunctuation", attr = PunctuationAttr)]
pub enum Punctuation {
    /// Nothing.
    NoPunctuation,
    /// A line break.
    Newline,
    /// `, `.
    Comma,
    /// `( `.
    Open,
    /// ` )`.
    Close,
}

/// `#vector.punctuation<newline>`.
#[attr("vector.punctuation", describe = "Punctuation for separating vectors or vector elements")]
pub struct PunctuationAttr {
    /// The text.
    value: Punctuation,
}
