//! Facts about the dialects of MLIR 22 that Minoan does not load, taken from its headers.
//!
//! `tools/kopt/tests/upstream.rs` compares the table with the headers that are installed.

use minoan_ir::ForeignDialect;

/// A dialect known only by name.
const fn named(name: &'static str) -> ForeignDialect {
    ForeignDialect { name, symbol_tables: &[], allocation_scopes: &[], affine_scopes: &[], aliases: &[] }
}

/// The dialects that `mlir-opt` registers and Minoan does not load.
pub static UPSTREAM: &[ForeignDialect] = &[
    ForeignDialect {
        allocation_scopes: &[
            "acc.firstprivate.recipe",
            "acc.kernels",
            "acc.loop",
            "acc.parallel",
            "acc.private.recipe",
            "acc.reduction.recipe",
            "acc.serial",
        ],
        ..named("acc")
    },
    named("amdgpu"),
    named("amx"),
    named("arm_neon"),
    named("arm_sme"),
    named("arm_sve"),
    ForeignDialect { allocation_scopes: &["async.execute"], ..named("async") },
    ForeignDialect {
        symbol_tables: &["emitc.class", "emitc.file"],
        allocation_scopes: &["emitc.class", "emitc.func"],
        ..named("emitc")
    },
    ForeignDialect {
        symbol_tables: &["gpu.module"],
        allocation_scopes: &["gpu.func", "gpu.launch"],
        affine_scopes: &["gpu.func", "gpu.launch"],
        ..named("gpu")
    },
    ForeignDialect { symbol_tables: &["irdl.dialect"], ..named("irdl") },
    ForeignDialect {
        symbol_tables: &["llvm.comdat"],
        allocation_scopes: &["llvm.func"],
        affine_scopes: &["llvm.func"],
        aliases: LLVM_ALIASES,
        ..named("llvm")
    },
    ForeignDialect { aliases: &[("extern", "extern")], ..named("ml_program") },
    named("mpi"),
    named("nvgpu"),
    named("nvvm"),
    ForeignDialect {
        allocation_scopes: &["omp.parallel", "omp.task", "omp.taskgroup", "omp.taskloop"],
        ..named("omp")
    },
    named("pdl"),
    named("pdl_interp"),
    named("ptr"),
    named("quant"),
    named("rocdl"),
    ForeignDialect {
        symbol_tables: &["shape.function_library"],
        allocation_scopes: &["shape.func"],
        affine_scopes: &["shape.func", "shape.function_library"],
        ..named("shape")
    },
    named("shard"),
    named("smt"),
    ForeignDialect { aliases: &[("encoding", "sparse")], ..named("sparse_tensor") },
    ForeignDialect {
        symbol_tables: &["spirv.module"],
        allocation_scopes: &["spirv.ARM.Graph", "spirv.func"],
        ..named("spirv")
    },
    named("tosa"),
    ForeignDialect {
        symbol_tables: &["transform.irdl.collect_matching", "transform.with_pdl_patterns"],
        ..named("transform")
    },
    ForeignDialect {
        allocation_scopes: &["wasmssa.func", "wasmssa.global"],
        affine_scopes: &["wasmssa.func", "wasmssa.global"],
        ..named("wasmssa")
    },
    named("x86vector"),
    named("xegpu"),
    named("xevm"),
];

/// The attributes of the llvm dialect whose aliases are named after them.
const LLVM_ALIASES: &[(&str, &str)] = &[
    ("access_group", "access_group"),
    ("alias_scope", "alias_scope"),
    ("alias_scope_domain", "alias_scope_domain"),
    ("di_basic_type", "di_basic_type"),
    ("di_common_block", "di_common_block"),
    ("di_compile_unit", "di_compile_unit"),
    ("di_composite_type", "di_composite_type"),
    ("di_derived_type", "di_derived_type"),
    ("di_file", "di_file"),
    ("di_global_variable", "di_global_variable"),
    ("di_global_variable_expression", "di_global_variable_expression"),
    ("di_imported_entity", "di_imported_entity"),
    ("di_label", "di_label"),
    ("di_lexical_block", "di_lexical_block"),
    ("di_lexical_block_file", "di_lexical_block_file"),
    ("di_local_variable", "di_local_variable"),
    ("di_module", "di_module"),
    ("di_namespace", "di_namespace"),
    ("di_null_type", "di_null_type"),
    ("di_string_type", "di_string_type"),
    ("di_subprogram", "di_subprogram"),
    ("di_subroutine_type", "di_subroutine_type"),
    ("loop_annotation", "loop_annotation"),
    ("loop_distribute", "loop_distribute"),
    ("loop_interleave", "loop_interleave"),
    ("loop_licm", "loop_licm"),
    ("loop_peeled", "loop_peeled"),
    ("loop_pipeline", "loop_pipeline"),
    ("loop_unroll", "loop_unroll"),
    ("loop_unroll_and_jam", "loop_unroll_and_jam"),
    ("loop_unswitch", "loop_unswitch"),
    ("loop_vectorize", "loop_vectorize"),
    ("mmra_tag", "mmra_tag"),
    ("tbaa_root", "tbaa_root"),
    ("tbaa_tag", "tbaa_tag"),
    ("tbaa_type_desc", "tbaa_type_desc"),
];
