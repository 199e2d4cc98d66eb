//! Vectorization of scalar operations.

use crate::{BufferOps, SpeculationTable, zero_attr};
use crate::{IndexOps, Masked, VectorOps};
use minoan_ir::{Builder, Context, Op, OpRef, OpState, Traits, Type, Value, service};
use rustc_hash::FxHashMap;

/// The value of a scalar on the lanes of a vectorized computation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Lane {
    /// The same value, of the scalar's type or a buffer, on all lanes.
    Uniform(Value),
    /// A vector with one element per lane.
    Varying(Value),
}

/// The state of a vectorized computation: the shape of its vectors, the active lanes, and the vectorized values.
#[derive(Clone, Debug, Default)]
pub struct Lanes {
    /// The shape of the vectors.
    pub shape: Vec<i64>,
    /// The active lanes, a vector of `i1`; `None` if all are active.
    pub mask: Option<Value>,
    values: FxHashMap<Value, Lane>,
}

impl Lanes {
    /// Creates the state for vectors of a shape with all lanes active.
    pub fn new(shape: &[i64]) -> Self {
        Self { shape: shape.to_vec(), ..Self::default() }
    }

    /// Sets the vectorized form of a scalar.
    pub fn set(&mut self, scalar: Value, lane: Lane) {
        self.values.insert(scalar, lane);
    }

    /// The vectorized form of a scalar; a scalar without one is uniform.
    pub fn get(&self, scalar: Value) -> Lane {
        self.values.get(&scalar).copied().unwrap_or(Lane::Uniform(scalar))
    }

    /// The type of vectors with elements of a type.
    pub fn ty(&self, ctx: &Context, element: Type) -> Type {
        Type::vector(ctx, &self.shape, element)
    }

    /// The vector of a scalar: a uniform value is broadcast. `None` if no loaded dialect has [`VectorOps`].
    pub fn vector(&self, b: &mut Builder<'_>, scalar: Value) -> Option<Value> {
        match self.get(scalar) {
            Lane::Varying(vector) => Some(vector),
            Lane::Uniform(value) => {
                let (ctx, ty) = (b.context(), b.ty(value));
                let ty = self.ty(&ctx, ty);
                Some(<dyn VectorOps>::any(&ctx)?.splat(b, value, ty))
            }
        }
    }

    /// Vectorizes an operation at the insertion point and records its results. An operation whose operands are all
    /// uniform is copied as a scalar. `None`, with operations possibly created, if it has no vector form.
    pub fn run(&mut self, b: &mut Builder<'_>, op: Op) -> Option<()> {
        let ctx = b.context();
        let view = b.body().op(op);
        let uniform: Option<Vec<Value>> = view
            .operands()
            .map(|operand| match self.get(operand) {
                Lane::Uniform(value) => Some(value),
                Lane::Varying(_) => None,
            })
            .collect();
        // A tensor may have become a buffer, which the operation itself does not accept.
        let same_types =
            |values: &Vec<Value>| values.iter().map(|&value| b.ty(value)).eq(view.operand_types());
        let is_copied = view.n_regions() == 0 && view.has_trait(Traits::PURE);
        let copied = uniform.filter(|values| is_copied && same_types(values));
        let results: Vec<Lane> = match copied {
            Some(operands) => {
                let types: Vec<Type> = view.result_types().collect();
                let state = OpState::new(view.kind()).operands(&operands).results(&types);
                let state = state.props(view.props()).attrs(view.attrs()).loc(view.loc());
                let scalar = b.create(state);
                b.body().op(scalar).results().map(Lane::Uniform).collect()
            }
            None => {
                let form = ctx.service::<dyn VectorForm>(view.kind())?;
                form.lanes(b, op, self)?.into_iter().map(Lane::Varying).collect()
            }
        };
        let old: Vec<Value> = b.body().op(op).results().collect();
        for (old, new) in old.into_iter().zip(results) {
            self.set(old, new);
        }
        Some(())
    }

