//! Services that several operations implement.

use crate::{buffers, evaluate, fusion, runtime_verification, shapes};
use minoan_ir::text::AsmNames;
use minoan_ir::{DialectBuilder, OpDef, OpRef};
use minoan_services::{
    AliasModel, Effects, Evaluate, ExtentOf, ExtentsOfOperands, IterationDomain, OnBuffers, RegionFlow,
    RuntimeVerification, ShapeInference, ToBuffers,
};
use std::sync::Arc;

/// The services of operations with inputs and outputs whose region computes elements.
pub(crate) fn computed<T: OpDef>(dialect: &mut DialectBuilder<'_>) {
    structured::<T>(dialect);
    dialect
        .op_service::<T, dyn Evaluate>(Arc::new(evaluate::EvaluateStructured))
        .op_service::<T, dyn IterationDomain>(Arc::new(fusion::StructuredDomain));
}

/// Names results, and region arguments in operations whose assembly shows them.
pub(crate) struct Named {
    /// The name of the result.
    pub(crate) result: Option<&'static str>,
    /// The name of an argument for an output element, in operations with named arguments.
    pub(crate) output: Option<&'static str>,
}

impl AsmNames for Named {
    fn result_names(&self, op: OpRef<'_>, set: &mut dyn FnMut(usize, &str)) {
        if let Some(name) = self.result.filter(|_| op.n_results() > 0) {
            set(0, name);
        }
    }

    fn region_arg_names(&self, op: OpRef<'_>, _: usize, set: &mut dyn FnMut(usize, &str)) {
        let Some(output) = self.output else { return };
        let inputs = crate::structured::n_inputs(op);
        (0..op.n_operands()).for_each(|at| set(at, if at < inputs { "in" } else { output }));
    }
}

/// The services of operations with inputs and outputs.
pub(crate) fn structured<T: OpDef>(dialect: &mut DialectBuilder<'_>) {
    dialect
        .op_service::<T, dyn AliasModel>(Arc::new(buffers::UpdatesOutputs))
        .op_service::<T, dyn ShapeInference>(Arc::new(shapes::ByMaps))
        .op_service::<T, dyn ExtentOf>(Arc::new(ExtentsOfOperands { first: crate::structured::n_inputs }))
        .op_service::<T, dyn RuntimeVerification>(Arc::new(runtime_verification::MapsFit))
        .op_service::<T, dyn RegionFlow>(Arc::new(buffers::RunsPerElement))
        .op_service::<T, dyn ToBuffers>(Arc::new(buffers::OutputsAreWritten))
        .op_service::<T, dyn Effects>(Arc::new(OnBuffers));
}
