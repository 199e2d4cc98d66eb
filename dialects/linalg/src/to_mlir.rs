//! The equivalents of operations in MLIR.

use crate::attributes::IteratorTypeAttr;
use crate::structured::{iterator_types, maps, n_inputs};
use crate::{Broadcast, Generic, Map, Reduce, Transpose};
use minoan_complex::part_type;
use minoan_ir::{Attr, Context, OpRef, Type};
use minoan_services::{InMlir, ToMlir};

/// The same operations. Named operations on complex numbers become generic ones: MLIR verifies that the computation of a
/// named operation is a sum or a product, and that of complex numbers is expanded into their parts.
pub(crate) struct Structured;

impl ToMlir for Structured {
    fn operation(&self, op: OpRef<'_>) -> InMlir {
        as_generic(op).unwrap_or(InMlir::Same)
    }

    fn attr(&self, _: &Context, attr: Attr) -> Option<Attr> {
        Some(attr)
    }
}

fn as_generic(op: OpRef<'_>) -> Option<InMlir> {
    let ctx = op.context();
    let is_complex = |ty: Type| part_type(ctx, ty.element_or_self(ctx)).is_some();
    let has_own_computation = op.is::<Generic>() || op.is::<Map>() || op.is::<Reduce>();
    let only_moves = op.is::<Broadcast>() || op.is::<Transpose>();
    if has_own_computation || only_moves || op.n_regions() != 1 || !op.operand_types().any(is_complex) {
        return None;
    }
    let maps: Vec<Attr> = maps(op)?.into_iter().map(|map| Attr::affine_map(ctx, map)).collect();
    let iterators: Vec<Attr> =
        iterator_types(op)?.into_iter().map(|iterator| IteratorTypeAttr::get(ctx, iterator).into()).collect();
    let inputs = n_inputs(op);
    let segments = [inputs as i32, (op.n_operands() - inputs) as i32];
    let props = Attr::dictionary(
        ctx,
        &[
            (ctx.name("indexing_maps"), Attr::array(ctx, &maps)),
            (ctx.name("iterator_types"), Attr::array(ctx, &iterators)),
            (ctx.name("operandSegmentSizes"), Attr::dense_i32(ctx, &segments)),
        ],
    );
    Some(InMlir::As { name: "linalg.generic".to_owned(), props, attrs: op.attrs() })
}
