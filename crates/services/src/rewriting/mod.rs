//! Folding, and patterns that the operations of a program take part in.

mod composites;
mod constructor;
mod fold;
mod folder;
mod materialize;
mod rewrite_rule;

pub use composites::{Composite, Composites, Defunctionalize, RegionMark, RegionMarks};
pub use constructor::Constructor;
pub use fold::{Change, Fold, FoldFn, FoldResult, Folded};
pub use folder::{Folder, Operands, constant_of};
pub use materialize::{BranchMaterializer, ConstantMaterializer};
pub use rewrite_rule::RewriteRule;
