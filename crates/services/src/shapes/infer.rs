//! Inference of types and extents.

use minoan_ir::{Context, DYNAMIC, OpKind, OpRef, OpState, Traits, Type, Value, service};

/// Refined types of an operation: the same types with additional static extents.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inferred {
    /// The types of the operands.
    pub operands: Vec<Type>,
    /// The types of the results.
    pub results: Vec<Type>,
    /// Whether the operation is valid with these result types. If not, it keeps its types and is followed by a cast.
    pub in_place: bool,
}

/// Result types as a function of operand types. Queried by `infer-shapes` if [`ShapeInference`] is not implemented.
/// Default: the types are kept.
pub trait TypeInference: Send + Sync {
    /// The types inferred from these operand types, which refine those of the operation; `None` if they are
    /// inconsistent.
    fn infer(&self, op: OpRef<'_>, operands: &[Type]) -> Option<Inferred>;
}
service!(dyn TypeInference, "TypeInference", Optional);

/// Extents of results and operands as a function of operand types, constants and attributes. Queried by `infer-shapes`.
/// Default: [`TypeInference`].
pub trait ShapeInference: Send + Sync {
    /// The types inferred from these operand types, which refine those of the operation; `None` if they are
    /// inconsistent. Inference is monotone: more static operand extents never yield fewer static result extents.
    fn infer(&self, op: OpRef<'_>, operands: &[Type]) -> Option<Inferred>;
}
service!(dyn ShapeInference, "ShapeInference", Optional);

/// Casts between types of equal rank with different static extents. Queried by `infer-shapes`, per dialect, and for a function
/// whose parameters are bound to constants. Default: values keep their types.
pub trait ShapeCast: Send + Sync {
    /// Creates an operation that casts a value to another type; `None` if the dialect has none.
    fn cast(&self, ctx: &Context, value: Value, from: Type, to: Type) -> Option<OpState>;

    /// Whether an operation of the dialect is such a cast, which is redundant if both types are equal.
    fn is_cast(&self, op: OpRef<'_>) -> bool;
}
service!(dyn ShapeCast, "ShapeCast", Optional);

impl dyn ShapeCast {
    /// Creates a cast in the body of a function: by the implementation of the function, otherwise of any dialect. `None` if
    /// there is no cast between the types.
    pub fn in_function(
        ctx: &Context,
        function: OpKind,
        value: Value,
        from: Type,
        to: Type,
    ) -> Option<OpState> {
        let cast = |service: &dyn ShapeCast| service.cast(ctx, value, from, to);
        let own = ctx.service::<dyn ShapeCast>(function).and_then(cast);
        let dialects = ctx.dialects().iter();
        own.or_else(|| dialects.filter_map(|dialect| dialect.service::<dyn ShapeCast>()).find_map(cast))
    }
}

impl Inferred {
    /// Types that the operation can have in place.
    pub fn in_place(operands: &[Type], results: Vec<Type>) -> Self {
        Self { operands: operands.to_vec(), results, in_place: true }
    }

    /// Static extents of the only result of an operation that keeps its type: dynamic extents of the type are taken
    /// from `known`.
    pub fn behind(op: OpRef<'_>, operands: &[Type], known: &[Option<i64>]) -> Option<Self> {
        let ctx = op.context();
        let result = refine_shape(ctx, op.result_types().next()?, known)?;
        Some(Self { operands: operands.to_vec(), results: vec![result], in_place: false })
    }
}

/// The type with its dynamic extents replaced by known ones; `None` for a type without extents or of another rank.
/// Negative extents are ignored.
pub fn refine_shape(ctx: &Context, ty: Type, known: &[Option<i64>]) -> Option<Type> {
    let shape = ty.shape(ctx).filter(|shape| shape.len() == known.len())?;
    let extent = |(&have, &known): (&i64, &Option<i64>)| match known {
        Some(known) if have == DYNAMIC && known >= 0 => known,
        _ => have,
    };
    ty.with_shape(ctx, &shape.iter().zip(known).map(extent).collect::<Vec<_>>())
}

/// The most static shape consistent with two shaped types; `None` if they contradict each other. Other properties are
/// those of the first type.
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

/// Implements inference for [`Traits::ELEMENTWISE`] operations, whose shaped operands and results have equal shapes.
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

/// The extent of the dimension to which a group of dimensions is collapsed: their product, [`DYNAMIC`] if one of them is
/// dynamic.
pub fn collapsed_extent(shape: &[i64], group: &[i64]) -> i64 {
    let extents = group.iter().map(|&dim| shape[dim as usize]);
    if extents.clone().any(|extent| extent == DYNAMIC) { DYNAMIC } else { extents.product() }
}
