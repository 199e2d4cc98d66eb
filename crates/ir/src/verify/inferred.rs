//! Rule 35: inferred result types.

use super::{Report, Violation, type_text};
use crate::{Context, InferInput, OpRef, OpSpec, Traits, Type};
use smallvec::{SmallVec, smallvec};

type Types = SmallVec<[Type; 4]>;

pub(super) fn check(report: &mut Report, op: OpRef<'_>, spec: &OpSpec) {
    let (ctx, have) = (op.context(), op.result_types().collect::<Types>());
    match infer(op, spec) {
        None => return,
        Some(Ok(want)) => {
            if want == have || spec.compatible.is_some_and(|compatible| compatible(ctx, &want, &have)) {
                return;
            }
            let message = format!(
                "inferred type(s) {} are incompatible with return type(s) of operation {}",
                list(ctx, &want),
                list(ctx, &have)
            );
            let odd = have.iter().zip(&want).position(|(have, want)| have != want);
            let violation = Violation::from(message);
            report.op(
                op,
                match odd {
                    Some(index) => violation.about_result(index),
                    None => violation,
                },
            );
        }
        Some(Err(message)) => report.op(op, message),
    }
    report.op(op, "failed to infer returned types");
}

/// The inferred result types, if they can be inferred.
fn infer(op: OpRef<'_>, spec: &OpSpec) -> Option<Result<Types, String>> {
    let operands: Types = op.operand_types().collect();
    let input = InferInput { ctx: op.context(), operands: &operands, props: op.props() };
    if let Some(types) = spec.infer_types(&input) {
        return Some(types.map(Types::from_vec));
    }
    let first = operands.first().copied().filter(|_| spec.traits.has(Traits::SAME_OPERANDS_AND_RESULT))?;
    Some(Ok(smallvec![first; op.n_results()]))
}

/// Prints `'i32', 'index'`.
fn list(ctx: &Context, types: &[Type]) -> String {
    types.iter().map(|&ty| format!("'{}'", type_text(ctx, ty))).collect::<Vec<_>>().join(", ")
}
