//! Reconciles unrealized casts: cancels inverse ones and materializes the others.

use super::TypeConverter;
use crate::FrozenPatterns;
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::text::print_type;
use minoan_ir::{Body, Builder, Context, Loc, Op, OpKind, OpRef, Type, Value};
use minoan_services::UnrealizedCast;
use smallvec::SmallVec;

/// The operation whose conversion created a cast. It may have been erased since.
#[derive(Clone, Copy)]
pub(super) struct Cause {
    pub(super) kind: OpKind,
    pub(super) loc: Loc,
    /// The pattern that converted it, by its number; `None` if the cast is for an argument of a nested body, whose signature
    /// was converted.
    pub(super) pattern: Option<u32>,
}

/// A cast that a conversion created.
#[derive(Clone, Copy)]
pub(super) struct Cast {
    pub(super) op: Op,
    pub(super) cause: Option<Cause>,
}

/// The kinds of operations that are unrealized casts: usually one.
#[derive(Clone, Default)]
pub(super) struct CastKinds(SmallVec<[OpKind; 1]>);

impl CastKinds {
    pub(super) fn of(ctx: &Context) -> Self {
        let table = ctx.service_table::<dyn UnrealizedCast>();
        let kinds = table
            .into_iter()
            .flat_map(|table| ctx.registered_kinds().filter(move |&kind| table.get(kind).is_some()));
        Self(kinds.collect())
    }

    pub(super) fn contains(&self, op: OpRef<'_>) -> bool {
        self.0.contains(&op.kind())
    }
}

fn is_cast(body: &Body, op: Op) -> bool {
    body.context().service::<dyn UnrealizedCast>(body.op(op).kind()).is_some()
}

/// Erases the unrealized casts of a body and of all nested bodies that cancel or are unused, in linear time.
pub fn reconcile_casts(body: &mut Body) {
    materialize_casts(body, &TypeConverter::new());
}

/// Erases the unrealized casts of a body and of all nested bodies that cancel or are unused, and materializes others, in linear
/// time. Returns whether casts remain.
pub(super) fn materialize_casts(body: &mut Body, converter: &TypeConverter) -> bool {
    let kinds = CastKinds::of(body.context());
    let (mut pending, mut remain) = (vec![body], false);
    while let Some(body) = pending.pop() {
        let casts: Vec<Op> = body.walk().into_iter().filter(|&op| kinds.contains(body.op(op))).collect();
        cancel(body, casts.clone());
        for cast in casts.into_iter().filter(|&cast| body.contains(cast)).collect::<Vec<_>>() {
            match materialized(body, cast, converter) {
                Some(made) => body.replace(cast, &made),
                None => remain = true,
            }
        }
        pending.extend(body.nested_bodies_mut());
    }
    remain
}

/// Materializes a cast before it.
fn materialized(body: &mut Body, cast: Op, converter: &TypeConverter) -> Option<Vec<Value>> {
    let view = body.op(cast);
    let values: Vec<Value> = view.operands().collect();
    let types: Vec<Type> = view.result_types().collect();
    converter.materialize(&mut Builder::before(body, cast), &values, &types)
}

/// Erases those of the casts that cancel or are unused.
fn cancel(body: &mut Body, casts: Vec<Op>) {
    for &cast in &casts {
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
    let mut pending = casts;
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
}

/// The error for a cast that remains after a conversion.
pub fn unresolved_cast(cast: OpRef<'_>) -> Diagnostic {
    unresolved(cast, None)
}

/// Erases casts that cancel and casts that are unused; materializes the others.
///
/// Examines each cast once together with its operand's definition, in any order: linear time.
pub(super) fn reconcile(
    body: &mut Body,
    casts: &[Cast],
    converter: Option<&TypeConverter>,
    patterns: &FrozenPatterns,
    errors: &mut Diagnostics,
) {
    cancel(body, casts.iter().map(|cast| cast.op).collect());
    for &Cast { op: cast, cause } in casts {
        if !body.contains(cast) {
            continue;
        }
        match converter.and_then(|converter| materialized(body, cast, converter)) {
            Some(made) => body.replace(cast, &made),
            None if converter.is_some_and(TypeConverter::keeps_casts) => {}
            None => errors.push(unresolved(body.op(cast), cause.map(|cause| (cause, patterns)))),
        }
    }
}

fn unresolved(view: OpRef<'_>, cause: Option<(Cause, &FrozenPatterns)>) -> Diagnostic {
    let (body, ctx) = (view.body(), view.context());
    let list = |types: &mut dyn Iterator<Item = Type>| {
        let types: Vec<String> = types.map(|ty| format!("'{}'", print_type(ctx, ty))).collect();
        format!("({})", types.join(", "))
    };
    let (from, to) = (list(&mut view.operand_types()), list(&mut view.result_types()));
    let mut error = Diagnostic::error(format!(
        "failed to legalize unresolved materialization from {from} to {to} that remained live after conversion"
    ))
    .at(view.loc().place(ctx));
    if let Some((Cause { kind, loc, pattern }, patterns)) = cause {
        let name = ctx.kind_name(kind);
        let note = match pattern {
            Some(number) => {
                let pattern = patterns.pattern(number).name();
                format!("the cast was created when pattern '{pattern}' converted '{name}'")
            }
            None => format!("the cast was created when the signature of '{name}' was converted"),
        };
        error = error.note_at(loc.place(ctx), note);
    }
    let producer = view.operands().find_map(|value| body.defining_op(value)).map(|op| body.op(op));
    // An operation that a pattern created has the location of the one that it converted.
    if let Some(op) = producer.filter(|op| cause.is_none_or(|(cause, _)| cause.loc != op.loc())) {
        error = error.note_at(op.loc().place(ctx), format!("the value was made here: '{}'", op.name()));
    }
    let user = view.results().find_map(|result| body.uses(result).next()).map(|at| body.op(at.op));
    match user {
        Some(user) => {
            error.note_at(user.loc().place(ctx), format!("see existing live user here: '{}'", user.name()))
        }
        None => error,
    }
}
