//! Lowering of front ends' dialects and of structured operations, and sets of patterns as passes.

pub mod apply_patterns;
pub mod apply_rules;
pub mod conversion_pass;
pub mod convert_scf_to_cf;
pub mod drop_assertion_values;
pub mod expand_math;
pub mod float_policy;
pub mod generate_runtime_verification;
pub mod lower;
pub mod lower_affine;
pub mod materialize_signatures;
