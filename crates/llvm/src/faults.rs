//! Failed assertions with values become one call.
//!
//! An assertion that shows values is lowered to calls of `minoan_assert_values`, `minoan_assert_message` and `minoan_abort`, one
//! after the other. One call of `minoan_assert_fail_values` in their place costs the inliner as much as the two calls of an
//! assertion without values, so functions with assertions are inlined as before.

use crate::error::llvm_error;
use crate::masked_stores::calls_of;
use inkwell::AddressSpace;
use inkwell::llvm_sys::core::{
    LLVMBuildCall2, LLVMCreateBuilderInContext, LLVMDisposeBuilder, LLVMGetCalledValue, LLVMGetModuleContext,
    LLVMGetNextInstruction, LLVMGetNumArgOperands, LLVMGetOperand, LLVMInstructionEraseFromParent,
    LLVMIsACallInst, LLVMPositionBuilderBefore,
};
use inkwell::llvm_sys::prelude::{LLVMBuilderRef, LLVMValueRef};
use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::TargetMachine;
use inkwell::types::AsTypeRef;
use inkwell::values::{AsValueRef, FunctionValue};
use minoan_diag::Diagnostic;

/// Joins the calls of failed assertions with values.
///
/// # Errors
/// The errors of LLVM's passes.
pub(crate) fn join_calls(module: &Module<'_>, machine: &TargetMachine) -> Result<(), Diagnostic> {
    let declared =
        |name: &str| module.get_function(name).filter(|function| function.count_basic_blocks() == 0);
    let functions = ["minoan_assert_values", "minoan_assert_message", "minoan_abort"].map(declared);
    let [Some(values), Some(message), Some(abort)] = functions else { return Ok(()) };
    // The calls are in several blocks at first.
    module
        .run_passes("function(simplifycfg)", machine, PassBuilderOptions::create())
        .map_err(|error| llvm_error("LLVM's optimizer failed", error))?;
    let context = module.get_context();
    let mut arguments = values.get_type().get_param_types();
    arguments.insert(0, context.ptr_type(AddressSpace::default()).into());
    let ty = context.void_type().fn_type(&arguments, false);
    let fail = module.add_function("minoan_assert_fail_values", ty, None);
    // SAFETY: the calls are of this module, each occurs once, and none is used after it has been erased; the builder is
    // disposed of once.
    unsafe {
        let builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module.as_mut_ptr()));
        for call in calls_of(values) {
            join(builder, call, [message, abort], fail);
        }
        LLVMDisposeBuilder(builder);
    }
    Ok(())
}

/// Replaces a call and the calls of `then` that follow it by a call of `fail`, if they follow.
///
/// # Safety
/// `call` is a call in the module of the functions, and not used after this.
unsafe fn join(
    builder: LLVMBuilderRef,
    call: LLVMValueRef,
    then: [FunctionValue<'_>; 2],
    fail: FunctionValue<'_>,
) {
    // SAFETY: by the contract; the arguments are those of the joined functions, of which no result is used: the last one does
    // not return.
    unsafe {
        let next = |instruction: LLVMValueRef, function: FunctionValue<'_>| {
            let next = LLVMGetNextInstruction(instruction);
            let calls = !next.is_null()
                && !LLVMIsACallInst(next).is_null()
                && LLVMGetCalledValue(next) == function.as_value_ref();
            calls.then_some(next)
        };
        let Some(message) = next(call, then[0]) else { return };
        let Some(abort) = next(message, then[1]) else { return };
        let mut arguments = vec![LLVMGetOperand(message, 0)];
        arguments.extend((0..LLVMGetNumArgOperands(call)).map(|at| LLVMGetOperand(call, at)));
        LLVMPositionBuilderBefore(builder, call);
        let (ty, count) = (fail.get_type().as_type_ref(), arguments.len() as u32);
        LLVMBuildCall2(builder, ty, fail.as_value_ref(), arguments.as_mut_ptr(), count, c"".as_ptr());
        for joined in [abort, message, call] {
            LLVMInstructionEraseFromParent(joined);
        }
    }
}
