//! Names of values and blocks, numbered like MLIR's.
//!
//! Regions are numbered outside in: first all blocks, arguments and results of a region, then its nested regions,
//! each starting from the counters of the enclosing region. So the names in a body only depend on the enclosing
//! regions: a nested body is numbered when the printer enters it and forgotten afterwards. Only if every number must
//! be unique, as in generic form, everything is numbered at once.

mod numbering;
mod numeral;

use super::{AsmNames, PrintFlags, append_from};
use crate::{Block, Body, OpRef, Region};
use hashbrown::HashTable;
use numbering::{Numbering, Pending, wanted};
use numeral::Numeral;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;
use std::hash::BuildHasher;

const NONE: u32 = u32::MAX;

/// The name of a value in the text buffer, including `%`.
#[derive(Clone, Copy)]
struct Text {
    start: u32,
    /// The length in a definition: without `#1`.
    defined: u32,
    /// The length in a use.
    used: u32,
}

impl Text {
    const NONE: Text = Text { start: NONE, defined: 0, used: 0 };
}

#[derive(Clone, Copy, Default)]
struct Counters {
    value: u32,
    argument: u32,
    conflict: u32,
}

/// The counters from which nested regions continue.
#[derive(Clone, Default)]
struct RegionNames {
    after: Counters,
    /// The names that are not numbers, as a range of the body's list.
    texts: std::ops::Range<usize>,
}

/// The names in one body.
#[derive(Clone)]
struct BodyNames {
    /// The address of the body.
    key: usize,
    values: Vec<Text>,
    blocks: Vec<u32>,
    /// The first results of result groups, for operations with several groups.
    groups: FxHashMap<crate::Op, Vec<usize>>,
    regions: Vec<RegionNames>,
    /// The names that are not numbers.
    texts: Vec<Text>,
    /// The start of this body's texts in the buffer.
    from: usize,
    /// The number of open regions before this body.
    open: usize,
    /// The ids of operations without results, if users are printed.
    ops: FxHashMap<crate::Op, Text>,
}

/// The origin of the name of an operation's result.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Naming {
    #[default]
    Unknown,
    /// A number, if there is a single result.
    Number,
    /// The operation, or a service.
    Operation,
}

/// The names of everything in an operation that is being printed.
#[derive(Clone, Default)]
pub(crate) struct Names {
    bodies: Vec<BodyNames>,
    /// By address: the index in `bodies`.
    at: FxHashMap<usize, usize>,
    /// The body queried last.
    last: usize,
    buffer: Vec<u8>,
    /// The names in use in the open regions, by hash.
    used: HashTable<Text>,
    open: Vec<(usize, Region)>,
    generic: bool,
    /// Whether every number is unique, so that everything is numbered before it is printed.
    whole: bool,
    /// Whether nested bodies are numbered when they are printed nevertheless.
    apart: bool,
    /// Whether locations provide names.
    from_locs: bool,
    /// Whether operations without results are numbered.
    numbers_ops: bool,
    /// By operation kind.
    naming: Vec<Naming>,
    numeral: Numeral,
    /// The storage of a finished body, for reuse.
    spare: Option<(Vec<Text>, Vec<u32>)>,
}

fn hash_of(name: &[u8]) -> u64 {
    FxBuildHasher.hash_one(name)
}

fn key(body: &Body) -> usize {
    std::ptr::from_ref(body).addr()
}

impl Names {
    /// Numbers the results of an operation and everything in it; nested bodies are numbered by [`Names::enter`].
    pub(crate) fn of(op: OpRef<'_>, flags: &PrintFlags) -> Names {
        let mut names = Names {
            generic: flags.generic,
            whole: flags.generic || flags.unique_ssa_ids,
            from_locs: flags.name_locs,
            numbers_ops: flags.value_users,
            ..Names::default()
        };
        let at = names.push_body(op.body());
        let mut numbering = names.numbering(op, at, Counters::default());
        numbering.op(op);
        let mut pending = Vec::new();
        if op.n_results() == 0 && !numbering.names.whole {
            // The number of the operation itself may be reused inside it.
            numbering.counters = Counters::default();
        }
        numbering.push_regions(op, 0, &mut pending);
        numbering.run(pending);
        names
    }

