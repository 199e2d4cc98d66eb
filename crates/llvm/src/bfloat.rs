//! Expansion of `bfloat` into integers and `float`.
//!
//! LLVM 22 has no vectors of `bfloat` on processors without instructions for them, and the instructions of x86 flush subnormal
//! numbers, so they are not used (see `FLUSHING` in `target.rs`): an addition of vectors becomes a call of a function of the
//! runtime for each element, and moves of vectors are taken apart, too. Here values are moved as `i16`, computed in `float`,
//! and rounded by integer arithmetic. The results are those of one correct rounding to nearest even of each operation.
//!
//! A value of `bfloat` that an operation without expansion uses is made by a `bitcast`: arguments and results of functions keep
//! their type.
//!
//! No load of a scalar remains: LLVM's code generator takes the sign bit of a loaded `bfloat`, as an integer, to be zero. The optimizer
//! joins loads and such casts, so that the expansion is repeated after it.

mod calls;
mod convert;

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::{LLVMBuilderRef, LLVMContextRef, LLVMModuleRef, LLVMTypeRef, LLVMValueRef};
use inkwell::llvm_sys::{LLVMAtomicOrdering, LLVMOpcode, LLVMTypeKind};
use inkwell::module::Module;
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// An instruction without a name.
const UNNAMED: *const std::ffi::c_char = c"".as_ptr();

/// Expands the instructions of a module that compute or move `bfloat`.
pub(crate) fn expand(module: &Module<'_>) {
    let module = module.as_mut_ptr();
    // SAFETY: the module is alive and exclusively used here, instructions are listed before any is erased, and each is in the
    // list once; the builder is disposed of once.
    unsafe {
        let instructions = instructions_on_bfloat(module);
        if instructions.is_empty() {
            return;
        }
        let context = LLVMGetModuleContext(module);
        let builder = LLVMCreateBuilderInContext(context);
        let mut expansion = Expansion {
            module,
            context,
            builder,
            bits: FxHashMap::default(),
            constants: RefCell::default(),
            phis: Vec::new(),
        };
        for instruction in instructions {
            expansion.expand(instruction);
        }
        expansion.complete_phis();
        LLVMDisposeBuilder(builder);
    }
}

/// The instructions with an operand or a result of `bfloat` or a vector of it.
///
/// # Safety
/// The module is alive.
unsafe fn instructions_on_bfloat(module: LLVMModuleRef) -> Vec<LLVMValueRef> {
    let mut found = Vec::new();
    // SAFETY: by the contract; nothing is changed.
    unsafe {
        let mut function = LLVMGetFirstFunction(module);
        while !function.is_null() {
            let mut block = LLVMGetFirstBasicBlock(function);
            while !block.is_null() {
                let mut instruction = LLVMGetFirstInstruction(block);
                while !instruction.is_null() {
                    let operands = 0..LLVMGetNumOperands(instruction) as u32;
                    if is_bfloat(LLVMTypeOf(instruction))
                        || operands
                            .into_iter()
                            .any(|at| is_bfloat(LLVMTypeOf(LLVMGetOperand(instruction, at))))
                    {
                        found.push(instruction);
                    }
                    instruction = LLVMGetNextInstruction(instruction);
                }
                block = LLVMGetNextBasicBlock(block);
            }
            function = LLVMGetNextFunction(function);
        }
    }
    found
}

/// Whether a type is `bfloat` or a vector of it with a fixed number of elements.
///
/// # Safety
/// The type is alive.
unsafe fn is_bfloat(ty: LLVMTypeRef) -> bool {
    // SAFETY: by the contract; only vectors have an element type.
    unsafe {
        match LLVMGetTypeKind(ty) {
            LLVMTypeKind::LLVMBFloatTypeKind => true,
            LLVMTypeKind::LLVMVectorTypeKind => {
                LLVMGetTypeKind(LLVMGetElementType(ty)) == LLVMTypeKind::LLVMBFloatTypeKind
            }
            _ => false,
        }
    }
}

/// The replacement of an instruction.
enum Replacement {
    /// The bits of its result, as integers.
    Bits(LLVMValueRef),
    /// A value of its own type.
    Value(LLVMValueRef),
}

struct Expansion {
    module: LLVMModuleRef,
    context: LLVMContextRef,
    builder: LLVMBuilderRef,
    /// The bits, as integers, of values of `bfloat`.
    bits: FxHashMap<LLVMValueRef, LLVMValueRef>,
    /// Constants by type and number.
    constants: RefCell<FxHashMap<(LLVMTypeRef, u64), LLVMValueRef>>,
    /// Phis of `bfloat` and those of their bits, which have no incoming values yet.
    phis: Vec<(LLVMValueRef, LLVMValueRef)>,
}

