//! Conversions between `bfloat` and other types.

use super::{Expansion, UNNAMED};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMValueRef;
use inkwell::llvm_sys::{LLVMIntPredicate, LLVMOpcode::*, LLVMRealPredicate, LLVMTypeKind};

/// The number of bits that `float` has more than `bfloat`.
const DROPPED: u64 = 16;

/// # Safety
/// As for the other methods.
impl Expansion {
    /// A value of `bfloat` as `float`, which has the same number exactly.
    pub(super) unsafe fn widened(&mut self, value: LLVMValueRef) -> LLVMValueRef {
        // SAFETY: by the contract of the type.
        unsafe {
            let bits = self.bits_of(value);
            self.of_bits(bits)
        }
    }

    /// The value of `float` whose `bfloat` has these bits.
    pub(super) unsafe fn of_bits(&self, bits: LLVMValueRef) -> LLVMValueRef {
        // SAFETY: by the contract of the type.
        unsafe {
            let ty = LLVMTypeOf(bits);
            let wide = self.cast(LLVMZExt, bits, self.like(ty, self.i32()));
            let wide = self.with_constant(LLVMShl, wide, DROPPED);
            self.cast(LLVMBitCast, wide, self.like(ty, self.float()))
        }
    }

    /// The bits of the nearest `bfloat` of a `float`, the even one of two. NaN stays NaN.
    pub(super) unsafe fn rounded(&self, wide: LLVMValueRef) -> LLVMValueRef {
        // SAFETY: by the contract of the type.
        unsafe {
            let ty = LLVMTypeOf(wide);
            let bits = self.cast(LLVMBitCast, wide, self.like(ty, self.i32()));
            let upper = self.with_constant(LLVMLShr, bits, DROPPED);
            let is_odd = self.with_constant(LLVMAnd, upper, 1);
            let half = self.with_constant(LLVMAdd, bits, (1 << (DROPPED - 1)) - 1);
            let nearest = self.with_constant(LLVMLShr, self.binary(LLVMAdd, half, is_odd), DROPPED);
            // The carry would make an infinity of a NaN, or a zero.
            let is_nan = LLVMBuildFCmp(self.builder, LLVMRealPredicate::LLVMRealUNO, wide, wide, UNNAMED);
            let quiet = self.with_constant(LLVMOr, upper, 0x40);
            let chosen = LLVMBuildSelect(self.builder, is_nan, quiet, nearest, UNNAMED);
            self.cast(LLVMTrunc, chosen, self.like(ty, self.i16()))
        }
    }

    /// The bits of the nearest `bfloat` of a `float` or `double`; `None` for other types.
    pub(super) unsafe fn truncated(&self, wide: LLVMValueRef) -> Option<LLVMValueRef> {
        // SAFETY: by the contract of the type.
        unsafe {
            let ty = LLVMTypeOf(wide);
            let element = match LLVMGetTypeKind(ty) {
                LLVMTypeKind::LLVMVectorTypeKind => LLVMGetElementType(ty),
                _ => ty,
            };
            match LLVMGetTypeKind(element) {
                LLVMTypeKind::LLVMFloatTypeKind => Some(self.rounded(wide)),
                LLVMTypeKind::LLVMDoubleTypeKind => Some(self.rounded(self.rounded_to_odd(wide))),
                _ => None,
            }
        }
    }

    /// A `double` as `float`; of the two next to a number that is not exact, the one whose last bit is set. The second
    /// rounding, to `bfloat`, then gives the same as a single one.
    unsafe fn rounded_to_odd(&self, double: LLVMValueRef) -> LLVMValueRef {
        // SAFETY: by the contract of the type.
        unsafe {
            let ty = LLVMTypeOf(double);
            let (float, i32) = (self.like(ty, self.float()), self.like(ty, self.i32()));
            let nearest = self.cast(LLVMFPTrunc, double, float);
            let back = self.cast(LLVMFPExt, nearest, ty);
            let [from, to] = [double, back].map(|value| self.absolute(value));
            let compare = |predicate, lhs, rhs| LLVMBuildFCmp(self.builder, predicate, lhs, rhs, UNNAMED);
            let is_inexact = compare(LLVMRealPredicate::LLVMRealONE, from, to);
            let is_larger = compare(LLVMRealPredicate::LLVMRealOGT, to, from);
            let bits = self.cast(LLVMBitCast, nearest, i32);
            let last = self.with_constant(LLVMAnd, bits, 1);
            let zero = self.integer(i32, 0);
            let is_even = LLVMBuildICmp(self.builder, LLVMIntPredicate::LLVMIntEQ, last, zero, UNNAMED);
            let moves = self.binary(LLVMAnd, is_inexact, is_even);
            let [minus_one, one] = [u64::from(u32::MAX), 1].map(|step| self.integer(i32, step));
            let step = LLVMBuildSelect(self.builder, is_larger, minus_one, one, UNNAMED);
            let step = LLVMBuildSelect(self.builder, moves, step, zero, UNNAMED);
            self.cast(LLVMBitCast, self.binary(LLVMAdd, bits, step), float)
        }
    }

    /// The magnitude of a `double`.
    unsafe fn absolute(&self, double: LLVMValueRef) -> LLVMValueRef {
        // SAFETY: by the contract of the type.
        unsafe {
            let ty = LLVMTypeOf(double);
            let bits = self.cast(LLVMBitCast, double, self.like(ty, LLVMInt64TypeInContext(self.context)));
            let bits = self.with_constant(LLVMAnd, bits, u64::MAX >> 1);
            self.cast(LLVMBitCast, bits, ty)
        }
    }

    /// The bits of the nearest `bfloat` of an integer of at most 32 bits, by way of a type that has it exactly; `None` for
    /// wider ones.
    pub(super) unsafe fn of_integer(
        &self,
        opcode: inkwell::llvm_sys::LLVMOpcode,
        value: LLVMValueRef,
    ) -> Option<LLVMValueRef> {
        // SAFETY: by the contract of the type; the value is an integer or a vector of them.
        unsafe {
            let ty = LLVMTypeOf(value);
            let element = match LLVMGetTypeKind(ty) {
                LLVMTypeKind::LLVMVectorTypeKind => LLVMGetElementType(ty),
                _ => ty,
            };
            let exact = match LLVMGetIntTypeWidth(element) {
                ..=16 => self.float(),
                17..=32 => self.double(),
                _ => return None,
            };
            self.truncated(self.cast(opcode, value, self.like(ty, exact)))
        }
    }
}
