//! Creation of the operations of an expansion.

use super::arithmetic::{Arithmetic, LibraryFunction};
use super::constants::{DOUBLE, Format, SINGLE};
use crate as math;
use minoan_arith::{self as arith, CmpFPredicate, CmpIPredicate};
use minoan_ir::{Builder, Context, FloatKind, Type, TypeData, Value};
use minoan_services::{CombineKind, LoopOps, MachineModel, VectorOps};
use rustc_hash::FxHashMap;
use std::cell::{RefCell, RefMut};

/// Creates operations on vectors of one type at the insertion point of a builder.
pub struct Emit<'e, 'b> {
    builder: RefCell<&'e mut Builder<'b>>,
    /// Constants by type and bits.
    constants: RefCell<FxHashMap<(Type, u64), Value>>,
    format: &'static Format,
    floats: Type,
    integers: Type,
    has_ldexp: bool,
}

/// The format of a vector type of fixed extents with elements of type `f32` or `f64`.
pub(super) fn format_of(ctx: &Context, ty: Type) -> Option<&'static Format> {
    let TypeData::Vector { shape, element, scalable } = ty.data(ctx) else { return None };
    if scalable.contains(&true) || shape.contains(&0) {
        return None;
    }
    match element.float_kind(ctx)? {
        FloatKind::F32 => Some(&SINGLE),
        FloatKind::F64 => Some(&DOUBLE),
        _ => None,
    }
}

impl<'e, 'b> Emit<'e, 'b> {
    /// Creates an emitter for a vector type; `None` if the type has no expansions.
    pub fn new(builder: &'e mut Builder<'b>, machine: &MachineModel, ty: Type) -> Option<Self> {
        let ctx = builder.context();
        let format = format_of(&ctx, ty)?;
        let integers = Type::vector(&ctx, ty.shape(&ctx)?, Type::integer(&ctx, format.width));
        let (builder, constants) = (RefCell::new(builder), RefCell::default());
        Some(Self { builder, constants, format, floats: ty, integers, has_ldexp: machine.ldexp })
    }

    fn b(&self) -> RefMut<'_, &'e mut Builder<'b>> {
        self.builder.borrow_mut()
    }

    /// A constant; equal ones are created once.
    fn constant(&self, ty: Type, bits: u64, make: impl FnOnce(&mut Builder<'_>) -> Value) -> Value {
        let known = self.constants.borrow().get(&(ty, bits)).copied();
        known.unwrap_or_else(|| {
            let value = make(&mut self.b());
            self.constants.borrow_mut().insert((ty, bits), value);
            value
        })
    }

    fn compare(&self, predicate: CmpFPredicate, x: Value, y: Value) -> Value {
        arith::cmpf(&mut self.b(), predicate, x, y)
    }
}

impl Arithmetic for Emit<'_, '_> {
    type Float = Value;
    type Int = Value;
    type Mask = Value;

