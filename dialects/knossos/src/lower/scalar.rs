//! Lowering of scalar prelude functions.

use super::Lowering;
use super::build::{assert, known_int, math};
use super::prelude::Function;
use minoan_arith::{self as arith, CmpFPredicate as F, CmpIPredicate as I};
use minoan_ir::{Builder, OpDef, Type, Value};
use minoan_scf::While;

impl Lowering<'_> {
    pub(super) fn scalar(
        &mut self,
        b: &mut Builder<'_>,
        function: &Function,
        ty: Type,
        args: &[Value],
    ) -> Value {
        match (function.name, function.args, args) {
            ("add", "FF", &[x, y]) => arith::addf(b, x, y),
            ("add", _, &[x, y]) => arith::addi(b, x, y),
            ("sub", "FF", &[x, y]) => arith::subf(b, x, y),
            ("sub", _, &[x, y]) => arith::subi(b, x, y),
            ("mul", "FF", &[x, y]) => arith::mulf(b, x, y),
            ("mul", "FI", &[x, y]) => {
                let y = arith::sitofp(b, y, ty);
                arith::mulf(b, x, y)
            }
            ("mul", _, &[x, y]) => arith::muli(b, x, y),
            ("div", "FF", &[x, y]) => arith::divf(b, x, y),
            ("div", _, &[x, y]) => quotient(b, x, y),
            ("rem", _, &[x, y]) => remainder(b, x, y),
            ("mod", _, &[x, y]) => modulo(b, x, y),
            ("neg", "F", &[x]) => arith::negf(b, x),
            ("neg", _, &[x]) => negate(b, x),
            ("pow", _, &[x, n]) => power(b, x, n),
            ("gt", "FF", &[x, y]) => arith::cmpf(b, F::Ogt, x, y),
            ("gt", _, &[x, y]) => arith::cmpi(b, I::Sgt, x, y),
            ("lt", "FF", &[x, y]) => arith::cmpf(b, F::Olt, x, y),
            ("lt", _, &[x, y]) => arith::cmpi(b, I::Slt, x, y),
            ("gte", "FF", &[x, y]) => arith::cmpf(b, F::Oge, x, y),
            ("gte", _, &[x, y]) => arith::cmpi(b, I::Sge, x, y),
            ("lte", "FF", &[x, y]) => arith::cmpf(b, F::Ole, x, y),
            ("lte", _, &[x, y]) => arith::cmpi(b, I::Sle, x, y),
            ("and", _, &[x, y]) => arith::andi(b, x, y),
            ("or", _, &[x, y]) => arith::ori(b, x, y),
            ("not", _, &[x]) => {
                let yes = arith::constant_bool(b, true);
                arith::xori(b, x, yes)
            }
            ("to_float", _, &[x]) => arith::sitofp(b, x, ty),
            ("bool_to_float", _, &[x]) => arith::uitofp(b, x, ty),
            ("max", "FF", &[x, y]) => {
                let less = arith::cmpf(b, F::Olt, x, y);
                arith::select(b, less, y, x)
            }
            ("max", _, &[x, y]) => arith::maxsi(b, x, y),
            ("min", "FF", &[x, y]) => {
                let less = arith::cmpf(b, F::Olt, y, x);
                arith::select(b, less, y, x)
            }
            ("min", _, &[x, y]) => arith::minsi(b, x, y),
            ("abs", "F", &[x]) => math(b, "math.absf", x),
            ("abs", _, &[x]) => {
                let (opposite, nothing) = (negate(b, x), arith::constant_int(b, 0, Type::I64));
                let negative = arith::cmpi(b, I::Slt, x, nothing);
                arith::select(b, negative, opposite, x)
            }
            ("log" | "exp" | "sin" | "cos" | "tanh" | "cosh" | "sqrt" | "erf", _, &[x]) => {
                math(b, &format!("math.{}", function.name), x)
            }
            ("lgamma", _, &[x]) => {
                let wide = if ty == Type::F64 { x } else { arith::extf(b, x, Type::F64) };
                self.double(b, "minoan_lgamma", wide, ty)
            }
            ("$ranhashdoub", _, &[x]) => self.double(b, "minoan_ranhashdoub", x, ty),
            ("pi", _, _) => arith::constant_float(b, std::f64::consts::PI, ty),
            _ => super::build::zero(b, ty),
        }
    }

    /// Calls a function of the runtime library that returns an `f64`.
    fn double(&mut self, b: &mut Builder<'_>, name: &'static str, arg: Value, ty: Type) -> Value {
        let value = self.externs.call(b, name, &[arg], &[Type::F64]).unwrap_or(arg);
        if ty == Type::F64 { value } else { arith::truncf(b, value, ty) }
    }
}

