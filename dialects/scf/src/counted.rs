//! Conversion of condition-controlled loops to counted loops.
//!
//! An `scf.while` whose condition compares a number that every iteration changes by the same amount with a bound from before
//! the loop is an `scf.for`:
//!
//! ```text
//! scf.while (%i = %c0, %x = %init) {               scf.for %t = %c0 to %n step %c1 iter_args(%x = %init) {
//!   %more = arith.cmpi slt, %i, %n            ->     ..
//!   scf.condition(%more) %i, %x                      scf.yield %y
//! } do {                                           }
//!   ..
//!   scf.yield %i + 1, %y
//! }
//! ```
//!
//! The induction variable of the new loop is the number of the iteration, if no computation of it can overflow, or else the
//! compared number itself. A loop that ends when two numbers are equal would not end if the first one missed the second; that
//! they meet is an assertion before the new loop.

use crate::For;
use minoan_arith::{self as arith, CmpI, CmpIPredicate};
use minoan_cf::Assert;
use minoan_ir::{Block, Body, Builder, InsertionPoint, Mapping, Op, OpDef, OpRef, Type, Value};
use minoan_services::{Assertion, EffectSet, EffectsTable, ExtentOf, constant_of};

/// The message of the assertion that a loop reaches its bound.
const MESSAGE: &str = "infinite loop: the induction variable never equals the bound";

/// Upper bound on the operations that compute a compared number or a bound.
const MAX_DEPTH: usize = 32;

/// Replaces an `scf.while` by an `scf.for`; returns the new loop. `None`, with nothing changed, if the trip count is not
/// computable.
pub(crate) fn uplift(body: &mut Body, op: Op) -> Option<Op> {
    let source = Source::of(body, op)?;
    let counter = Counter::of(body, &source)?;
    Some(replace(body, &source, &counter))
}

/// The parts of an `scf.while`.
struct Source {
    op: Op,
    before: Block,
    after: Block,
    condition: Op,
    end: Op,
}

impl Source {
    /// The parts of a loop whose first region has no effect.
    fn of(body: &Body, op: Op) -> Option<Self> {
        let view = body.op(op);
        let entry = |region: usize| {
            let mut blocks = body.region(view.region(region)).blocks();
            blocks.next().filter(|_| blocks.next().is_none())
        };
        let (before, after) = (entry(0)?, entry(1)?);
        let (condition, end) = (body.block(before).last()?, body.block(after).last()?);
        let effects = EffectsTable::new(body.context());
        let is_simple = |op: Op| {
            op == condition || (body.op(op).n_regions() == 0 && effects.all(body.op(op)).removable())
        };
        let source = Self { op, before, after, condition, end };
        body.block(before).ops().all(is_simple).then_some(source)
    }

    /// The number that a value is computed from: a loop-carried value, or the argument of the second region to which it is
    /// forwarded.
    fn linear(&self, body: &Body, mut value: Value) -> Option<Linear> {
        let ctx = body.context();
        let (mut factor, mut offset) = (1i64, 0i64);
        for _ in 0..MAX_DEPTH {
            let block = body.block_of(value)?;
            let Some(op) = body.defining_op(value) else {
                let position = body.block(block).args().position(|arg| arg == value)?;
                if block == self.before {
                    return Some(Linear { slot: position, factor, offset });
                }
                value = (block == self.after).then(|| body.op(self.condition).operand(position + 1))?;
                continue;
            };
            if block != self.before && block != self.after {
                return None;
            }
            let view = body.op(op);
            let number = constant_of(body, view.operands().nth(1)?)?.as_i64(ctx)?;
            if view.is::<arith::AddI>() {
                offset = offset.checked_add(factor.checked_mul(number)?)?;
            } else if view.is::<arith::SubI>() {
                offset = offset.checked_sub(factor.checked_mul(number)?)?;
            } else if view.is::<arith::MulI>() {
                factor = factor.checked_mul(number)?;
            } else {
                return None;
            }
            value = view.operand(0);
        }
        None
    }

