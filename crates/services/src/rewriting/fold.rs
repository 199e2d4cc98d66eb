//! Folding of operations.

use minoan_ir::{Attr, OpKind, OpRef, Value, service};
use smallvec::{SmallVec, smallvec};

/// Local simplification of an operation, based only on the operation, its operands and their definitions: `x + 0` is
/// `x`. Queried by folding and constant propagation through [`Folder`](crate::Folder).
///
/// Folding is a pure function: it does not modify or create operations.
pub trait Fold: Send + Sync {
    /// The result of folding. `operands` has the constant value of each operand, if known.
    ///
    /// The constants need not be those that define the operands, since constant propagation may know more. A result
    /// that depends on operand definitions must be valid in both cases.
    fn fold(&self, op: OpRef<'_>, operands: &[Option<Attr>]) -> Folded;
}
service!(dyn Fold, "Fold", Optional);

/// The folded value of a result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FoldResult {
    /// An existing value of the same type that dominates the operation.
    Value(Value),
    /// A constant of the result's type.
    Constant(Attr),
}

impl From<Value> for FoldResult {
    fn from(value: Value) -> Self {
        FoldResult::Value(value)
    }
}

impl From<Attr> for FoldResult {
    fn from(value: Attr) -> Self {
        FoldResult::Constant(value)
    }
}

/// The outcome of [`Fold`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Folded {
    /// The operation cannot be simplified.
    Unchanged,
    /// The operation cannot be simplified, and must not be evaluated either, since its result is unspecified.
    Stays,
    /// All results are replaced by these values.
    Results(SmallVec<[FoldResult; 2]>),
    /// The operation is updated in place.
    Changed(Change),
}

impl Folded {
    /// Folds to one result.
    pub fn one(result: impl Into<FoldResult>) -> Folded {
        Folded::Results(smallvec![result.into()])
    }
}

impl<T: Into<FoldResult>> From<Option<T>> for Folded {
    fn from(result: Option<T>) -> Self {
        result.map_or(Folded::Unchanged, Folded::one)
    }
}

impl From<Change> for Folded {
    fn from(change: Change) -> Self {
        Folded::Changed(change)
    }
}

/// An in-place update of an operation that keeps its results and regions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Change {
    /// The new kind, if it changes.
    pub kind: Option<OpKind>,
    /// The new operands, if they change.
    pub operands: Option<SmallVec<[Value; 4]>>,
    /// The new inherent attributes, if they change.
    pub props: Option<Attr>,
}

impl Change {
    /// Creates an empty update.
    pub fn new() -> Change {
        Change::default()
    }

    /// Sets the operands.
    pub fn operands(mut self, operands: impl IntoIterator<Item = Value>) -> Change {
        self.operands = Some(operands.into_iter().collect());
        self
    }

    /// Sets the kind.
    pub fn kind(mut self, kind: OpKind) -> Change {
        self.kind = Some(kind);
        self
    }

    /// Sets the inherent attributes.
    pub fn props(mut self, props: Attr) -> Change {
        self.props = Some(props);
        self
    }
}

/// Implements [`Fold`] by a function.
#[derive(Clone, Copy, Debug)]
pub struct FoldFn(pub fn(OpRef<'_>, &[Option<Attr>]) -> Folded);

impl Fold for FoldFn {
    fn fold(&self, op: OpRef<'_>, operands: &[Option<Attr>]) -> Folded {
        (self.0)(op, operands)
    }
}
