//! Names of values and blocks, numbered as MLIR does.
//!
//! Regions are numbered from the outside in: first all blocks, arguments and results of a region, then the regions
//! inside it, each from the counters of the region around it. So the names of one body follow from what is around it:
//! a nested body is numbered when the printer comes to it and forgotten behind it. Only where every number is used
//! once, as in the generic form, everything is numbered as a whole.

use super::{AsmNames, PrintFlags, append_from, write_int};
use crate::{
    AttrData, Block, Body, Context, Loc, LocData, OpRef, Region, ServiceTable, Signedness, Traits, Type,
    TypeData,
};
use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;
use std::hash::BuildHasher;

const NONE: u32 = u32::MAX;

/// The name of a value in the buffer of texts, `%` included.
#[derive(Clone, Copy)]
struct Text {
    start: u32,
    /// Length where the value is defined: without `#1`.
    defined: u32,
    /// Length where it is used.
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

/// What regions inside a region go on from.
#[derive(Clone, Default)]
struct RegionNames {
    after: Counters,
    /// The names, but for the numbers, as positions in the list of its body.
    texts: std::ops::Range<usize>,
}

/// The names of one body.
#[derive(Clone)]
struct BodyNames {
    /// The address of the body.
    key: usize,
    values: Vec<Text>,
    blocks: Vec<u32>,
    /// First results of the groups of operations whose results are not one group.
    groups: FxHashMap<crate::Op, Vec<usize>>,
    regions: Vec<RegionNames>,
    /// Names that are not numbers.
    texts: Vec<Text>,
    /// Where this body's texts begin in the buffer.
    from: usize,
    /// Open regions before this body.
    open: usize,
    /// What operations without results are called, where users are printed.
    ops: FxHashMap<crate::Op, Text>,
}

/// What names the result of operations of one kind.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Naming {
    #[default]
    Unknown,
    /// A number, where it is the only one.
    Number,
    /// The operation, or a service.
    Operation,
}

/// A number in decimal behind a `%`: one name after another costs less than each by itself.
#[derive(Clone, Default)]
struct Numeral {
    number: u32,
    text: [u8; 16],
    /// 0 where there is none yet.
    length: usize,
}

impl Numeral {
    /// Becomes a number.
    #[inline]
    fn set(&mut self, number: u32) {
        if self.length != 0 && self.number.checked_add(1) == Some(number) {
            self.number = number;
            let mut at = self.length - 1;
            while self.text[at] == b'9' {
                self.text[at] = b'0';
                at -= 1;
            }
            if at > 0 {
                self.text[at] += 1;
                return;
            }
        } else if self.length != 0 && number == self.number {
            return;
        }
        self.write(number);
    }

    #[inline(never)]
    fn write(&mut self, number: u32) {
        let mut digits = itoa::Buffer::new();
        let digits = digits.format(number).as_bytes();
        self.text[0] = b'%';
        self.text[1..=digits.len()].copy_from_slice(digits);
        (self.number, self.length) = (number, digits.len() + 1);
    }
}

/// Names of everything inside an operation that is being printed.
#[derive(Clone, Default)]
pub(crate) struct Names {
    bodies: Vec<BodyNames>,
    /// By address: position in `bodies`.
    at: FxHashMap<usize, usize>,
    /// The body that was asked for last.
    last: usize,
    buffer: Vec<u8>,
    /// Texts that are taken, by hash; they are the names of the open regions.
    used: HashTable<Text>,
    open: Vec<(usize, Region)>,
    generic: bool,
    /// Whether every number is used once, so that everything is numbered before it is printed.
    whole: bool,
    /// Whether nested bodies are numbered when they are printed, even so.
    apart: bool,
    /// Whether locations give names.
    from_locs: bool,
    /// Whether operations without results have numbers.
    numbers_ops: bool,
    /// By kind.
    naming: Vec<Naming>,
    numeral: Numeral,
    /// Storage of a body that was left, for the next one.
    spare: Option<(Vec<Text>, Vec<u32>)>,
}

/// A region still to be numbered, with the counters of the region around it.
struct Pending<'b> {
    at: usize,
    body: &'b Body,
    region: Region,
    counters: Counters,
    depth: usize,
    /// Names that the operation wants for the arguments of the entry block.
    hints: Vec<(usize, String)>,
}

struct Numbering<'n, 'b> {
    names: &'n mut Names,
    hints: Option<&'b ServiceTable<dyn AsmNames>>,
    /// Position of the body that is being numbered.
    body: usize,
    counters: Counters,
    scratch: Vec<u8>,
}

fn hash_of(name: &[u8]) -> u64 {
    FxBuildHasher.hash_one(name)
}