    /// Whether a value is loop-invariant: it is defined outside, or computed from such values in the first region without reading
    /// memory.
    fn is_invariant(&self, body: &Body, value: Value) -> bool {
        let effects = EffectsTable::new(body.context());
        let mut pending = vec![value];
        for _ in 0..MAX_DEPTH {
            let Some(value) = pending.pop() else { return true };
            if body.block_of(value) != Some(self.before) {
                if self.is_inside(body, value) {
                    return false;
                }
            } else if let Some(op) = body.defining_op(value)
                && effects.own(body.op(op)) == EffectSet::NONE
            {
                pending.extend(body.op(op).operands());
            } else {
                return false;
            }
        }
        false
    }

    fn is_inside(&self, body: &Body, value: Value) -> bool {
        let around = body.block_of(value).and_then(|block| body.block(block).parent());
        around.is_some_and(|around| body.op(around).ancestors().any(|op| op.id() == self.op))
    }

    /// An invariant value before the loop.
    fn before_loop(&self, b: &mut Builder<'_>, value: Value, mapping: &mut Mapping) -> Value {
        if b.body().block_of(value) != Some(self.before) {
            return value;
        }
        let op = b.body().defining_op(value).expect("an invariant value is not a block argument");
        let operands: Vec<Value> = b.body().op(op).operands().collect();
        for operand in operands {
            let moved = self.before_loop(b, operand, mapping);
            mapping.map(operand, moved);
        }
        let point = b.insertion_point();
        b.body_mut().clone_op(op, point, mapping);
        mapping.value(value)
    }
}

/// `factor * x + offset`, where `x` is a loop-carried value.
struct Linear {
    slot: usize,
    factor: i64,
    offset: i64,
}

/// The induction of a loop.
struct Counter {
    /// The loop-carried value, and what each iteration adds to it.
    slot: usize,
    step: i64,
    /// The compared number, a function of the loop-carried value, and what each iteration adds to it.
    compared: Linear,
    stride: i64,
    bound: Value,
    form: Form,
}

/// The meaning of the induction variable of the new loop.
enum Form {
    /// The number of the iteration. The loop goes on while the compared number is below the bound, or above it, by more than
    /// this.
    Distance(i64),
    /// The number of the iteration. The loop ends when the numbers meet.
    Meet,
    /// The compared number, which is below the bound.
    Compared,
}

impl Counter {
    fn of(body: &Body, source: &Source) -> Option<Self> {
        let compare = body.defining_op(body.op(source.condition).operand(0))?;
        let view = body.op(compare);
        if body.op(compare).block() != Some(source.before) {
            return None;
        }
        let predicate = CmpI::cast(body, compare)?.predicate(body);
        let ways = [(predicate, 0, 1), (predicate.swapped(), 1, 0)];
        ways.into_iter().find_map(|(predicate, compared, bound)| {
            let (compared, bound) = (view.operand(compared), view.operand(bound));
            let is_number = body.ty(bound) == Type::INDEX || width(body, bound) <= 64;
            if !is_number || !source.is_invariant(body, bound) {
                return None;
            }
            let compared = source.linear(body, compared)?;
            let next = source.linear(body, body.op(source.end).operand(compared.slot))?;
            if (next.slot, next.factor) != (compared.slot, 1) || next.offset == 0 || compared.factor == 0 {
                return None;
            }
            let (slot, step) = (compared.slot, next.offset);
            let stride = compared.factor.checked_mul(step)?;
            let mut counter = Self { slot, step, compared, stride, bound, form: Form::Meet };
            counter.form = counter.form(body, source, predicate)?;
            Some(counter)
        })
    }

    /// The compared number before the loop, if it is constant.
    fn start(&self, body: &Body, source: &Source) -> Option<i64> {
        let start = constant_of(body, body.op(source.op).operand(self.slot))?.as_i64(body.context())?;
        let start = start.checked_mul(self.compared.factor)?.checked_add(self.compared.offset)?;
        (start >> (width(body, self.bound) - 1) == start >> 63).then_some(start)
    }

