//! The types of a language in the conversion that lowers a module, which converts the operations of other dialects.

use crate::{Functional, Parts, flat};
use minoan_ir::{Builder, Context, OpRef, Type, Value};
use minoan_rewrite::{Converted, Lowering};
use minoan_services::UnrealizedCast;

/// The types of the components of a value of type `ty`, if the lowering changes the type.
pub(crate) fn changed<'a, L: Functional<'a>>(ctx: &Context, ty: Type) -> Option<Vec<Type>> {
    if L::is_kept(ctx, ty) || !L::is_value(ctx, ty) {
        return None;
    }
    let types = flat::<L>(ctx, ty);
    (types != [ty]).then_some(types)
}

/// Creates an unrealized cast, unless there are no results.
pub fn cast(b: &mut Builder<'_>, values: &[Value], types: &[Type]) -> Parts {
    let ctx = b.context();
    let service = <dyn UnrealizedCast>::kind(&ctx).and_then(|kind| ctx.service::<dyn UnrealizedCast>(kind));
    match service {
        Some(service) if !types.is_empty() => {
            let op = b.create(service.cast(&ctx, values, types));
            b.body().op(op).results().collect()
        }
        _ => Parts::new(),
    }
}

/// Contributes the types of a language to the lowering of a module that also has operations of other dialects: those that
/// forward values of the language are converted, and casts are reconciled. Operations of the language are illegal, except for
/// those that the language lowers by editing the module (see [`Lowering::edited`]).
pub fn contribute<'a, L: Functional<'a>>(lowering: &mut Lowering, is_edited: fn(OpRef<'_>) -> bool) {
    let rule: fn(&Context, Type) -> Option<Converted> =
        |ctx, ty| Some(Converted::from_vec(changed::<L>(ctx, ty)?));
    lowering.types().add(rule).keep_casts();
    lowering.edited(L::DIALECT, is_edited);
}
