//! `fuse`: fuses producers into their consumers.
//!
//! An operation that computes a tensor over an iteration domain is fused into its consumers if it has no side effects
//! and if that reduces the cost: the tensor is not materialized, but an element that is read several times is
//! recomputed. With `c` instructions per element, `r` element reads, `n` reads of each element, and cost `m` per
//! memory access, fusion costs `n (c + r m)` and no fusion costs `c + r m + m + n m`. So a producer whose elements
//! are read once is always fused, a chain of cheap operations usually, and an exponential with two reads never.
//!
//! The number of reads of an element follows from the reader's implementation of [`Fusion`] and the enclosing loops: a loop
//! whose induction variable is an index of the element reads another element in each iteration. Readers are visited
//! in reverse order, so that producers are small when they are fused; then the producers of the fused producer are
//! examined. In a kernel, math functions are not fused into a reduction, because they may be vectorized where the reduction is
//! scalar. No scalar computation exceeds `max-operations`, which bounds the operands that a step visits.

use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::{Body, Context, Op, OpRef, ServiceTable, Traits, Value};
use minoan_pass::{Counters, Pass, PassRun, own_options, pass_options, queries};
use minoan_schedule::choose;
use minoan_services::{
    Cost, Domain, EffectSet, Effects, EffectsTable, Fusion, IterationDomain, IteratorType, KernelOps,
    LoopLike, Producer, Reading, RegionExecution, RegionFlow,
};

pass_options! {
    /// The options of the pass.
    pub struct FuseOptions {
        /// Limit on the operations of a scalar computation
        "max-operations" max_operations: usize = 500,
        /// Cost of reading or writing an element, in instructions
        "memory-cost" memory_cost: u64 = 4,
        /// Emit a remark for each producer that is not fused, with the reason
        "explain" explain: bool = false,
    }
}

/// Assumed trip count of loops whose bounds are unknown.
const MANY: u64 = 64;

/// The maximum number of readers of a fused producer.
const MAX_READERS: usize = 64;

/// Fuses producers into consumers.
#[derive(Default)]
pub struct Fuse {
    /// The options of this pass.
    pub options: FuseOptions,
}

impl Pass for Fuse {
    fn name(&self) -> &'static str {
        "fuse"
    }

    fn description(&self) -> &'static str {
        "fuse producers into their consumers"
    }

    own_options!();

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[("num-fused", "Number of producers fused into their consumers")]
    }

    queries!(IterationDomain, Fusion, Cost, LoopLike, RegionFlow, Effects, KernelOps);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let domains = ctx.service_table::<dyn IterationDomain>();
        let (Some(domains), Some(fusions)) = (domains, ctx.service_table::<dyn Fusion>()) else {
            return Ok(());
        };
        let (counters, options) = (run.counters(), &self.options);
        let done = run.each_body_with(
            || (),
            |(), owner, body| {
                let kernels = ctx.service::<dyn KernelOps>(owner.kind);
                // The plan of a kernel refers to its statements by name, so these must not change.
                if kernels.is_some_and(|kernels| kernels.has_plan(&ctx, owner.props)) {
                    return (0, Diagnostics::new());
                }
                let in_kernel = kernels.is_some();
                let fuser = Fuser { ctx: &ctx, domains, fusions, counters, options, in_kernel };
                let fused = fuser.all(body);
                (fused, if options.explain { fuser.explain(body) } else { Diagnostics::new() })
            },
        );
        for (fused, remarks) in done {
            run.count("num-fused", fused);
            remarks.into_iter().for_each(|remark| run.emit(remark));
        }
        Ok(())
    }
}

struct Fuser<'c> {
    ctx: &'c Context,
    domains: &'c ServiceTable<dyn IterationDomain>,
    fusions: &'c ServiceTable<dyn Fusion>,
    counters: Option<&'c Counters>,
    options: &'c FuseOptions,
    /// Whether the body is that of a kernel, whose intermediate results are in registers.
    in_kernel: bool,
}

/// A use of a producer's result.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Use {
    reader: Op,
    operand: usize,
    /// The index of the producer's result.
    result: usize,
}

/// The decision for a producer.
enum Decision {
    /// All consumers compute it, and the producer is erased.
    Everywhere,
    /// The consumers compute it, since that is as cheap as a read; the producer is kept for its other uses.
    Here,
}

