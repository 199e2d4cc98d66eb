//! Side effects of operations.

use minoan_ir::{Context, OpRef, ServiceTable, Traits, service};

/// A set of effects.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EffectSet(u8);

impl EffectSet {
    /// No effects.
    pub const NONE: EffectSet = EffectSet(0);
    /// Reads memory.
    pub const READ: EffectSet = EffectSet(1);
    /// Writes memory.
    pub const WRITE: EffectSet = EffectSet(2);
    /// Allocates memory.
    pub const ALLOCATE: EffectSet = EffectSet(4);
    /// Frees memory.
    pub const FREE: EffectSet = EffectSet(8);
    /// Output, termination of the program, or any other externally visible effect.
    pub const OUTSIDE: EffectSet = EffectSet(16);
    /// All effects.
    pub const UNKNOWN: EffectSet = EffectSet(31);

    /// The union of two sets.
    pub const fn and(self, other: EffectSet) -> EffectSet {
        EffectSet(self.0 | other.0)
    }

    /// Whether the sets intersect.
    pub const fn intersects(self, other: EffectSet) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether the operation may be erased if its results are unused.
    pub const fn removable(self) -> bool {
        !self.intersects(EffectSet::WRITE.and(EffectSet::FREE).and(EffectSet::OUTSIDE))
    }
}

/// Displays `none`, `unknown`, or a list: `read, write`.
impl std::fmt::Display for EffectSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const NAMES: [(EffectSet, &str); 5] = [
            (EffectSet::READ, "read"),
            (EffectSet::WRITE, "write"),
            (EffectSet::ALLOCATE, "allocate"),
            (EffectSet::FREE, "free"),
            (EffectSet::OUTSIDE, "outside"),
        ];
        match *self {
            EffectSet::NONE => f.write_str("none"),
            EffectSet::UNKNOWN => f.write_str("unknown"),
            some => {
                let named = NAMES.iter().filter(|(one, _)| some.intersects(*one)).map(|(_, name)| *name);
                f.write_str(&named.collect::<Vec<_>>().join(", "))
            }
        }
    }
}

/// The effects of an operation on memory and the environment. Queried by dead code elimination, code motion and
/// `plan-buffers`. Default: all effects.
pub trait Effects: Send + Sync {
    /// The effects of the operation itself, excluding those of nested operations, which the caller adds.
    fn effects(&self, op: OpRef<'_>) -> EffectSet;
}
service!(dyn Effects, "Effects", Optional);

/// A cache of the effects service, for repeated queries.
#[derive(Clone, Copy)]
pub struct EffectsTable<'c>(Option<&'c ServiceTable<dyn Effects>>);

impl<'c> EffectsTable<'c> {
    /// Creates the table for the operations of a context.
    pub fn new(ctx: &'c Context) -> Self {
        Self(ctx.service_table())
    }

    /// The operation's own effects, excluding nested regions. `None` if it only has the recursive effects of its
    /// regions. An operation with recursive effects may have own effects in addition.
    #[inline]
    pub fn declared(self, op: OpRef<'_>) -> Option<EffectSet> {
        let traits = op.traits();
        if traits.has(Traits::PURE) {
            return Some(EffectSet::NONE);
        }
        match self.0.and_then(|table| table.get(op.kind())) {
            Some(service) => Some(service.effects(op)),
            None if traits.has(Traits::RECURSIVE_EFFECTS) => None,
            None => Some(EffectSet::UNKNOWN),
        }
    }

    /// The effects of the operation itself, excluding nested operations.
    #[inline]
    pub fn own(self, op: OpRef<'_>) -> EffectSet {
        self.declared(op).unwrap_or(EffectSet::NONE)
    }

    /// The effects of an operation including all nested operations. Nested bodies are not executed and do not count.
    pub fn all(self, op: OpRef<'_>) -> EffectSet {
        let mut pending = vec![op];
        let mut total = EffectSet::NONE;
        while let Some(op) = pending.pop() {
            total = total.and(self.own(op));
            let body = op.body();
            for block in op.own_regions().flat_map(|region| body.region(region).blocks()) {
                pending.extend(body.block(block).ops().map(|inner| body.op(inner)));
            }
        }
        total
    }
}

impl dyn Effects {
    /// The effects of an operation including all nested operations. Nested bodies are not executed and do not count.
    pub fn of(op: OpRef<'_>) -> EffectSet {
        EffectsTable::new(op.context()).all(op)
    }
}

/// The effects of an operation on tensors or buffers: it reads and writes its buffers; without buffers, it has no effects.
pub struct OnBuffers;

impl Effects for OnBuffers {
    fn effects(&self, op: OpRef<'_>) -> EffectSet {
        let ctx = op.context();
        if op.operand_types().any(|ty| ty.is_memref(ctx)) {
            EffectSet::READ.and(EffectSet::WRITE)
        } else {
            EffectSet::NONE
        }
    }
}

/// Constant effects, independent of operands and attributes.
impl Effects for EffectSet {
    fn effects(&self, _op: OpRef<'_>) -> EffectSet {
        *self
    }
}
