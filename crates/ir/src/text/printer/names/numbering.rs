//! Numbering of a region and its nested regions.

use super::{BodyNames, Counters, Names, Naming, RegionNames, Text, hash_of};
use crate::text::printer::{AsmNames, append_from, write_int};
use crate::{
    AttrData, Body, Context, Loc, LocData, OpRef, Region, ServiceTable, Signedness, Traits, Type, TypeData,
};
use smallvec::SmallVec;

/// A region to number, with the counters of the enclosing region.
pub(super) struct Pending<'b> {
    pub(super) at: usize,
    pub(super) body: &'b Body,
    pub(super) region: Region,
    pub(super) counters: Counters,
    pub(super) depth: usize,
    /// Suggested names of the entry block's arguments.
    pub(super) hints: Vec<(usize, String)>,
}

pub(super) struct Numbering<'n, 'b> {
    pub(super) names: &'n mut Names,
    pub(super) hints: Option<&'b ServiceTable<dyn AsmNames>>,
    /// The index of the body that is being numbered.
    pub(super) body: usize,
    pub(super) counters: Counters,
    pub(super) scratch: Vec<u8>,
}

/// The suggested names of a region's arguments.
pub(super) fn wanted(hints: Option<&dyn AsmNames>, op: OpRef<'_>, region: usize) -> Vec<(usize, String)> {
    let mut wanted = Vec::new();
    if let Some(hints) = hints {
        hints.region_arg_names(op, region, &mut |arg, name| wanted.push((arg, name.to_owned())));
    }
    wanted
}

impl<'b> Numbering<'_, 'b> {
    pub(super) fn run(&mut self, mut pending: Vec<Pending<'b>>) {
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

    pub(super) fn push_regions(&mut self, op: OpRef<'b>, depth: usize, pending: &mut Vec<Pending<'b>>) {
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

    pub(super) fn service(&self, op: OpRef<'b>) -> Option<&'b (dyn AsmNames + 'static)> {
        self.hints?.get(op.kind())
    }

    pub(super) fn body(&mut self) -> &mut BodyNames {
        &mut self.names.bodies[self.body]
    }

    /// Numbers a region; returns its operations with regions.
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

    /// The name that a location provides, if names are taken from locations.
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

    /// The origin of the name of an operation's result, unless its location provides it.
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

    pub(super) fn op(&mut self, op: OpRef<'b>) {
        let n_results = op.n_results();
        if n_results == 0 {
            if self.names.numbers_ops {
                let name = self.number();
                self.body().ops.insert(op.id(), name);
            }
            return;
        }
        // A name from the location applies to the first result, regardless of suggestions.
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
        // The last of several names for a result wins.
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

    /// The text `%0#1` for `%0`.
    fn with_number(&mut self, text: Text, offset: usize) -> Text {
        let buffer = &mut self.names.buffer;
        let start = buffer.len();
        buffer.extend_from_within(text.start as usize..(text.start + text.defined) as usize);
        buffer.push(b'#');
        write_int(buffer, offset as i64);
        Text { start: start as u32, defined: text.defined, used: (buffer.len() - start) as u32 }
    }

    /// Makes a name unique among the visible ones by appending a number.
    fn unique(&mut self, wanted: &str) -> Text {
        self.unique_bytes(format!("%{}", sanitized(wanted)).as_bytes())
    }

    /// The same for a name that is already an identifier, preceded by `%`.
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

/// Converts a text to an identifier: other characters are replaced as in MLIR.
fn sanitized(name: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'$' | b'.' | b'_' | b'-');
    let bytes = name.as_bytes();
    let mut out = String::with_capacity(name.len());
    // A name must not begin with a digit, even if it stems from a replaced character.
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

/// The declared names of the first result of each group, if several results are declared.
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

/// Appends `c4_i64`, `c0`, `true` or `cst`, the name of a constant; returns whether it has one.
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
