//! Random operations on vectors of fixed length.

use crate::*;
use minoan_ir::{Attr, Builder, Context, Op, OpKind, OpState, Type, Value};
use minoan_services::{Declared, Generate, Maker};

/// Bits that do not come from a float: those of a NaN are unspecified.
pub(crate) fn any_bits() -> Declared {
    Declared::new().operand(0, |ctx, ty| !ty.element_or_self(ctx).is_float(ctx))
}

pub(crate) fn types(ctx: &Context) -> Vec<Type> {
    let shapes: [&[i64]; 4] = [&[4], &[2], &[2, 2], &[1, 4]];
    shapes.map(|shape| Type::vector(ctx, shape, Type::I32)).to_vec()
}

/// An extraction or insertion at a static or dynamic position.
pub(crate) struct AnyPart {
    pub(crate) inserts: bool,
}

impl Generate for AnyPart {
    fn weight(&self, _: &Context, _: OpKind) -> usize {
        2
    }

    fn generate(&self, kind: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        let ctx = b.context();
        let whole = maker.existing(b, &|ty| ty.is_vector(&ctx))?;
        let ty = b.ty(whole);
        let shape = ty.shape(&ctx)?;
        let (mut numbers, mut values): (Vec<i64>, Vec<Value>) = (Vec::new(), Vec::new());
        for &extent in &shape[..1 + maker.below(shape.len())] {
            if maker.below(3) == 0 {
                numbers.push(minoan_ir::DYNAMIC);
                values.push(maker.index_in(b, 0..extent)?);
            } else {
                numbers.push(maker.below(extent as usize) as i64);
            }
        }
        let part = elements::part_type(&ctx, ty, numbers.len());
        let props = b.dictionary(&[("static_position", Some(Attr::dense_i64(&ctx, &numbers)))]);
        let state = OpState::new(kind).props(props);
        let state = if self.inserts {
            state.operands(&[maker.value(b, part)?, whole]).operands(&values).results(&[ty])
        } else {
            state.operands(&[whole]).operands(&values).results(&[part])
        };
        Some(b.create(state))
    }
}
