//! Registration of all dialects and passes of Minoan.

use crate::upstream::UPSTREAM;
use minoan_ir::{Context, Registry};
use minoan_pass::{PassRegistry, PipelineAlias};

/// A registry of all dialects. Add further ones before creating a [`Context`].
pub fn registry() -> Registry {
    let mut registry = Registry::new();
    registry
        .add(minoan_arith::ArithDialect)
        .add(minoan_builtin::BuiltinDialect)
        .add(minoan_cf::CfDialect)
        .add(minoan_data::DataDialect)
        .add(minoan_diff::DiffDialect)
        .add(minoan_dlti::DltiDialect)
        .add(minoan_func::FuncDialect)
        .add(minoan_iexpr_dialect::IexprDialect)
        .add(minoan_index::IndexDialect)
        .add(minoan_knossos_dialect::KnossosDialect)
        .add(minoan_linalg::LinalgDialect)
        .add(minoan_math::MathDialect)
        .add(minoan_memref::MemRefDialect)
        .add(minoan_relay_dialect::RelayDialect)
        .add(minoan_scf::ScfDialect)
        .add(minoan_schedule::ScheduleDialect)
        .add(minoan_tensor::TensorDialect)
        .add(minoan_ub::UbDialect)
        .add(minoan_vector::VectorDialect)
        .add_foreign(UPSTREAM);
    registry
}

/// A context with all dialects.
pub fn context() -> Context {
    Context::new(registry()).expect("the dialects of Minoan go together")
}

/// A registry of all passes.
pub fn pass_registry() -> PassRegistry {
    let mut registry = PassRegistry::new();
    minoan_passes::register(&mut registry);
    for (name, description, text) in MLIR_PASSES.into_iter().chain(RELAY_PASSES) {
        registry.add_pipeline(PipelineAlias { name, description, text });
    }
    registry
}

/// MLIR's names for passes: name, description, and the pipeline that does the same.
const MLIR_PASSES: [(&str, &str, &str); 1] = [(
    "convert-elementwise-to-linalg",
    "convert elementwise operations on tensors to linalg.generic",
    "apply-patterns{sets=convert-elementwise-to-linalg}",
)];

/// TVM's names for passes on Relay: name, description, and the pipeline that does the same.
const RELAY_PASSES: [(&str, &str, &str); 18] = [
    (
        "relay-fold-constant",
        "FoldConstant: evaluate operators on constants",
        "apply-patterns{sets=relay-fold-constant}",
    ),
    (
        "relay-simplify-expr",
        "SimplifyExpr: simplify chains of operators",
        "apply-patterns{sets=relay-simplify-expr}",
    ),
    (
        "relay-canonicalize-ops",
        "CanonicalizeOps: replace nn.bias_add by add",
        "apply-patterns{sets=relay-canonicalize-ops}",
    ),
    (
        "relay-simplify-inference",
        "SimplifyInference: replace normalization by known statistics",
        "apply-patterns{sets=relay-simplify-inference}",
    ),
    (
        "relay-fold-scale-axis",
        "FoldScaleAxis: move constant scales to weights",
        "apply-patterns{sets=relay-fold-scale-axis}",
    ),
    (
        "relay-combine-parallel-batch-matmul",
        "CombineParallelBatchMatmul: one product for several of the same data",
        "apply-patterns{sets=relay-combine-parallel}",
    ),
    (
        "relay-combine-parallel-conv2d",
        "CombineParallelConv2D: one convolution for several of the same data",
        "apply-patterns{sets=relay-combine-parallel}",
    ),
    (
        "relay-combine-parallel-dense",
        "CombineParallelDense: one product for several of the same data",
        "apply-patterns{sets=relay-combine-parallel}",
    ),
    (
        "relay-convert-layout",
        "ConvertLayout: keep channels last in convolutions",
        "apply-patterns{sets=relay-convert-layout}",
    ),
    (
        "relay-dynamic-to-static",
        "DynamicToStatic: replace dynamic operators with constant shapes",
        "apply-patterns{sets=relay-dynamic-to-static}",
    ),
    ("relay-fast-math", "FastMath: use approximations of functions", "apply-patterns{sets=relay-fast-math}"),
    ("relay-eliminate-common-subexpr", "EliminateCommonSubexpr: the pass cse", "cse"),
    ("relay-dead-code-elimination", "DeadCodeElimination: the pass dce", "dce"),
    ("relay-remove-unused-functions", "RemoveUnusedFunctions: the pass symbol-dce", "symbol-dce"),
    (
        "relay-to-a-normal-form",
        "ToANormalForm: operations name each value already; the pass cse shares equal ones",
        "cse",
    ),
    (
        "relay-to-graph-normal-form",
        "ToGraphNormalForm: values are shared already; the pass dce removes unused ones",
        "dce",
    ),
    ("relay-qnn-legalize", "qnn.Legalize: the pass lower expands quantized operators", "lower"),
    (
        "relay-fuse-ops",
        "FuseOps: lower, simplify and form kernels",
        "lower,inline,cse,canonicalize,form-kernels",
    ),
];
