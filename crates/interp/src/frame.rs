//! Activation frames, and the execution of the blocks of a region.

use crate::{Interpreter, MAX_SPARE, MAX_STACK};
use minoan_ir::{Block, Body, Loc, Name, Op, OpRef, Region, Traits, Value};
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

/// The execution of a region, by position. The regions of a function share its frame.
pub(crate) struct Activation<'b> {
    body: &'b Body,
    /// The next operation.
    next: Option<Op>,
    /// The operation that waits for the results of a region or call.
    waiting: Option<Op>,
    /// Whether the frame ends with the execution of the region.
    owns_frame: bool,
}

impl Activation<'_> {
    /// Whether the results of an operation, which precedes the next one, are all that the region yields: its execution
    /// need not be resumed.
    fn is_tail(&self, op: OpRef<'_>) -> bool {
        let Some(next) = self.next else { return false };
        let next = self.body.op(next);
        next.has_trait(Traits::RETURN_LIKE) && next.operands().eq(op.results())
    }
}

impl<'m> Interpreter<'m> {
    /// Executes a region, in a new frame or in that of the region around it; returns the values that it yields.
    ///
    /// Calls and regions that are entered on the way are activations on a stack of their own, so recursion takes no
    /// native stack. One in tail position replaces the activation that it is in.
    pub(crate) fn run<'b>(
        &mut self,
        body: &'b Body,
        region: Region,
        args: &[Datum],
        is_new: bool,
    ) -> Result<Vec<Datum>, Trap>
    where
        'm: 'b,
    {
        let mut stack: Vec<Activation<'b>> = Vec::new();
        if is_new {
            self.push_frame(body)?;
        }
        let results = self
            .enter(&mut stack, body, region, args, is_new)
            .and_then(|()| self.run_activations(&mut stack));
        while let Some(activation) = stack.pop() {
            self.leave(&activation);
        }
        results
    }

    fn push_frame(&mut self, body: &Body) -> Result<(), Trap> {
        let bytes = body.value_capacity() * size_of::<Option<Datum>>();
        if self.stack.saturating_add(bytes) > MAX_STACK {
            return Err(too_deep());
        }
        self.stack += bytes;
        let mut values = self.spare.pop().unwrap_or_default();
        values.clear();
        values.resize(body.value_capacity(), None);
        self.frames.push(Frame { body, values });
        Ok(())
    }

    fn pop_frame(&mut self) {
        if let Some(Frame { mut values, .. }) = self.frames.pop() {
            self.stack -= values.len() * size_of::<Option<Datum>>();
            if self.spare.len() < MAX_SPARE {
                values.clear();
                self.spare.push(values);
            }
        }
    }

    /// Starts the execution of a region in the current frame, which is left with the region if `owns_frame`.
    fn enter<'b>(
        &mut self,
        stack: &mut Vec<Activation<'b>>,
        body: &'b Body,
        region: Region,
        args: &[Datum],
        owns_frame: bool,
    ) -> Result<(), Trap> {
        // The activation is added first: its owner leaves it, and the frame, if it cannot be executed.
        stack.push(Activation { body, next: None, waiting: None, owns_frame });
        self.depth += 1;
        self.stack += size_of::<Activation<'_>>();
        if self.depth > self.max_calls || self.stack > MAX_STACK {
            return Err(too_deep());
        }
        let Some(block) = body.region(region).entry() else {
            return Err(Trap::new("a region without blocks cannot be run"));
        };
        self.go_to_block(stack, block, args)
    }

    /// Continues an activation at the start of a block.
    fn go_to_block(
        &mut self,
        stack: &mut [Activation<'_>],
        block: Block,
        args: &[Datum],
    ) -> Result<(), Trap> {
        let (Some(top), Some(frame)) = (stack.last_mut(), self.frames.last_mut()) else {
            return Err(no_frame());
        };
        let block = top.body.block(block);
        if args.len() != block.n_args() {
            let message = format!("a block of {} arguments is given {}", block.n_args(), args.len());
            return Err(Trap::new(message));
        }
        for (arg, datum) in block.args().zip(args) {
            frame.set(arg, datum.clone());
        }
        top.next = block.first();
        Ok(())
    }

    fn leave(&mut self, activation: &Activation<'_>) {
        self.depth -= 1;
        self.stack -= size_of::<Activation<'_>>();
        if activation.owns_frame {
            self.pop_frame();
        }
    }

    /// Executes activations until the first one yields.
    fn run_activations<'b>(&mut self, stack: &mut Vec<Activation<'b>>) -> Result<Vec<Datum>, Trap>
    where
        'm: 'b,
    {
        loop {
            let top = stack.last_mut().ok_or_else(no_frame)?;
            let body = top.body;
            let Some(op) = top.next.map(|op| body.op(op)) else {
                // A block without a terminator yields no values.
                match self.finish(stack, Vec::new())? {
                    Some(values) => return Ok(values),
                    None => continue,
                }
            };
            top.next = op.next();
            match self.step(op).map_err(|trap| at(trap, op.loc()))? {
                None => {}
                Some(Flow::Next(results)) => self.store(op, results)?,
                Some(Flow::Yield(values)) => {
                    if let Some(values) = self.finish(stack, values)? {
                        return Ok(values);
                    }
                }
                Some(Flow::Branch(successor, values)) => {
                    let Some(next) = op.successors().nth(successor) else {
                        return Err(at(Trap::new(format!("there is no successor {successor}")), op.loc()));
                    };
                    self.go_to_block(stack, next, &values)?;
                }
                Some(Flow::Enter(region, args)) => {
                    top.waiting = Some(op.id());
                    let mut owns_frame = false;
                    if top.is_tail(op)
                        && let Some(mut done) = stack.pop()
                    {
                        owns_frame = std::mem::take(&mut done.owns_frame);
                        self.leave(&done);
                    }
                    let entered = self.enter(stack, body, region, &args, owns_frame);
                    entered.map_err(|trap| at(trap, op.loc()))?;
                }
                Some(Flow::Call(symbol, args)) => {
                    top.waiting = Some(op.id());
                    let is_tail = top.is_tail(op);
                    let called = self.start_call(stack, symbol, &args, is_tail);
                    if let Some(results) = called.map_err(|trap| at(trap, op.loc()))? {
                        self.store(op, results)?;
                    }
                }
            }
        }
    }

    /// Leaves an activation, whose values are the results of the operation that waits for them; returns those of the
    /// first activation.
    fn finish(
        &mut self,
        stack: &mut Vec<Activation<'_>>,
        values: Vec<Datum>,
    ) -> Result<Option<Vec<Datum>>, Trap> {
        if let Some(done) = stack.pop() {
            self.leave(&done);
        }
        let Some(parent) = stack.last() else { return Ok(Some(values)) };
        if let Some(op) = parent.waiting {
            self.store(parent.body.op(op), values)?;
        }
        Ok(None)
    }

    /// Starts a call; returns the results of a function that the module does not define.
    fn start_call<'b>(
        &mut self,
        stack: &mut Vec<Activation<'b>>,
        symbol: Name,
        args: &[Datum],
        is_tail: bool,
    ) -> Result<Option<Vec<Datum>>, Trap>
    where
        'm: 'b,
    {
        let symbol = symbol.as_str(self.module.context());
        let Some((body, region)) = self.defined(symbol, args.len())? else {
            return self.call_outside(symbol, args).map(Some);
        };
        if is_tail && let Some(done) = stack.pop() {
            self.leave(&done);
        }
        self.push_frame(body)?;
        self.enter(stack, body, region, args, true).map(|()| None)
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

/// Default poison propagation: a pure operation without its own rule returns poison if an operand is poison. It is defined for
/// all operands, so its behavior is not undefined. `None` if no operand is poison or a result type has no poison value.
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

pub(crate) fn too_deep() -> Trap {
    Trap::new("recursion too deep")
}

fn no_frame() -> Trap {
    Trap::new("a region is run outside of a call")
}
