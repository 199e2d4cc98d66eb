//! `cf.assert`, `cf.br` and `cf.cond_br`.

use crate::{evaluate, flow, generate, reduce};
use minoan_ir::constraints::{ANY, I1};
use minoan_ir::verify::bare;
use minoan_ir::{Attr, Body, Builder, Op, OpRef, Value, Violations, op};
use minoan_services::{
    Assertion, Branches, EffectSet, Effects, Evaluate, FirstCondition, Generate, Ownership, Reduce,
};

/// Stops the program with a message if a condition is false.
#[op(
    "cf.assert",
    assembly = "$arg `,` $msg attr-dict",
    services(Evaluate = evaluate::Check, Effects = EffectSet::OUTSIDE, Assertion = FirstCondition)
)]
pub struct Assert {
    /// The condition.
    arg: Operand<I1>,
    /// The message.
    msg: String,
}

/// Emits a [`cf.assert`](Assert), which stops the program with `message` if `condition` is false. A condition that is the
/// constant `true` needs no assertion.
pub fn assert(b: &mut Builder<'_>, condition: Value, message: &str) {
    if minoan_arith::constant_value(b.body(), condition) != Some(Attr::TRUE) {
        Assert::build(b, condition, message);
    }
}

/// An unconditional branch: `cf.br ^bb1(%a : i32)`.
#[op(
    "cf.br",
    traits(PURE, TERMINATOR),
    assembly = "$dest (`(` $dest_operands^ `:` type($dest_operands) `)`)? attr-dict",
    verify = verify_br,
    services(
        Evaluate = evaluate::Jump,
        Branches = flow::Always,
        Ownership = flow::ForwardedTensors,
        Generate = generate::AnyLoop,
        Reduce = reduce::Join,
    )
)]
pub struct Br {
    /// The arguments of the target block.
    dest_operands: Vec<Operand<ANY>>,
    dest: Block,
}

/// A conditional branch: `cf.cond_br %c, ^bb1(%a : i32), ^bb2`.
#[op(
    "cf.cond_br",
    traits(PURE, TERMINATOR, OPERAND_SEGMENTS),
    assembly = "$condition (`weights` `(` $branch_weights^ `)`)? `,` \
                 $true_dest (`(` $true_operands^ `:` type($true_operands) `)`)? `,` \
                 $false_dest (`(` $false_operands^ `:` type($false_operands) `)`)? attr-dict",
    verify = verify_cond_br,
    services(
        Evaluate = evaluate::Choose,
        Branches = flow::ByCondition,
        Ownership = flow::ForwardedTensors,
        Generate = generate::AnyCondBr,
        Reduce = reduce::OneSuccessor,
    )
)]
pub struct CondBr {
    condition: Operand<I1>,
    /// The arguments of the true block.
    true_operands: Vec<Operand<ANY>>,
    /// The arguments of the false block.
    false_operands: Vec<Operand<ANY>>,
    /// The relative branch weights.
    branch_weights: Option<Vec<i32>>,
    /// The target if the condition is true.
    true_dest: Block,
    /// The target if the condition is false.
    false_dest: Block,
}

fn verify_br(body: &Body, op: Op, errors: &mut Violations) {
    let operands: Vec<Value> = body.op(op).operands().collect();
    verify_successor(body, op, 0, &operands, errors);
}

fn verify_cond_br(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    for successor in 0..2 {
        verify_successor(body, op, successor, &view.operand_group(successor + 1), errors);
    }
    // Upstream reports one violation of an operation.
    if errors.is_empty() {
        verify_weights(view, errors);
    }
}

/// Checks that there is a weight for each successor, and that not all of them are zero.
fn verify_weights(op: OpRef<'_>, errors: &mut Violations) {
    let weights = op.attr_named("branch_weights").and_then(|weights| weights.as_dense_i32(op.context()));
    let weights = weights.unwrap_or_default();
    if weights.is_empty() {
        return;
    }
    if weights.len() != op.n_successors() {
        let (weights, successors) = (weights.len(), op.n_successors());
        errors.push(bare(format!(
            "expects number of branch weights to match number of successors: {weights} vs {successors}"
        )));
    } else if weights.iter().all(|&weight| weight == 0) {
        errors.push(bare("branch weights cannot all be zero"));
    }
}

/// Verifies that the forwarded operands match the arguments of a successor.
pub(crate) fn verify_successor(
    body: &Body,
    op: Op,
    successor: usize,
    operands: &[Value],
    errors: &mut Violations,
) {
    let Some(block) = body.op(op).successors().nth(successor) else { return };
    let block = body.block(block);
    if block.n_args() != operands.len() {
        return errors.push(bare(format!(
            "branch has {} operands for successor #{successor}, but target block has {}",
            operands.len(),
            block.n_args()
        )));
    }
    for (index, (arg, &operand)) in block.args().zip(operands).enumerate() {
        if body.ty(arg) != body.ty(operand) {
            return errors
                .push(bare(format!("type mismatch for bb argument #{index} of successor #{successor}")));
        }
    }
}
