//! Computations over iteration domains, and producer-consumer fusion.

use crate::SelectLike;
use minoan_ir::affine::AffineExpr;
use minoan_ir::affine::AffineMap;
use minoan_ir::{Attr, AttrEnum, Body, Builder, DYNAMIC, Op, OpRef, OpState, Traits, Type, Value, service};

/// The iterator type of a dimension of an iteration domain.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, AttrEnum)]
#[attr_enum(name = "::mlir::utils::IteratorType")]
pub enum IteratorType {
    /// The points may be visited in any order or in parallel.
    Parallel,
    /// The points accumulate into the same elements.
    Reduction,
}

/// An operand that is read once at each point of a domain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Read {
    /// The operand's index.
    pub operand: usize,
    /// The map from a point to the indices of the element; without results if the operand is a scalar.
    pub map: AffineMap,
    /// The value that is read where the indices are outside of the operand, as a constant of its element type; `None`
    /// if they never are.
    pub outside: Option<Attr>,
}

impl Read {
    /// A read that is always in bounds.
    pub fn new(operand: usize, map: AffineMap) -> Self {
        Self { operand, map, outside: None }
    }
}

/// The extent of a dimension of an iteration domain.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Extent {
    /// A static extent.
    Known(i64),
    /// The extent of a dimension of an operand.
    Of {
        /// The operand's index.
        operand: usize,
        /// The dimension of the operand.
        dim: usize,
    },
    /// The extent of a dimension of an operand, plus a constant, as of a padded dimension.
    Plus {
        /// The operand's index.
        operand: usize,
        /// The dimension of the operand.
        dim: usize,
        /// The constant.
        by: i64,
    },
    /// The value of an operand of type `index`.
    Value(Value),
}

/// The iteration domain of an operation, with its accesses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Domain {
    /// The iterator type of each dimension.
    pub iterator_types: Vec<IteratorType>,
    /// The extent of each dimension; indices start at zero.
    pub extents: Vec<Extent>,
    /// The operands read by the scalar computation.
    pub reads: Vec<Read>,
    /// For each result, the map from a point to the indices of the computed element.
    pub writes: Vec<AffineMap>,
}

impl Domain {
    /// For a domain without reductions whose result has exactly one element per point: the dimension of each index of
    /// the element.
    pub fn dimensions_of_element(&self, result: usize) -> Option<Vec<u32>> {
        let parallel = self.iterator_types.iter().all(|&walk| walk == IteratorType::Parallel);
        parallel.then(|| permutation(self.writes.get(result)?)).flatten()
    }

    /// Whether a read may be outside of its operand.
    pub fn has_padding(&self) -> bool {
        self.reads.iter().any(|read| read.outside.is_some())
    }
}

impl Extent {
    /// The extent of a dimension of an operand, which is `extent` in the shape of its type.
    pub fn of_dim(operand: usize, dim: usize, extent: i64) -> Self {
        if extent == DYNAMIC { Extent::Of { operand, dim } } else { Extent::Known(extent) }
    }

    /// The extent in the shape of a type: [`DYNAMIC`] if it is not static.
    pub fn in_shape(self) -> i64 {
        if let Extent::Known(extent) = self { extent } else { DYNAMIC }
    }

    /// The extents of the dimensions that index an operand directly: static if one of them has a static extent there.
    /// `None` if some dimension does not index an operand directly.
    pub fn of_maps<'m>(
        op: OpRef<'_>,
        dims: usize,
        maps: impl IntoIterator<Item = (usize, &'m AffineMap)>,
    ) -> Option<Vec<Extent>> {
        let (ctx, mut extents) = (op.context(), vec![None; dims]);
        for (operand, map) in maps {
            let shape = op.body().ty(op.operand(operand)).shape(ctx).unwrap_or(&[]);
            for (dim, (expr, &extent)) in map.results.iter().zip(shape).enumerate() {
                let AffineExpr::Dim(at) = *expr else { continue };
                let slot = extents.get_mut(at as usize)?;
                if extent != DYNAMIC && !matches!(slot, Some(Extent::Known(_))) {
                    *slot = Some(Extent::Known(extent));
                } else if slot.is_none() {
                    *slot = Some(Extent::Of { operand, dim });
                }
            }
        }
        extents.into_iter().collect()
    }

