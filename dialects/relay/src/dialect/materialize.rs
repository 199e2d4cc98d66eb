//! Materialization of constants.

use super::control::Constant;
use super::types::is_tensor;
use minoan_ir::{Attr, AttrData, Context, DYNAMIC, OpDef, OpState, Type, TypeData};
use minoan_services::ConstantMaterializer;

/// `relay.constant` for dense tensors.
pub(crate) struct Constants;

impl ConstantMaterializer for Constants {
    fn materialize(&self, ctx: &Context, value: Attr, ty: Type) -> Option<OpState> {
        let TypeData::RankedTensor { shape, encoding: None, .. } = ty.data(ctx) else { return None };
        let is_dense = matches!(value.data(ctx), AttrData::DenseElements { .. });
        let fits =
            is_dense && value.value_type(ctx) == Some(ty) && is_tensor(ctx, ty) && !shape.contains(&DYNAMIC);
        let props = || Attr::dictionary(ctx, &[(ctx.names().value, value)]);
        fits.then(|| OpState::named(ctx, Constant::SPEC.name).props(props()).results(&[ty]))
    }
}
