//! Tensors whose elements are computed from their indices.

use crate::analysis::extents::Size;
use minoan_ir::{Block, OpRef, ServiceTable, Type, Value};
use minoan_services::{Extent, IterationDomain, IteratorType};

/// An operation with a region that computes each element of its result from the indices of the element, and reads no operand
/// but extents.
pub(crate) struct ComputedTensor {
    /// The only block of the region.
    pub block: Block,
    /// The index of each dimension, an argument of the block, with the extent.
    pub dims: Vec<(Value, Size)>,
    pub element: Value,
}

impl ComputedTensor {
    pub(crate) fn of(domains: Option<&ServiceTable<dyn IterationDomain>>, op: OpRef<'_>) -> Option<Self> {
        // Any other operation over a domain has tensors or buffers as operands.
        if op.n_regions() != 1 || op.n_results() != 1 || op.operand_types().any(|ty| ty != Type::INDEX) {
            return None;
        }
        let body = op.body();
        let domain = domains?.get(op.kind())?.domain(op)?;
        let [write] = &domain.writes[..] else { return None };
        let mut blocks = body.region(op.region(0)).blocks();
        let (block, None) = (blocks.next()?, blocks.next()) else { return None };
        let args: Vec<Value> = body.block(block).args().collect();
        let is_plain = domain.iterator_types.iter().all(|&kind| kind == IteratorType::Parallel)
            && domain.reads.is_empty()
            && write.is_identity()
            && args.len() == domain.extents.len()
            && args.iter().all(|&arg| body.ty(arg) == Type::INDEX);
        let last = body.op(body.block(block).last()?);
        if !is_plain || last.n_operands() != 1 {
            return None;
        }
        let size = |extent: &Extent| match *extent {
            Extent::Known(extent) => Some(Size::Known(extent)),
            Extent::Value(value) => Some(Size::of(body, value)),
            Extent::Of { .. } | Extent::Plus { .. } => None,
        };
        let dims = args.iter().zip(&domain.extents).map(|(&index, extent)| Some((index, size(extent)?)));
        Some(Self { block, dims: dims.collect::<Option<_>>()?, element: last.operand(0) })
    }
}
