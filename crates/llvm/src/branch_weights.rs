//! Branch weights of recursive calls.

use crate::loops::successors;
use crate::recursion::{callee, name_of};
use inkwell::basic_block::BasicBlock;
use inkwell::module::Module;
use inkwell::values::InstructionOpcode;
use std::collections::HashSet;

/// The branch weight of the successor with a recursive call; the weight of the other successor is 1.
const EXPECTED_CALLS: u64 = 31;
/// The maximum number of blocks that a search for a back edge visits.
const MAX_WAY_BACK: usize = 64;

/// Attaches branch weights to conditional branches in a loop if one successor calls the function recursively: that successor is
/// likely. Such a loop comes from a tail call, as in Ackermann's function, and block placement then puts the recursive call on
/// the fall-through path.
pub(crate) fn expect_calls(module: &Module<'_>) {
    let context = module.get_context();
    let kind = context.get_kind_id("prof");
    for function in module.get_functions() {
        let name = name_of(function);
        let calls_itself = |block: &BasicBlock<'_>| {
            let mut calls = block.get_instructions().filter(|it| it.get_opcode() == InstructionOpcode::Call);
            calls.any(|call| callee(call).as_ref() == Some(&name))
        };
        let calling: HashSet<BasicBlock<'_>> = function.get_basic_block_iter().filter(calls_itself).collect();
        if calling.is_empty() {
            continue;
        }
        for block in function.get_basic_block_iter() {
            let Some(branch) = block.get_terminator() else { continue };
            // LLVM lists the successor for a false condition first.
            let [other, first] = successors(branch).collect::<Vec<_>>()[..] else { continue };
            let likely = match (calling.contains(&first), calling.contains(&other)) {
                (true, false) => [EXPECTED_CALLS, 1],
                (false, true) => [1, EXPECTED_CALLS],
                _ => continue,
            };
            let is_loop = leads_to(first, block) && leads_to(other, block);
            if branch.get_opcode() != InstructionOpcode::Br || branch.get_metadata(kind).is_some() || !is_loop
            {
                continue;
            }
            let weights = likely.map(|weight| context.i32_type().const_int(weight, false).into());
            let label = context.metadata_string("branch_weights").into();
            let node = context.metadata_node(&[label, weights[0], weights[1]]);
            // Branches take metadata.
            let _attached = branch.set_metadata(node, kind);
        }
    }
}

/// Whether `to` is reachable from `from`, as far as a search of [`MAX_WAY_BACK`] blocks finds.
fn leads_to<'ctx>(from: BasicBlock<'ctx>, to: BasicBlock<'ctx>) -> bool {
    let mut pending = vec![from];
    let mut seen: HashSet<BasicBlock<'_>> = HashSet::from([from]);
    while let Some(block) = pending.pop() {
        if block == to {
            return true;
        }
        if seen.len() < MAX_WAY_BACK {
            let next = block.get_terminator().into_iter().flat_map(successors);
            pending.extend(next.filter(|&block| seen.insert(block)));
        }
    }
    false
}
