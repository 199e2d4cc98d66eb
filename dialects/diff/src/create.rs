//! The operations that derivatives consist of.

use crate::ops::{self, Placeholder, Stop};
use crate::space::{dynamic_extents, extent};
use crate::storage;
use minoan_arith::{self as arith, CmpIPredicate};
use minoan_complex as complex;
use minoan_data::assert_values;
use minoan_ir::affine::{AffineExpr, AffineOp};
use minoan_ir::{Builder, DYNAMIC, OpDef, OpRef, Type, Value};
use minoan_scf::For;
use minoan_services::{CountedBody, DiffOps, DiffRequest, DiffRule, TangentSpace, is_complex, is_number};
use minoan_tensor as tensor;

pub(crate) struct Operations;

/// The value of a constant of type `index`.
fn known(b: &Builder<'_>, value: Value) -> Option<i64> {
    arith::constant_value(b.body(), value)?.as_i64(b.body().context())
}

/// Converts a number of an integer type to `index`.
fn to_index(b: &mut Builder<'_>, value: Value, unsigned: bool) -> Value {
    match b.ty(value) {
        Type::INDEX => value,
        _ if unsigned => arith::index_castui(b, value, Type::INDEX),
        _ => arith::index_cast(b, value, Type::INDEX),
    }
}

impl DiffOps for Operations {
    fn request(&self, op: OpRef<'_>) -> Option<DiffRequest> {
        ops::request(op)
    }

    fn rule(&self, op: OpRef<'_>) -> Option<DiffRule> {
        ops::rule(op)
    }

    fn stopped(&self, op: OpRef<'_>) -> Option<Value> {
        op.is::<Stop>().then(|| op.operand(0))
    }

    fn placeholder(&self, b: &mut Builder<'_>, ty: Type) -> Value {
        Placeholder::build(b, ty).result(b.body())
    }

    fn filled_like(&self, b: &mut Builder<'_>, value: Value, number: i64) -> Option<Value> {
        let ctx = b.context();
        let ty = b.ty(value);
        let element = ty.element_or_self(&ctx);
        let scalar = match () {
            () if !is_number(&ctx, element) => return None,
            () if element.is_float(&ctx) => arith::constant_float(b, number as f64, element),
            () if is_complex(&ctx, element) => complex::constant_number(b, [number as f64, 0.0], element),
            () => arith::constant_int(b, number, element),
        };
        if !ty.is_tensor(&ctx) {
            return (ty == element).then_some(scalar);
        }
        let sizes = dynamic_extents(b, value);
        Some(tensor::Splat::build(b, scalar, &sizes, ty).aggregate(b.body()))
    }

    fn index(&self, b: &mut Builder<'_>, number: i64) -> Value {
        arith::constant_index(b, number)
    }

    fn index_add(&self, b: &mut Builder<'_>, x: Value, y: Value) -> Value {
        match (known(b, x), known(b, y)) {
            (Some(0), _) => y,
            (_, Some(0)) => x,
            _ => arith::addi(b, x, y),
        }
    }

    fn index_sub(&self, b: &mut Builder<'_>, x: Value, y: Value) -> Value {
        if known(b, y) == Some(0) { x } else { arith::subi(b, x, y) }
    }

    fn index_mul(&self, b: &mut Builder<'_>, x: Value, y: Value) -> Value {
        match (known(b, x), known(b, y)) {
            (Some(1), _) => y,
            (_, Some(1)) => x,
            _ => arith::muli(b, x, y),
        }
    }

    fn product(&self, b: &mut Builder<'_>, x: Value, y: Value) -> Value {
        let ctx = b.context();
        if is_complex(&ctx, b.ty(x)) { complex::mul(b, x, y) } else { arith::mulf(b, x, y) }
    }

    fn zero_without_cause(&self, b: &mut Builder<'_>, causes: &[Value], derivative: Value) -> Value {
        arith::zero_without_cause(b, causes, derivative)
    }

