//! Lowering of prelude functions, and the table of them.

use super::Lowering;
use super::build::{
    assert, assert_values, check_sizes, dim, elementwise, extract, filled, math, to_i64, zero,
};
use crate::types::is_float;
use minoan_arith::{self as arith, CmpFPredicate, CmpIPredicate};
use minoan_functional::{Functional, result_type};
use minoan_ir::affine::AffineMap;
use minoan_ir::{Builder, OpDef, OpRef, Type, Value};
use minoan_linalg::{Generic, IteratorType};
use minoan_scf::For;

/// A prelude function.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Function {
    pub(super) name: &'static str,
    /// One letter per argument: Integer, Float, Bool, Vector of floats, Matrix of floats.
    pub(super) args: &'static str,
    result: char,
}

macro_rules! functions {
    ($($name:ident($($args:ident)?) -> $result:literal;)*) => {
        &[$(Function { name: stringify!($name), args: concat!($(stringify!($args))?), result: $result }),*]
    };
}

const FUNCTIONS: &[Function] = functions! {
    add(FF) -> 'F'; add(II) -> 'I'; sub(FF) -> 'F'; sub(II) -> 'I'; sub(VV) -> 'V'; sub(VF) -> 'V';
    mul(FF) -> 'F'; mul(II) -> 'I'; mul(FI) -> 'F'; mul(FV) -> 'V'; mul(MV) -> 'V';
    div(FF) -> 'F'; div(II) -> 'I'; neg(F) -> 'F'; neg(I) -> 'I'; rem(II) -> 'I'; pow(FI) -> 'F';
    gt(FF) -> 'B'; gt(II) -> 'B'; lt(FF) -> 'B'; lt(II) -> 'B';
    gte(FF) -> 'B'; gte(II) -> 'B'; lte(FF) -> 'B'; lte(II) -> 'B';
    and(BB) -> 'B'; or(BB) -> 'B'; not(B) -> 'B'; to_float(I) -> 'F'; bool_to_float(B) -> 'F';
    log(F) -> 'F'; exp(F) -> 'F'; exp(V) -> 'V'; sin(F) -> 'F'; cos(F) -> 'F'; tanh(F) -> 'F'; cosh(F) -> 'F';
    sqrt(F) -> 'F'; erf(F) -> 'F'; lgamma(F) -> 'F'; abs(F) -> 'F'; abs(I) -> 'I';
    max(FF) -> 'F'; max(II) -> 'I'; max(V) -> 'F'; min(FF) -> 'F'; min(II) -> 'I'; imax(V) -> 'I'; pi() -> 'F';
};

/// Functions whose names are not Rust identifiers.
const OTHERS: &[Function] = &[
    Function { name: "mod", args: "II", result: 'I' },
    Function { name: "$ranhashdoub", args: "I", result: 'F' },
];

