//! Lowering of time measurements to a loop around reads of a clock.

use super::{Lowering, Parts};
use minoan_arith::{self as arith, CmpIPredicate, addi, cmpi, constant_float, constant_int, select, subi};
use minoan_functional::{Functional, one, result_type};
use minoan_ir::{Builder, OpDef, OpRef, Type, Value};
use minoan_scf::While;

/// The function of the runtime library that reads a monotonic clock, in nanoseconds. The argument is a data dependence that
/// orders the reading.
const CLOCK: &str = "minoan_nanoseconds";

/// Bounds on the number of executions.
const EXECUTIONS: [i64; 2] = [3, 100_000];

/// The time, in nanoseconds, after which no further execution is started.
const BUDGET: i64 = 20_000_000;

impl<'a> Lowering<'a> {
    pub(super) fn bench(&mut self, b: &mut Builder<'_>, op: OpRef<'a>) -> Parts {
        let float = result_type(op);
        let nothing = constant_float(b, 0.0, Type::F64);
        let start = self.nanoseconds(b, nothing);
        let none = constant_int(b, 0, Type::I64);
        let longest = constant_int(b, i64::MAX, Type::I64);
        let types = [Type::I64; 3];
        let goes_on = |b: &mut Builder<'_>, state: &[Value]| {
            let [few, most] = EXECUTIONS.map(|count| constant_int(b, count, Type::I64));
            let budget = constant_int(b, BUDGET, Type::I64);
            let elapsed = subi(b, state[2], start);
            let is_early = cmpi(b, CmpIPredicate::Slt, elapsed, budget);
            let has_room = cmpi(b, CmpIPredicate::Slt, state[0], most);
            let is_short = cmpi(b, CmpIPredicate::Slt, state[0], few);
            let more = arith::andi(b, is_early, has_room);
            (arith::ori(b, more, is_short), state.to_vec())
        };
        let done = While::with(b, &[none, longest, start], &types, goes_on, |b, state| {
            let before = self.nanoseconds(b, nothing);
            let value = self.region(b, op, 0, &[state[0]])[0];
            let value = as_f64(b, value);
            let after = self.nanoseconds(b, value);
            let time = subi(b, after, before);
            let is_less = cmpi(b, CmpIPredicate::Slt, time, state[1]);
            let one = constant_int(b, 1, Type::I64);
            vec![addi(b, state[0], one), select(b, is_less, time, state[1]), after]
        });
        let least: Vec<Value> = b.body().op(done.op()).results().collect();
        let nanoseconds = arith::sitofp(b, least[1], float);
        let thousandth = constant_float(b, 1e-3, float);
        one(arith::mulf(b, nanoseconds, thousandth))
    }

    fn nanoseconds(&mut self, b: &mut Builder<'_>, after: Value) -> Value {
        self.externs.call(b, CLOCK, &[after], &[Type::I64]).expect("the clock has a result")
    }
}

/// A number as a value for the clock to wait for.
fn as_f64(b: &mut Builder<'_>, value: Value) -> Value {
    match b.ty(value) {
        Type::F64 => value,
        Type::F32 => arith::extf(b, value, Type::F64),
        Type::I1 => arith::uitofp(b, value, Type::F64),
        _ => arith::sitofp(b, value, Type::F64),
    }
}
