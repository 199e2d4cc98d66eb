//! The equivalents of operations in MLIR: structures of the `llvm` dialect, to which MLIR converts complex types.

use crate::*;
use minoan_ir::{Attr, Context, OpRef, Type};
use minoan_services::{InMlir, MlirSequence, MlirValue, ToMlir};

/// Operations on the parts of numbers as accesses to structures; other operations are expanded first.
pub(crate) struct Structures;

/// The structure that represents numbers of a type.
fn structure(ctx: &Context, part: Type) -> Type {
    let part = minoan_ir::text::print_type(ctx, part);
    Type::opaque(ctx, "llvm", &format!(".struct<({part}, {part})>"))
}

fn position(ctx: &Context, at: i64) -> Attr {
    Attr::dictionary(ctx, &[(ctx.name("position"), Attr::dense_i64(ctx, &[at]))])
}

/// Makes a number of parts.
fn assembled(ctx: &Context, mut sequence: MlirSequence, parts: [MlirValue; 2], ty: Type) -> Option<InMlir> {
    let structure = structure(ctx, part_type(ctx, ty)?);
    let poison = sequence.push("llvm.mlir.poison", &[], &[structure], Attr::EMPTY_PROPS);
    let mut value = MlirValue::Result(poison, 0);
    for (at, part) in parts.into_iter().enumerate() {
        let inserted =
            sequence.push("llvm.insertvalue", &[value, part], &[structure], position(ctx, at as i64));
        value = MlirValue::Result(inserted, 0);
    }
    let cast = sequence.push("builtin.unrealized_conversion_cast", &[value], &[ty], Attr::EMPTY_PROPS);
    sequence.results.push(MlirValue::Result(cast, 0));
    Some(InMlir::Sequence(sequence))
}

fn created(op: OpRef<'_>) -> Option<InMlir> {
    let parts = [MlirValue::Operand(0), MlirValue::Operand(1)];
    assembled(op.context(), MlirSequence::default(), parts, op.result_types().next()?)
}

fn constant(op: OpRef<'_>) -> Option<InMlir> {
    let (ctx, ty) = (op.context(), op.result_types().next()?);
    let &[re, im] = op.attr(ctx.names().value)?.as_array(ctx)? else { return None };
    let (mut sequence, part) = (MlirSequence::default(), part_type(ctx, ty)?);
    let parts = [re, im].map(|value| {
        let props = Attr::dictionary(ctx, &[(ctx.names().value, value)]);
        MlirValue::Result(sequence.push("arith.constant", &[], &[part], props), 0)
    });
    assembled(ctx, sequence, parts, ty)
}

fn taken(op: OpRef<'_>, at: i64) -> Option<InMlir> {
    let (ctx, part) = (op.context(), op.result_types().next()?);
    let mut sequence = MlirSequence::default();
    let (operand, structure) = ([MlirValue::Operand(0)], [structure(ctx, part)]);
    let cast = sequence.push("builtin.unrealized_conversion_cast", &operand, &structure, Attr::EMPTY_PROPS);
    let operand = [MlirValue::Result(cast, 0)];
    let part = sequence.push("llvm.extractvalue", &operand, &[part], position(ctx, at));
    sequence.results.push(MlirValue::Result(part, 0));
    Some(InMlir::Sequence(sequence))
}

impl ToMlir for Structures {
    fn operation(&self, op: OpRef<'_>) -> InMlir {
        let form = match () {
            () if op.is::<Create>() => created(op),
            () if op.is::<Constant>() => constant(op),
            () if op.is::<Re>() => taken(op, 0),
            () if op.is::<Im>() => taken(op, 1),
            () => None,
        };
        form.unwrap_or_else(|| InMlir::Nothing("'expand-math' must expand it first".to_owned()))
    }
}
