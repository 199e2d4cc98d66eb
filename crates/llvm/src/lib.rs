//! The LLVM back end: from a module of LLVM IR to machine code, in a file or in this process.
//!
//! * [`Target`]: the target machine; optimizes modules (`default<O3>` etc., with its cost models) and emits objects,
//!   assembly, bitcode or text.
//! * [`pack`]: wrappers with a uniform signature, through which any function can be called from Rust.
//! * [`Jit`]: objects linked into this process by ORC, called with [`Value`]s on the runtime's large stack.
//! * [`link_shared`] and [`link_executable`]: shared libraries and programs that contain the runtime.
//!
//! Guarantees: a module that LLVM's verifier rejects, a missing linker, an undefined symbol or a fault of the program
//! is a [`minoan_diag::Diagnostic`]; nothing is printed and the process does not exit. Emission is deterministic: the
//! same module and options yield the same bytes.
//!
//! # Calling convention
//!
//! The wrapper of a function `f` with signature `(A0, A1, ...) -> (R0, R1, ...)` is
//!
//! ```c
//! void minoan_packed_f(void **slots);   // slots[i] -> A_i,  slots[n + j] -> storage for R_j
//! ```
//!
//! Each slot points to memory that holds the value in its C layout: `i1` as one byte, `index` as `int64_t`, a memref
//! of rank *r* as its descriptor
//!
//! ```c
//! struct { void *allocated; void *aligned; int64_t offset; int64_t sizes[r]; int64_t strides[r]; };
//! ```
//!
//! (offset and strides count elements). The function itself has MLIR's calling convention: each memref argument is
//! expanded to `3 + 2r` arguments, several results are returned as one struct.
//!
//! ```
//! use minoan_llvm::{AbiType, Function, Jit, JitOptions, Output, Scalar, Signature, Target, Value, pack};
//! use inkwell::{context::Context, memory_buffer::MemoryBuffer};
//!
//! let context = Context::create();
//! let text = "define i64 @twice(i64 %x) { %r = add i64 %x, %x  ret i64 %r }";
//! let buffer = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), "twice");
//! let module = context.create_module_from_ir(buffer).unwrap();
//!
//! let i64 = || AbiType::Scalar(Scalar::I64);
//! let twice = Function::new("twice", Signature::new([i64()], [i64()]));
//! let target = Target::host(&Default::default()).unwrap();
//! pack::add_packed(&module, &twice).unwrap();
//! target.optimize(&module).unwrap();
//! let object = target.emit(&module, Output::Object).unwrap();
//!
//! // SAFETY: `twice` is sound for any argument.
//! let jit = unsafe { Jit::load(&[&object], vec![twice], &JitOptions::default()) }.unwrap();
//! let results = jit.call("twice", &mut [Value::I64(21)]).unwrap();
//! assert_eq!(results, [Value::I64(42)]);
//! ```

mod bfloat;
mod branch_weights;
mod call;
mod emit;
mod error;
mod faults;
mod heap;
mod jit;
mod link;
mod loops;
mod masked_stores;
mod objects;
pub mod pack;
mod parallel;
mod recursion;
mod signature;
mod strided;
mod subtarget;
mod target;
mod value;
mod view;

pub use call::CallError;
pub use emit::Output;
pub use error::{fault_diagnostic, located_error};
pub use heap::{HeapNode, HeapNodes, HeapSlot, HeapValue};
pub use inkwell;
pub use jit::{Jit, JitOptions, PackedFunction};
pub use link::{LinkOptions, VALUE_EXPORTS, link_executable, link_shared, runtime_archive};
pub use objects::inline_objects;
pub use parallel::define_parallel;
pub use recursion::recursive;
pub use signature::{AbiType, Function, Scalar, Signature};
pub use subtarget::{check_cpu, symbol_of};
pub use target::{OptLevel, Target, TargetOptions};
pub use value::{Element, MemRef, Value};
pub use view::{Argument, ArrayView};