    fn select_or_zero(
        &self,
        b: &mut Builder<'_>,
        condition: Value,
        yes: Option<Value>,
        no: Option<Value>,
    ) -> Value {
        let ty = yes.or(no).map(|value| b.ty(value)).expect("one of both is not zero");
        let [yes, no] = [yes, no].map(|part| part.unwrap_or_else(|| <dyn TangentSpace>::zero_of(b, ty)));
        arith::select(b, condition, yes, no)
    }

    fn trip_count(
        &self,
        b: &mut Builder<'_>,
        lower: Value,
        upper: Value,
        step: Value,
        unsigned: bool,
    ) -> Value {
        let is_unit = known(b, step) == Some(1);
        if known(b, lower) == Some(0) && is_unit {
            let upper = to_index(b, upper, unsigned);
            let zero = arith::constant_index(b, 0);
            return arith::maxsi(b, upper, zero);
        }
        let [lower, upper, step] = [lower, upper, step].map(|value| to_index(b, value, unsigned));
        let most = arith::maxsi(b, upper, lower);
        let distance = arith::subi(b, most, lower);
        if is_unit {
            return distance;
        }
        let one = arith::constant_index(b, 1);
        let step = arith::maxsi(b, step, one);
        arith::ceildivui(b, distance, step)
    }

    fn induction_value(&self, b: &mut Builder<'_>, lower: Value, step: Value, number: Value) -> Value {
        let ty = b.ty(lower);
        let number = if ty == Type::INDEX { number } else { arith::index_cast(b, number, ty) };
        let offset = self.index_mul(b, number, step);
        self.index_add(b, lower, offset)
    }

    fn iteration_number(&self, b: &mut Builder<'_>, lower: Value, step: Value, value: Value) -> Value {
        let is_unit = known(b, step) == Some(1);
        let distance = self.index_sub(b, value, lower);
        let distance = to_index(b, distance, false);
        if is_unit {
            return distance;
        }
        let one = arith::constant_index(b, 1);
        let step = to_index(b, step, false);
        let step = arith::maxsi(b, step, one);
        arith::divui(b, distance, step)
    }

    fn counted_loop(
        &self,
        b: &mut Builder<'_>,
        count: Value,
        inits: &[Value],
        body: CountedBody<'_>,
    ) -> Vec<Value> {
        let (zero, one) = (arith::constant_index(b, 0), arith::constant_index(b, 1));
        let made = For::with(b, [zero, count, one], inits, |b, number, carried| body(b, number, carried));
        b.body().op(made.op()).results().collect()
    }

    fn check_extents(&self, b: &mut Builder<'_>, x: Value, y: Value) {
        let ctx = b.context();
        let shape: Vec<i64> = b.ty(x).shape(&ctx).unwrap_or(&[]).to_vec();
        for (dim, _) in shape.iter().enumerate().filter(|&(_, &extent)| extent == DYNAMIC) {
            let (left, right) = (extent(b, x, dim), extent(b, y, dim));
            let same = arith::cmpi(b, CmpIPredicate::Eq, left, right);
            let message =
                format!("a tangent has extent {{}} along axis {dim}, but its value has extent {{}}");
            assert_values(b, same, &message, &[left, right]);
        }
    }

    fn extent_read(&self, op: OpRef<'_>) -> Option<(Value, usize)> {
        if !op.is::<tensor::Dim>() {
            return None;
        }
        let dim = arith::constant_value(op.body(), op.operand(1))?.as_i64(op.context())?;
        Some((op.operand(0), usize::try_from(dim).ok()?))
    }

    fn sizes(&self, op: OpRef<'_>) -> Option<Vec<Value>> {
        match op.is::<tensor::Empty>() {
            true => Some(op.operands().collect()),
            false => op.is::<tensor::ExtractSlice>().then(|| op.operand_group(2)),
        }
    }

    fn extent(&self, b: &mut Builder<'_>, tensor: Value, dim: usize) -> Value {
        extent(b, tensor, dim)
    }

    fn empty(&self, b: &mut Builder<'_>, ty: Type, extents: &[Value]) -> Value {
        let ctx = b.context();
        let shape = ty.shape(&ctx).unwrap_or(&[]).iter().zip(extents);
        let sizes: Vec<Value> =
            shape.filter(|&(&extent, _)| extent == DYNAMIC).map(|(_, &size)| size).collect();
        tensor::Empty::build(b, &sizes, ty).result(b.body())
    }

