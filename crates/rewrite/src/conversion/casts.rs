//! Reconciles unrealized casts: cancels inverse ones and materializes the others.

use super::TypeConverter;
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::text::print_type;
use minoan_ir::{Body, Builder, Context, Op, Type, Value};
use minoan_services::UnrealizedCast;
use smallvec::SmallVec;

fn is_cast(body: &Body, op: Op) -> bool {
    body.context().service::<dyn UnrealizedCast>(body.op(op).kind()).is_some()
}

/// Erases casts that cancel and casts that are unused; materializes the others.
///
/// Examines each cast once together with its operand's definition, in any order: linear time.
pub(super) fn reconcile(
    body: &mut Body,
    casts: &[Op],
    converter: Option<&TypeConverter>,
    errors: &mut Diagnostics,
) {
    for &cast in casts {
        if body.contains(cast)
            && let Some(values) = <dyn UnrealizedCast>::undone(body.op(cast))
        {
            let results: SmallVec<[Value; 2]> = body.op(cast).results().collect();
            for (from, to) in results.into_iter().zip(values) {
                body.replace_all_uses(from, to);
            }
        }
    }
    // An erased cast may have been the last use of another one.
    let mut pending: Vec<Op> = casts.to_vec();
    while let Some(cast) = pending.pop() {
        if !body.contains(cast)
            || !is_cast(body, cast)
            || body.op(cast).results().any(|result| body.is_used(result))
        {
            continue;
        }
        pending.extend(body.op(cast).operands().filter_map(|value| body.defining_op(value)));
        body.erase(cast);
    }
    let ctx = body.context().clone();
    for &cast in casts {
        if !body.contains(cast) {
            continue;
        }
        let view = body.op(cast);
        let values: Vec<Value> = view.operands().collect();
        let types: Vec<Type> = view.result_types().collect();
        let loc = view.loc();
        let made = converter.and_then(|converter| {
            converter.materialize(&mut Builder::before(body, cast).with_loc(loc), &values, &types)
        });
        match made {
            Some(made) => body.replace(cast, &made),
            None if converter.is_some_and(TypeConverter::keeps_casts) => {}
            None => errors.push(unresolved(&ctx, body, cast)),
        }
    }
}

fn unresolved(ctx: &Context, body: &Body, cast: Op) -> Diagnostic {
    let view = body.op(cast);
    let list = |types: &mut dyn Iterator<Item = Type>| {
        let types: Vec<String> = types.map(|ty| format!("'{}'", print_type(ctx, ty))).collect();
        format!("({})", types.join(", "))
    };
    let (from, to) = (list(&mut view.operand_types()), list(&mut view.result_types()));
    let error = Diagnostic::error(format!(
        "failed to legalize unresolved materialization from {from} to {to} that remained live after conversion"
    ))
    .at(view.loc().place(ctx));
    let producer = view.operands().find_map(|value| body.defining_op(value)).map(|op| body.op(op));
    let error = match producer {
        Some(op) => error.note_at(op.loc().place(ctx), format!("the value was made here: '{}'", op.name())),
        None => error,
    };
    let user = view.results().find_map(|result| body.uses(result).next()).map(|at| body.op(at.op));
    match user {
        Some(user) => {
            error.note_at(user.loc().place(ctx), format!("see existing live user here: '{}'", user.name()))
        }
        None => error,
    }
}