fn negate(b: &mut Builder<'_>, x: Value) -> Value {
    let nothing = arith::constant_int(b, 0, Type::I64);
    arith::subi(b, nothing, x)
}

/// Stops the program if the divisor is zero.
fn check_divisor(b: &mut Builder<'_>, y: Value) {
    if known_int(b, y).is_none_or(|known| known == 0) {
        let nothing = arith::constant_int(b, 0, Type::I64);
        let fits = arith::cmpi(b, I::Ne, y, nothing);
        assert(b, fits, "division by zero");
    }
}

/// Whether the divisor is -1, and a divisor that is not; `None` if it is known not to be -1.
fn avoid_minus_one(b: &mut Builder<'_>, y: Value) -> Option<(Value, Value)> {
    if known_int(b, y).is_some_and(|known| known != -1) {
        return None;
    }
    let (minus_one, one) = (arith::constant_int(b, -1, Type::I64), arith::constant_int(b, 1, Type::I64));
    let is_minus_one = arith::cmpi(b, I::Eq, y, minus_one);
    Some((is_minus_one, arith::select(b, is_minus_one, one, y)))
}

/// Division that truncates; the minimum divided by -1 is the minimum.
fn quotient(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    check_divisor(b, y);
    match avoid_minus_one(b, y) {
        None => arith::divsi(b, x, y),
        Some((is_minus_one, y)) => {
            let (opposite, quotient) = (negate(b, x), arith::divsi(b, x, y));
            arith::select(b, is_minus_one, opposite, quotient)
        }
    }
}

/// The remainder of truncating division.
fn remainder(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    check_divisor(b, y);
    let divisor = avoid_minus_one(b, y).map_or(y, |(_, y)| y);
    arith::remsi(b, x, divisor)
}

/// Like the remainder, with the sign of the divisor.
fn modulo(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    let rest = remainder(b, x, y);
    let nothing = arith::constant_int(b, 0, Type::I64);
    let some = arith::cmpi(b, I::Ne, rest, nothing);
    let signs = arith::xori(b, rest, y);
    let differ = arith::cmpi(b, I::Slt, signs, nothing);
    let moves = arith::andi(b, some, differ);
    let moved = arith::addi(b, rest, y);
    arith::select(b, moves, moved, rest)
}

/// Exponentiation by squaring.
fn power(b: &mut Builder<'_>, x: Value, n: Value) -> Value {
    const MAX_UNROLLED: i64 = 16;
    let ty = b.ty(x);
    if let Some(known) = known_int(b, n).filter(|known| (1..=MAX_UNROLLED).contains(known)) {
        // The same products in the same order as in the loop.
        let (mut power, mut square, mut rest) = (None, x, known);
        loop {
            if rest & 1 == 1 {
                power = Some(power.map_or(square, |power| arith::mulf(b, power, square)));
            }
            rest >>= 1;
            if rest == 0 {
                return power.unwrap_or(x);
            }
            square = arith::mulf(b, square, square);
        }
    }
    let nothing = arith::constant_int(b, 0, Type::I64);
    let (one, unit) = (arith::constant_int(b, 1, Type::I64), arith::constant_float(b, 1.0, ty));
    let negative = arith::cmpi(b, I::Slt, n, nothing);
    let opposite = arith::subi(b, nothing, n);
    let count = arith::select(b, negative, opposite, n);
    let goes_on =
        |b: &mut Builder<'_>, state: &[Value]| (arith::cmpi(b, I::Ne, state[0], nothing), state.to_vec());
    let done = While::with(b, &[count, x, unit], &[Type::I64, ty, ty], goes_on, |b, state| {
        let bit = arith::andi(b, state[0], one);
        let odd = arith::cmpi(b, I::Ne, bit, nothing);
        let product = arith::mulf(b, state[2], state[1]);
        let power = arith::select(b, odd, product, state[2]);
        vec![arith::shrui(b, state[0], one), arith::mulf(b, state[1], state[1]), power]
    });
    let power = b.body().op(done.op()).result(2);
    // No division by zero for exponents that are not negative, which would have no derivative.
    let divisor = arith::select(b, negative, power, unit);
    let inverse = arith::divf(b, unit, divisor);
    arith::select(b, negative, inverse, power)
}
