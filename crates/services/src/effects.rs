//! What an operation does besides computing its results.

use minoan_ir::{Context, OpRef, ServiceTable, Traits, service};

/// A set of effects.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EffectSet(u8);

impl EffectSet {
    /// No effect.
    pub const NONE: EffectSet = EffectSet(0);
    /// Reads memory.
    pub const READ: EffectSet = EffectSet(1);
    /// Writes memory.
    pub const WRITE: EffectSet = EffectSet(2);
    /// Allocates memory.
    pub const ALLOCATE: EffectSet = EffectSet(4);
    /// Frees memory.
    pub const FREE: EffectSet = EffectSet(8);
    /// Prints, stops the program, or does anything else that can be seen from outside.
    pub const OUTSIDE: EffectSet = EffectSet(16);
    /// Anything.
    pub const UNKNOWN: EffectSet = EffectSet(31);

    /// Both sets.
    pub const fn and(self, other: EffectSet) -> EffectSet {
        EffectSet(self.0 | other.0)
    }

    /// Whether one of `other` is in it.
    pub const fn intersects(self, other: EffectSet) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether the operation may be removed when its results are not used.
    pub const fn removable(self) -> bool {
        !self.intersects(EffectSet::WRITE.and(EffectSet::FREE).and(EffectSet::OUTSIDE))
    }
}

/// `none`, `unknown`, or a list: `read, write`.
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

/// What an operation does to memory and the outside. Asked by dead-code elimination, motion of code and buffers;
/// without an answer anything may happen.
pub trait Effects: Send + Sync {
    /// The effects of the operation itself; those of operations in its regions are added by the asker.
    fn effects(&self, op: OpRef<'_>) -> EffectSet;
}
service!(dyn Effects, "Effects", Optional);

/// What operations do, for those who ask many times.
#[derive(Clone, Copy)]
pub struct EffectsTable<'c>(Option<&'c ServiceTable<dyn Effects>>);

impl<'c> EffectsTable<'c> {
    /// For the operations of a context.
    pub fn new(ctx: &'c Context) -> Self {
        Self(ctx.service_table())
    }

    /// The effects that an operation says it has, without those of what is inside it; `None` when it says that it has
    /// those and no others. One that has those may answer for others besides.
    #[inline]
    pub fn said(self, op: OpRef<'_>) -> Option<EffectSet> {
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

    /// The effects of an operation, without those of what is inside it.
    #[inline]
    pub fn own(self, op: OpRef<'_>) -> EffectSet {
        self.said(op).unwrap_or(EffectSet::NONE)
    }

    /// The effects of an operation, those of everything inside it included. Nested bodies count as not run.
    pub fn all(self, op: OpRef<'_>) -> EffectSet {
        let mut pending = vec![op];
        let mut total = EffectSet::NONE;
        while let Some(op) = pending.pop() {
            total = total.and(self.own(op));
            let body = op.body();
            for block in op.regions().flat_map(|region| body.region(region).blocks()) {
                pending.extend(body.block(block).ops().map(|inner| body.op(inner)));
            }
        }
        total
    }
}

impl dyn Effects {
    /// The effects of an operation, those of everything inside it included. Nested bodies count as not run.
    pub fn of(op: OpRef<'_>) -> EffectSet {
        EffectsTable::new(op.context()).all(op)
    }
}

/// The same effects, whatever the operation's operands and attributes.
impl Effects for EffectSet {
    fn effects(&self, _op: OpRef<'_>) -> EffectSet {
        *self
    }
}