    /// The extents of the first result of an operation whose operands from index `first` on are its dynamic extents.
    pub fn of_result(op: OpRef<'_>, first: usize) -> Option<Vec<Extent>> {
        let mut sizes = op.operands().skip(first);
        let shape = op.result_types().next()?.shape(op.context())?;
        let extent = |&extent: &i64| match extent {
            DYNAMIC => sizes.next().map(Extent::Value),
            known => Some(Extent::Known(known)),
        };
        shape.iter().map(extent).collect()
    }
}

/// The dimensions in the order of a map's results, if the map is a permutation.
pub fn permutation(map: &AffineMap) -> Option<Vec<u32>> {
    let keep = map.as_projection()?;
    let mut seen = vec![false; map.dims as usize];
    let distinct = keep.iter().all(|&dim| !std::mem::replace(&mut seen[dim as usize], true));
    (distinct && keep.len() == seen.len()).then_some(keep)
}

/// Operations that compute elements point by point. Queried by `fuse`. Default: the operation has no iteration domain.
pub trait IterationDomain: Send + Sync {
    /// The iteration domain; `None` if the operation has none, for example on scalars.
    fn domain(&self, op: OpRef<'_>) -> Option<Domain>;

    /// Whether several points accumulate into the same element, also for an operation on buffers, which has no domain.
    fn is_reduction(&self, op: OpRef<'_>) -> bool {
        self.domain(op).is_some_and(|domain| domain.iterator_types.contains(&IteratorType::Reduction))
    }

    /// Whether the elements depend on the indices of their point, so that [`compute`](Self::compute) creates some. Default: no.
    fn uses_indices(&self, op: OpRef<'_>) -> bool {
        let _ = op;
        false
    }

    /// Creates the computation of the result elements at one point from `elements`, one for each of the domain's
    /// reads, and from the point's indices, which `index` creates on demand. The operation itself is not changed.
    /// Default: the results are the elements that are read.
    fn compute(
        &self,
        b: &mut Builder<'_>,
        op: Op,
        elements: &[Value],
        index: &mut dyn FnMut(&mut Builder<'_>, u32) -> Value,
    ) -> Vec<Value> {
        let _ = (b, op, index);
        elements.to_vec()
    }
}
service!(dyn IterationDomain, "IterationDomain", Optional);

/// A result to be fused into its consumer.
#[derive(Clone, Copy)]
pub struct Producer<'a> {
    /// The producer operation.
    pub op: Op,
    /// The index of the result.
    pub result: usize,
    /// The iteration domain of the producer.
    pub domain: &'a Domain,
    /// The computation of the producer.
    pub service: &'a dyn IterationDomain,
}

/// The accesses of an operation to an operand, per execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    /// Upper bound on the number of reads of an element; `None` if unknown.
    pub times: Option<u64>,
    /// The indices of the element, if it reads a single one.
    pub element: Option<Vec<Value>>,
    /// The operands that are read at the same positions, including this one: they are computed once.
    pub operands: Vec<usize>,
}

