//! Memory that a function reads and writes.
//!
//! The reverse sweep recomputes values of the function: those of iterations, of conditionals, and of the bodies of
//! callees. It executes no writes, so memory that is read again must still have its original contents: no function of the
//! module may write such memory. Accesses may alias unless all their operands that are not values are
//! objects of different types.

use super::work::Work;
use super::{Engine, Missing, Request};
use minoan_ir::{Body, Name, Op, OpRef, Traits, Type};
use minoan_services::{EffectSet, TangentSpace};
use rustc_hash::{FxHashMap, FxHashSet};

/// The memory that a function accesses, by the types of the objects; [`Type::NONE`] represents any memory.
#[derive(Clone, Default, Debug)]
pub(super) struct Accesses {
    reads: FxHashSet<Type>,
    writes: FxHashSet<Type>,
}

impl Accesses {
    /// Adds other accesses; returns whether there are new ones.
    fn extend(&mut self, other: &Accesses) -> bool {
        let before = self.reads.len() + self.writes.len();
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.reads.len() + self.writes.len() > before
    }
}

/// The accesses of the functions of a module, including those of their callees.
#[derive(Default, Debug)]
pub(super) struct ModuleMemory {
    functions: FxHashMap<Name, Accesses>,
    /// The memory that the functions of the module write.
    written: FxHashSet<Type>,
}

impl ModuleMemory {
    fn is_written(&self, reads: &FxHashSet<Type>) -> bool {
        match (self.written.contains(&Type::NONE), reads.contains(&Type::NONE)) {
            (true, _) => !reads.is_empty(),
            (_, true) => !self.written.is_empty(),
            _ => !reads.is_disjoint(&self.written),
        }
    }
}