/// All methods build instructions at the insertion point of the builder.
///
/// # Safety
/// Values and types passed to the methods are alive, of the module, and of the types that the methods name; values dominate the
/// insertion point.
impl Expansion {
    /// Replaces an instruction if it has an expansion.
    unsafe fn expand(&mut self, instruction: LLVMValueRef) {
        // SAFETY: by the contract of the type; the instruction is not used after it is erased.
        unsafe {
            LLVMPositionBuilderBefore(self.builder, instruction);
            let value = match self.replacement(instruction) {
                None => return,
                Some(Replacement::Value(value)) => value,
                Some(Replacement::Bits(bits)) => {
                    if LLVMGetInstructionOpcode(instruction) == LLVMOpcode::LLVMPHI {
                        LLVMPositionBuilderBefore(self.builder, first_after_phis(instruction));
                    }
                    let value = self.cast(LLVMOpcode::LLVMBitCast, bits, LLVMTypeOf(instruction));
                    self.bits.insert(value, bits);
                    value
                }
            };
            if LLVMGetInstructionOpcode(instruction) == LLVMOpcode::LLVMPHI {
                // Its incoming values are read at the end.
                LLVMReplaceAllUsesWith(instruction, value);
                return;
            }
            if LLVMGetTypeKind(LLVMTypeOf(instruction)) != LLVMTypeKind::LLVMVoidTypeKind {
                LLVMReplaceAllUsesWith(instruction, value);
            }
            self.bits.remove(&instruction);
            LLVMInstructionEraseFromParent(instruction);
        }
    }

    /// Gives the phis of bits their incoming values, and erases the phis that they replace.
    unsafe fn complete_phis(&mut self) {
        // SAFETY: by the contract of the type; each phi is erased once, after it has lost its uses by other phis.
        unsafe {
            for (phi, of_bits) in std::mem::take(&mut self.phis) {
                for at in 0..LLVMCountIncoming(phi) {
                    let mut bits = self.bits_of(LLVMGetIncomingValue(phi, at));
                    let mut block = LLVMGetIncomingBlock(phi, at);
                    LLVMAddIncoming(of_bits, &raw mut bits, &raw mut block, 1);
                }
                LLVMInstructionEraseFromParent(phi);
            }
        }
    }

    unsafe fn replacement(&mut self, instruction: LLVMValueRef) -> Option<Replacement> {
        use LLVMOpcode::*;
        use Replacement::{Bits, Value};
        // SAFETY: by the contract of the type; operands are those of the instruction's opcode.
        unsafe {
            let operand = |at| LLVMGetOperand(instruction, at);
            let result = LLVMTypeOf(instruction);
            let opcode = LLVMGetInstructionOpcode(instruction);
            Some(match opcode {
                LLVMLoad => Bits(self.load(instruction)?),
                LLVMStore => {
                    let bits = self.bits_of(operand(0));
                    LLVMSetOperand(instruction, 0, bits);
                    return None;
                }
                LLVMPHI => {
                    let phi = LLVMBuildPhi(self.builder, self.like(result, self.i16()), UNNAMED);
                    self.phis.push((instruction, phi));
                    Bits(phi)
                }
                LLVMSelect => {
                    let [yes, no] = [1, 2].map(|at| self.bits_of(operand(at)));
                    Bits(LLVMBuildSelect(self.builder, operand(0), yes, no, UNNAMED))
                }
                LLVMFreeze => Bits(LLVMBuildFreeze(self.builder, self.bits_of(operand(0)), UNNAMED)),
                LLVMInsertElement => {
                    let [vector, element] = [0, 1].map(|at| self.bits_of(operand(at)));
                    Bits(LLVMBuildInsertElement(self.builder, vector, element, operand(2), UNNAMED))
                }
                LLVMExtractElement => {
                    Bits(LLVMBuildExtractElement(self.builder, self.bits_of(operand(0)), operand(1), UNNAMED))
                }
                LLVMShuffleVector => {
                    let [first, second] = [0, 1].map(|at| self.bits_of(operand(at)));
                    let mask = self.shuffle_mask(instruction);
                    Bits(LLVMBuildShuffleVector(self.builder, first, second, mask, UNNAMED))
                }
                // A value that is made of integers is one for operations without expansion.
                LLVMBitCast if is_bfloat(result) && !is_bfloat(LLVMTypeOf(operand(0))) => return None,
                LLVMBitCast if is_bfloat(result) => {
                    let ty = self.like(result, self.i16());
                    let bits = self.bits_of(operand(0));
                    Bits(self.cast(LLVMBitCast, bits, ty))
                }
                LLVMBitCast => {
                    let bits = self.bits_of(operand(0));
                    Value(self.cast(LLVMBitCast, bits, result))
                }
                LLVMFNeg => {
                    let bits = self.bits_of(operand(0));
                    Bits(self.with_constant(LLVMXor, bits, 0x8000))
                }
                LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFRem => {
                    let [lhs, rhs] = [0, 1].map(|at| self.widened(operand(at)));
                    let wide = LLVMBuildBinOp(self.builder, opcode, lhs, rhs, UNNAMED);
                    copy_flags(instruction, wide);
                    Bits(self.rounded(wide))
                }
                LLVMFCmp => {
                    let [lhs, rhs] = [0, 1].map(|at| self.widened(operand(at)));
                    let compared =
                        LLVMBuildFCmp(self.builder, LLVMGetFCmpPredicate(instruction), lhs, rhs, UNNAMED);
                    copy_flags(instruction, compared);
                    Value(compared)
                }
                LLVMFPExt | LLVMFPToSI | LLVMFPToUI => {
                    let wide = self.widened(operand(0));
                    Value(if LLVMTypeOf(wide) == result { wide } else { self.cast(opcode, wide, result) })
                }
                LLVMFPTrunc => Bits(self.truncated(operand(0))?),
                LLVMSIToFP | LLVMUIToFP => Bits(self.of_integer(opcode, operand(0))?),
                LLVMCall => self.call(instruction)?,
                _ => return None,
            })
        }
    }

