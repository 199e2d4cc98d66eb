//! What types and extents follow from others.

use minoan_ir::{Context, DYNAMIC, OpRef, OpState, Traits, Type, Value, service};

/// Types that an operation may have instead of those that it has: the same, but with extents that were not known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inferred {
    /// The operands' types.
    pub operands: Vec<Type>,
    /// The results' types.
    pub results: Vec<Type>,
    /// Whether the operation is valid with results of these types. If not, it keeps its own, and a cast follows it.
    pub in_place: bool,
}

/// Which result types follow from operand types alone. Asked by the inference of shapes, where [`ShapeInference`] says
/// nothing; without an answer an operation keeps the types it has.
pub trait TypeInference: Send + Sync {
    /// What follows from operands of these types, which are those of the operation but for extents that are known;
    /// `None` when they do not go together.
    fn infer(&self, op: OpRef<'_>, operands: &[Type]) -> Option<Inferred>;
}
service!(dyn TypeInference, "TypeInference", Optional);

/// Which extents of results, and of operands, follow from operand types, constants and attributes. Asked by the
/// inference of shapes; without an answer [`TypeInference`] is asked.
pub trait ShapeInference: Send + Sync {
    /// What follows from operands of these types, which are those of the operation but for extents that are known;
    /// `None` when they do not go together. More known extents of operands never make fewer known of results.
    fn infer(&self, op: OpRef<'_>, operands: &[Type]) -> Option<Inferred>;
}
service!(dyn ShapeInference, "ShapeInference", Optional);

/// Casts between types of one rank that differ in which extents are known. Asked of dialects by the inference of
/// shapes; without an answer the types of values stay.
pub trait ShapeCast: Send + Sync {
    /// The operation whose one result is the value under another type; `None` where the dialect has none for it.
    fn cast(&self, ctx: &Context, value: Value, from: Type, to: Type) -> Option<OpState>;

    /// Whether an operation of the dialect is such a cast: it is not needed where both types are the same.
    fn is_cast(&self, op: OpRef<'_>) -> bool;
}
service!(dyn ShapeCast, "ShapeCast", Optional);

impl Inferred {
    /// Types in place.
    pub fn in_place(operands: &[Type], results: Vec<Type>) -> Self {
        Self { operands: operands.to_vec(), results, in_place: true }
    }

    /// Extents of the one result that are known, of an operation that stays as it is: what the type leaves open is
    /// taken from `known`.
    pub fn behind(op: OpRef<'_>, operands: &[Type], known: &[Option<i64>]) -> Option<Self> {
        let ctx = op.context();
        let result = refine_shape(ctx, op.result_types().next()?, known)?;
        Some(Self { operands: operands.to_vec(), results: vec![result], in_place: false })
    }
}

/// The type with the extents that it leaves open, where they are known; `None` for a type without extents, or of another
/// rank. An extent that is negative is none.
pub fn refine_shape(ctx: &Context, ty: Type, known: &[Option<i64>]) -> Option<Type> {
    let shape = ty.shape(ctx).filter(|shape| shape.len() == known.len())?;
    let extent = |(&have, &known): (&i64, &Option<i64>)| match known {
        Some(known) if have == DYNAMIC && known >= 0 => known,
        _ => have,
    };
    ty.with_shape(ctx, &shape.iter().zip(known).map(extent).collect::<Vec<_>>())
}

/// The extents that either of two shaped types says; `None` when they contradict each other. The rest is the first's.
pub fn meet_shapes(ctx: &Context, a: Type, b: Type) -> Option<Type> {
    let other = b.shape(ctx)?;
    let agree = |(&a, &b): (&i64, &i64)| a == DYNAMIC || b == DYNAMIC || a == b;
    let shape = a.shape(ctx).filter(|shape| shape.len() == other.len())?;
    if !shape.iter().zip(other).all(agree) {
        return None;
    }
    refine_shape(
        ctx,
        a,
        &other.iter().map(|&extent| (extent != DYNAMIC).then_some(extent)).collect::<Vec<_>>(),
    )
}

/// The answer of a dialect whose [`Traits::ELEMENTWISE`] operations have shaped operands and results of one shape.
pub struct ElementwiseTypes;

impl TypeInference for ElementwiseTypes {
    fn infer(&self, op: OpRef<'_>, operands: &[Type]) -> Option<Inferred> {
        let ctx = op.context();
        if !op.has_trait(Traits::ELEMENTWISE) {
            return None;
        }
        let tensors = |ty: &Type| ty.is_tensor(ctx) && ty.shape(ctx).is_some();
        let mut shaped = operands.iter().copied().chain(op.result_types()).filter(tensors);
        let first = shaped.next()?;
        let shape = shaped.try_fold(first, |shape, ty| meet_shapes(ctx, shape, ty))?.shape(ctx)?;
        let with = |ty: Type| if tensors(&ty) { ty.with_shape(ctx, shape) } else { Some(ty) };
        let operands: Vec<Type> = operands.iter().map(|&ty| with(ty)).collect::<Option<_>>()?;
        Some(Inferred::in_place(&operands, op.result_types().map(with).collect::<Option<_>>()?))
    }
}
