//! Hints for loops.

use inkwell::basic_block::BasicBlock;
use inkwell::llvm_sys::core::{
    LLVMGetMDKindIDInContext, LLVMMDNodeInContext2, LLVMMDStringInContext2, LLVMMetadataAsValue,
    LLVMSetMetadata,
};
use inkwell::llvm_sys::debuginfo::{LLVMMetadataReplaceAllUsesWith, LLVMTemporaryMDNode};
use inkwell::llvm_sys::prelude::LLVMContextRef;
use inkwell::module::Module;
use inkwell::types::AnyTypeEnum;
use inkwell::values::{AsValueRef, FunctionValue, InstructionValue};
use std::collections::HashMap;

/// In functions with more loops than this, no loop is unrolled: the copies of 200 small tensors become a block of 10,000
/// instructions, which LLVM takes seconds to select and to schedule.
const MANY: usize = 128;

/// Keeps LLVM from unrolling the loops of functions that compute on vectors, and of those with [many](MANY) loops. The former
/// come from kernels, whose plans determine the unrolling; otherwise LLVM unrolls short loops completely and keeps the elements
/// that two of them read in registers, which causes spills.
///
/// Assumes that a branch to its own or an earlier block, in the order of the function, is a back edge: MLIR's lowering places the
/// header of a loop before its body. A back edge to a later block would lack the hint, and the hint has no effect on a backward
/// branch that closes no loop; the meaning of the program never changes.
pub(crate) fn limit_unrolling(module: &Module<'_>) {
    let context = module.get_context().raw();
    for function in module.get_functions() {
        let back_edges = back_edges(function);
        if back_edges.len() > MANY || computes_on_vectors(function) {
            back_edges.into_iter().for_each(|last| disable_unrolling(context, last));
        }
    }
}

fn back_edges(function: FunctionValue<'_>) -> Vec<InstructionValue<'_>> {
    let order: HashMap<BasicBlock<'_>, usize> =
        function.get_basic_block_iter().enumerate().map(|(at, block)| (block, at)).collect();
    let mut edges = Vec::new();
    for (at, block) in function.get_basic_block_iter().enumerate() {
        let Some(last) = block.get_terminator() else { continue };
        if successors(last).any(|to| order.get(&to).is_some_and(|&to| to <= at)) {
            edges.push(last);
        }
    }
    edges
}

fn computes_on_vectors(function: FunctionValue<'_>) -> bool {
    let mut all = function.get_basic_block_iter().flat_map(|block| block.get_instructions());
    all.any(|instruction| matches!(instruction.get_type(), AnyTypeEnum::VectorType(_)))
}

/// The blocks that a terminator leads to: of a branch with a condition, first the one if it is false.
pub(crate) fn successors(last: InstructionValue<'_>) -> impl Iterator<Item = BasicBlock<'_>> {
    (0..last.get_num_operands()).filter_map(move |at| last.get_operand(at)?.block())
}

/// Attaches the metadata `llvm.loop.unroll.disable` to the branch at the end of a loop.
fn disable_unrolling(context: LLVMContextRef, last: InstructionValue<'_>) {
    let (kind, disable) = ("llvm.loop", "llvm.loop.unroll.disable");
    // SAFETY: the context is that of the instruction; strings are passed with their lengths, arrays with theirs. The
    // temporary node is replaced, and so deleted, before it is used elsewhere.
    unsafe {
        let mut disable = LLVMMDStringInContext2(context, disable.as_ptr().cast(), disable.len());
        let disable = LLVMMDNodeInContext2(context, &raw mut disable, 1);
        // The first operand of the node of a loop is the node itself.
        let own = LLVMTemporaryMDNode(context, std::ptr::null_mut(), 0);
        let mut parts = [own, disable];
        let node = LLVMMDNodeInContext2(context, parts.as_mut_ptr(), parts.len());
        LLVMMetadataReplaceAllUsesWith(own, node);
        let kind = LLVMGetMDKindIDInContext(context, kind.as_ptr().cast(), kind.len() as u32);
        LLVMSetMetadata(last.as_value_ref(), kind, LLVMMetadataAsValue(context, node));
    }
}