    fn form(&self, body: &Body, source: &Source, predicate: CmpIPredicate) -> Option<Form> {
        use CmpIPredicate::{Ne, Sge, Sgt, Sle, Slt};
        let start = self.start(body, source);
        let bound = constant_of(body, self.bound).and_then(|bound| bound.as_i64(body.context()));
        // A difference whose smaller number is not negative does not overflow.
        let is_natural = |number: Option<i64>, least: i64| number.is_some_and(|number| number >= least);
        // Counting through the range of 64-bit numbers takes centuries, so they do not wrap around in practice.
        let is_wide = width(body, self.bound) == 64;
        match (predicate, self.stride) {
            (Slt, 1) if is_natural(start, 0) => Some(Form::Distance(0)),
            (Sle, 1) if is_wide && is_natural(start, 1) => Some(Form::Distance(-1)),
            (Sgt, -1) if is_natural(bound, 0) => Some(Form::Distance(0)),
            (Sge, -1) if is_wide && is_natural(bound, 1) => Some(Form::Distance(-1)),
            (Slt, 1) if self.compared.factor == 1 => Some(Form::Compared),
            (Ne, stride) if is_wide => {
                // A loop that misses its end wraps around, and might meet it then: after 2^52 iterations or more.
                let smaller = if stride > 0 { start } else { bound };
                let ends = smaller.is_some_and(|number| (0..=1 << 62).contains(&number))
                    && stride.unsigned_abs() <= 1024;
                (ends && only_asserts(body, source)).then_some(Form::Meet)
            }
            _ => None,
        }
    }
}

/// Whether the loop body has no effects other than assertions.
fn only_asserts(body: &Body, source: &Source) -> bool {
    let effects = EffectsTable::new(body.context());
    let mut pending: Vec<OpRef<'_>> = body.block(source.after).ops().map(|op| body.op(op)).collect();
    while let Some(op) = pending.pop() {
        let asserts = op.context().service::<dyn Assertion>(op.kind()).is_some();
        if !asserts && !effects.own(op).removable() {
            return false;
        }
        let blocks = op.own_regions().flat_map(|region| body.region(region).blocks());
        pending.extend(blocks.flat_map(|block| body.block(block).ops()).map(|inner| body.op(inner)));
    }
    true
}

/// The number of bits of an integer; 64 for an index.
fn width(body: &Body, value: Value) -> u32 {
    match body.ty(value) {
        Type::INDEX => 64,
        ty => ty.integer_width(body.context()).unwrap_or(u32::MAX),
    }
}

/// Whether a value is the extent of a tensor, which is not negative.
fn is_extent(body: &Body, value: Value) -> bool {
    let Some(op) = body.defining_op(value) else { return false };
    let view = body.op(op);
    if view.is::<arith::IndexCast>() {
        let is_same = width(body, value) == 64 && width(body, view.operand(0)) == 64;
        return is_same && is_extent(body, view.operand(0));
    }
    let extents = body.context().service::<dyn ExtentOf>(view.kind());
    extents.is_some_and(|extents| extents.dimension(view).is_some())
}

/// A value as an index.
fn to_index(b: &mut Builder<'_>, value: Value) -> Value {
    if b.ty(value) == Type::INDEX {
        return value;
    }
    let source =
        b.body().defining_op(value).map(|op| b.body().op(op)).filter(|op| op.is::<arith::IndexCast>());
    if let Some(index) = source.map(|op| op.operand(0)).filter(|_| width(b.body(), value) == 64) {
        return index;
    }
    arith::index_cast(b, value, Type::INDEX)
}

/// `factor * value + offset`.
fn scaled(b: &mut Builder<'_>, value: Value, factor: i64, offset: i64) -> Value {
    let ty = b.ty(value);
    let mut result = value;
    if factor != 1 {
        let factor = arith::constant_int(b, factor, ty);
        result = arith::MulI::build(b, result, factor).result(b.body());
    }
    if offset != 0 {
        let offset = arith::constant_int(b, offset, ty);
        result = arith::AddI::build(b, result, offset).result(b.body());
    }
    result
}

