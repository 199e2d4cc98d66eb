//! `verify-ownership`: checks that every owner of an object on the heap is given up exactly once on every path.
//!
//! The pass checks the counts that `place-counts` has made explicit. The number of owners of a value is the number of owners
//! added, minus those taken or dropped:
//!
//! 1. Only existing owners are taken or dropped.
//! 2. No owner is left at the end of the block that defines the value.
//! 3. A value is used only while it, or the value that it is a part of, has an owner or belongs to the caller.
//! 4. Each region of an operation that executes exactly one of them leaves the same owners, and a region that executes any
//!    number of times does not change the owners.
//!
//! An error names the value's definition. The time is linear in the number of operations and of captured values per nesting
//! level.

use crate::analysis::owners::{Objects, TAKES, Uses, indices};
use minoan_diag::{Diagnostic, Diagnostics, Severity};
use minoan_ir::{Block, Body, Context, Op, Value};
use minoan_pass::{OpHeader, Pass, PassRun, queries};
use minoan_services::{CountOps, Ownership, RegionExecution, RegionFlow, ResultOwner};
use rustc_hash::FxHashMap;

/// Checks the owners of objects.
pub struct VerifyOwnership;

impl Pass for VerifyOwnership {
    fn name(&self) -> &'static str {
        "verify-ownership"
    }

    fn description(&self) -> &'static str {
        "check that every owner of an object on the heap is given up exactly once"
    }

    queries!(CountOps, Ownership, RegionFlow);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let Some(counts) = <dyn CountOps>::any(&ctx) else { return Ok(()) };
        let mut errors = Diagnostics::new();
        let takes = ctx.name(TAKES);
        let check = |(): &mut (), owner: OpHeader, body: &mut Body| {
            check(body, &ctx, counts, &indices(&ctx, owner.attrs.get(&ctx, takes)))
        };
        for found in run.each_body_with(|| (), check) {
            errors.append(found);
        }
        if errors.has_errors() { Err(errors) } else { Ok(()) }
    }
}

/// Checks a body that owns the arguments `takes`.
fn check(body: &Body, ctx: &Context, counts: &dyn CountOps, takes: &[usize]) -> Diagnostics {
    let ops = body.walk();
    let objects = Objects::new(body, &ops, ctx, counts);
    let mut checker = Checker {
        body,
        ctx,
        objects,
        owners: FxHashMap::default(),
        base: FxHashMap::default(),
        errors: Diagnostics::new(),
    };
    for region in body.regions() {
        for block in body.region(region).blocks() {
            for (index, arg) in body.block(block).args().enumerate() {
                if takes.contains(&index) && checker.objects.is_counted(body, arg) {
                    checker.change(arg, 1);
                } else {
                    checker.base.insert(arg, Base::Caller);
                }
            }
            checker.block(block, false);
        }
    }
    checker.errors
}

/// The values that keep a value alive besides its own owners.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Base {
    /// No other value does.
    Nothing,
    /// A borrowed argument: the caller, or the operation around the region, owns it.
    Caller,
    /// The value is a part of this object.
    PartOf(Value),
}

struct Checker<'a> {
    body: &'a Body,
    ctx: &'a Context,
    objects: Objects<'a>,
    owners: FxHashMap<Value, i64>,
    base: FxHashMap<Value, Base>,
    errors: Diagnostics,
}

