//! What an operation becomes when some of its operands are known.

use minoan_ir::{Attr, OpKind, OpRef, Value, service};
use smallvec::{SmallVec, smallvec};

/// What an operation says of itself without a look at anything but itself, its operands and what defines them:
/// `x + 0` is `x`. Asked by folding and by the propagation of constants, through [`Folder`](crate::Folder).
///
/// An answer is a function of what it is given: it edits nothing, and creates no operation.
pub trait Fold: Send + Sync {
    /// What the operation becomes. `operands` has an entry for each operand: its constant where that is known.
    ///
    /// The constants are not always those that operands are defined by: who propagates constants may know more. An
    /// answer that looks at `op`'s operands beyond `operands` must hold either way.
    fn fold(&self, op: OpRef<'_>, operands: &[Option<Attr>]) -> Folded;
}
service!(dyn Fold, "Fold", Optional);

/// A result whose value is known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FoldResult {
    /// Another value of the same type, which is defined wherever the operation is.
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

/// What [`Fold`] says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Folded {
    /// Nothing.
    Unchanged,
    /// Nothing, and what it computes is not to be evaluated either: it would be one of many values that it may be.
    Stays,
    /// All results are known; the operation is not needed for them.
    Results(SmallVec<[FoldResult; 2]>),
    /// The operation stays, in another form.
    Changed(Change),
}

impl Folded {
    /// One result.
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

/// A change of an operation that keeps its results and regions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Change {
    /// What it becomes, where that changes.
    pub kind: Option<OpKind>,
    /// Its operands, where they change.
    pub operands: Option<SmallVec<[Value; 4]>>,
    /// Its inherent attributes, where they change.
    pub props: Option<Attr>,
}

impl Change {
    /// No change yet.
    pub fn new() -> Change {
        Change::default()
    }

    /// Other operands.
    pub fn operands(mut self, operands: impl IntoIterator<Item = Value>) -> Change {
        self.operands = Some(operands.into_iter().collect());
        self
    }

    /// Another operation.
    pub fn kind(mut self, kind: OpKind) -> Change {
        self.kind = Some(kind);
        self
    }

    /// Other inherent attributes.
    pub fn props(mut self, props: Attr) -> Change {
        self.props = Some(props);
        self
    }
}

/// A function as an answer.
#[derive(Clone, Copy, Debug)]
pub struct FoldFn(pub fn(OpRef<'_>, &[Option<Attr>]) -> Folded);

impl Fold for FoldFn {
    fn fold(&self, op: OpRef<'_>, operands: &[Option<Attr>]) -> Folded {
        (self.0)(op, operands)
    }
}
