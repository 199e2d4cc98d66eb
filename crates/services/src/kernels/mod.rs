//! Kernels: iteration domains, scalar computations on vectors, machine models, and the creation of loops.

mod algebra;
mod iteration;
mod kernel;
mod machine_model;
mod makers;
mod operator_pattern;
mod vector_form;
mod window_axis;

pub use algebra::{Algebra, CombineKind, Correction, Monoid, Order};
pub use iteration::{
    Domain, ElementwiseDomain, Extent, Fusion, IterationDomain, IteratorType, Producer, Read, Reading,
    SplatDomain, permutation,
};
pub use kernel::{KernelBody, KernelOps, KernelParts};
pub use machine_model::{CacheLevel, MachineModel, MachineSpec};
pub use makers::{
    BranchBody, DomainOps, ElementBody, IndexOps, LoopBody, LoopOps, Masked, PointBody, ScalarBody,
    TensorOps, VectorOps,
};
pub use operator_pattern::{OperatorPattern, OperatorPatterns};
pub use vector_form::{ElementwiseLanes, Lane, Lanes, VectorForm};
pub use window_axis::WindowAxis;