impl Counter {
    /// Creates the bounds of the new loop.
    fn range(&self, b: &mut Builder<'_>, source: &Source, init: Value) -> [Value; 2] {
        let start = scaled(b, init, self.compared.factor, self.compared.offset);
        let bound = source.before_loop(b, self.bound, &mut Mapping::new());
        let (low, high) = if self.stride > 0 { (start, bound) } else { (bound, start) };
        let zero = arith::constant_index(b, 0);
        match self.form {
            Form::Compared => [to_index(b, low), to_index(b, high)],
            Form::Distance(by) => {
                let least = self.least(b.body(), source).map(|least| least + by);
                if least == Some(0) {
                    return [zero, to_index(b, high)];
                }
                let low = scaled(b, low, 1, by);
                let high = if is_extent(b.body(), high) {
                    high
                } else {
                    arith::MaxSI::build(b, high, low).result(b.body())
                };
                let (low, high) = (to_index(b, low), to_index(b, high));
                [zero, arith::SubI::build(b, high, low).result(b.body())]
            }
            Form::Meet => {
                let is_ordered = self.least(b.body(), source) == Some(0) && is_extent(b.body(), high);
                let (low, high) = (to_index(b, low), to_index(b, high));
                if !is_ordered {
                    let ordered = arith::cmpi(b, CmpIPredicate::Sge, high, low);
                    Assert::build(b, ordered, MESSAGE);
                }
                let distance = if self.least(b.body(), source) == Some(0) {
                    high
                } else {
                    arith::SubI::build(b, high, low).result(b.body())
                };
                let by = arith::constant_index(b, self.stride.abs());
                if self.stride.abs() == 1 {
                    return [zero, distance];
                }
                let rest = arith::RemUI::build(b, distance, by).result(b.body());
                let meet = arith::cmpi(b, CmpIPredicate::Eq, rest, zero);
                Assert::build(b, meet, MESSAGE);
                [zero, arith::DivUI::build(b, distance, by).result(b.body())]
            }
        }
    }

    /// The smaller of the start and the bound, if it is constant.
    fn least(&self, body: &Body, source: &Source) -> Option<i64> {
        if self.stride > 0 {
            return self.start(body, source);
        }
        constant_of(body, self.bound)?.as_i64(body.context())
    }

    /// Creates the counting loop-carried value from an induction variable: as an index, if it is the same number, and with its
    /// original type.
    fn counter(&self, b: &mut Builder<'_>, induction: Value, init: Value) -> (Option<Value>, Value) {
        let ty = b.ty(init);
        let typed = |b: &mut Builder<'_>, index: Value| {
            if ty == Type::INDEX { index } else { arith::index_cast(b, index, ty) }
        };
        // The compared number does not wrap around, nor does one that is below it.
        let is_below = self.step == 1 && self.compared.offset > 0 && matches!(self.form, Form::Distance(_));
        let is_exact = width(b.body(), init) == 64
            || (self.compared.factor == 1 && (self.compared.offset == 0 || is_below));
        if matches!(self.form, Form::Compared) {
            let index = scaled(b, induction, 1, -self.compared.offset);
            let value = typed(b, index);
            return (Some(index).filter(|_| is_exact), value);
        }
        let known = constant_of(b.body(), init).and_then(|init| init.as_i64(&b.context()));
        if let Some(known) = known {
            let index = scaled(b, induction, self.step, known);
            let value = typed(b, index);
            return (Some(index).filter(|_| is_exact), value);
        }
        let number = typed(b, induction);
        let number = scaled(b, number, self.step, 0);
        (None, arith::AddI::build(b, init, number).result(b.body()))
    }
}