impl Fuser<'_> {
    /// Fuses producers in a body; returns the number of erased operations.
    fn all(&self, body: &mut Body) -> u64 {
        let is_reader = |&op: &Op| self.fusions.get(body.op(op).kind()).is_some();
        let readers = body.walk().into_iter().filter(is_reader);
        // Pairs of a reader and the first operand to examine: the operands before it were examined before the reader absorbed
        // another producer.
        let mut readers: Vec<(Op, usize)> = readers.map(|reader| (reader, 0)).collect();
        let mut fused = 0;
        while let Some((reader, first)) = readers.pop() {
            // The reader may have been nested in a fused operation.
            if !body.contains(reader) {
                continue;
            }
            for operand in (first..body.op(reader).n_operands()).chain(0..first) {
                let Some((op, domain)) = self.producer(body, body.op(reader).operand(operand)) else {
                    continue;
                };
                let uses = uses(body, op);
                let uses = match self.decide(body, op, &domain, &uses, (reader, operand)) {
                    Err(_) => continue,
                    Ok(Decision::Everywhere) => uses,
                    Ok(Decision::Here) => {
                        uses.into_iter().filter(|at| (at.reader, at.operand) == (reader, operand)).collect()
                    }
                };
                if self.counters.is_some_and(|counters| !counters.permit("fuse")) {
                    continue;
                }
                for at in uses {
                    let first = if at.reader == reader { operand } else { 0 };
                    let new = self.take_in(body, op, &domain, at);
                    readers.extend(new.into_iter().map(|reader| (reader, first)));
                }
                if body.op(op).results().all(|result| !body.is_used(result)) {
                    body.erase(op);
                    fused += 1;
                }
                if !body.contains(reader) {
                    break;
                }
            }
        }
        fused
    }

    /// The operation that defines a value, with its iteration domain.
    fn producer(&self, body: &Body, value: Value) -> Option<(Op, Domain)> {
        let op = body.defining_op(value)?;
        let view = body.op(op);
        Some((op, self.domains.get(view.kind())?.domain(view)?))
    }

    /// Fuses a producer into a consumer; returns the operations that replace the consumer.
    fn take_in(&self, body: &mut Body, op: Op, domain: &Domain, at: Use) -> Vec<Op> {
        let Use { reader, operand, result } = at;
        // The same value may have been another operand of the consumer.
        if !body.contains(reader) {
            return Vec::new();
        }
        let services = (self.domains.get(body.op(op).kind()), self.fusions.get(body.op(reader).kind()));
        let (Some(service), Some(fusion)) = services else { return Vec::new() };
        let producer = Producer { op, result, domain, service };
        fusion.fuse(body, reader, operand, producer).unwrap_or_default()
    }

    /// The best decision for a producer with the uses `here`.
    ///
    /// # Errors
    /// The reason why it is not fused.
    fn decide(
        &self,
        body: &Body,
        op: Op,
        domain: &Domain,
        uses: &[Use],
        here: (Op, usize),
    ) -> Result<Decision, String> {
        is_harmless(self.ctx, body, op)?;
        if domain.has_padding() {
            return Err("it reads outside of its operand".to_owned());
        }
        if uses.len() > MAX_READERS {
            return Err(format!("it has more than {MAX_READERS} uses"));
        }
        let once = self.cost_of_element(body, op, domain);
        let memory = self.options.memory_cost;
        let (mut times, mut others) = (0u64, None);
        let mut known: Vec<(Op, usize)> = Vec::new();
        for at in uses {
            if known.contains(&(at.reader, at.operand)) {
                continue;
            }
            match self.reading(body, op, domain, *at) {
                Ok((reading, times_around)) => {
                    let each = reading.times.unwrap_or(MANY).saturating_mul(times_around);
                    times = times.saturating_add(each);
                    known.extend(reading.operands.into_iter().map(|operand| (at.reader, operand)));
                }
                Err(reason) if (at.reader, at.operand) == here => return Err(reason),
                Err(reason) => others = Some((at.reader, reason)),
            }
        }
        if let Some((other, reason)) = others {
            if once <= memory {
                return Ok(Decision::Here);
            }
            let name = body.op(other).name();
            return Err(format!("'{name}' requires the tensor: {reason}"));
        }
        let computed_again = times.saturating_mul(once);
        let made = (once + memory).saturating_add(times.saturating_mul(memory));
        if times <= 1 || computed_again <= made {
            return Ok(Decision::Everywhere);
        }
        let times = if times < MANY { times.to_string() } else { "many".to_owned() };
        Err(format!(
            "each element is read {times} times; computing it costs {once} instructions, reading it {memory}"
        ))
    }

    /// The access of a consumer to the operand, and the number of executions of the consumer per execution of the
    /// producer.
    fn reading(&self, body: &Body, op: Op, domain: &Domain, at: Use) -> Result<(Reading, u64), String> {
        let Use { reader, operand, result } = at;
        let (view, service) = (body.op(reader), self.domains.get(body.op(op).kind()));
        let (Some(fusion), Some(service)) = (self.fusions.get(view.kind()), service) else {
            return Err("the consumer has no iteration domain".to_owned());
        };
        let reading = fusion.reading(body, reader, operand, Producer { op, result, domain, service })?;
        if self.in_kernel && self.reduces(view) && choose::has_function(body, op) {
            return Err("a kernel computes functions apart from reductions, which may be in order".to_owned());
        }
        let largest = self.options.max_operations;
        if size(body, op) + size(body, reader) > largest {
            return Err(format!("the fused computation exceeds {largest} operations"));
        }
        let around = self.times_around(body, op, reader, reading.element.as_deref())?;
        Ok((reading, around))
    }

    fn reduces(&self, op: OpRef<'_>) -> bool {
        let domain = self.domains.get(op.kind()).and_then(|service| service.domain(op));
        domain.is_some_and(|domain| domain.iterator_types.contains(&IteratorType::Reduction))
    }

    /// The number of times that the operations around a consumer, up to the producer's block, make it read the same
    /// element.
    fn times_around(
        &self,
        body: &Body,
        op: Op,
        reader: Op,
        element: Option<&[Value]>,
    ) -> Result<u64, String> {
        let mut free: Vec<Value> = element.unwrap_or_default().to_vec();
        let mut times = 1u64;
        let mut at = reader;
        while body.op(at).block() != body.op(op).block() {
            let Some(around) = body.op(at).parent() else {
                return Err("it is used in another block".to_owned());
            };
            times = times.saturating_mul(self.times_of(body.op(around), &mut free)?);
            at = around;
        }
        Ok(times)
    }

    /// The number of times that an operation makes nested consumers read the same element. Its induction variables
    /// are removed from the element's indices.
    fn times_of(&self, op: OpRef<'_>, free: &mut Vec<Value>) -> Result<u64, String> {
        let body = op.body();
        let mut is_index = |value: Value| {
            let at = free.iter().position(|&index| index == value);
            at.map(|at| free.remove(at)).is_some()
        };
        if let Some(service) = self.ctx.service::<dyn LoopLike>(op.kind()) {
            let inductions = service.inductions(op);
            let unknown = if inductions.is_empty() { MANY } else { 1 };
            let times = inductions.iter().map(|induction| match is_index(induction.value) {
                true => 1,
                false => induction.constant_bounds(body).map_or(MANY, |bounds| bounds.trip_count),
            });
            return Ok(times.fold(unknown, u64::saturating_mul));
        }
        match self.ctx.service::<dyn RegionFlow>(op.kind()).map(|flow| flow.execution(op)) {
            Some(RegionExecution::ExactlyOne) => Ok(1),
            Some(RegionExecution::Repeated) => Ok(MANY),
            Some(RegionExecution::Parallel) => {
                // The region arguments of a domain without reads are the indices of the point.
                let domain = self.domains.get(op.kind()).and_then(|service| service.domain(op));
                let entry = op.own_regions().next().and_then(|region| body.region(region).entry());
                let args: Vec<Value> =
                    entry.map_or_else(Vec::new, |entry| body.block(entry).args().collect());
                let counts = domain.is_some_and(|domain| {
                    domain.reads.is_empty() && domain.iterator_types.len() == args.len() && !args.is_empty()
                });
                if !counts {
                    return Ok(MANY);
                }
                let times = args.into_iter().map(|arg| if is_index(arg) { 1 } else { MANY });
                Ok(times.fold(1, u64::saturating_mul))
            }
            None => Err(format!("it is used in a region of '{}'", op.name())),
        }
    }

    /// The instructions per element, including reads.
    fn cost_of_element(&self, body: &Body, op: Op, domain: &Domain) -> u64 {
        let (ctx, memory) = (self.ctx, self.options.memory_cost);
        let is_array = |value: Value| body.ty(value).is_tensor(ctx);
        let view = body.op(op);
        let mut seen = Vec::new();
        for read in &domain.reads {
            let source = view.operand(read.operand);
            if is_array(source) && !seen.contains(&(source, &read.map)) {
                seen.push((source, &read.map));
            }
        }
        let mut cost = memory.saturating_mul(seen.len() as u64);
        let costs: Option<&ServiceTable<dyn Cost>> = ctx.service_table();
        let own = |view: OpRef<'_>| {
            let service = costs.and_then(|costs| costs.get(view.kind()));
            service.map_or(1, |service| service.instructions(view) as u64)
        };
        if view.n_regions() == 0 {
            return cost.saturating_add(own(view));
        }
        let mut pending: Vec<(Op, u64)> = inside(body, op).map(|op| (op, 1)).collect();
        while let Some((op, times)) = pending.pop() {
            let view = body.op(op);
            if view.has_trait(Traits::TERMINATOR) {
                continue;
            }
            let reads = view.operands().filter(|&operand| is_array(operand)).count() as u64;
            cost = cost.saturating_add(times.saturating_mul(own(view) + memory * reads));
            let runs = ctx.service::<dyn RegionFlow>(view.kind()).map(|flow| flow.execution(view));
            let times =
                if runs == Some(RegionExecution::ExactlyOne) { times } else { times.saturating_mul(MANY) };
            pending.extend(inside(body, op).map(|op| (op, times)));
        }
        cost
    }

    /// Remarks about the producers that are not fused.
    fn explain(&self, body: &Body) -> Diagnostics {
        let mut remarks = Diagnostics::new();
        for reader in body.walk() {
            let view = body.op(reader);
            if self.fusions.get(view.kind()).is_none() {
                continue;
            }
            for operand in 0..view.n_operands() {
                let Some((op, domain)) = self.producer(body, view.operand(operand)) else { continue };
                let Err(reason) = self.decide(body, op, &domain, &uses(body, op), (reader, operand)) else {
                    continue;
                };
                let producer = body.op(op);
                remarks.push(
                    Diagnostic::remark(format!(
                        "'{}' reads operand {operand} and does not compute it: {reason}",
                        view.name()
                    ))
                    .at(view.loc().place(self.ctx))
                    .note_at(
                        producer.loc().place(self.ctx),
                        format!("'{}' computes it here", producer.name()),
                    ),
                );
            }
        }
        remarks
    }
}