    /// Reads the elements of a buffer at vectorized indices: a broadcast of one load, a gather if only the last index
    /// varies, otherwise one load per lane. `None` if the container is not a buffer, or for masked lanes whose other
    /// indices vary.
    pub fn read(&self, b: &mut Builder<'_>, container: Value, indices: &[Value]) -> Option<Value> {
        let ctx = b.context();
        let Lane::Uniform(buffer) = self.get(container) else { return None };
        let element = b.ty(buffer).element(&ctx).filter(|_| b.ty(buffer).is_memref(&ctx))?;
        let ty = self.ty(&ctx, element);
        let (vectors, scalars) = (<dyn VectorOps>::any(&ctx)?, <dyn IndexOps>::any(&ctx)?);
        let buffers = ctx.dialects().iter().find_map(|dialect| dialect.service::<dyn BufferOps>())?;
        let lanes: Vec<Lane> = indices.iter().map(|&index| self.get(index)).collect();
        let is_uniform = |lane: &Lane| matches!(lane, Lane::Uniform(_));
        let mut at: Vec<Value> =
            lanes.iter().map(|&(Lane::Uniform(value) | Lane::Varying(value))| value).collect();
        if self.mask.is_none() && lanes.iter().all(is_uniform) {
            let value = buffers.load(b, buffer, &at);
            return Some(vectors.splat(b, value, ty));
        }
        let (last, leading) = lanes.split_last()?;
        if leading.iter().all(is_uniform) {
            let zero = scalars.index(b, 0);
            let offsets = match *last {
                Lane::Varying(offsets) => offsets,
                Lane::Uniform(offset) => vectors.splat(b, offset, self.ty(&ctx, Type::INDEX)),
            };
            *at.last_mut()? = zero;
            let masked = match self.mask {
                None => None,
                Some(mask) => {
                    let zero = zero_attr(&ctx, element)?;
                    let zero = scalars.constant(b, zero);
                    Some(Masked { mask, otherwise: vectors.splat(b, zero, ty) })
                }
            };
            return Some(vectors.gather(b, ty, buffer, &at, offsets, masked));
        }
        if self.mask.is_some() {
            return None;
        }
        let mut elements = Vec::new();
        for point in points(&self.shape) {
            let mut at = at.clone();
            for (index, lane) in at.iter_mut().zip(&lanes) {
                if let Lane::Varying(vector) = *lane {
                    *index = vectors.extract(b, vector, &point);
                }
            }
            elements.push(buffers.load(b, buffer, &at));
        }
        Some(vectors.join(b, &elements, ty))
    }

    /// Vectorizes the operations of a block and returns the vectors of its terminator's operands.
    pub fn run_block(&mut self, b: &mut Builder<'_>, block: minoan_ir::Block) -> Option<Vec<Value>> {
        let ops: Vec<Op> = b.body().block(block).ops().collect();
        let (&last, ops) = ops.split_last()?;
        for &op in ops {
            self.run(b, op)?;
        }
        let yielded: Vec<Value> = b.body().op(last).operands().collect();
        yielded.into_iter().map(|value| self.vector(b, value)).collect()
    }
}

/// All positions in a shape, in row-major order.
fn points(shape: &[i64]) -> Vec<Vec<i64>> {
    shape.iter().fold(vec![Vec::new()], |points, &extent| {
        let extended = |point: Vec<i64>| {
            (0..extent).map(move |at| point.iter().copied().chain(std::iter::once(at)).collect())
        };
        points.into_iter().flat_map(extended).collect()
    })
}

/// The vectorization of scalar operations. Queried by scheduling. Default: an operation with the trait `ELEMENTWISE` is
/// applied to vectors; others have no vector form.
pub trait VectorForm: Send + Sync {
    /// Creates the computation on vectors at the insertion point and returns a vector for each result. Inactive lanes
    /// of the results are unspecified and cause no undefined behavior. `None` if there is no vector form; operations
    /// may have been created, which the caller discards.
    fn lanes(&self, b: &mut Builder<'_>, op: Op, lanes: &mut Lanes) -> Option<Vec<Value>>;

    /// Whether the vector form may be executed on lanes that the program does not execute, with any elements.
    fn speculatable(&self, op: OpRef<'_>) -> bool {
        SpeculationTable::new(op.context()).is_harmless(op)
    }
}
service!(dyn VectorForm, "VectorForm", Default(ElementwiseLanes));

/// The default: elementwise operations on vectors.
pub struct ElementwiseLanes;

impl VectorForm for ElementwiseLanes {
    fn lanes(&self, b: &mut Builder<'_>, op: Op, lanes: &mut Lanes) -> Option<Vec<Value>> {
        let ctx = b.context();
        let view = b.body().op(op);
        if !view.has_trait(Traits::ELEMENTWISE) || view.n_regions() > 0 {
            return None;
        }
        // With inactive lanes that may hold any value, an operation with undefined behavior is not allowed.
        if lanes.mask.is_some() && !self.speculatable(view) {
            return None;
        }
        let operands: Vec<Value> = view.operands().collect();
        let types: Vec<Type> = view.result_types().map(|ty| lanes.ty(&ctx, ty)).collect();
        let (kind, props, attrs, loc) = (view.kind(), view.props(), view.attrs(), view.loc());
        let operands: Option<Vec<Value>> =
            operands.into_iter().map(|operand| lanes.vector(b, operand)).collect();
        let state = OpState::new(kind).operands(&operands?).results(&types);
        let op = b.create(state.props(props).attrs(attrs).loc(loc));
        Some(b.body().op(op).results().collect())
    }
}