/// Creates the new loop, with the operations of the second region of the old one.
fn replace(body: &mut Body, source: &Source, counter: &Counter) -> Op {
    let view = body.op(source.op);
    let (loc, attrs) = (view.loc(), view.attrs());
    let mut inits: Vec<Value> = view.operands().collect();
    let init = inits.remove(counter.slot);
    let forwarded: Vec<Value> = body.op(source.condition).operands().skip(1).collect();
    let args: Vec<Value> = body.block(source.before).args().collect();
    let tests: Vec<Op> = body.block(source.before).ops().filter(|&op| op != source.condition).collect();
    let mut created = Vec::new();

    let mut b = Builder::before(body, source.op).with_loc(loc);
    let [lower, upper] = counter.range(&mut b, source, init);
    let one = arith::constant_index(&mut b, 1);
    let made = For::with(&mut b, [lower, upper, one], &inits, |b, induction, carried| {
        let (index, value) = counter.counter(b, induction, init);
        let values = forward(b, counter, (&args, &tests, &forwarded), carried, value, &mut created);
        let block = b.body().block_of(induction).expect("it was created in the loop");
        let after: Vec<Value> = b.body().block(source.after).args().collect();
        for (&arg, &value) in after.iter().zip(&values) {
            b.body_mut().replace_all_uses(arg, value);
        }
        for op in b.body().block(source.after).ops().collect::<Vec<Op>>() {
            if op != source.end {
                b.body_mut().move_op(op, InsertionPoint::End(block));
            }
        }
        if let Some(index) = index {
            read_as_index(b.body_mut(), value, index);
        }
        created.extend(b.body().defining_op(value));
        let mut next: Vec<Value> = b.body().op(source.end).operands().collect();
        next.remove(counter.slot);
        next
    });
    b.body_mut().set_attrs(made.op(), attrs);
    let results: Vec<Value> = b.body().op(made.op()).results().collect();
    let last = match counter.form {
        Form::Compared => arith::MaxSI::build(&mut b, upper, lower).result(b.body()),
        // The trip count of a loop that is not executed may be negative.
        Form::Distance(_) if !is_extent(b.body(), upper) => {
            let zero = arith::constant_index(&mut b, 0);
            arith::MaxSI::build(&mut b, upper, zero).result(b.body())
        }
        Form::Distance(_) | Form::Meet => upper,
    };
    let (_, value) = counter.counter(&mut b, last, init);
    created.extend([last, value].iter().filter_map(|&value| b.body().defining_op(value)));
    let results = forward(&mut b, counter, (&args, &tests, &forwarded), &results, value, &mut created);
    body.replace(source.op, &results);
    for op in created.into_iter().rev() {
        let unused = body.try_op(op).is_ok_and(|view| view.results().all(|result| !body.is_used(result)));
        if unused {
            body.erase(op);
        }
    }
    made.op()
}

/// Creates the values that the condition forwards, from the counting value and the other loop-carried values.
fn forward(
    b: &mut Builder<'_>,
    counter: &Counter,
    (args, tests, forwarded): (&[Value], &[Op], &[Value]),
    carried: &[Value],
    value: Value,
    created: &mut Vec<Op>,
) -> Vec<Value> {
    let mut values = carried.to_vec();
    values.insert(counter.slot, value);
    let mut mapping = Mapping::new();
    for (&arg, value) in args.iter().zip(values) {
        mapping.map(arg, value);
    }
    for &op in tests {
        let point = b.insertion_point();
        created.push(b.body_mut().clone_op(op, point, &mut mapping));
    }
    forwarded.iter().map(|&value| mapping.value(value)).collect()
}

/// Replaces the conversions of a value to an index.
fn read_as_index(body: &mut Body, value: Value, index: Value) {
    let users: Vec<Op> = body.uses(value).map(|user| user.op).collect();
    for user in users {
        let view = body.op(user);
        if view.is::<arith::IndexCast>() && body.ty(view.result(0)) == Type::INDEX {
            body.replace(user, &[index]);
        }
    }
}
