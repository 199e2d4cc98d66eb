//! Patterns for constants and tuples that other patterns create: the rules of operators then find constants and components.

use super::constant;
use crate::dialect::{Constant, Get, MakeTuple};
use minoan_ir::{OpDef, OpRef, Type};
use minoan_rewrite::{NoMatch, PatternSet, TypeConversion, TypeConverter, Values};
use std::sync::Arc;

/// Whether an operation is converted by one of the patterns.
pub(super) fn is_value(op: OpRef<'_>) -> bool {
    op.is::<Constant>() || op.is::<MakeTuple>() || op.is::<Get>()
}

pub(super) fn patterns(patterns: &mut PatternSet, types: &Arc<TypeConverter>) {
    patterns.on_types::<Constant>("convert-relay-constant", types, |op, see| {
        let value = op.value(see.rewriter.body());
        let value = constant(&mut see.rewriter.builder(), value);
        see.replace_flat(op, &[value])
    });
    patterns.on_types::<MakeTuple>("convert-relay-tuple", types, |op, see| {
        let parts: Values = see.operands(op.op())?.into_iter().flatten().collect();
        see.replace_flat(op, &parts)
    });
    patterns.on_types::<Get>("convert-relay-get", types, get);
}

fn get(op: Get, see: &mut TypeConversion<'_, '_, '_>) -> Result<(), NoMatch> {
    let body = see.rewriter.body();
    let tuple = op.tuple(body);
    let types: Vec<Type> = body.ty(tuple).as_tuple(body.context()).unwrap_or(&[]).to_vec();
    let missing = || NoMatch::because("there is no such component");
    let index = usize::try_from(op.index(body)).ok().filter(|&index| index < types.len());
    let index = index.ok_or_else(missing)?;
    let before = see.convert_types(&types[..index])?.len();
    let count = see.convert_types(&types[index..=index])?.len();
    let parts = see.value(tuple)?;
    see.replace_flat(op, parts.get(before..before + count).ok_or_else(missing)?)
}
