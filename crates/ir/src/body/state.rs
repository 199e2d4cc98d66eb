//! What a new operation is made of.

use super::{Block, Value};
use crate::{Attr, Context, Loc, OpKind, Type};
use smallvec::SmallVec;

/// Everything a new operation is made of.
#[derive(Clone, Debug)]
pub struct OpState {
    /// What it is.
    pub kind: OpKind,
    /// Where it comes from.
    pub loc: Loc,
    /// Operands.
    pub operands: SmallVec<[Value; 4]>,
    /// Types of the results.
    pub results: SmallVec<[Type; 2]>,
    /// Inherent attributes: a dictionary.
    pub props: Attr,
    /// The other attributes: a dictionary.
    pub attrs: Attr,
    /// Blocks that control may go to.
    pub successors: SmallVec<[Block; 2]>,
    /// How many regions it has; they are created without blocks.
    pub regions: usize,
}

impl OpState {
    /// An operation without operands, results, attributes.
    pub fn new(kind: OpKind) -> Self {
        Self {
            kind,
            loc: Loc::UNKNOWN,
            operands: SmallVec::new(),
            results: SmallVec::new(),
            props: Attr::EMPTY,
            attrs: Attr::EMPTY,
            successors: SmallVec::new(),
            regions: 0,
        }
    }

    /// An operation by its name, declared or not.
    ///
    /// # Panics
    /// If the context has 65,535 different names already.
    pub fn named(ctx: &Context, name: &str) -> Self {
        Self::new(ctx.op_kind(name).expect("at most 65,535 kinds of operations"))
    }

    /// Sets the location.
    pub fn loc(mut self, loc: Loc) -> Self {
        self.loc = loc;
        self
    }

    /// Adds operands.
    pub fn operands(mut self, operands: &[Value]) -> Self {
        self.operands.extend_from_slice(operands);
        self
    }

    /// Adds results.
    pub fn results(mut self, types: &[Type]) -> Self {
        self.results.extend_from_slice(types);
        self
    }

    /// Sets the inherent attributes.
    pub fn props(mut self, props: Attr) -> Self {
        self.props = props;
        self
    }

    /// Sets the other attributes.
    pub fn attrs(mut self, attrs: Attr) -> Self {
        self.attrs = attrs;
        self
    }

    /// Adds successors.
    pub fn successors(mut self, successors: &[Block]) -> Self {
        self.successors.extend_from_slice(successors);
        self
    }

    /// Sets the number of regions.
    pub fn regions(mut self, count: usize) -> Self {
        self.regions = count;
        self
    }
}
