//! The bufferization dialect: conversions between tensors and buffers; operations, assembly and verification are upstream's.
//!
//! Tensors are values in this dialect, too, on each back end:
//!
//! * `to_tensor` reads the contents that a buffer has when it is executed. Later writes to the buffer do not change the tensor.
//! * `to_buffer` creates a buffer with the contents of a tensor. Writes to it do not change the tensor, and with `read_only`,
//!   there must be none. The buffer belongs to the tensor: the program does not free it, unless a function returns it.
//! * `materialize_in_destination` writes all elements of a tensor to a buffer.
//!
//! `plan-buffers` copies only if it has to: a tensor that is read from a buffer is a view of it as long as nothing is written,
//! and a tensor that is materialized in a buffer is computed there ([`Exchange`](minoan_services::Exchange)). `restrict` states, as in MLIR, that no
//! other tensor accesses the same buffer; nothing relies on it except for computing in place.
//!
//! ```
//! use minoan_arith::ArithDialect;
//! use minoan_bufferization::BufferizationDialect;
//! use minoan_builtin::BuiltinDialect;
//! use minoan_func::FuncDialect;
//! use minoan_services::Datum;
//! use minoan_testing::{context, run_one};
//!
//! let ctx = context(|registry| {
//!     registry.add(BuiltinDialect).add(FuncDialect).add(ArithDialect).add(BufferizationDialect);
//! });
//! let program = "func.func @f(%new: f32) -> f32 {
//!   %first = arith.constant 0 : index
//!   %buffer = memref.alloc() : memref<2xf32>
//!   %old = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
//!   bufferization.materialize_in_destination %old in writable %buffer : (tensor<2xf32>, memref<2xf32>) -> ()
//!   %tensor = bufferization.to_tensor %buffer : memref<2xf32> to tensor<2xf32>
//!   memref.store %new, %buffer[%first] : memref<2xf32>
//!   %element = tensor.extract %tensor[%first] : tensor<2xf32>
//!   memref.dealloc %buffer : memref<2xf32>
//!   return %element : f32
//! }";
//! assert_eq!(run_one(&ctx, program, &[Datum::F32(5.0)])?, Datum::F32(1.0));
//! # Ok::<(), minoan_services::Trap>(())
//! ```
#![forbid(unsafe_code)]

mod assembly;
mod attributes;
mod buffers;
mod canonicalize;
mod canonicalize_dealloc;
mod evaluate;
mod expand;
mod generate;
mod ops;
mod verify;

pub use ops::*;

use minoan_ir::dialect;
use minoan_ir::verify::AttrRules;
use minoan_rewrite::{AddPatterns, CanonicalPatterns, PatternSets};
use minoan_services::{Declared, ExchangeOps, Generate};

dialect! {
    /// The bufferization dialect.
    pub BufferizationDialect = "bufferization":
        depends(
            minoan_arith::ArithDialect,
            minoan_memref::MemRefDialect,
            minoan_scf::ScfDialect,
            minoan_tensor::TensorDialect,
        ),
        ops(AllocTensor, Clone, Dealloc, DeallocTensor, MaterializeInDestination, ToBuffer, ToTensor),
        services(
            AttrRules = attributes::Rules,
            ExchangeOps = buffers::Exclusive,
            Generate = Declared::never(),
            CanonicalPatterns = AddPatterns(canonicalize::patterns),
            PatternSets = expand::SETS,
        )
}