    /// A load of the bits, unless the load is atomic.
    unsafe fn load(&self, load: LLVMValueRef) -> Option<LLVMValueRef> {
        // SAFETY: by the contract of the type; the list of metadata is disposed of once, after its last use.
        unsafe {
            if LLVMGetOrdering(load) != LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic {
                return None;
            }
            let ty = self.like(LLVMTypeOf(load), self.i16());
            let bits = LLVMBuildLoad2(self.builder, ty, LLVMGetOperand(load, 0), UNNAMED);
            LLVMSetAlignment(bits, LLVMGetAlignment(load));
            LLVMSetVolatile(bits, LLVMGetVolatile(load));
            let mut count = 0;
            let entries = LLVMInstructionGetAllMetadataOtherThanDebugLoc(load, &raw mut count);
            for at in 0..count as u32 {
                let kind = LLVMValueMetadataEntriesGetKind(entries, at);
                let node = LLVMValueMetadataEntriesGetMetadata(entries, at);
                LLVMSetMetadata(bits, kind, LLVMMetadataAsValue(self.context, node));
            }
            LLVMDisposeValueMetadataEntries(entries);
            Some(bits)
        }
    }

    unsafe fn shuffle_mask(&self, shuffle: LLVMValueRef) -> LLVMValueRef {
        // SAFETY: by the contract of the type; positions are below the number of elements of the mask.
        unsafe {
            let i32 = LLVMInt32TypeInContext(self.context);
            let mut elements: Vec<LLVMValueRef> = (0..LLVMGetNumMaskElements(shuffle))
                .map(|at| match LLVMGetMaskValue(shuffle, at) {
                    element if element == LLVMGetUndefMaskElem() => LLVMGetPoison(i32),
                    element => LLVMConstInt(i32, element as u64, 0),
                })
                .collect();
            LLVMConstVector(elements.as_mut_ptr(), elements.len() as u32)
        }
    }