impl Checker<'_> {
    fn count(&self, value: Value) -> i64 {
        self.owners.get(&value).copied().unwrap_or_default()
    }

    fn change(&mut self, value: Value, by: i64) {
        *self.owners.entry(value).or_default() += by;
    }

    fn error(&mut self, at: Op, message: &str, value: Value) {
        let place = |op: Op| self.body.op(op).loc().place(self.ctx);
        let mut error =
            Diagnostic::error(format!("'{}' op {message}", self.body.op(at).name())).at(place(at));
        if let Some(def) = self.body.defining_op(value) {
            let note = Diagnostic::new(Severity::Note, "the object is defined here");
            error.notes.push(note.at(place(def)));
        }
        self.errors.push(error);
    }

    fn is_live(&self, mut value: Value) -> bool {
        loop {
            if self.count(value) > 0 {
                return true;
            }
            match self.base.get(&value) {
                Some(Base::PartOf(whole)) => value = *whole,
                Some(Base::Caller) => return true,
                Some(Base::Nothing) | None => return false,
            }
        }
    }

    fn block(&mut self, block: Block, owns_args: bool) {
        minoan_ir::with_stack(|| {
            let mut own: Vec<Value> = Vec::new();
            for arg in self.body.block(block).args() {
                if self.objects.is_counted(self.body, arg) {
                    own.push(arg);
                    if self.objects.borrows(arg) {
                        self.base.insert(arg, Base::Caller);
                    } else if owns_args {
                        self.change(arg, 1);
                    }
                }
            }
            let ops: Vec<Op> = self.body.block(block).ops().collect();
            for &op in &ops {
                self.op(op);
                for (index, result) in self.body.op(op).results().enumerate() {
                    if self.objects.is_counted(self.body, result) {
                        own.push(result);
                        self.result(op, index, result);
                    }
                }
            }
            let Some(&last) = ops.last() else { return };
            for value in own {
                if self.count(value) > 0 {
                    let at = self.body.defining_op(value).unwrap_or(last);
                    self.error(
                        at,
                        "gives an object of which an owner is left at the end of the block",
                        value,
                    );
                }
            }
        });
    }

    fn op(&mut self, op: Op) {
        let view = self.body.op(op);
        let uses = self.objects.uses(self.body, op);
        for &(value, Uses { borrowed, taken, .. }) in &uses {
            if borrowed + taken > 0 && !self.is_live(value) {
                self.error(op, "uses an object that has no owner any more", value);
                return;
            }
        }
        self.regions(op);
        let is_dup = self.objects.counts.is_count(view);
        for (value, Uses { taken, borrowed, .. }) in uses {
            // A count operation that only borrows a value adds an owner.
            if is_dup && borrowed > 0 {
                self.change(value, 1);
            }
            self.change(value, -(taken as i64));
            if self.count(value) < 0 {
                self.error(op, "takes an owner of an object that has none left", value);
                self.owners.insert(value, 0);
            }
        }
    }

    fn regions(&mut self, op: Op) {
        let view = self.body.op(op);
        let flow = self.objects.flow(self.body, op);
        let once = flow.is_some_and(|flow| flow.execution(view) == RegionExecution::ExactlyOne);
        let captured = self.objects.captured(op).to_vec();
        let before: Vec<i64> = captured.iter().map(|&value| self.count(value)).collect();
        let mut left: Option<Vec<i64>> = if once { None } else { Some(before.clone()) };
        for region in view.own_regions() {
            for block in self.body.region(region).blocks() {
                self.block(block, flow.is_some());
            }
            // A missing region does not change the owners.
            let after: Vec<i64> = captured.iter().map(|&value| self.count(value)).collect();
            let expected = left.get_or_insert_with(|| after.clone()).clone();
            for ((&value, &expected), &after) in captured.iter().zip(&expected).zip(&after) {
                if expected != after {
                    let message = if once {
                        "has regions that leave different numbers of owners of an object"
                    } else {
                        "has a region that executes repeatedly and changes the number of owners of an object"
                    };
                    self.error(op, message, value);
                }
            }
            for (&value, &count) in captured.iter().zip(&before) {
                self.owners.insert(value, count);
            }
        }
        for (&value, count) in captured.iter().zip(left.unwrap_or(before)) {
            self.owners.insert(value, count);
        }
    }

    fn result(&mut self, op: Op, index: usize, result: Value) {
        let view = self.body.op(op);
        if self.objects.borrows(result) {
            self.base.insert(result, Base::Caller);
            return;
        }
        let base = match self.objects.counts.owner(view, index) {
            ResultOwner::Itself => {
                self.change(result, 1);
                Base::Nothing
            }
            ResultOwner::Operand(operand) => Base::PartOf(view.operand(operand)),
            // The result is a part of its counted operand, which keeps it alive until the part is overwritten.
            ResultOwner::Shared => {
                let whole = view.operands().find(|&operand| self.objects.is_counted(self.body, operand));
                whole.map_or(Base::Nothing, Base::PartOf)
            }
        };
        self.base.insert(result, base);
    }
}
