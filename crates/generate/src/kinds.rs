//! The operations and types from which random modules are built.

use crate::Choices;
use minoan_ir::{Context, OpKind, OpSpec, Traits, Type};
use minoan_services::{Evaluate, Generate};

/// An operation that can be generated.
#[derive(Clone, Copy)]
pub(crate) struct Candidate {
    pub(crate) kind: OpKind,
    pub(crate) weight: usize,
    /// Whether the operation has regions or successors.
    pub(crate) nests: bool,
    pub(crate) branches: bool,
    pub(crate) pure: bool,
}

/// The operations that can be generated, grouped by dialect: a dialect is chosen first, so that small dialects are
/// tested as often as large ones.
pub(crate) fn candidates(ctx: &Context) -> Vec<Vec<Candidate>> {
    let candidate = |&kind: &OpKind| {
        let spec: &OpSpec = ctx.spec(kind)?;
        let weight = ctx.service::<dyn Generate>(kind)?.weight(ctx, kind);
        ctx.service::<dyn Evaluate>(kind)?;
        let branches = !spec.successors.is_empty();
        let nests = branches || !spec.regions.is_empty();
        let pure = spec.traits.has(Traits::PURE) && !nests;
        (weight > 0).then_some(Candidate { kind, weight, nests, branches, pure })
    };
    let of_dialects =
        ctx.dialects().iter().map(|dialect| dialect.ops().iter().filter_map(candidate).collect());
    of_dialects.filter(|all: &Vec<Candidate>| !all.is_empty()).collect()
}

/// The scalar types that the interpreter and compiled programs support.
const SCALARS: [Type; 9] =
    [Type::I32, Type::I64, Type::F32, Type::I8, Type::F64, Type::I16, Type::INDEX, Type::F16, Type::BF16];

/// Chooses a few types for one module; few, so that values of the same type are available.
pub(crate) fn types(ctx: &Context, choices: &mut Choices<'_>) -> Vec<Type> {
    let mut scalars = vec![Type::I1, Type::INDEX];
    for _ in 0..2 + choices.below(3) {
        scalars.push(choices.pick(&SCALARS));
    }
    if choices.rarely(8) {
        scalars.push(Type::integer(ctx, choices.pick(&[3, 24, 63, 65, 96, 128, 129, 256])));
    }
    let shaped: Vec<Type> = ctx
        .dialects()
        .iter()
        .filter_map(|dialect| dialect.service::<dyn Generate>())
        .flat_map(|service| service.types(ctx))
        .collect();
    let mut types = scalars.clone();
    for _ in 0..if shaped.is_empty() { 0 } else { 3 + choices.below(6) } {
        let shape = choices.pick(&shaped);
        let ty = shape.with_element(ctx, choices.pick(&scalars)).unwrap_or(shape);
        types.push(ty);
    }
    // Sorted by choice, since the ids of types differ between contexts.
    let mut distinct = Vec::new();
    types.into_iter().for_each(|ty| {
        if !distinct.contains(&ty) {
            distinct.push(ty);
        }
    });
    distinct
}
