//! Canonicalization by MLIR's patterns.
//!
//! MLIR's canonicalizer does not terminate on some branches whose condition it finds out: blocks of a loop without a path from
//! the entry are merged, values there depend on themselves, and `(x + 2) + 2` is folded over and over. Conditions are therefore
//! hidden from it in an operation that it does not know. So are blocks that consist of a branch: it follows chains of them from
//! each branch to the first, in time that is cubic in the depth of nested conditionals. LLVM simplifies branches.

use crate::Backend;
use melior::ir::Module;
use melior::ir::block::BlockLike;
use melior::ir::operation::{OperationBuilder, OperationLike, OperationRef, WalkOrder, WalkResult};
use melior::ir::{BlockRef, Value, ValueLike};
use minoan_diag::Diagnostics;
use mlir_sys::{mlirOperationDestroy, mlirOperationSetOperand, mlirValueReplaceAllUsesOfWith};
use rustc_hash::FxHashSet;

/// The operation that hides a condition.
const COPY: &str = "llvm.intr.ssa.copy";

/// The name of an unregistered operation that represents a branch that is alone in its block.
const JUMP: &str = "minoan.jump";

/// The name of an unregistered operation that uses the arguments of a block that such a branch jumps to. MLIR erases unused
/// arguments, but not the operands of an operation that it does not know as a branch.
const USE: &str = "minoan.use";

/// Canonicalizes a module, except for branches.
///
/// # Errors
/// MLIR's verifier rejects the result.
pub(crate) fn canonicalize(backend: &Backend, module: &mut Module<'_>) -> Result<(), Diagnostics> {
    hide_conditions(module);
    let result = run_without_branches(backend, module, "builtin.module(canonicalize)");
    show_conditions(module);
    result
}

/// Runs passes while branches that are alone in their block are hidden.
///
/// # Errors
/// The errors of the passes.
pub(crate) fn run_without_branches(
    backend: &Backend,
    module: &mut Module<'_>,
    pipeline: &str,
) -> Result<(), Diagnostics> {
    let is_allowed = backend.context().allow_unregistered_dialects();
    backend.context().set_allow_unregistered_dialects(true);
    replace_branches(module, "cf.br", JUMP, |block| block.first_operation() == block.terminator());
    use_arguments(module);
    let result = backend.run_passes(module, pipeline);
    erase(module, USE);
    replace_branches(module, JUMP, "cf.br", |_| true);
    backend.context().set_allow_unregistered_dialects(is_allowed);
    result
}

/// Replaces unconditional branches by another operation with the same operands, in the blocks that `choose` accepts.
fn replace_branches(module: &Module<'_>, from: &str, to: &str, choose: impl Fn(BlockRef<'_, '_>) -> bool) {
    let mut branches = Vec::new();
    module.as_operation().walk(WalkOrder::PreOrder, |operation| {
        if operation.name().as_string_ref().as_str() == Ok(from) && operation.block().is_some_and(&choose) {
            branches.push(operation.to_raw());
        }
        WalkResult::Advance
    });
    for branch in branches {
        // SAFETY: the operation lives, no walk is under way, and a branch has no results.
        unsafe {
            let view = OperationRef::from_raw(branch);
            let (Some(block), Ok(successor)) = (view.block(), view.successor(0)) else { continue };
            let operands: Vec<Value<'_, '_>> = view.operands().collect();
            let new = OperationBuilder::new(to, view.location()).add_operands(&operands);
            let new = new.add_successors(&[&successor]).build().expect("a branch");
            block.insert_operation_before(view, new);
            mlirOperationDestroy(branch);
        }
    }
}

/// Uses the arguments of all blocks that hidden branches jump to.
fn use_arguments(module: &Module<'_>) {
    let mut seen = FxHashSet::default();
    module.as_operation().walk(WalkOrder::PreOrder, |operation| {
        if operation.name().as_string_ref().as_str() == Ok(JUMP)
            && let Ok(successor) = operation.successor(0)
            && let Some(first) = successor.first_operation()
            && successor.argument_count() > 0
            && seen.insert(successor.to_raw().ptr as usize)
        {
            let arguments: Vec<Value<'_, '_>> = (0..successor.argument_count())
                .filter_map(|at| Some(successor.argument(at).ok()?.into()))
                .collect();
            let used = OperationBuilder::new(USE, operation.location()).add_operands(&arguments);
            successor.insert_operation_before(first, used.build().expect("an unregistered operation"));
        }
        WalkResult::Advance
    });
}

/// Erases the operations of this name, which have no results.
fn erase(module: &Module<'_>, name: &str) {
    let mut found = Vec::new();
    module.as_operation().walk(WalkOrder::PreOrder, |operation| {
        if operation.name().as_string_ref().as_str() == Ok(name) {
            found.push(operation.to_raw());
        }
        WalkResult::Advance
    });
    // SAFETY: the operations live, no walk is under way, and they have no results.
    found.into_iter().for_each(|operation| unsafe { mlirOperationDestroy(operation) });
}

/// Makes the conditions of all branches copies.
fn hide_conditions(module: &Module<'_>) {
    module.as_operation().walk(WalkOrder::PreOrder, |operation| {
        if matches!(operation.name().as_string_ref().as_str(), Ok("cf.cond_br" | "cf.switch"))
            && let (Ok(condition), Some(block)) = (operation.operand(0), operation.block())
        {
            let copy = OperationBuilder::new(COPY, operation.location()).add_operands(&[condition]);
            let copy = copy.add_results(&[condition.r#type()]).build().expect("a copy");
            let copy = block.insert_operation_before(operation, copy);
            let copied: Value<'_, '_> = copy.results().next().expect("an operation with a result").into();
            // SAFETY: the branch and the value live, and the condition is the first operand.
            unsafe { mlirOperationSetOperand(operation.to_raw(), 0, copied.to_raw()) };
        }
        WalkResult::Advance
    });
}

/// Removes the copies.
fn show_conditions(module: &Module<'_>) {
    let mut copies = Vec::new();
    module.as_operation().walk(WalkOrder::PreOrder, |operation| {
        if operation.name().as_string_ref().as_str() == Ok(COPY) {
            copies.push(operation.to_raw());
        }
        WalkResult::Advance
    });
    for copy in copies {
        // SAFETY: the operation lives, no walk is under way, and after the replacement its result has no user.
        unsafe {
            let view = OperationRef::from_raw(copy);
            if let (Ok(condition), Some(result)) = (view.operand(0), view.results().next()) {
                let result: Value<'_, '_> = result.into();
                mlirValueReplaceAllUsesOfWith(result.to_raw(), condition.to_raw());
            }
            mlirOperationDestroy(copy);
        }
    }
}
