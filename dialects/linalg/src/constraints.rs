//! Constraints of this dialect's operations, with upstream's descriptions.

use minoan_ir::constraints::{MEMREF, RANKED_TENSOR};
use minoan_ir::{Attr, AttrConstraint, AttrData, AttrSyntax, Context, Type, TypeConstraint};

macro_rules! windows {
    ($($name:ident $rank:literal;)*) => {$(
        #[doc = concat!("A number for each of ", $rank, " dimensions of a window.")]
        pub(crate) static $name: AttrConstraint = AttrConstraint {
            description: concat!("64-bit signless int elements attribute of shape [", $rank, "]"),
            check: |ctx, attr| is_window(ctx, attr, $rank),
            syntax: AttrSyntax::Any,
        };
    )*};
}

windows! {
    WINDOW_1 1;
    WINDOW_2 2;
    WINDOW_3 3;
}

fn is_window(ctx: &Context, attr: Attr, rank: i64) -> bool {
    let AttrData::DenseElements { ty, .. } = attr.data(ctx) else { return false };
    ty.element(ctx) == Some(Type::I64) && ty.shape(ctx) == Some(&[rank])
}

/// The index of a dimension.
pub(crate) static DIMENSION: AttrConstraint = AttrConstraint {
    description: "64-bit signless integer attribute whose minimum value is 0",
    check: |ctx, attr| {
        attr.value_type(ctx) == Some(Type::I64) && attr.as_i64(ctx).is_some_and(|number| number >= 0)
    },
    syntax: AttrSyntax::Typed(Type::I64),
};

/// A shaped operand of a structured operation.
pub(crate) static TENSOR_OR_MEMREF: TypeConstraint = TypeConstraint::any_of(&[&MEMREF, &RANKED_TENSOR]);
