//! Registration of all dialects and passes of Minoan.

use crate::upstream::UPSTREAM;
use minoan_ir::{Context, Registry};
use minoan_pass::{PassRegistry, PipelineAlias};

/// A registry of all dialects. Add further ones before creating a [`Context`].
pub fn registry() -> Registry {
    let mut registry = Registry::new();
    registry
        .add(minoan_affine::AffineDialect)
        .add(minoan_arith::ArithDialect)
        .add(minoan_bufferization::BufferizationDialect)
        .add(minoan_builtin::BuiltinDialect)
        .add(minoan_cf::CfDialect)
        .add(minoan_complex::ComplexDialect)
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
        .add(minoan_schedule_dialect::ScheduleDialect)
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
    for alias in MLIR_PASSES {
        registry.add_pipeline(alias);
    }
    crate::tvm_passes::register(&mut registry);
    registry
}

/// Passes of MLIR, registered under the same names as pipelines with the same effect.
const MLIR_PASSES: [PipelineAlias; 1] = [PipelineAlias {
    name: "convert-elementwise-to-linalg",
    description: "convert elementwise operations on tensors to linalg.generic",
    text: "apply-patterns{sets=convert-elementwise-to-linalg}",
}];
