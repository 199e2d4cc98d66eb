//! Differentiation: tangents of types and values, and derivatives of operations.

mod differentiate;
mod float_sign;
mod object_tangents;

pub use differentiate::{
    Cotangents, CountedBody, DerivativeRule, DiffMode, DiffOps, DiffRequest, DiffRule, Differentiate, GUARD,
    TangentClass, TangentCx, TangentSpace, TransposeCx, numbers_of,
};
pub use float_sign::{FloatSign, SignOf};
pub use object_tangents::{ModuleObjects, ObjectTangents, has_tangent};
