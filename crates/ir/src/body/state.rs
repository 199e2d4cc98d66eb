//! The state of an operation to be created.

use super::{Block, Body, InsertionPoint, InvalidId, Value};
use crate::{Attr, Context, Loc, OpKind, Type};
use smallvec::SmallVec;

/// The parameters of an operation to be created.
#[derive(Clone, Debug)]
pub struct OpState {
    /// The kind.
    pub kind: OpKind,
    /// The location.
    pub loc: Loc,
    /// The operands.
    pub operands: SmallVec<[Value; 4]>,
    /// The types of the results.
    pub results: SmallVec<[Type; 2]>,
    /// The inherent attributes, as a dictionary.
    pub props: Attr,
    /// The discardable attributes, as a dictionary.
    pub attrs: Attr,
    /// The successor blocks.
    pub successors: SmallVec<[Block; 2]>,
    /// The number of regions, which are created without blocks.
    pub regions: usize,
}

impl OpState {
    /// Creates a state without operands, results and attributes.
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

    /// Creates a state of an operation by name, registered or not.
    ///
    /// # Panics
    /// Panics if the context already has 65,535 different names.
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

    /// Sets the discardable attributes.
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

impl Body {
    /// Checks what [`Body::create`] requires: the ids of a new operation and of its position, and its number of values.
    pub(crate) fn check_state(&self, state: &OpState, point: InsertionPoint) -> Result<(), String> {
        let block = |block: Block| match self.contains_block(block) {
            true => Ok(()),
            false => Err(self.blocks.invalid(&block, block.stamp)),
        };
        let check = || -> Result<(), InvalidId> {
            for &value in &state.operands {
                self.try_ty(value)?;
            }
            for &successor in &state.successors {
                block(successor)?;
            }
            match point {
                InsertionPoint::Start(at) | InsertionPoint::End(at) => block(at),
                InsertionPoint::Before(op) | InsertionPoint::After(op) => self.try_op(op).map(drop),
                InsertionPoint::Detached => Ok(()),
            }
        };
        check().map_err(|invalid| invalid.to_string())?;
        let most = usize::from(u16::MAX);
        if state.operands.len() > most || state.results.len() > most {
            return Err(format!("has more than {most} operands or results"));
        }
        Ok(())
    }
}