    /// Numbers everything in a body, for printing any of its operations; nested bodies are numbered by
    /// [`Names::enter`].
    pub(crate) fn of_body(body: &Body, flags: &PrintFlags) -> Names {
        let mut names = Names { generic: flags.generic, whole: true, apart: true, ..Names::default() };
        let at = names.push_body(body);
        let mut numbering = Numbering {
            names: &mut names,
            hints: None,
            body: at,
            counters: Counters::default(),
            scratch: Vec::new(),
        };
        let regions = body.regions();
        let pending = regions.map(|region| Pending {
            at,
            body,
            region,
            counters: Counters::default(),
            depth: 0,
            hints: Vec::new(),
        });
        numbering.run(pending.collect());
        names
    }

    /// Numbers the nested body of an operation in a numbered body.
    pub(crate) fn enter(&mut self, op: OpRef<'_>) {
        // An invalid operation may be isolated and have no regions; numbering everything at once has skipped it.
        let is_new = |nested: &&Body| nested.regions().len() > 0 && !self.at.contains_key(&key(nested));
        let Some(nested) = op.nested().filter(is_new) else { return };
        let Some(&around) = self.at.get(&key(op.body())) else { return };
        let after = self.open_regions(op, around);
        let depth = self.open.len();
        let at = self.push_body(nested);
        let mut numbering = self.numbering(op, at, after);
        let mut pending = Vec::new();
        let hints = numbering.service(op);
        for (index, region) in nested.regions().enumerate() {
            pending.push(Pending {
                at,
                body: nested,
                region,
                counters: after,
                depth,
                hints: wanted(hints, op, index),
            });
        }
        numbering.run(pending);
    }

    /// Forgets the nested body of an operation.
    pub(crate) fn leave(&mut self, op: OpRef<'_>) {
        if self.whole || op.nested().map(key) != self.bodies.last().map(|names| names.key) {
            return;
        }
        // The names of its open regions refer to its own texts, so release them first.
        let Some(open) = self.bodies.last().map(|names| names.open) else { return };
        self.close_regions(open);
        let Some(names) = self.bodies.pop() else { return };
        self.at.remove(&names.key);
        self.buffer.truncate(names.from);
        self.last = 0;
        self.spare = Some((names.values, names.blocks));
    }

    fn push_body(&mut self, body: &Body) -> usize {
        let (mut values, mut blocks) = self.spare.take().unwrap_or_default();
        values.clear();
        values.resize(body.value_capacity(), Text::NONE);
        blocks.clear();
        blocks.resize(body.block_capacity(), NONE);
        self.bodies.push(BodyNames {
            key: key(body),
            values,
            blocks,
            groups: FxHashMap::default(),
            regions: Vec::new(),
            texts: Vec::new(),
            from: self.buffer.len(),
            open: self.open.len(),
            ops: FxHashMap::default(),
        });
        self.at.insert(key(body), self.bodies.len() - 1);
        self.bodies.len() - 1
    }

    fn numbering<'n, 'b>(&'n mut self, op: OpRef<'b>, body: usize, counters: Counters) -> Numbering<'n, 'b> {
        let hints = if self.generic { None } else { op.context().service_table::<dyn AsmNames>() };
        Numbering { names: self, hints, body, counters, scratch: Vec::new() }
    }

