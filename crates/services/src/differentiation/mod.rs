//! Differentiation: tangents of types and values, and derivatives of operations.

mod differentiate;
mod float_sign;
mod numbers;
mod object_tangents;

pub use differentiate::{
    Cotangents, CountedBody, DerivativeRule, DiffMode, DiffOps, DiffRequest, DiffRule, Differentiate, GUARD,
    TangentClass, TangentCx, TangentSpace, TransposeCx, numbers_of,
};
pub use float_sign::{FloatSign, SignOf};
pub use numbers::{is_complex, is_constant_zero, is_number};
pub use object_tangents::{ModuleObjects, ObjectTangents, has_tangent};