impl Engine<'_> {
    /// The memory of the module. Derivatives are not in it.
    pub(super) fn memory(&self, module: &Body) -> &ModuleMemory {
        self.memory.get_or_init(|| {
            let mut memory = ModuleMemory::default();
            let mut callers: FxHashMap<Name, Vec<Name>> = FxHashMap::default();
            for function in module.walk() {
                let view = module.op(function);
                let (Some(name), Some(body)) = (view.symbol_name(), view.nested()) else { continue };
                let name = self.ctx.name(name);
                if self.keys.contains_key(&name) {
                    continue;
                }
                let mut own = Accesses::default();
                for op in body.walk() {
                    match self.called(body.op(op)) {
                        Some(Some(callee)) => callers.entry(callee).or_default().push(name),
                        _ => {
                            own.extend(&self.accesses(body.op(op)));
                        }
                    }
                }
                memory.written.extend(&own.writes);
                memory.functions.insert(name, own);
            }
            let mut pending: Vec<Name> = memory.functions.keys().copied().collect();
            while let Some(callee) = pending.pop() {
                let Some(accesses) = memory.functions.get(&callee).cloned() else { continue };
                for caller in callers.get(&callee).into_iter().flatten() {
                    if memory.functions.get_mut(caller).is_some_and(|own| own.extend(&accesses)) {
                        pending.push(*caller);
                    }
                }
            }
            memory
        })
    }

    /// The callee of an operation that is a call, if it is known.
    fn called(&self, op: OpRef<'_>) -> Option<Option<Name>> {
        let calls = self.calls.and_then(|table| table.get(op.kind()))?;
        Some(calls.callee(op).and_then(|callee| callee.as_flat_symbol(self.ctx)))
    }

    /// The accesses of an operation itself, not of a callee.
    fn accesses(&self, op: OpRef<'_>) -> Accesses {
        let mut accesses = Accesses::default();
        if op.has_trait(Traits::TERMINATOR) || op.nested().is_some() {
            return accesses;
        }
        let effects = self.effects.own(op);
        let (reads, writes) = (effects.intersects(EffectSet::READ), effects.intersects(EffectSet::WRITE));
        if !reads && !writes {
            return accesses;
        }
        let is_value = |&ty: &Type| {
            ty == Type::INDEX
                || ty.integer_width(self.ctx).is_some()
                || ty.is_tensor(self.ctx)
                || <dyn TangentSpace>::of(self.ctx, ty).is_some()
        };
        let is_object = |ty: Type| self.counts.iter().any(|counts| counts.is_counted(self.ctx, ty));
        let operands = op.operand_types().filter(|ty| !is_value(ty));
        let mut memory: Vec<Type> = operands.map(|ty| if is_object(ty) { ty } else { Type::NONE }).collect();
        if memory.is_empty() {
            memory.push(Type::NONE);
        }
        if reads {
            accesses.reads.extend(&memory);
        }
        if writes {
            accesses.writes.extend(&memory);
        }
        accesses
    }

    /// The reason why an operation does not compute the same results if it is executed again without the writes of the function.
    fn unrepeatable(&self, module: &Body, op: OpRef<'_>) -> Option<String> {
        let memory = self.memory(module);
        let Some(callee) = self.called(op) else {
            let accesses = self.accesses(op);
            return memory.is_written(&accesses.reads).then(|| {
                "reads memory that the program writes, so the reverse sweep cannot execute it again"
                    .to_owned()
            });
        };
        let Some(mut callee) = callee else {
            return Some(
                "calls an unknown function, so the reverse sweep cannot execute it again".to_owned(),
            );
        };
        // A derivative that another one calls has no effects, and is examined itself.
        while let Some(key) = self.keys.get(&callee) {
            if key.silent {
                return None;
            }
            callee = key.of;
        }
        // A function without a body has no effects.
        let accesses = memory.functions.get(&callee)?;
        let (verb, changes) = match () {
            () if !accesses.writes.is_empty() => ("writes memory", true),
            () => ("reads memory that the program writes", memory.is_written(&accesses.reads)),
        };
        let name = callee.as_str(self.ctx);
        changes.then(|| format!("calls '{name}', which {verb}, so the reverse sweep cannot execute it again"))
    }

    /// Whether a function of the module, or one that it calls, may write memory.
    pub(super) fn writes_memory(&self, module: &Body, function: Name) -> bool {
        self.memory(module).functions.get(&function).is_some_and(|accesses| !accesses.writes.is_empty())
    }

    /// Whether an operation may write an operand to memory whose contents have no tangents, and which is not an object.
    pub(super) fn writes_values(&self, module: &Body, op: OpRef<'_>) -> bool {
        let memory = self.memory(module);
        if !memory.written.contains(&Type::NONE) {
            return false;
        }
        match self.called(op) {
            Some(callee) => {
                let accesses = callee.and_then(|callee| memory.functions.get(&callee));
                accesses.is_some_and(|accesses| accesses.writes.contains(&Type::NONE))
            }
            None => op.n_results() == 0 && self.accesses(op).writes.contains(&Type::NONE),
        }
    }
}

impl Engine<'_> {
    /// Reports the operations of a finished derivative that are executed again, except for `originals`, and read memory that may
    /// have been overwritten.
    pub(super) fn report_repeated(
        &mut self,
        module: &Body,
        body: &Body,
        originals: &FxHashSet<Op>,
        request: Request,
    ) {
        if self.memory(module).written.is_empty() {
            return;
        }
        for op in body.walk().into_iter().filter(|op| !originals.contains(op)) {
            let view = body.op(op);
            if let Some(why) = self.unrepeatable(module, view) {
                let message = format!("'{}' op {why}", view.name());
                self.missing.push(Missing { loc: view.loc(), message, request });
            }
        }
    }
}

impl Work<'_, '_> {
    /// The operations of a function that its derivative executes at most once and in order, if it may matter.
    pub(super) fn originals(&self, body: &Body, silent: bool) -> FxHashSet<Op> {
        match silent || self.engine.memory(self.module).written.is_empty() {
            true => FxHashSet::default(),
            false => body.walk().into_iter().collect(),
        }
    }
}