    /// Opens the regions around an operation; returns the counters at the start of its regions.
    fn open_regions(&mut self, op: OpRef<'_>, around: usize) -> Counters {
        let body = op.body();
        let blocks = op.ancestors().filter_map(|op| op.block());
        let mut chain: SmallVec<[Region; 4]> =
            blocks.filter_map(|block| body.block(block).region()).collect();
        chain.reverse();
        let from = self.bodies[around].open;
        let open = self.open[from..].iter().map(|&(_, region)| region);
        let common = chain.iter().zip(open).take_while(|(a, b)| **a == *b).count();
        self.close_regions(from + common);
        for &region in &chain[common..] {
            self.open.push((around, region));
            let texts =
                self.bodies[around].regions.get(region.index()).map_or(0..0, |names| names.texts.clone());
            for text in texts {
                let text = self.bodies[around].texts[text];
                self.take(hash_of(self.bytes(text)), text);
            }
        }
        let innermost = chain.last().and_then(|region| self.bodies[around].regions.get(region.index()));
        innermost.map_or(Counters::default(), |names| names.after)
    }

    fn close_regions(&mut self, depth: usize) {
        while self.open.len() > depth {
            let Some((at, region)) = self.open.pop() else { return };
            let texts = self.bodies[at].regions.get(region.index()).map_or(0..0, |names| names.texts.clone());
            for text in texts {
                let text = self.bodies[at].texts[text];
                self.release(text);
            }
        }
    }

    fn bytes(&self, text: Text) -> &[u8] {
        &self.buffer[text.start as usize..][..text.defined as usize]
    }

    /// Whether a name with this hash is in use.
    fn is_taken(&self, hash: u64, name: &[u8]) -> bool {
        self.used.find(hash, |&other| self.bytes(other) == name).is_some()
    }

    /// Marks a name as in use.
    fn take(&mut self, hash: u64, text: Text) {
        let buffer = &self.buffer;
        let rehash = |text: &Text| hash_of(&buffer[text.start as usize..][..text.defined as usize]);
        self.used.insert_unique(hash, text, rehash);
    }

    fn release(&mut self, text: Text) {
        let hash = hash_of(self.bytes(text));
        if let Ok(entry) = self.used.find_entry(hash, |other| other.start == text.start) {
            entry.remove();
        }
    }

    /// Prints the name of the value with this index; `number` is whether `#1` is printed for a result of a group.
    #[inline]
    pub(crate) fn value(&mut self, body: &Body, value: usize, number: bool, out: &mut Vec<u8>) {
        let text = self.names(body).and_then(|names| names.values.get(value).copied());
        match text {
            Some(text) if text.start != NONE => {
                let length = if number { text.used } else { text.defined };
                append_from(out, &self.buffer, text.start as usize, length as usize);
            }
            _ => out.extend_from_slice(b"%<<UNKNOWN SSA VALUE>>"),
        }
    }

    /// Prints the id of an operation without results.
    pub(crate) fn op_id(&mut self, body: &Body, op: crate::Op, out: &mut Vec<u8>) {
        match self.names(body).and_then(|names| names.ops.get(&op).copied()) {
            Some(text) => out.extend_from_slice(self.bytes(text)),
            None => out.extend_from_slice(b"<<UNKNOWN OPERATION>>"),
        }
    }

    #[inline]
    fn names(&mut self, body: &Body) -> Option<&BodyNames> {
        let key = key(body);
        if self.bodies.get(self.last).is_none_or(|names| names.key != key) {
            self.last = *self.at.get(&key)?;
        }
        self.bodies.get(self.last)
    }

    /// Whether every number is unique.
    pub(super) fn is_whole(&self) -> bool {
        self.whole
    }

    /// The first results of an operation's result groups.
    pub(crate) fn groups(&mut self, body: &Body, op: crate::Op) -> SmallVec<[usize; 2]> {
        let starts = self.names(body).and_then(|names| names.groups.get(&op));
        SmallVec::from_slice(starts.map_or(&[0], |starts| starts))
    }

    /// The number of a block in its region.
    pub(crate) fn block(&mut self, body: &Body, block: Block) -> Option<u32> {
        let number = self.names(body)?.blocks.get(block.index()).copied()?;
        (number != NONE).then_some(number)
    }
}
