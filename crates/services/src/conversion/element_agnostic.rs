//! Operations whose semantics does not depend on element types.

use minoan_ir::service;

/// Operations that move elements, or read extents only: if one element type is replaced by another in the types of all operands,
/// results and block arguments, the operation keeps its meaning. Queried by dialect conversion. Default: the semantics depends on
/// the types.
pub trait ElementAgnostic: Send + Sync {}
service!(dyn ElementAgnostic, "ElementAgnostic", Optional);

impl ElementAgnostic for () {}
