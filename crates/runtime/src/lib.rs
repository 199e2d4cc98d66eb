//! The runtime of compiled programs: output, assertions, allocation, hashing, parallel loops, and a large stack.
//!
//! Guarantees:
//! * Numbers are formatted in one place ([`format_f64`] and friends): the interpreter and compiled code print the
//!   same bytes, which are those of a C++ stream with default settings.
//! * A failing run (assertion, division by zero, stack overflow, out of memory) returns a [`Fault`] from
//!   [`call_guarded`]; the process continues and may run the next program. Without a guarded call, as in a
//!   stand-alone program, the message is printed to standard error and the process exits with [`Fault::EXIT_CODE`].
//! * Memory of [`minoan_alloc`] is aligned to 64 bytes and counted ([`live_allocations`]); large blocks are cached
//!   for the next allocation instead of being unmapped. Those of a run that ends with a fault are freed.
//! * Objects of [`minoan_object`] count their owners; freeing long lists takes no stack. A program that ends with a fault
//!   leaves none.
//! * There are no dependencies and no types of other crates: plain `rustc` compiles these sources a second time into
//!   the static library that `kc build` links into shared libraries and programs.
//!
//! Functions whose names start with `minoan_` (and those called by MLIR's lowering: `memrefCopy` and the three
//! `_mlir_memref_to_llvm_*` of `memref.alloc`) have the C ABI; [`symbols`] lists them for the JIT.
//!
//! ```
//! use minoan_runtime as rt;
//! let ((), text) = rt::capture(|| {
//!     rt::minoan_print_f32(0.1);
//!     rt::minoan_print_bool(1);
//!     rt::minoan_print_f64(123456789.0);
//! });
//! assert_eq!(text, b"0.111.23457e+08");
//! assert_eq!(rt::format_f64(1e10), "1e+10");
//! ```

mod clock;
mod copy;
mod entry;
mod fault;
mod format;
mod guard;
mod half;
mod into;
mod live;
mod math;
mod memory;
mod objects;
mod output;
mod pool;
mod stack;
mod symbols;
mod sys;
mod thread;

pub use clock::minoan_nanoseconds;
pub use copy::{UnrankedArray, memrefCopy};
pub use entry::minoan_try;
pub use fault::{
    Fault, minoan_abort, minoan_assert_fail, minoan_assert_fail_values, minoan_assert_message,
    minoan_assert_values, raise,
};
pub use format::{format_f32, format_f64, format_i1, format_i64, write_f32, write_f64};
pub use guard::overrun_blocks;
pub use half::{__truncdfbf2, __truncsfbf2};
pub use into::minoan_try_into;
pub use live::{
    LiveBlocks, MemoryReport, is_checking, memory_report, minoan_count_copy, minoan_count_memory,
    minoan_count_object, minoan_count_placed, set_memory_check,
};
pub use math::{minoan_erf, minoan_expm1, minoan_expm1f, minoan_lgamma, minoan_ranhashdoub, ranhashdoub};
pub use memory::{
    _mlir_memref_to_llvm_aligned_alloc, _mlir_memref_to_llvm_alloc, _mlir_memref_to_llvm_free, fresh_blocks,
    live_allocations, minoan_alloc, minoan_alloc_at, minoan_free, minoan_live_allocations,
    release_cached_memory, try_alloc,
};
pub use objects::{
    FREED_HEADER, HEADER_POINTERS, HEADER_SLOTS, HEADER_TAG, HEAP_ALIVE, KeptObject, MAX_SLOTS,
    MAX_SMALL_WORDS, ObjectRef, immediate, live_objects, minoan_cyclic_object, minoan_heap,
    minoan_live_objects, minoan_object, minoan_object_drop, minoan_object_dup, minoan_object_free_memory,
    minoan_object_memory, minoan_object_tag, minoan_raw_object, minoan_value_box, minoan_value_make,
    minoan_value_part, minoan_value_release, minoan_value_retain, minoan_value_word,
};
pub use output::{
    capture, flush, minoan_flush, minoan_print_bf16, minoan_print_bool, minoan_print_c_str,
    minoan_print_close, minoan_print_comma, minoan_print_f16, minoan_print_f32, minoan_print_f64,
    minoan_print_i1, minoan_print_i64, minoan_print_newline, minoan_print_open, minoan_print_str,
    minoan_print_text, minoan_print_u64, with_output, write_bytes,
};
pub use pool::{ParallelBody, minoan_parallel, minoan_set_threads, run_parallel, set_threads, threads};
pub use stack::{
    StackLimit, call_guarded, default_stack_limit, minoan_call, run_on_big_stack, stack_remaining,
};
pub use symbols::{Symbol, symbols};
pub use sys::ignore_file_size_signal;