/// The function that a `knossos.prelude` names, for the types of its operands and result.
pub(crate) fn find(op: OpRef<'_>) -> Option<&'static Function> {
    let ctx = op.context();
    let name = op.attr_named("name").and_then(|name| name.as_str(ctx))?;
    let letter = |ty: Type| {
        let vector = |rank: usize| {
            ty.rank(ctx) == Some(rank) && ty.element(ctx).is_some_and(|element| is_float(ctx, element))
        };
        match ty {
            Type::I64 => 'I',
            Type::I1 => 'B',
            ty if is_float(ctx, ty) => 'F',
            _ if vector(1) => 'V',
            _ if vector(2) => 'M',
            _ => '?',
        }
    };
    let args: String = op.operand_types().map(letter).collect();
    let result = letter(op.result_types().next()?);
    // All floats of a function have the same width.
    let widths = op.operand_types().chain(op.result_types()).map(|ty| ty.element_or_self(ctx));
    let mut floats = widths.filter(|&ty| is_float(ctx, ty));
    let first = floats.next();
    if floats.any(|ty| Some(ty) != first) {
        return None;
    }
    let mut all = FUNCTIONS.iter().chain(OTHERS);
    all.find(|function| function.name == name && function.args == args && function.result == result)
}

impl Function {
    /// Whether the function is scalar arithmetic, without loops, calls or failures.
    pub(crate) fn is_arithmetic(&self) -> bool {
        !self.args.contains(['V', 'M'])
            && !matches!(
                (self.name, self.args),
                ("div" | "mod" | "rem", "II") | ("pow" | "lgamma" | "$ranhashdoub", _)
            )
    }
}

impl<'a> Lowering<'a> {
    pub(super) fn prelude(&mut self, b: &mut Builder<'_>, op: OpRef<'a>) -> Value {
        let args = self.singles(op.operands());
        let ty = result_type(op);
        let Some(function) = find(op) else { return zero(b, ty) };
        let element = ty.element_or_self(&self.ctx);
        match (function.name, function.args, &args[..]) {
            ("sub", "VV", &[lhs, rhs]) => {
                check_sizes(b, lhs, rhs, "sub of vectors of different sizes");
                elementwise(b, &[lhs, rhs], element, |b, it| arith::subf(b, it[0], it[1]))
            }
            ("sub", "VF", &[vector, number]) => {
                elementwise(b, &[vector], element, |b, it| arith::subf(b, it[0], number))
            }
            ("mul", "FV", &[number, vector]) => {
                elementwise(b, &[vector], element, |b, it| arith::mulf(b, number, it[0]))
            }
            ("exp", "V", &[vector]) => elementwise(b, &[vector], element, |b, it| math(b, "math.exp", it[0])),
            ("mul", "MV", &[matrix, vector]) => product(b, matrix, vector, ty),
            ("max", "V", &[vector]) => largest(b, vector, "max", false)[0],
            ("imax", "V", &[vector]) => {
                let index = largest(b, vector, "imax", true)[1];
                to_i64(b, index)
            }
            _ => self.scalar(b, function, ty, &args),
        }
    }
}

fn product(b: &mut Builder<'_>, matrix: Value, vector: Value, ty: Type) -> Value {
    let (columns, size) = (dim(b, matrix, 1), dim(b, vector, 0));
    let fits = arith::cmpi(b, CmpIPredicate::Eq, columns, size);
    let message = "mul of a matrix with {} columns and a vector of size {}";
    assert_values(b, fits, message, &[columns, size]);
    let rows = dim(b, matrix, 0);
    let ctx = b.context();
    let nothing = zero(b, ty.element_or_self(&ctx));
    let zeros = filled(b, ty, &[rows], nothing);
    let maps = [AffineMap::identity(2), AffineMap::projection(2, &[1]), AffineMap::projection(2, &[0])];
    let iterators = [IteratorType::Parallel, IteratorType::Reduction];
    let generic = Generic::with(b, &[matrix, vector], &[zeros], &maps, &iterators, |b, it| {
        let product = arith::mulf(b, it[0], it[1]);
        vec![arith::addf(b, it[2], product)]
    });
    b.body().op(generic.op()).result(0)
}

/// The largest element and its index; the first one if there are several.
fn largest(b: &mut Builder<'_>, vector: Value, what: &str, with_index: bool) -> Vec<Value> {
    let size = dim(b, vector, 0);
    let (none, one) = (arith::constant_index(b, 0), arith::constant_index(b, 1));
    let some = arith::cmpi(b, CmpIPredicate::Ne, size, none);
    assert(b, some, &format!("{what} of an empty vector"));
    let first = extract(b, vector, &[none]);
    let inits = if with_index { vec![first, none] } else { vec![first] };
    // The first element is not larger than itself, so that the loop may begin with it.
    let done = For::with(b, [none, size, one], &inits, |b, index, best| {
        let element = extract(b, vector, &[index]);
        let larger = arith::cmpf(b, CmpFPredicate::Ogt, element, best[0]);
        let largest = arith::select(b, larger, element, best[0]);
        let index = best.get(1).map(|&best| arith::select(b, larger, index, best));
        [largest].into_iter().chain(index).collect()
    });
    b.body().op(done.op()).results().collect()
}
