//! Differentiation: tangent spaces of types, derivative rules of operations, and the operations that derivatives consist
//! of.

use crate::Extent;
use minoan_ir::{Attr, Body, Builder, Context, Name, Op, OpRef, Type, Value, service};

/// The representation of the derivative with respect to values of a type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TangentClass {
    /// There is none: the type is discrete, like an integer.
    Inactive,
    /// A value of the same type that is cheap to add and to carry: a number.
    Scalar,
    /// A value of the same type and the same extents. Adding two takes time proportional to their size, so reverse mode
    /// updates it in place where only a part is used.
    Dense,
    /// An object on the heap, whose tangent has a different type; see [`ObjectTangents`](crate::ObjectTangents).
    Object,
}

/// The tangent space of types: queried by `differentiate`, per dialect. The tangent of a value has its type, and its
/// extents if it is a tensor. Default: the type is inactive.
pub trait TangentSpace: Send + Sync {
    /// The class of a type; `None` if it is of another dialect.
    fn class(&self, ctx: &Context, ty: Type) -> Option<TangentClass>;

    /// Creates the zero of a type without dynamic extents. The zero of a number is a constant.
    fn zero(&self, b: &mut Builder<'_>, ty: Type) -> Value;

    /// Creates the zero tangent of a value.
    fn zero_like(&self, b: &mut Builder<'_>, primal: Value) -> Value;

    /// Creates the sum of two tangents.
    fn add(&self, b: &mut Builder<'_>, x: Value, y: Value) -> Value;

    /// Creates whether two numbers, or the elements of two tensors of floats, are equal: of type `i1`, or a tensor of it. False
    /// if one is NaN.
    fn equal(&self, b: &mut Builder<'_>, x: Value, y: Value) -> Value;
}
service!(dyn TangentSpace, "TangentSpace", Optional);

impl dyn TangentSpace {
    /// The tangent space of a type; `None` if the type is inactive.
    pub fn of(ctx: &Context, ty: Type) -> Option<(&dyn TangentSpace, TangentClass)> {
        let mut spaces = ctx
            .dialects_with::<dyn TangentSpace>()
            .filter_map(|dialect| dialect.service::<dyn TangentSpace>());
        let found = spaces.find_map(|space| Some((space, space.class(ctx, ty)?)));
        found.filter(|&(_, class)| class != TangentClass::Inactive)
    }

    /// Creates the zero of a type that has tangents, without dynamic extents.
    ///
    /// # Panics
    /// If the type has no tangents.
    pub fn zero_of(b: &mut Builder<'_>, ty: Type) -> Value {
        let ctx = b.context();
        let (space, _) = Self::of(&ctx, ty).expect("the type has tangents");
        space.zero(b, ty)
    }
}

/// The derivative of an operation. Queried by `differentiate`. Default: there is none, and differentiation through the
/// operation is an error.
///
/// The rule of an operation is its *tangent*, written with operations that are linear in the tangents of the operands.
/// Linear operations implement [`Differentiate::transpose`], from which reverse mode obtains the pullback of every other operation.
pub trait Differentiate: Send + Sync {
    /// Creates the tangents of the results from those of the operands, after the operation.
    ///
    /// # Errors
    /// The reason why the operation is not differentiable.
    fn tangent(&self, cx: &mut TangentCx<'_, '_>) -> Result<(), String>;

    /// Creates the cotangents of the operands in which the operation is linear from those of the results.
    ///
    /// # Errors
    /// A message if the operation is not linear in these operands, which is the default.
    fn transpose(&self, cx: &mut TransposeCx<'_, '_>) -> Result<(), String> {
        let _ = cx;
        Err("is not linear".to_owned())
    }

    /// Replaces an operation whose regions use values with tangents: creates operations that compute its results, with
    /// derivatives of their own, and may take its regions. Default: there are none, and the operation has no derivative.
    fn expand(&self, b: &mut Builder<'_>, op: Op) -> Option<Vec<Value>> {
        let _ = (b, op);
        None
    }

    /// Whether the slope of the operation may be infinite, or not a number, at finite operands. A tangent or cotangent of zero
    /// stays zero there. Default: no.
    fn is_singular(&self, op: OpRef<'_>) -> bool {
        let _ = op;
        false
    }
}
service!(dyn Differentiate, "Differentiate", Optional);

/// The attribute that marks the selects of [`DiffOps::zero_without_cause`] until all derivatives exist: the derivative of such a
/// select is that of the derivative in it, also where the zero is selected.
pub const GUARD: &str = "diff.guard";

/// The arguments of [`Differentiate::tangent`].
pub struct TangentCx<'a, 'b> {
    /// A builder after the operation.
    pub b: &'a mut Builder<'b>,
    /// The operation.
    pub op: Op,
    operands: &'a [Option<Value>],
    results: &'a mut [Option<Value>],
    is_transposed: bool,
}

impl<'a, 'b> TangentCx<'a, 'b> {
    /// The context of an operation with the given tangents of its operands, which receives those of its results.
    pub fn new(
        b: &'a mut Builder<'b>,
        op: Op,
        operands: &'a [Option<Value>],
        results: &'a mut [Option<Value>],
    ) -> Self {
        Self { b, op, operands, results, is_transposed: false }
    }

    /// The same for a tangent that is transposed, so that it must consist of operations that are linear in the tangents.
    pub fn transposed(self) -> Self {
        Self { is_transposed: true, ..self }
    }

    /// Whether the tangent is transposed. Otherwise it may depend on the values of the tangents of the operands.
    pub fn is_transposed(&self) -> bool {
        self.is_transposed
    }

    /// An operand of the operation.
    pub fn primal(&self, operand: usize) -> Value {
        self.b.body().op(self.op).operand(operand)
    }

    /// A result of the operation, which reverse mode has saved. Rules prefer it over a computation from the operands.
    pub fn result(&self, result: usize) -> Value {
        self.b.body().op(self.op).result(result)
    }

    /// The tangent of an operand; `None` if it is zero.
    pub fn d(&self, operand: usize) -> Option<Value> {
        self.operands.get(operand).copied().flatten()
    }

    /// Sets the tangent of a result, which is zero otherwise.
    pub fn set(&mut self, result: usize, tangent: impl Into<Option<Value>>) {
        self.results[result] = tangent.into();
    }
}

/// The cotangents of values, as [`Differentiate::transpose`] updates them.
pub trait Cotangents {
    /// Adds to the cotangent of a value.
    fn add(&mut self, b: &mut Builder<'_>, value: Value, cotangent: Value);

    /// Replaces the cotangent of a value, which is zero if there was none, by the value that `f` creates from it. An
    /// update of some elements is in place after bufferization.
    fn update(
        &mut self,
        b: &mut Builder<'_>,
        value: Value,
        f: &mut dyn FnMut(&mut Builder<'_>, Value) -> Value,
    );
}

/// The arguments of [`Differentiate::transpose`].
pub struct TransposeCx<'a, 'b> {
    /// A builder at the current end of the reverse sweep.
    pub b: &'a mut Builder<'b>,
    /// The operation.
    pub op: Op,
    linear: &'a [bool],
    results: &'a [Option<Value>],
    sink: &'a mut dyn Cotangents,
}

impl<'a, 'b> TransposeCx<'a, 'b> {
    /// The context of an operation whose operands `linear` are tangents, with the cotangents of its results.
    pub fn new(
        b: &'a mut Builder<'b>,
        op: Op,
        linear: &'a [bool],
        results: &'a [Option<Value>],
        sink: &'a mut dyn Cotangents,
    ) -> Self {
        Self { b, op, linear, results, sink }
    }

    /// An operand of the operation. An operand in which it is linear is not available in the reverse sweep.
    pub fn operand(&self, operand: usize) -> Value {
        self.b.body().op(self.op).operand(operand)
    }

    /// Whether an operand is a tangent, and needs a cotangent.
    pub fn is_linear(&self, operand: usize) -> bool {
        self.linear[operand]
    }

    /// The cotangent of a result; `None` if it is zero.
    pub fn ct(&self, result: usize) -> Option<Value> {
        self.results[result]
    }

    /// Adds to the cotangent of an operand, if it needs one.
    pub fn add(&mut self, operand: usize, cotangent: Value) {
        if self.linear[operand] {
            let value = self.operand(operand);
            self.sink.add(self.b, value, cotangent);
        }
    }

    /// Updates the cotangent of an operand, if it needs one; see [`Cotangents::update`].
    pub fn update(&mut self, operand: usize, f: &mut dyn FnMut(&mut Builder<'_>, Value) -> Value) {
        if self.linear[operand] {
            let value = self.operand(operand);
            self.sink.update(self.b, value, f);
        }
    }
}

/// A rule by its functions.
#[derive(Clone, Copy)]
pub struct DerivativeRule {
    tangent: TangentFn,
    transpose: Option<TransposeFn>,
    singular: SingularFn,
}

type TangentFn = fn(&mut TangentCx<'_, '_>) -> Result<(), String>;
type TransposeFn = fn(&mut TransposeCx<'_, '_>) -> Result<(), String>;
type SingularFn = fn(OpRef<'_>) -> bool;

impl DerivativeRule {
    /// The rule of an operation that is not linear.
    pub fn new(tangent: TangentFn) -> Self {
        Self { tangent, transpose: None, singular: |_| false }
    }

    /// The rule of an operation that is linear in some operands.
    pub fn linear(tangent: TangentFn, transpose: TransposeFn) -> Self {
        Self { transpose: Some(transpose), ..Self::new(tangent) }
    }

    /// The rule with the operations that are [singular](Differentiate::is_singular).
    pub fn singular(self, singular: SingularFn) -> Self {
        Self { singular, ..self }
    }

    /// The rule of an operation whose derivative is zero wherever it exists: rounding, a stopped gradient.
    pub fn zero() -> Self {
        Self::new(|_| Ok(()))
    }
}

impl Differentiate for DerivativeRule {
    fn tangent(&self, cx: &mut TangentCx<'_, '_>) -> Result<(), String> {
        (self.tangent)(cx)
    }

    fn transpose(&self, cx: &mut TransposeCx<'_, '_>) -> Result<(), String> {
        match self.transpose {
            Some(transpose) => transpose(cx),
            None => Err("is not linear".to_owned()),
        }
    }

    fn is_singular(&self, op: OpRef<'_>) -> bool {
        (self.singular)(op)
    }
}

/// The direction of differentiation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum DiffMode {
    /// Tangents of the results from those of the arguments.
    Forward,
    /// Cotangents of the arguments from those of the results.
    Reverse,
}

/// A request for a derivative of a function, which represents a call of it.
///
/// The operands are the arguments of the function, then a tangent for each argument in `wrt` (forward mode), or a cotangent
/// for each result with a tangent space (reverse mode). The results are the results of the function if `value`, then a
/// tangent for each result with a tangent space, or a cotangent for each argument in `wrt`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DiffRequest {
    /// The function.
    pub callee: Name,
    /// The direction.
    pub mode: DiffMode,
    /// Whether the results of the function are wanted, too.
    pub value: bool,
    /// The arguments to differentiate with respect to, by ascending index; `None` for all with a tangent space.
    pub wrt: Option<Vec<usize>>,
    /// Whether the cotangents of all results are ones, which are then not operands.
    pub ones: bool,
}

/// A derivative that the program defines itself, instead of the one that `differentiate` would create. It has the operands
/// and results of a [`DiffRequest`] without values, with respect to all arguments with a tangent space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DiffRule {
    /// The function.
    pub of: Name,
    /// The direction.
    pub mode: DiffMode,
    /// The function that computes the derivative.
    pub derivative: Name,
}

/// Creates a part of the body of a loop: the next carried values from the iteration number and the carried values.
pub type CountedBody<'f> = &'f mut dyn FnMut(&mut Builder<'_>, Value, &[Value]) -> Vec<Value>;

/// Requests for derivatives, and the operations that derivatives consist of. Queried by `differentiate`, of the only dialect
/// that implements it. Default: there are no requests.
///
/// Numbers of iterations, positions and extents are values of type `index`.
pub trait DiffOps: Send + Sync {
    /// The request that an operation is.
    fn request(&self, op: OpRef<'_>) -> Option<DiffRequest>;

    /// The user-defined derivative that an operation declares.
    fn rule(&self, op: OpRef<'_>) -> Option<DiffRule>;

    /// The operand of an operation that only keeps derivatives from depending on it: afterwards, the operand replaces its
    /// result.
    fn stopped(&self, op: OpRef<'_>) -> Option<Value>;

    /// Creates a placeholder for a value that is determined later.
    fn placeholder(&self, b: &mut Builder<'_>, ty: Type) -> Value;

    /// Creates a value with the type and the extents of another one, whose elements are all `number`. `None` if the type is
    /// not numeric.
    fn filled_like(&self, b: &mut Builder<'_>, value: Value, number: i64) -> Option<Value>;

    /// Creates a constant of type `index`.
    fn index(&self, b: &mut Builder<'_>, number: i64) -> Value;

    /// Creates `x + y`, of type `index`.
    fn index_add(&self, b: &mut Builder<'_>, x: Value, y: Value) -> Value;

    /// Creates `x - y`, of type `index`.
    fn index_sub(&self, b: &mut Builder<'_>, x: Value, y: Value) -> Value;

    /// Creates `x * y`, of type `index`.
    fn index_mul(&self, b: &mut Builder<'_>, x: Value, y: Value) -> Value;

    /// Creates the product of two floats or complex numbers of one type.
    fn product(&self, b: &mut Builder<'_>, x: Value, y: Value) -> Value;

    /// Creates `derivative`, which is linear in `causes`, replaced by zero where all of them are zero. All are numbers, or
    /// tensors of floats; the causes may have another type than the derivative.
    fn zero_without_cause(&self, b: &mut Builder<'_>, causes: &[Value], derivative: Value) -> Value;

    /// Creates `yes` or `no`, floats or complex numbers; `None` is zero.
    fn select_or_zero(
        &self,
        b: &mut Builder<'_>,
        condition: Value,
        yes: Option<Value>,
        no: Option<Value>,
    ) -> Value;

    /// Creates the number of iterations of a loop from its bounds and its step, which have one type; of type `index`.
    fn trip_count(
        &self,
        b: &mut Builder<'_>,
        lower: Value,
        upper: Value,
        step: Value,
        unsigned: bool,
    ) -> Value;

    /// Creates the value of an induction variable in iteration `number`.
    fn induction_value(&self, b: &mut Builder<'_>, lower: Value, step: Value, number: Value) -> Value;

    /// Creates the number of the iteration in which the induction variable has a value; of type `index`.
    fn iteration_number(&self, b: &mut Builder<'_>, lower: Value, step: Value, value: Value) -> Value;

    /// Creates a loop of `count` iterations, none if it is negative; returns the final carried values.
    fn counted_loop(
        &self,
        b: &mut Builder<'_>,
        count: Value,
        inits: &[Value],
        body: CountedBody<'_>,
    ) -> Vec<Value>;

    /// Stops the program if two tensors of one type differ in their extents. Does nothing for values of other types.
    fn check_extents(&self, b: &mut Builder<'_>, x: Value, y: Value);

    /// If the operation reads an extent: the tensor and the dimension.
    fn extent_read(&self, op: OpRef<'_>) -> Option<(Value, usize)>;

    /// The dynamic sizes of an operation that extracts a slice of a tensor or creates a tensor of unspecified elements; `None`
    /// for any other operation.
    fn sizes(&self, op: OpRef<'_>) -> Option<Vec<Value>>;

    /// Creates an extent of a tensor.
    fn extent(&self, b: &mut Builder<'_>, tensor: Value, dim: usize) -> Value;

    /// Creates an extent of the iteration domain of an operation with these operands, as a value.
    fn extent_value(&self, b: &mut Builder<'_>, extent: Extent, operands: &[Value]) -> Value {
        match extent {
            Extent::Known(extent) => self.index(b, extent),
            Extent::Of { operand, dim } => self.extent(b, operands[operand], dim),
            Extent::Plus { operand, dim, by } => {
                let (extent, by) = (self.extent(b, operands[operand], dim), self.index(b, by));
                self.index_add(b, extent, by)
            }
            Extent::Value(value) => value,
        }
    }

    /// Creates a tensor of unspecified elements with an extent for each dimension; static ones are ignored.
    fn empty(&self, b: &mut Builder<'_>, ty: Type, extents: &[Value]) -> Value;

    /// Pads a tensor of floats or complex numbers with zeros: `widths` are the numbers of zeros before and after each dimension. The extents of
    /// padded dimensions are static.
    fn padded(&self, b: &mut Builder<'_>, tensor: Value, widths: &[(i64, i64)]) -> Value;

    /// Creates the element of a tensor.
    fn load(&self, b: &mut Builder<'_>, tensor: Value, indices: &[Value]) -> Value;

    /// Creates the tensor with one element replaced.
    fn store(&self, b: &mut Builder<'_>, element: Value, tensor: Value, indices: &[Value]) -> Value;

    /// Creates storage for `count` values like `value`: a tensor with an additional first dimension. `None` if values of this
    /// type cannot be stored.
    fn storage(&self, b: &mut Builder<'_>, count: Value, value: Value) -> Option<Value>;

    /// Creates storage for `count` values of a type with the dynamic extents `sizes`. `None` if values of this type cannot be
    /// stored.
    fn sized_storage(&self, b: &mut Builder<'_>, count: Value, ty: Type, sizes: &[Value]) -> Option<Value>;

    /// Creates storage for values of a type, initially without room. `sizes` are the dynamic extents of all values, if
    /// they are known; otherwise the first value of [`save_growing`](Self::save_growing) determines them. `None` if
    /// values of this type cannot be stored.
    fn growing_storage(&self, b: &mut Builder<'_>, ty: Type, sizes: Option<&[Value]>) -> Option<Value>;

    /// Creates the storage with the value at `position` replaced. `sizes` are the dynamic extents of the value, if
    /// they are known to be those of all others; otherwise the program ends with a message if the value does not have the
    /// extents of the value from which the storage was created.
    fn save(
        &self,
        b: &mut Builder<'_>,
        storage: Value,
        position: Value,
        value: Value,
        sizes: Option<&[Value]>,
    ) -> Value;

    /// Creates the storage with the value at `position` replaced, and at least twice the size if it was too small. `sizes` are
    /// the dynamic extents of the value, if they are known to be those of all others.
    fn save_growing(
        &self,
        b: &mut Builder<'_>,
        storage: Value,
        position: Value,
        value: Value,
        sizes: Option<&[Value]>,
    ) -> Value;

    /// Creates the value of type `ty` at `position` of a storage. `sizes` are its dynamic extents, if they are known.
    fn restore(
        &self,
        b: &mut Builder<'_>,
        storage: Value,
        position: Value,
        ty: Type,
        sizes: Option<&[Value]>,
    ) -> Value;

    /// Creates the value of an affine expression at a point of an iteration domain, of type `index`.
    fn affine(
        &self,
        b: &mut Builder<'_>,
        expr: &minoan_ir::affine::AffineExpr,
        point: &mut dyn FnMut(&mut Builder<'_>, u32) -> Value,
    ) -> Value;
}
service!(dyn DiffOps, "DiffOps", Optional);

impl dyn DiffOps {
    /// The dialect's operations, if one is loaded.
    pub fn any(ctx: &Context) -> Option<&dyn DiffOps> {
        ctx.dialects_with::<dyn DiffOps>().next().and_then(|dialect| dialect.service::<dyn DiffOps>())
    }

    /// Whether an operation in a body, or in a body nested in it, is a request.
    pub fn is_requested(body: &Body) -> bool {
        let Some(ops) = Self::any(body.context()) else { return false };
        let mut pending = vec![body];
        while let Some(body) = pending.pop() {
            for op in body.walk() {
                let view = body.op(op);
                if ops.request(view).is_some() {
                    return true;
                }
                pending.extend(view.nested());
            }
        }
        false
    }
}

/// A list of operand or argument numbers in an attribute.
pub fn numbers_of(ctx: &Context, attr: Attr) -> Option<Vec<usize>> {
    attr.as_array(ctx)?.iter().map(|attr| usize::try_from(attr.as_i64(ctx)?).ok()).collect()
}
