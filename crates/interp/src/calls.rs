//! The requests of an operation's evaluation to the interpreter: calls, regions, memory.

use crate::frame::{at, too_deep};
use crate::{Interpreter, MAX_NESTING};
use minoan_ir::{Body, Loc, Region, Traits, Value};
use minoan_services::{Buffer, Datum, Flow, Machine, Object, Tensor, Trap};
use std::rc::Rc;

impl<'m> Interpreter<'m> {
    /// Calls a function of the module or an external function.
    pub(crate) fn call_symbol(&mut self, symbol: &str, args: &[Datum]) -> Result<Vec<Datum>, Trap> {
        match self.defined(symbol, args.len())? {
            Some((body, region)) => self.deeper(|run| run.run(body, region, args, true)),
            None => self.call_outside(symbol, args),
        }
    }

    /// The body of a function of the module and its region; `None` if the module does not define it.
    pub(crate) fn defined(&self, symbol: &str, args: usize) -> Result<Option<(&'m Body, Region)>, Trap> {
        let module = self.module;
        let Some(op) = self.declaration(symbol) else { return Ok(None) };
        let op = module.body().op(op);
        if !op.has_trait(Traits::FUNCTION_LIKE) {
            return Err(Trap::new(format!("'@{symbol}' is not a function")));
        }
        let defined = op.region_inside(0).filter(|(body, region)| !body.region(*region).is_empty());
        let Some((body, region)) = defined else { return Ok(None) };
        let entry = body.region(region).entry().map_or(0, |block| body.block(block).n_args());
        if entry != args {
            return Err(Trap::new(format!("'@{symbol}' takes {entry} arguments, {args} given")));
        }
        Ok(Some((body, region)))
    }

    /// Calls a function that the module does not define.
    pub(crate) fn call_outside(&mut self, symbol: &str, args: &[Datum]) -> Result<Vec<Datum>, Trap> {
        if let Some(function) = self.externals.get_mut(symbol) {
            return function(args);
        }
        if let Some(chunk) = symbol.strip_suffix(".parallel")
            && self.declaration(symbol).is_some()
            && self.declaration(chunk).is_some()
        {
            return self.call_chunks(chunk, args);
        }
        Err(Trap::new(match self.declaration(symbol) {
            Some(_) => format!("'@{symbol}' has no body, and the runtime has no such function"),
            None => format!("no function '@{symbol}'"),
        }))
    }

    /// Calls a function `f(lower, upper, captures..)` for all chunks of a parallel loop, given the number of iterations,
    /// the size of the chunks, and the captures. The last chunk comes first: a loop that depends on the order of its
    /// iterations, which is not parallel, should not go unnoticed.
    fn call_chunks(&mut self, symbol: &str, args: &[Datum]) -> Result<Vec<Datum>, Trap> {
        let [n, grain, captures @ ..] = args else {
            return Err(Trap::new(format!("the parallel call of '@{symbol}' has no number of iterations")));
        };
        let (n, grain) = (n.int()?.max(0), grain.int()?.max(1));
        for chunk in (0..n / grain + i64::from(n % grain > 0)).rev() {
            let lower = chunk * grain;
            let upper = lower.saturating_add(grain).min(n);
            let range = [Datum::Int(lower), Datum::Int(upper)];
            let args: Vec<Datum> = range.into_iter().chain(captures.iter().cloned()).collect();
            self.call_symbol(symbol, &args)?;
        }
        Ok(Vec::new())
    }

    /// Runs one more level on the native stack.
    fn deeper<R>(&mut self, run: impl FnOnce(&mut Self) -> Result<R, Trap>) -> Result<R, Trap> {
        if self.nesting >= MAX_NESTING {
            return Err(too_deep());
        }
        self.nesting += 1;
        let result = minoan_ir::with_stack(|| run(self));
        self.nesting -= 1;
        result
    }
}

impl Machine for Interpreter<'_> {
    fn run_region(&mut self, body: &Body, region: Region, args: &[Datum]) -> Result<Vec<Datum>, Trap> {
        let is_new = !self.frames.last().is_some_and(|frame| frame.is_of(body));
        self.deeper(|run| run.run(body, region, args, is_new))
    }

    fn value(&self, body: &Body, value: Value) -> Result<Datum, Trap> {
        let frame = self.frames.last().filter(|frame| frame.is_of(body));
        frame.and_then(|frame| frame.get(value)).ok_or_else(|| Trap::new("an operand has no value yet"))
    }

    fn call(&mut self, symbol: &str, args: &[Datum], loc: Loc) -> Result<Vec<Datum>, Trap> {
        self.call_symbol(symbol, args).map_err(|trap| at(trap, loc))
    }

    fn global(&mut self, symbol: &str) -> Result<Buffer, Trap> {
        let module = self.module;
        let name = module.context().name(symbol);
        if let Some(buffer) = self.memory.global(name) {
            return Ok(buffer);
        }
        let op = self.declaration(symbol).ok_or_else(|| Trap::new(format!("no global '@{symbol}'")))?;
        let op = module.body().op(op);
        let service = self.services.and_then(|table| table.get(op.kind()));
        let no_initializer = || Trap::new(format!("global '@{symbol}' has no initializer"));
        let service = service.ok_or_else(no_initializer)?;
        let contents = match service.evaluate(op, &[], self)? {
            Flow::Next(results) => results.into_iter().next(),
            _ => None,
        };
        match contents {
            Some(Datum::Tensor(tensor)) => Ok(self.memory.add_global(name, Rc::unwrap_or_clone(tensor))),
            _ => Err(no_initializer()),
        }
    }

    fn alloc(&mut self, contents: Tensor) -> Buffer {
        self.memory.alloc(contents)
    }

    fn alloc_for_tensor(&mut self, contents: Tensor) -> Buffer {
        self.memory.alloc_for_tensor(contents)
    }

    fn free(&mut self, buffer: &Buffer) -> Result<(), Trap> {
        self.memory.free(buffer)
    }

    fn point(&self) -> &[i64] {
        &self.point
    }

    fn go_to(&mut self, point: Vec<i64>) -> Vec<i64> {
        std::mem::replace(&mut self.point, point)
    }

    fn tick(&mut self, steps: u64) -> Result<(), Trap> {
        self.count(steps)
    }

    fn count_objects(&mut self, change: i64) {
        self.objects.count(change);
    }

    fn add_object(&mut self, object: &Object) {
        self.objects.add(object);
    }
}