/// Consumers that can compute the elements of an operand where they read them. Queried by `fuse`. Default: no producer
/// is fused into the operation.
pub trait Fusion: Send + Sync {
    /// The accesses to an operand that the operation could compute itself.
    ///
    /// # Errors
    /// A message why the producer cannot be fused.
    fn reading(&self, body: &Body, op: Op, operand: usize, producer: Producer<'_>)
    -> Result<Reading, String>;

    /// Replaces the consumer by one that computes the operand's elements itself. The producer is kept. Returns the
    /// operations that replace the consumer; `None`, with nothing changed, if [`reading`](Self::reading) fails.
    fn fuse(&self, body: &mut Body, op: Op, operand: usize, producer: Producer<'_>) -> Option<Vec<Op>>;
}
service!(dyn Fusion, "Fusion", Optional);

/// Implements the service for operations whose result is a splat of their first operand, a scalar.
pub struct SplatDomain;

impl IterationDomain for SplatDomain {
    fn domain(&self, op: OpRef<'_>) -> Option<Domain> {
        let rank = op.result_types().next()?.rank(op.context())? as u32;
        Some(Domain {
            iterator_types: vec![IteratorType::Parallel; rank as usize],
            extents: match op.operand_types().nth(1) {
                Some(filled) if filled.is_tensor(op.context()) => {
                    let extent = |(dim, &extent): (usize, &i64)| match extent {
                        DYNAMIC => Extent::Of { operand: 1, dim },
                        known => Extent::Known(known),
                    };
                    filled.shape(op.context())?.iter().enumerate().map(extent).collect()
                }
                // The other operands are the dynamic sizes.
                _ => Extent::of_result(op, 1)?,
            },
            reads: vec![Read::new(0, AffineMap::projection(rank, &[]))],
            writes: vec![AffineMap::identity(rank)],
        })
    }
}

/// Whether an operation is a select, with a scalar condition, of tensors whose extents may differ.
fn chooses_tensors(op: OpRef<'_>) -> bool {
    let ctx = op.context();
    let shaped = |ty: &Type| ty.is_tensor(ctx);
    let is_dynamic = |ty: Type| ty.shape(ctx).is_none_or(|shape| shape.contains(&DYNAMIC));
    let Some(choice) = ctx.service::<dyn SelectLike>(op.kind()).and_then(|service| service.choice(op)) else {
        return false;
    };
    let body = op.body();
    let is_whole = !shaped(&body.ty(choice.condition)) && choice.yes != choice.no;
    is_whole && shaped(&body.ty(choice.yes)) && is_dynamic(body.ty(choice.yes))
}

/// Implements the service for [`Traits::ELEMENTWISE`] operations, which compute on tensors what they compute on
/// scalars.
pub struct ElementwiseDomain;

impl IterationDomain for ElementwiseDomain {
    fn domain(&self, op: OpRef<'_>) -> Option<Domain> {
        let ctx = op.context();
        let tensor = |ty: Type| ty.is_tensor(ctx).then(|| ty.rank(ctx)).flatten();
        if !op.has_trait(Traits::ELEMENTWISE) || op.n_regions() > 0 {
            return None;
        }
        let ranks = op.result_types().map(tensor).collect::<Option<Vec<usize>>>()?;
        let rank = *ranks.first()? as u32;
        if chooses_tensors(op) {
            return None;
        }
        let read = |(operand, ty): (usize, Type)| {
            let map = if ty.element_or_self(ctx) != ty {
                tensor(ty).filter(|&other| other as u32 == rank)?;
                AffineMap::identity(rank)
            } else {
                AffineMap::projection(rank, &[])
            };
            Some(Read::new(operand, map))
        };
        let reads = op.operand_types().enumerate().map(read).collect::<Option<Vec<Read>>>()?;
        let maps = reads.iter().map(|read| (read.operand, &read.map));
        let extents =
            Extent::of_maps(op, rank as usize, maps).or_else(|| Extent::of_result(op, op.n_operands()))?;
        Some(Domain {
            iterator_types: vec![IteratorType::Parallel; rank as usize],
            extents,
            reads,
            writes: vec![AffineMap::identity(rank); ranks.len()],
        })
    }

    fn compute(
        &self,
        b: &mut Builder<'_>,
        op: Op,
        elements: &[Value],
        _: &mut dyn FnMut(&mut Builder<'_>, u32) -> Value,
    ) -> Vec<Value> {
        let ctx = b.context();
        let view = b.body().op(op);
        let types: Vec<Type> = view.result_types().map(|ty| ty.element_or_self(&ctx)).collect();
        let state = OpState::new(view.kind()).operands(elements).results(&types);
        let state = state.props(view.props()).attrs(view.attrs()).loc(view.loc());
        let scalar = b.create(state);
        b.body().op(scalar).results().collect()
    }
}
