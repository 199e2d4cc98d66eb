//! Inference of types and extents, and accesses of single elements.

mod element_access;
mod extent_of;
mod index_terms;
mod infer;

pub use element_access::{Access, ElementAccess, TrailingIndices};
pub use extent_of::{DimensionOperand, ExtentOf, ExtentsOfOperands, TrailingExtents};
pub use index_terms::{IndexTerm, IndexTerms};
pub use infer::{
    ElementwiseTypes, Inferred, ShapeCast, ShapeInference, TypeInference, collapsed_extent, meet_shapes,
    refine_shape,
};