    fn padded(&self, b: &mut Builder<'_>, tensor: Value, widths: &[(i64, i64)]) -> Value {
        let ctx = b.context();
        let ty = b.ty(tensor);
        let element = ty.element_or_self(&ctx);
        let extents = ty.shape(&ctx).unwrap_or(&[]).iter().zip(widths);
        let grown = |(&extent, &(low, high)): (&i64, &(i64, i64))| match extent {
            DYNAMIC => DYNAMIC,
            extent => extent + low + high,
        };
        let shape: Vec<i64> = extents.map(grown).collect();
        let (low, high): (Vec<i64>, Vec<i64>) = widths.iter().copied().unzip();
        let zero = <dyn TangentSpace>::zero_of(b, element);
        let padded = Type::tensor(&ctx, &shape, element);
        tensor::Pad::with(b, tensor, &low, &high, zero, padded).result(b.body())
    }

    fn load(&self, b: &mut Builder<'_>, tensor: Value, indices: &[Value]) -> Value {
        tensor::Extract::build(b, tensor, indices).result(b.body())
    }

    fn store(&self, b: &mut Builder<'_>, element: Value, tensor: Value, indices: &[Value]) -> Value {
        tensor::Insert::build(b, element, tensor, indices).result(b.body())
    }

    fn storage(&self, b: &mut Builder<'_>, count: Value, value: Value) -> Option<Value> {
        storage::create(b, count, value)
    }

    fn sized_storage(&self, b: &mut Builder<'_>, count: Value, ty: Type, sizes: &[Value]) -> Option<Value> {
        storage::create_sized(b, count, ty, sizes)
    }

    fn growing_storage(&self, b: &mut Builder<'_>, ty: Type, sizes: Option<&[Value]>) -> Option<Value> {
        storage::create_empty(b, ty, sizes)
    }

    fn save(
        &self,
        b: &mut Builder<'_>,
        storage: Value,
        position: Value,
        value: Value,
        sizes: Option<&[Value]>,
    ) -> Value {
        storage::save(b, storage, position, value, sizes)
    }

    fn save_growing(
        &self,
        b: &mut Builder<'_>,
        storage: Value,
        position: Value,
        value: Value,
        sizes: Option<&[Value]>,
    ) -> Value {
        storage::save_growing(b, storage, position, value, sizes)
    }

    fn restore(
        &self,
        b: &mut Builder<'_>,
        storage: Value,
        position: Value,
        ty: Type,
        sizes: Option<&[Value]>,
    ) -> Value {
        storage::restore(b, storage, position, ty, sizes)
    }

    fn affine(
        &self,
        b: &mut Builder<'_>,
        expr: &AffineExpr,
        point: &mut dyn FnMut(&mut Builder<'_>, u32) -> Value,
    ) -> Value {
        match expr {
            AffineExpr::Dim(dim) => point(b, *dim),
            AffineExpr::Constant(number) => arith::constant_index(b, *number),
            AffineExpr::Symbol(_) => unreachable!("the maps of an iteration domain have no symbols"),
            AffineExpr::Binary(op, lhs, rhs) => {
                let (x, y) = (self.affine(b, lhs, point), self.affine(b, rhs, point));
                match op {
                    AffineOp::Add => self.index_add(b, x, y),
                    AffineOp::Mul => self.index_mul(b, x, y),
                    AffineOp::FloorDiv => arith::floordivsi(b, x, y),
                    AffineOp::CeilDiv => arith::ceildivsi(b, x, y),
                    AffineOp::Mod => {
                        // The remainder of an affine expression is not negative.
                        let rest = arith::remsi(b, x, y);
                        let zero = arith::constant_index(b, 0);
                        let is_negative = arith::cmpi(b, CmpIPredicate::Slt, rest, zero);
                        let positive = arith::addi(b, rest, y);
                        arith::select(b, is_negative, positive, rest)
                    }
                }
            }
        }
    }
}