    /// The bits of a value of `bfloat`, as integers.
    unsafe fn bits_of(&mut self, value: LLVMValueRef) -> LLVMValueRef {
        if let Some(&bits) = self.bits.get(&value) {
            return bits;
        }
        // SAFETY: by the contract of the type; a value that is no constant is an argument or an instruction of the function of
        // the insertion point, which is restored.
        unsafe {
            let ty = self.like(LLVMTypeOf(value), self.i16());
            if !LLVMIsAConstant(value).is_null() {
                return LLVMConstBitCast(value, ty);
            }
            let block = LLVMGetInsertBlock(self.builder);
            let builder = LLVMCreateBuilderInContext(self.context);
            let at = if LLVMIsAInstruction(value).is_null() {
                LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(block)))
            } else if LLVMGetInstructionOpcode(value) == LLVMOpcode::LLVMPHI {
                first_after_phis(value)
            } else {
                LLVMGetNextInstruction(value)
            };
            LLVMPositionBuilderBefore(builder, at);
            let bits = LLVMBuildBitCast(builder, value, ty, UNNAMED);
            LLVMDisposeBuilder(builder);
            self.bits.insert(value, bits);
            bits
        }
    }

    fn i16(&self) -> LLVMTypeRef {
        // SAFETY: the context is alive.
        unsafe { LLVMInt16TypeInContext(self.context) }
    }

    fn i32(&self) -> LLVMTypeRef {
        // SAFETY: the context is alive.
        unsafe { LLVMInt32TypeInContext(self.context) }
    }

    fn float(&self) -> LLVMTypeRef {
        // SAFETY: the context is alive.
        unsafe { LLVMFloatTypeInContext(self.context) }
    }

    fn double(&self) -> LLVMTypeRef {
        // SAFETY: the context is alive.
        unsafe { LLVMDoubleTypeInContext(self.context) }
    }

    /// The type with another element: a vector if `ty` is one.
    unsafe fn like(&self, ty: LLVMTypeRef, element: LLVMTypeRef) -> LLVMTypeRef {
        // SAFETY: by the contract of the type.
        unsafe {
            match LLVMGetTypeKind(ty) {
                LLVMTypeKind::LLVMVectorTypeKind => LLVMVectorType(element, LLVMGetVectorSize(ty)),
                _ => element,
            }
        }
    }

    unsafe fn cast(&self, opcode: LLVMOpcode, value: LLVMValueRef, ty: LLVMTypeRef) -> LLVMValueRef {
        // SAFETY: by the contract of the type.
        unsafe { LLVMBuildCast(self.builder, opcode, value, ty, UNNAMED) }
    }

    unsafe fn binary(&self, opcode: LLVMOpcode, lhs: LLVMValueRef, rhs: LLVMValueRef) -> LLVMValueRef {
        // SAFETY: by the contract of the type.
        unsafe { LLVMBuildBinOp(self.builder, opcode, lhs, rhs, UNNAMED) }
    }

    /// An operation on an integer, or each integer of a vector, and a constant.
    unsafe fn with_constant(&self, opcode: LLVMOpcode, value: LLVMValueRef, constant: u64) -> LLVMValueRef {
        // SAFETY: by the contract of the type.
        unsafe { self.binary(opcode, value, self.integer(LLVMTypeOf(value), constant)) }
    }

    /// A constant of a type of integers, in each element of a vector.
    unsafe fn integer(&self, ty: LLVMTypeRef, constant: u64) -> LLVMValueRef {
        // SAFETY: by the contract of the type.
        unsafe {
            if LLVMGetTypeKind(ty) != LLVMTypeKind::LLVMVectorTypeKind {
                return LLVMConstInt(ty, constant, 0);
            }
            let mut constants = self.constants.borrow_mut();
            *constants.entry((ty, constant)).or_insert_with(|| {
                let element = LLVMConstInt(LLVMGetElementType(ty), constant, 0);
                let mut elements = vec![element; LLVMGetVectorSize(ty) as usize];
                LLVMConstVector(elements.as_mut_ptr(), elements.len() as u32)
            })
        }
    }
}

/// The first instruction behind the phis of the block of one.
///
/// # Safety
/// `phi` is a phi of a block that has a terminator.
unsafe fn first_after_phis(phi: LLVMValueRef) -> LLVMValueRef {
    // SAFETY: by the contract; the terminator is no phi.
    unsafe {
        let mut instruction = phi;
        while LLVMGetInstructionOpcode(instruction) == LLVMOpcode::LLVMPHI {
            instruction = LLVMGetNextInstruction(instruction);
        }
        instruction
    }
}

/// Gives an instruction the flags of another one.
///
/// # Safety
/// Both values are alive.
unsafe fn copy_flags(from: LLVMValueRef, to: LLVMValueRef) {
    // SAFETY: by the contract; constants, which folding may give, have no flags.
    unsafe {
        if !LLVMIsAInstruction(to).is_null()
            && LLVMCanValueUseFastMathFlags(to) != 0
            && LLVMCanValueUseFastMathFlags(from) != 0
        {
            LLVMSetFastMathFlags(to, LLVMGetFastMathFlags(from));
        }
    }
}