fn key(body: &Body) -> usize {
    std::ptr::from_ref(body).addr()
}

impl Names {
    /// Numbers the results of an operation and what is inside it; nested bodies are numbered by [`Names::enter`].
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
            // The number that the operation itself has may be used again inside of it.
            numbering.counters = Counters::default();
        }
        numbering.push_regions(op, 0, &mut pending);
        numbering.run(pending);
        names
    }

    /// Numbers everything in a body, for printing any of its operations; nested bodies are numbered by [`Names::enter`].
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

    /// Numbers the nested body of an operation, whose own body is numbered.
    pub(crate) fn enter(&mut self, op: OpRef<'_>) {
        let Some(nested) = op.nested().filter(|nested| !self.at.contains_key(&key(nested))) else { return };
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

    /// Forgets the nested body of an operation that was entered.
    pub(crate) fn leave(&mut self, op: OpRef<'_>) {
        if self.whole || op.nested().map(key) != self.bodies.last().map(|names| names.key) {
            return;
        }
        // The names of its open regions are in its own texts: they are released while those are there.
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

    /// Makes the regions around an operation the open ones; the counters that its regions begin with.
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

    /// Whether a name of this hash is taken.
    fn is_taken(&self, hash: u64, name: &[u8]) -> bool {
        self.used.find(hash, |&other| self.bytes(other) == name).is_some()
    }

    /// Makes a name one that is taken.
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

    /// Writes the name of the value with this number; `number` says whether `#1` is wanted for a result of a group.
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

    /// Writes what an operation without results is called.
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

    /// Whether every number is used once.
    pub(super) fn is_whole(&self) -> bool {
        self.whole
    }

    /// First results of the groups of an operation's results.
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

/// The names that an operation wants for the arguments of a region.
fn wanted(hints: Option<&dyn AsmNames>, op: OpRef<'_>, region: usize) -> Vec<(usize, String)> {
    let mut wanted = Vec::new();
    if let Some(hints) = hints {
        hints.region_arg_names(op, region, &mut |arg, name| wanted.push((arg, name.to_owned())));
    }
    wanted
}

impl<'b> Numbering<'_, 'b> {
    fn run(&mut self, mut pending: Vec<Pending<'b>>) {
        let before = self.names.open.len();
        let mut with_regions = Vec::new();
        while let Some(Pending { at, body, region, counters, depth, hints }) = pending.pop() {
            if !self.names.whole {
                self.counters = counters;
            }
            self.names.close_regions(depth);
            self.names.open.push((at, region));
            self.body = at;
            self.region(body, region, &hints, &mut with_regions);
            for op in with_regions.drain(..) {
                self.push_regions(op, depth + 1, &mut pending);
            }
        }
        self.names.close_regions(before);
    }

    fn push_regions(&mut self, op: OpRef<'b>, depth: usize, pending: &mut Vec<Pending<'b>>) {
        let (body, regions) = op.inside();
        let at = match op.nested() {
            Some(_) if !self.names.whole || self.names.apart => return,
            Some(nested) => self.names.push_body(nested),
            None => self.body,
        };
        let service = self.service(op);
        for (index, region) in regions.into_iter().enumerate() {
            if body.region(region).is_empty() {
                continue;
            }
            let hints = wanted(service, op, index);
            pending.push(Pending { at, body, region, counters: self.counters, depth, hints });
        }
    }

    fn service(&self, op: OpRef<'b>) -> Option<&'b (dyn AsmNames + 'static)> {
        self.hints?.get(op.kind())
    }

    fn body(&mut self) -> &mut BodyNames {
        &mut self.names.bodies[self.body]
    }

    /// Numbers a region; gives back its operations that have regions.
    fn region(
        &mut self,
        body: &'b Body,
        region: Region,
        hints: &[(usize, String)],
        with_regions: &mut Vec<OpRef<'b>>,
    ) {
        let from = self.body().texts.len();
        for (number, block) in body.region(region).blocks().enumerate() {
            self.body().blocks[block.index()] = number as u32;
            for (at, arg) in body.block(block).args().enumerate() {
                let hint = hints.iter().find(|(index, _)| number == 0 && *index == at);
                let from_loc = self.name_of_loc(body.context(), body.value_loc(arg));
                if number == 0 && hint.is_none() && from_loc.is_some() {
                    self.counters.argument += 1;
                }
                let name = match from_loc.as_ref().or(hint.map(|(_, name)| name)) {
                    Some(name) => self.unique(name),
                    None if number == 0 => {
                        let mut name = std::mem::take(&mut self.scratch);
                        name.clear();
                        name.extend_from_slice(b"%arg");
                        write_int(&mut name, i64::from(self.counters.argument));
                        self.counters.argument += 1;
                        let text = self.unique_bytes(&name);
                        self.scratch = name;
                        text
                    }
                    None => self.number(),
                };
                self.body().values[arg.index()] = name;
            }
            for op in body.block(block).op_refs() {
                self.op(op);
                if op.n_regions() > 0 {
                    with_regions.push(op);
                }
            }
        }
        let after = self.counters;
        let names = self.body();
        let texts = from..names.texts.len();
        if names.regions.len() <= region.index() {
            names.regions.resize(region.index() + 1, RegionNames::default());
        }
        names.regions[region.index()] = RegionNames { after, texts };
    }

    /// The name that a location gives, where names are taken from locations.
    fn name_of_loc(&self, ctx: &Context, loc: Loc) -> Option<String> {
        if !self.names.from_locs {
            return None;
        }
        let mut pending = vec![loc];
        while let Some(loc) = pending.pop() {
            match loc.data(ctx) {
                LocData::Named { name, .. } => return Some(name.as_str(ctx).to_owned()),
                LocData::CallSite { callee, .. } => pending.push(callee),
                LocData::Fused { parts, .. } => pending.extend(parts.iter().rev()),
                LocData::Unknown | LocData::File { .. } | LocData::Range { .. } => {}
            }
        }
        None
    }

    fn number(&mut self) -> Text {
        let Names { buffer, numeral, .. } = &mut *self.names;
        numeral.set(self.counters.value);
        self.counters.value += 1;
        let (start, length) = (buffer.len(), numeral.length as u32);
        append_from(buffer, &numeral.text, 0, numeral.length);
        Text { start: start as u32, defined: length, used: length }
    }

    /// What names the result of an operation, where its location does not.
    #[inline]
    fn naming(&mut self, op: OpRef<'b>) -> Naming {
        if self.names.generic {
            return Naming::Number;
        }
        match self.names.naming.get(op.kind().index()) {
            None | Some(Naming::Unknown) => self.find_naming(op),
            Some(&naming) => naming,
        }
    }

    #[inline(never)]
    fn find_naming(&mut self, op: OpRef<'b>) -> Naming {
        let by_operation = self.service(op).is_some() || op.has_trait(Traits::CONSTANT_LIKE);
        let naming = if by_operation { Naming::Operation } else { Naming::Number };
        let at = op.kind().index();
        if self.names.naming.len() <= at {
            self.names.naming.resize(at + 1, Naming::Unknown);
        }
        self.names.naming[at] = naming;
        naming
    }

    fn op(&mut self, op: OpRef<'b>) {
        let n_results = op.n_results();
        if n_results == 0 {
            if self.names.numbers_ops {
                let name = self.number();
                self.body().ops.insert(op.id(), name);
            }
            return;
        }
        // A name from the location is the one of the first result, whatever the operation wants.
        let named = self.name_of_loc(op.context(), op.loc());
        if n_results == 1 && named.is_none() && self.naming(op) == Naming::Number {
            let name = self.number();
            self.body().values[op.result_indices().start] = name;
            return;
        }
        let mut names: SmallVec<[(usize, Text); 2]> = SmallVec::new();
        if !self.names.generic {
            match self.service(op) {
                Some(service) => {
                    service.result_names(op, &mut |at, name| {
                        if at < n_results && (at > 0 || named.is_none()) {
                            let name = if name.is_empty() { self.number() } else { self.unique(name) };
                            names.push((at, name));
                        }
                    });
                }
                None if op.has_trait(Traits::CONSTANT_LIKE) && named.is_none() => {
                    let mut name = std::mem::take(&mut self.scratch);
                    name.clear();
                    name.push(b'%');
                    if constant_name(op, &mut name) {
                        names.push((0, self.unique_bytes(&name)));
                    }
                    self.scratch = name;
                }
                None => {
                    for (at, name) in declared_names(op) {
                        if at > 0 || named.is_none() {
                            names.push((at, self.unique(&name)));
                        }
                    }
                }
            }
        }
        if let Some(name) = named {
            names.push((0, self.unique(&name)));
        }
        if !names.iter().any(|&(at, _)| at == 0) {
            names.push((0, self.number()));
        }
        if n_results == 1 {
            let (_, text) = names[names.len() - 1];
            self.body().values[op.result_indices().start] = text;
            return;
        }
        // Of two names for one result the later one stays.
        names.sort_by_key(|&(at, _)| at);
        names.reverse();
        names.dedup_by_key(|(at, _)| *at);
        names.reverse();
        for (index, &(start, text)) in names.iter().enumerate() {
            let end = names.get(index + 1).map_or(n_results, |&(next, _)| next);
            for (offset, result) in (start..end).enumerate() {
                let full = if end - start > 1 { self.with_number(text, offset) } else { text };
                self.body().values[op.result(result).index()] = full;
            }
        }
        if names.len() > 1 {
            let starts = names.iter().map(|&(at, _)| at).collect();
            self.body().groups.insert(op.id(), starts);
        }
    }

    /// `%0#1` for `%0`.
    fn with_number(&mut self, text: Text, offset: usize) -> Text {
        let buffer = &mut self.names.buffer;
        let start = buffer.len();
        buffer.extend_from_within(text.start as usize..(text.start + text.defined) as usize);
        buffer.push(b'#');
        write_int(buffer, offset as i64);
        Text { start: start as u32, defined: text.defined, used: (buffer.len() - start) as u32 }
    }

    /// A name that no visible value has: conflicts get a number.
    fn unique(&mut self, wanted: &str) -> Text {
        self.unique_bytes(format!("%{}", sanitized(wanted)).as_bytes())
    }

    /// The same for a name that is an identifier already, behind a `%`.
    fn unique_bytes(&mut self, wanted: &[u8]) -> Text {
        let start = self.names.buffer.len();
        self.names.buffer.extend_from_slice(wanted);
        let mut hash = hash_of(wanted);
        while self.names.is_taken(hash, &self.names.buffer[start..]) {
            let name = &mut self.names.buffer;
            name.truncate(start + wanted.len());
            name.push(b'_');
            write_int(name, i64::from(self.counters.conflict));
            self.counters.conflict += 1;
            hash = hash_of(&name[start..]);
        }
        let length = (self.names.buffer.len() - start) as u32;
        let text = Text { start: start as u32, defined: length, used: length };
        self.names.take(hash, text);
        self.body().texts.push(text);
        text
    }
}

/// A text as an identifier: other characters are replaced as MLIR does.
fn sanitized(name: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'$' | b'.' | b'_' | b'-');
    let bytes = name.as_bytes();
    let mut out = String::with_capacity(name.len());
    // A name does not begin with a digit, be it one of a replaced character.
    if bytes.first().is_some_and(|&first| first.is_ascii_digit() || !plain(first) && first != b' ') {
        out.push('_');
    }
    for &byte in bytes {
        match byte {
            _ if plain(byte) => out.push(byte as char),
            b' ' => out.push('_'),
            _ => out.push_str(&format!("{byte:X}")),
        }
    }
    out
}

/// Where several results are declared, each group begins with its declared name.
fn declared_names(op: OpRef<'_>) -> Vec<(usize, String)> {
    let results = op.spec().map_or(&[][..], |spec| spec.results);
    if results.len() < 2 {
        return Vec::new();
    }
    let mut at = 0;
    let mut names = Vec::new();
    for (group, spec) in results.iter().enumerate() {
        let count = op.result_group(group).len();
        if count > 0 {
            names.push((at, spec.name.to_owned()));
        }
        at += count;
    }
    names
}

/// Appends `c4_i64`, `c0`, `true`, `cst`: the name of a constant; whether it has one.
fn constant_name(op: OpRef<'_>, out: &mut Vec<u8>) -> bool {
    let ctx = op.context();
    let Some(value) = op.attr(ctx.names().value) else { return false };
    match value.data(ctx) {
        AttrData::Integer { value, ty: Type::I1 } => {
            out.extend_from_slice(if value.as_i64() == Some(0) { b"false" } else { b"true" });
        }
        AttrData::Integer { value, ty } => {
            out.push(b'c');
            match value.as_i64() {
                Some(value) => write_int(out, value),
                None => out.extend_from_slice(value.to_string().as_bytes()),
            }
            if let TypeData::Integer { width, signedness } = *ty.data(ctx) {
                out.extend_from_slice(match signedness {
                    Signedness::Signless => b"_i",
                    Signedness::Signed => b"_si",
                    Signedness::Unsigned => b"_ui",
                });
                write_int(out, i64::from(width));
            }
        }
        AttrData::SymbolRef { .. } => out.push(b'f'),
        _ => out.extend_from_slice(b"cst"),
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numerals_are_those_of_their_numbers() {
        let mut numeral = Numeral::default();
        let jumps = [7, 7, 0, u32::MAX, 0, 99, 100, 5, 999_999_999, 1_000_000_000];
        for number in (0..12_000).chain(jumps) {
            numeral.set(number);
            assert_eq!(numeral.text[..numeral.length], *format!("%{number}").as_bytes());
        }
    }
}