/// The uses of an operation's results, at most one more than the limit.
fn uses(body: &Body, op: Op) -> Vec<Use> {
    let results = body.op(op).results().enumerate();
    let all = results.flat_map(|(result, value)| {
        body.uses(value).map(move |at| Use { reader: at.op, operand: at.index, result })
    });
    all.take(MAX_READERS + 1).collect()
}

/// The operations immediately nested in the regions of an operation.
fn inside(body: &Body, op: Op) -> impl Iterator<Item = Op> + '_ {
    let blocks = body.op(op).own_regions().flat_map(|region| body.region(region).blocks());
    blocks.flat_map(|block| body.block(block).ops())
}

/// The number of operations in an operation and immediately nested in it.
fn size(body: &Body, op: Op) -> usize {
    let blocks = body.op(op).own_regions().flat_map(|region| body.region(region).blocks());
    1 + blocks.map(|block| body.block(block).len()).sum::<usize>()
}

/// Checks that the operation has no side effects, so that it can be executed later.
fn is_harmless(ctx: &Context, body: &Body, op: Op) -> Result<(), String> {
    let effects = EffectsTable::new(ctx);
    let mut pending = vec![op];
    while let Some(op) = pending.pop() {
        let view = body.op(op);
        if effects.own(view) != EffectSet::NONE || (view.nested().is_some() && !view.has_trait(Traits::PURE))
        {
            return Err(format!("'{}' has effects", view.name()));
        }
        pending.extend(inside(body, op));
    }
    Ok(())
}
