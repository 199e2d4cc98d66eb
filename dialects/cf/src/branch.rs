//! Assertions and branches.

use minoan_ir::constraints::{ANY, DENSE_I32, I1, STRING_ATTR};
use minoan_ir::verify::bare;
use minoan_ir::{Body, Op, Value, Violations, op};

/// Stops the program with a message where a condition is false.
#[op("cf.assert", assembly = "$arg `,` $msg attr-dict")]
pub struct Assert {
    /// What must be true.
    #[operand(I1)]
    arg: Value,
    /// What to say when it is false.
    #[attr(STRING_ATTR)]
    msg: Attr,
}

/// Goes to a block: `cf.br ^bb1(%a : i32)`.
#[op("cf.br",
     traits(PURE, TERMINATOR),
     assembly = "$dest (`(` $dest_operands^ `:` type($dest_operands) `)`)? attr-dict",
     verify = verify_br)]
pub struct Br {
    /// The arguments of the block.
    #[operand(ANY)]
    dest_operands: Vec<Value>,
    #[successor]
    dest: Block,
}

/// Goes to one of two blocks: `cf.cond_br %c, ^bb1(%a : i32), ^bb2`.
#[op("cf.cond_br",
     traits(PURE, TERMINATOR, OPERAND_SEGMENTS),
     assembly = "$condition (`weights` `(` $branch_weights^ `)`)? `,` \
                 $true_dest (`(` $true_operands^ `:` type($true_operands) `)`)? `,` \
                 $false_dest (`(` $false_operands^ `:` type($false_operands) `)`)? attr-dict",
     verify = verify_cond_br)]
pub struct CondBr {
    #[operand(I1)]
    condition: Value,
    /// The arguments of the block for true.
    #[operand(ANY)]
    true_operands: Vec<Value>,
    /// The arguments of the block for false.
    #[operand(ANY)]
    false_operands: Vec<Value>,
    /// How likely each block is, relative to the other.
    #[attr(DENSE_I32)]
    branch_weights: Option<Attr>,
    /// Where control goes for true.
    #[successor]
    true_dest: Block,
    /// Where control goes for false.
    #[successor]
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
}

/// Whether the operands for a successor fit the arguments of its block.
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
