//! Materialization of constants.

use crate::Constant;
use minoan_ir::{Attr, AttrData, Context, OpState, Signedness, Type, TypeData};
use minoan_services::ConstantMaterializer;

/// Materializes signless integers, floats, and elements of these as `arith.constant`.
pub(crate) struct Constants;

impl ConstantMaterializer for Constants {
    fn materialize(&self, ctx: &Context, value: Attr, ty: Type) -> Option<OpState> {
        let fits = value.value_type(ctx) == Some(ty)
            && match value.data(ctx) {
                AttrData::Integer { .. } => is_signless(ctx, ty),
                AttrData::Float { .. } => true,
                AttrData::DenseElements { splat, .. } => {
                    let element = ty.element_or_self(ctx);
                    let static_shape =
                        ty.shape(ctx).is_some_and(|shape| shape.iter().all(|&extent| extent >= 0));
                    let scalable =
                        matches!(ty.data(ctx), TypeData::Vector { scalable, .. } if scalable.contains(&true));
                    (is_signless(ctx, element) || element.is_float(ctx))
                        && static_shape
                        && (*splat || !scalable)
                }
                _ => false,
            };
        let props = || Attr::dictionary(ctx, &[(ctx.names().value, value)]);
        fits.then(|| OpState::new(ctx.kind_of::<Constant>()).props(props()).results(&[ty]))
    }
}

fn is_signless(ctx: &Context, ty: Type) -> bool {
    match ty.data(ctx) {
        TypeData::Index => true,
        TypeData::Integer { signedness, .. } => *signedness == Signedness::Signless,
        _ => false,
    }
}
