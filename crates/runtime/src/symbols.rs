//! The symbol table of the runtime.

use crate::*;

/// A function that compiled code may call.
#[derive(Clone, Copy, Debug)]
pub struct Symbol {
    /// Its name in the object file.
    pub name: &'static str,
    /// Its address in this process.
    pub address: usize,
}

macro_rules! table {
    ($($name:ident),* $(,)?) => {
        vec![$(Symbol { name: stringify!($name), address: $name as *const () as usize }),*]
    };
}

/// All functions that compiled code may call, for symbol resolution in the JIT.
pub fn symbols() -> Vec<Symbol> {
    let mut symbols = table![
        __truncdfbf2,
        __truncsfbf2,
        _mlir_memref_to_llvm_aligned_alloc,
        _mlir_memref_to_llvm_alloc,
        _mlir_memref_to_llvm_free,
        memrefCopy,
        minoan_abort,
        minoan_alloc,
        minoan_alloc_at,
        minoan_assert_fail,
        minoan_assert_fail_values,
        minoan_assert_message,
        minoan_assert_values,
        minoan_call,
        minoan_count_copy,
        minoan_count_memory,
        minoan_count_object,
        minoan_count_placed,
        minoan_cyclic_object,
        minoan_erf,
        minoan_expm1,
        minoan_expm1f,
        minoan_flush,
        minoan_free,
        minoan_heap,
        minoan_lgamma,
        minoan_live_allocations,
        minoan_live_objects,
        minoan_nanoseconds,
        minoan_object,
        minoan_object_drop,
        minoan_object_dup,
        minoan_object_free_memory,
        minoan_object_memory,
        minoan_object_tag,
        minoan_parallel,
        minoan_print_bf16,
        minoan_print_bool,
        minoan_print_c_str,
        minoan_print_close,
        minoan_print_comma,
        minoan_print_f16,
        minoan_print_f32,
        minoan_print_f64,
        minoan_print_i1,
        minoan_print_i64,
        minoan_print_newline,
        minoan_print_open,
        minoan_print_str,
        minoan_print_text,
        minoan_print_u64,
        minoan_ranhashdoub,
        minoan_raw_object,
        minoan_set_threads,
        minoan_try,
        minoan_try_into,
        minoan_value_box,
        minoan_value_make,
        minoan_value_part,
        minoan_value_release,
        minoan_value_retain,
        minoan_value_word,
    ];
    let aliases = [
        ("__extendhfsf2", half::extendhfsf2 as *const () as usize),
        ("__truncdfhf2", half::truncdfhf2 as *const () as usize),
        ("__truncsfhf2", half::truncsfhf2 as *const () as usize),
    ];
    symbols.extend(aliases.map(|(name, address)| Symbol { name, address }));
    symbols
}
