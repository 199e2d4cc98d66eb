//! Activation frames, and the execution of the blocks of a region.

use crate::Interpreter;
use minoan_ir::{Body, Loc, Op, OpRef, Region, Traits, Value};
use minoan_services::{Datum, Flow, Trap};
use smallvec::SmallVec;

/// The values of one activation of a body.
pub(crate) struct Frame {
    /// The body that this frame belongs to; only compared, never dereferenced.
    body: *const Body,
    /// Indexed by value number.
    values: Vec<Option<Datum>>,
}

impl Frame {
    pub fn is_of(&self, body: &Body) -> bool {
        std::ptr::eq(self.body, body)
    }

    pub fn get(&self, value: Value) -> Option<Datum> {
        self.values.get(value.index()).cloned().flatten()
    }

    fn set(&mut self, value: Value, datum: Datum) {
        self.values[value.index()] = Some(datum);
    }
}

impl Interpreter<'_> {
    /// Runs a region of another body in a new frame.
    pub(crate) fn run_in_new_frame(
        &mut self,
        body: &Body,
        region: Region,
        args: &[Datum],
    ) -> Result<Vec<Datum>, Trap> {
        let mut values = self.spare.pop().unwrap_or_default();
        values.clear();
        values.resize(body.value_capacity(), None);
        self.frames.push(Frame { body, values });
        let results = self.run_blocks(body, region, args);
        if let Some(frame) = self.frames.pop() {
            self.spare.push(frame.values);
        }
        results
    }

    /// Runs a region of the current frame from its entry block; returns the values that its terminator yields.
    pub(crate) fn run_blocks(
        &mut self,
        body: &Body,
        region: Region,
        args: &[Datum],
    ) -> Result<Vec<Datum>, Trap> {
        let Some(mut block) = body.region(region).entry() else {
            return Err(Trap::new("a region without blocks cannot be run"));
        };
        let mut carried: Option<Vec<Datum>> = None;
        'blocks: loop {
            let view = body.block(block);
            let given = carried.as_deref().unwrap_or(args);
            if given.len() != view.n_args() {
                let message = format!("a block of {} arguments is given {}", view.n_args(), given.len());
                return Err(Trap::new(message));
            }
            let frame = self.frames.last_mut().ok_or_else(no_frame)?;
            for (arg, datum) in view.args().zip(given) {
                frame.set(arg, datum.clone());
            }
            for op in view.ops() {
                let op = body.op(op);
                match self.step(op).map_err(|trap| at(trap, op.loc()))? {
                    None => {}
                    Some(Flow::Next(results)) => self.store(op, results)?,
                    Some(Flow::Yield(values)) => return Ok(values),
                    Some(Flow::Branch(successor, values)) => {
                        let Some(next) = op.successors().nth(successor) else {
                            return Err(at(
                                Trap::new(format!("there is no successor {successor}")),
                                op.loc(),
                            ));
                        };
                        block = next;
                        carried = Some(values);
                        continue 'blocks;
                    }
                }
            }
            // A block without a terminator yields no values.
            return Ok(Vec::new());
        }
    }

    /// Evaluates one operation; `None` if its results have been stored already.
    fn step(&mut self, op: OpRef<'_>) -> Result<Option<Flow>, Trap> {
        self.count(1)?;
        let frame = self.frames.last().ok_or_else(no_frame)?;
        let mut operands = SmallVec::<[Datum; 4]>::with_capacity(op.n_operands());
        for value in op.operands() {
            match frame.values.get(value.index()) {
                Some(Some(datum)) => operands.push(datum.clone()),
                _ => return Err(Trap::new(format!("an operand of '{}' has no value yet", op.name()))),
            }
        }
        let service = self.services.and_then(|table| table.get(op.kind()));
        let service = service.ok_or_else(|| {
            Trap::new(format!("'{}' cannot be run: its dialect does not implement evaluation", op.name()))
        })?;
        if !op.has_trait(Traits::CONSTANT_LIKE) {
            let flow = service.evaluate(op, &operands, self);
            return flow.or_else(|trap| poison_results(op, &operands).ok_or(trap)).map(Some);
        }
        let key = op.id();
        if let Some(known) = self.constants.get(&key) {
            let known = vec![known.clone()];
            return self.store(op, known).map(|()| None);
        }
        let flow = service.evaluate(op, &operands, self)?;
        if let Flow::Next(results) = &flow
            && let [constant @ Datum::Tensor(_)] = &results[..]
        {
            self.constants.insert(key, constant.clone());
        }
        Ok(Some(flow))
    }

    fn store(&mut self, op: OpRef<'_>, results: Vec<Datum>) -> Result<(), Trap> {
        if results.len() != op.n_results() {
            let (want, have) = (op.n_results(), results.len());
            return Err(at(Trap::new(format!("'{}' gave {have} of {want} results", op.name())), op.loc()));
        }
        let frame = self.frames.last_mut().ok_or_else(no_frame)?;
        for (value, datum) in op.results().zip(results) {
            frame.set(value, datum);
        }
        Ok(())
    }

    /// Charges `steps` against the step limit.
    pub(crate) fn count(&mut self, steps: u64) -> Result<(), Trap> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps > self.max_steps {
            return Err(Trap::new(format!("step limit of {} exceeded", self.max_steps)));
        }
        Ok(())
    }

    /// The operation that defines or declares a symbol of the module.
    pub(crate) fn declaration(&self, symbol: &str) -> Option<Op> {
        self.symbols.get(self.module.context().name(symbol))
    }
}

/// Default poison propagation: a pure operation without its own rule returns poison if an operand is poison. It is defined for all
/// operands, so its behavior is not undefined. `None` if no operand is poison or a result type has no poison value.
fn poison_results(op: OpRef<'_>, operands: &[Datum]) -> Option<Flow> {
    if !op.has_trait(Traits::PURE)
        || op.has_trait(Traits::TERMINATOR)
        || !operands.iter().any(Datum::has_poison)
    {
        return None;
    }
    let ctx = op.context();
    op.result_types().map(|ty| Datum::poison_of(ctx, ty)).collect::<Option<Vec<Datum>>>().map(Flow::Next)
}

/// Attaches a location to a trap that has none.
pub(crate) fn at(mut trap: Trap, loc: Loc) -> Trap {
    if trap.loc == Loc::UNKNOWN {
        trap.loc = loc;
    }
    trap
}

fn no_frame() -> Trap {
    Trap::new("a region is run outside of a call")
}
