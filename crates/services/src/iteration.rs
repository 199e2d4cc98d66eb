//! Computations over iteration domains, and their fusion.

use minoan_ir::affine::AffineMap;
use minoan_ir::{Body, Builder, Op, OpRef, OpState, Traits, Type, Value, service};

/// How a dimension of an iteration domain is walked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IteratorType {
    /// In any order, perhaps at once.
    Parallel,
    /// One after another, into the same elements.
    Reduction,
}

/// An operand that is read once at each point of a domain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Read {
    /// Which operand.
    pub operand: usize,
    /// From a point to the indices of the element; to none where the operand is no array but the element.
    pub map: AffineMap,
}

/// The points for which an operation computes something, and where it reads and writes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Domain {
    /// One for each dimension.
    pub iterator_types: Vec<IteratorType>,
    /// What the scalar computation reads.
    pub reads: Vec<Read>,
    /// By result: from a point to the indices of the element that is computed.
    pub writes: Vec<AffineMap>,
}

impl Domain {
    /// For a domain without reductions whose result has exactly one element for each point: by index of the element,
    /// the dimension that it is.
    pub fn dimensions_of_element(&self, result: usize) -> Option<Vec<u32>> {
        let parallel = self.iterator_types.iter().all(|&walk| walk == IteratorType::Parallel);
        parallel.then(|| permutation(self.writes.get(result)?)).flatten()
    }
}

/// The dimensions in the order of the results of a map that only reorders them.
pub fn permutation(map: &AffineMap) -> Option<Vec<u32>> {
    let keep = map.as_projection()?;
    let mut seen = vec![false; map.dims as usize];
    let distinct = keep.iter().all(|&dim| !std::mem::replace(&mut seen[dim as usize], true));
    (distinct && keep.len() == seen.len()).then_some(keep)
}

/// Which operations compute elements of arrays point by point, and how. Asked by fusion; without an answer an operation
/// is not computed point by point.
pub trait IterationDomain: Send + Sync {
    /// The domain, or `None` for an operation that has none: one on scalars, say.
    fn domain(&self, op: OpRef<'_>) -> Option<Domain>;

    /// Computes the elements of the results at one point: of `elements`, one for each of the domain's reads, and of the
    /// point's indices, which `index` makes where they are needed. The operation itself stays as it is.
    fn compute(
        &self,
        b: &mut Builder<'_>,
        op: Op,
        elements: &[Value],
        index: &mut dyn FnMut(&mut Builder<'_>, u32) -> Value,
    ) -> Vec<Value>;
}
service!(dyn IterationDomain, "IterationDomain", Optional);

/// A result that is computed point by point, to be taken into the operation that reads it.
#[derive(Clone, Copy)]
pub struct Producer<'a> {
    /// The operation.
    pub op: Op,
    /// Which of its results.
    pub result: usize,
    /// Its domain.
    pub domain: &'a Domain,
    /// How it is computed.
    pub answer: &'a dyn IterationDomain,
}

/// How an operation reads an operand, each time that it runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    /// How often it reads an element, at most; `None` where that is not known.
    pub times: Option<u64>,
    /// The indices of the element, where it reads just one.
    pub element: Option<Vec<Value>>,
    /// The operands that it reads at the same places as this one, itself included: they are computed once for all.
    pub operands: Vec<usize>,
}

/// Which operations can compute an operand's elements themselves, where they read them. Asked by fusion; without an
/// answer an operation reads its operands.
pub trait Fusion: Send + Sync {
    /// How an operation reads an operand that it could compute itself.
    ///
    /// # Errors
    /// Why it cannot compute it, in words for the user.
    fn reading(&self, body: &Body, op: Op, operand: usize, producer: Producer<'_>)
    -> Result<Reading, String>;

    /// Replaces an operation by one that computes what it reads of an operand. The producer stays. Gives the operations
    /// that read in its place now; `None` where it cannot be done, which [`reading`](Self::reading) says as well, and
    /// nothing is changed.
    fn fuse(&self, body: &mut Body, op: Op, operand: usize, producer: Producer<'_>) -> Option<Vec<Op>>;
}
service!(dyn Fusion, "Fusion", Optional);

/// The answer of an operation whose result has the same element everywhere: its first operand, which is no array.
pub struct SplatDomain;

impl IterationDomain for SplatDomain {
    fn domain(&self, op: OpRef<'_>) -> Option<Domain> {
        let rank = op.result_types().next()?.rank(op.context())? as u32;
        Some(Domain {
            iterator_types: vec![IteratorType::Parallel; rank as usize],
            reads: vec![Read { operand: 0, map: AffineMap::projection(rank, &[]) }],
            writes: vec![AffineMap::identity(rank)],
        })
    }

    fn compute(
        &self,
        _: &mut Builder<'_>,
        _: Op,
        elements: &[Value],
        _: &mut dyn FnMut(&mut Builder<'_>, u32) -> Value,
    ) -> Vec<Value> {
        elements.to_vec()
    }
}

/// The answer of a dialect whose [`Traits::ELEMENTWISE`] operations compute on tensors what they compute on scalars.
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
        let read = |(operand, ty): (usize, Type)| {
            let map = if ty.element_or_self(ctx) != ty {
                tensor(ty).filter(|&other| other as u32 == rank)?;
                AffineMap::identity(rank)
            } else {
                AffineMap::projection(rank, &[])
            };
            Some(Read { operand, map })
        };
        Some(Domain {
            iterator_types: vec![IteratorType::Parallel; rank as usize],
            reads: op.operand_types().enumerate().map(read).collect::<Option<_>>()?,
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
