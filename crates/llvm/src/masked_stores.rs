//! Masked stores of one element become stores of a scalar.
//!
//! LLVM 22's code generator for AVX-512 combines a truncation with the masked store of its result, and then replaces a masked
//! store whose mask is constant and has one lane by a store of that element, but of the element before the truncation: eight
//! bytes for an `i64` that is truncated to `i8` (LLVM issue 179489).

use inkwell::llvm_sys::core::{
    LLVMBuildExtractElement, LLVMBuildGEP2, LLVMBuildStore, LLVMConstInt, LLVMConstIntGetZExtValue,
    LLVMCreateBuilderInContext, LLVMDisposeBuilder, LLVMGetAggregateElement, LLVMGetCallSiteEnumAttribute,
    LLVMGetEnumAttributeKindForName, LLVMGetEnumAttributeValue, LLVMGetFirstUse, LLVMGetModuleContext,
    LLVMGetNextUse, LLVMGetOperand, LLVMGetUser, LLVMGetVectorSize, LLVMInstructionEraseFromParent,
    LLVMInt64TypeInContext, LLVMIsACallInst, LLVMIsAConstant, LLVMIsAConstantInt, LLVMPositionBuilderBefore,
    LLVMSetAlignment, LLVMTypeOf,
};
use inkwell::llvm_sys::prelude::{LLVMBuilderRef, LLVMContextRef, LLVMValueRef};
use inkwell::module::Module;
use inkwell::values::{AsValueRef, FunctionValue};

/// Replaces masked stores whose mask is a constant with one lane.
pub(crate) fn scalarize(module: &Module<'_>) {
    let is_store = |function: &FunctionValue<'_>| {
        let name = function.get_name().to_bytes();
        name.starts_with(b"llvm.masked.store.v")
    };
    let calls: Vec<LLVMValueRef> = module.get_functions().filter(is_store).flat_map(calls_of).collect();
    // SAFETY: the calls are of this module, each occurs once, and none is used after it has been erased; the builder is
    // disposed of once.
    unsafe {
        let context = LLVMGetModuleContext(module.as_mut_ptr());
        let builder = LLVMCreateBuilderInContext(context);
        for call in calls {
            scalarize_call(context, builder, call);
        }
        LLVMDisposeBuilder(builder);
    }
}

/// The calls of a function that is not used otherwise.
pub(crate) fn calls_of(function: FunctionValue<'_>) -> Vec<LLVMValueRef> {
    let mut calls = Vec::new();
    // SAFETY: the function is alive, and nothing changes its uses meanwhile.
    unsafe {
        let mut used = LLVMGetFirstUse(function.as_value_ref());
        while !used.is_null() {
            let user = LLVMGetUser(used);
            if !LLVMIsACallInst(user).is_null() {
                calls.push(user);
            }
            used = LLVMGetNextUse(used);
        }
    }
    calls
}

/// The lane of a constant mask with one lane.
///
/// # Safety
/// `mask` is a vector that is alive.
unsafe fn only_lane(mask: LLVMValueRef) -> Option<u32> {
    // SAFETY: by the contract; lanes are within the vector.
    unsafe {
        if LLVMIsAConstant(mask).is_null() {
            return None;
        }
        let is_set = |&lane: &u32| {
            let element = LLVMGetAggregateElement(mask, lane);
            let known = !element.is_null() && !LLVMIsAConstantInt(element).is_null();
            known && LLVMConstIntGetZExtValue(element) != 0
        };
        let mut lanes = (0..LLVMGetVectorSize(LLVMTypeOf(mask))).filter(is_set);
        lanes.next().filter(|_| lanes.next().is_none())
    }
}

/// Replaces a call of `llvm.masked.store(value, address, mask)` if its mask is a constant with one lane.
///
/// # Safety
/// `call` is such a call in a function of `context`, and not used after this.
unsafe fn scalarize_call(context: LLVMContextRef, builder: LLVMBuilderRef, call: LLVMValueRef) {
    const ADDRESS: u32 = 1;
    // SAFETY: by the contract; operands and types are those of the intrinsic.
    unsafe {
        let [value, address, mask] = [0, ADDRESS, 2].map(|at| LLVMGetOperand(call, at));
        let Some(lane) = only_lane(mask) else { return };
        LLVMPositionBuilderBefore(builder, call);
        let mut index = LLVMConstInt(LLVMInt64TypeInContext(context), u64::from(lane), 0);
        let element = LLVMBuildExtractElement(builder, value, index, c"".as_ptr());
        let ty = LLVMTypeOf(element);
        let place = match lane {
            0 => address,
            _ => LLVMBuildGEP2(builder, ty, address, &raw mut index, 1, c"".as_ptr()),
        };
        let kind = LLVMGetEnumAttributeKindForName(c"align".as_ptr(), 5);
        let align = LLVMGetCallSiteEnumAttribute(call, ADDRESS + 1, kind);
        let bytes = if lane > 0 || align.is_null() { 1 } else { LLVMGetEnumAttributeValue(align) as u32 };
        LLVMSetAlignment(LLVMBuildStore(builder, element, place), bytes);
        LLVMInstructionEraseFromParent(call);
    }
}