    fn format(&self) -> &'static Format {
        self.format
    }

    fn float(&self, value: f64) -> Value {
        self.constant(self.floats, value.to_bits(), |b| arith::constant_float(b, value, self.floats))
    }

    fn int(&self, value: i64) -> Value {
        self.constant(self.integers, value as u64, |b| arith::constant_int(b, value, self.integers))
    }

    fn add(&self, x: Value, y: Value) -> Value {
        arith::addf(&mut self.b(), x, y)
    }

    fn sub(&self, x: Value, y: Value) -> Value {
        arith::subf(&mut self.b(), x, y)
    }

    fn mul(&self, x: Value, y: Value) -> Value {
        arith::mulf(&mut self.b(), x, y)
    }

    fn div(&self, x: Value, y: Value) -> Value {
        arith::divf(&mut self.b(), x, y)
    }

    fn fma(&self, x: Value, y: Value, z: Value) -> Value {
        math::fma(&mut self.b(), x, y, z)
    }

    fn neg(&self, x: Value) -> Value {
        arith::negf(&mut self.b(), x)
    }

    fn abs(&self, x: Value) -> Value {
        math::absf(&mut self.b(), x)
    }

    fn sqrt(&self, x: Value) -> Value {
        math::sqrt(&mut self.b(), x)
    }

    fn trunc(&self, x: Value) -> Value {
        math::trunc(&mut self.b(), x)
    }

    fn copysign(&self, x: Value, y: Value) -> Value {
        math::copysign(&mut self.b(), x, y)
    }

    fn less(&self, x: Value, y: Value) -> Value {
        self.compare(CmpFPredicate::Olt, x, y)
    }

    fn equal(&self, x: Value, y: Value) -> Value {
        self.compare(CmpFPredicate::Oeq, x, y)
    }

    fn is_nan(&self, x: Value) -> Value {
        self.compare(CmpFPredicate::Uno, x, x)
    }

    fn is_negative(&self, x: Value) -> Value {
        let zero = self.int(0);
        arith::cmpi(&mut self.b(), CmpIPredicate::Slt, x, zero)
    }

    fn and(&self, x: Value, y: Value) -> Value {
        arith::andi(&mut self.b(), x, y)
    }

    fn or(&self, x: Value, y: Value) -> Value {
        arith::ori(&mut self.b(), x, y)
    }

    fn not(&self, x: Value) -> Value {
        let ty = self.b().ty(x);
        let ones = self.constant(ty, 1, |b| arith::constant_int(b, 1, ty));
        arith::xori(&mut self.b(), x, ones)
    }

    fn select(&self, mask: Value, x: Value, y: Value) -> Value {
        arith::select(&mut self.b(), mask, x, y)
    }

    fn to_bits(&self, x: Value) -> Value {
        arith::bitcast(&mut self.b(), x, self.integers)
    }

    fn of_bits(&self, x: Value) -> Value {
        arith::bitcast(&mut self.b(), x, self.floats)
    }

    fn of_int(&self, x: Value) -> Value {
        arith::sitofp(&mut self.b(), x, self.floats)
    }

    fn add_int(&self, x: Value, y: Value) -> Value {
        arith::addi(&mut self.b(), x, y)
    }

    fn sub_int(&self, x: Value, y: Value) -> Value {
        arith::subi(&mut self.b(), x, y)
    }

    fn and_int(&self, x: Value, y: Value) -> Value {
        arith::andi(&mut self.b(), x, y)
    }

    fn xor(&self, x: Value, y: Value) -> Value {
        arith::xori(&mut self.b(), x, y)
    }

    fn shift_left(&self, x: Value, by: u32) -> Value {
        let by = self.int(by.into());
        arith::shli(&mut self.b(), x, by)
    }

    fn shift_right(&self, x: Value, by: u32) -> Value {
        let by = self.int(by.into());
        arith::shrsi(&mut self.b(), x, by)
    }

    fn has_ldexp(&self) -> bool {
        self.has_ldexp
    }

    fn ldexp(&self, x: Value, n: Value) -> Value {
        let b = &mut **self.b();
        let power = self.floats.with_element(&b.context(), Type::I32).expect("a vector type");
        let n = if power == self.integers { n } else { arith::trunci(b, n, power) };
        math::ldexp(b, x, n)
    }

    /// A loop over the lanes, which is executed if any of them needs it.
    fn by_library(&self, mask: Value, function: LibraryFunction, x: Value, fast: Value) -> Value {
        let mut builder = self.b();
        let b = &mut **builder;
        let ctx = b.context();
        let makers = <dyn LoopOps>::any(&ctx).zip(<dyn VectorOps>::any(&ctx));
        let (loops, vectors) = makers.expect("their presence is checked before");
        let count = self.floats.shape(&ctx).unwrap_or(&[]).iter().product();
        let [mask, x, flat] = [mask, x, fast].map(|value| vectors.reshape(b, value, &[count]));
        let any = vectors.reduce(b, CombineKind::Or, mask, true);
        let ty = b.ty(flat);
        let mut each = |b: &mut Builder<'_>| {
            let range = [0, count, 1].map(|bound| arith::constant_index(b, bound));
            loops.repeat(b, range, &[flat], &mut |b, lane, carried| {
                let bit = vectors.extract_at(b, mask, lane);
                let mut compute = |b: &mut Builder<'_>| {
                    let value = vectors.extract_at(b, x, lane);
                    let value = match function {
                        LibraryFunction::Sin => math::sin(b, value),
                        LibraryFunction::Cos => math::cos(b, value),
                        LibraryFunction::Tan => math::tan(b, value),
                    };
                    vec![vectors.insert_at(b, value, carried[0], lane)]
                };
                loops.choose(b, bit, &[ty], &mut compute, &mut |_| carried.to_vec())
            })
        };
        let chosen = loops.choose(b, any, &[ty], &mut each, &mut |_| vec![flat]);
        let shape = self.floats.shape(&ctx).unwrap_or(&[]);
        vectors.reshape(b, chosen[0], shape)
    }
}
