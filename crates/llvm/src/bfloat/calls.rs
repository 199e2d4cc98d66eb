//! Intrinsic functions on `bfloat`.

use super::{Expansion, Replacement, UNNAMED, copy_flags, is_bfloat};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::{LLVMTypeRef, LLVMValueRef};
use inkwell::llvm_sys::{LLVMFastMathAllowReassoc, LLVMOpcode};

/// Functions that move values: their name, and the positions of the operands that overload them after the type of the value
/// that is moved.
const MOVES: [(&str, &[u32]); 9] = [
    ("masked.load", &[0]),
    ("masked.store", &[1]),
    ("masked.gather", &[0]),
    ("masked.scatter", &[1]),
    ("masked.expandload", &[]),
    ("masked.compressstore", &[]),
    ("vector.reverse", &[]),
    ("vector.insert", &[1]),
    ("vector.extract", &[0]),
];

/// Functions of floats that are computed in `float` and rounded: exactly rounded ones have the same result as in one step,
/// since `float` has more than twice the bits; others are as accurate as the function of `float`.
const COMPUTED: [&str; 32] = [
    "copysign",
    "floor",
    "ceil",
    "trunc",
    "rint",
    "nearbyint",
    "round",
    "roundeven",
    "sqrt",
    "exp",
    "exp2",
    "exp10",
    "log",
    "log2",
    "log10",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "atan2",
    "pow",
    "minnum",
    "maxnum",
    "minimum",
    "maximum",
    "minimumnum",
    "maximumnum",
];

/// Reductions without an order.
const EXTREMA: [&str; 4] =
    ["vector.reduce.fmin", "vector.reduce.fmax", "vector.reduce.fminimum", "vector.reduce.fmaximum"];

/// The name of an intrinsic function without `llvm.` and the types that overload it.
fn base_name(name: &str) -> Option<&str> {
    let name = name.strip_prefix("llvm.")?;
    let known = MOVES.iter().map(|&(base, _)| base).chain(COMPUTED).chain(EXTREMA);
    let mut known = known.chain(["fabs", "vector.reduce.fadd", "vector.reduce.fmul"]);
    known.find(|base| name.strip_prefix(base).is_some_and(|types| types.starts_with('.')))
}

/// # Safety
/// As for the other methods.
impl Expansion {
    /// The replacement of a call, if it is one of a known intrinsic function.
    pub(super) unsafe fn call(&mut self, call: LLVMValueRef) -> Option<Replacement> {
        // SAFETY: by the contract of the type; operands are those that the functions have, and the name lives as long as its
        // function.
        unsafe {
            let callee = LLVMGetCalledValue(call);
            if LLVMIsAFunction(callee).is_null() {
                return None;
            }
            let mut length = 0;
            let name = LLVMGetValueName2(callee, &raw mut length);
            let name = std::slice::from_raw_parts(name.cast::<u8>(), length);
            let base = base_name(std::str::from_utf8(name).ok()?)?;
            if let Some(&(_, overloads)) = MOVES.iter().find(|&&(known, _)| known == base) {
                return Some(self.moved(call, base, overloads));
            }
            let value = LLVMGetOperand(call, 0);
            Some(Replacement::Bits(match base {
                "fabs" => {
                    let bits = self.bits_of(value);
                    self.with_constant(LLVMOpcode::LLVMAnd, bits, 0x7fff)
                }
                "vector.reduce.fadd" => self.sum(call, base, LLVMOpcode::LLVMFAdd),
                "vector.reduce.fmul" => self.sum(call, base, LLVMOpcode::LLVMFMul),
                _ => {
                    let count = LLVMGetNumArgOperands(call);
                    let operands: Vec<_> =
                        (0..count).map(|at| self.widened(LLVMGetOperand(call, at))).collect();
                    let overload = LLVMTypeOf(operands[0]);
                    let wide = self.build_call(base, &mut [overload], operands);
                    copy_flags(call, wide);
                    self.rounded(wide)
                }
            }))
        }
    }

    /// The call of a function on bits.
    unsafe fn moved(&mut self, call: LLVMValueRef, base: &str, overloads: &[u32]) -> Replacement {
        // SAFETY: by the contract of the type; attributes are those of the call, in a list with their number.
        unsafe {
            let count = LLVMGetNumArgOperands(call);
            let mut operands = Vec::with_capacity(count as usize);
            for at in 0..count {
                let operand = LLVMGetOperand(call, at);
                operands.push(if is_bfloat(LLVMTypeOf(operand)) { self.bits_of(operand) } else { operand });
            }
            let result = LLVMTypeOf(call);
            let has_result = is_bfloat(result);
            let moved = if has_result { self.like(result, self.i16()) } else { LLVMTypeOf(operands[0]) };
            let mut types = vec![moved];
            types.extend(overloads.iter().map(|&at| LLVMTypeOf(operands[at as usize])));
            let new = self.build_call(base, &mut types, operands);
            for position in 1..=count {
                let mut attributes =
                    vec![std::ptr::null_mut(); LLVMGetCallSiteAttributeCount(call, position) as usize];
                LLVMGetCallSiteAttributes(call, position, attributes.as_mut_ptr());
                for attribute in attributes {
                    LLVMAddCallSiteAttribute(new, position, attribute);
                }
            }
            if has_result { Replacement::Bits(new) } else { Replacement::Value(new) }
        }
    }

    /// A sum or product: in `float` and rounded once if the order is free, else rounded in each step.
    unsafe fn sum(&mut self, call: LLVMValueRef, base: &str, opcode: LLVMOpcode) -> LLVMValueRef {
        // SAFETY: by the contract of the type; lanes are within the vector.
        unsafe {
            let [start, vector] = [0, 1].map(|at| LLVMGetOperand(call, at));
            let mut sum = self.widened(start);
            let elements = self.widened(vector);
            if LLVMGetFastMathFlags(call) & LLVMFastMathAllowReassoc != 0 {
                let overload = LLVMTypeOf(elements);
                let wide = self.build_call(base, &mut [overload], vec![sum, elements]);
                copy_flags(call, wide);
                return self.rounded(wide);
            }
            let mut bits = self.bits_of(start);
            for lane in 0..LLVMGetVectorSize(LLVMTypeOf(elements)) {
                let lane = LLVMConstInt(self.i32(), u64::from(lane), 0);
                let element = LLVMBuildExtractElement(self.builder, elements, lane, UNNAMED);
                bits = self.rounded(self.binary(opcode, sum, element));
                sum = self.of_bits(bits);
            }
            bits
        }
    }

    /// Calls an intrinsic function.
    unsafe fn build_call(
        &self,
        base: &str,
        overloads: &mut [LLVMTypeRef],
        mut operands: Vec<LLVMValueRef>,
    ) -> LLVMValueRef {
        let name = format!("llvm.{base}");
        // SAFETY: by the contract of the type; names and lists are passed with their lengths.
        unsafe {
            let id = LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len());
            let (types, count) = (overloads.as_mut_ptr(), overloads.len());
            let function = LLVMGetIntrinsicDeclaration(self.module, id, types, count);
            let ty = LLVMIntrinsicGetType(self.context, id, types, count);
            LLVMBuildCall2(self.builder, ty, function, operands.as_mut_ptr(), operands.len() as u32, UNNAMED)
        }
    }
}
