//! Names of values and blocks, numbered as MLIR does.

use super::{AsmNames, PrintFlags};
use crate::{AttrData, Block, Body, OpRef, Region, Traits, Type, TypeData, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

const NONE: u32 = u32::MAX;
/// Set where the name is a text, not a number.
const TEXT: u32 = 1 << 31;

/// The names of one body.
#[derive(Default)]
struct BodyNames {
    values: Vec<u32>,
    blocks: Vec<u32>,
    /// First results of the groups of operations whose results are not one group.
    groups: FxHashMap<crate::Op, Vec<usize>>,
}

/// Names of everything inside an operation.
#[derive(Default)]
pub(crate) struct Names {
    bodies: FxHashMap<usize, BodyNames>,
    texts: Vec<Box<str>>,
}

/// A region still to be numbered, with the counters of the operation around it.
struct Pending<'b> {
    body: &'b Body,
    region: Region,
    counters: Counters,
    depth: usize,
    /// Names that the operation wants for the arguments of the entry block.
    hints: Vec<(usize, String)>,
}

#[derive(Clone, Copy, Default)]
struct Counters {
    value: u32,
    argument: u32,
    conflict: u32,
}

struct Numbering<'f> {
    names: Names,
    flags: &'f PrintFlags,
    used: FxHashSet<Box<str>>,
    /// Names used in each open region.
    scopes: Vec<Vec<Box<str>>>,
    at: Counters,
}

fn key(body: &Body) -> usize {
    std::ptr::from_ref(body).addr()
}

impl Names {
    /// Numbers the results of an operation and everything inside it.
    pub(crate) fn of(op: OpRef<'_>, flags: &PrintFlags) -> Names {
        let mut numbering = Numbering {
            names: Names::default(),
            flags,
            used: FxHashSet::default(),
            scopes: vec![Vec::new()],
            at: Counters::default(),
        };
        let mut pending = Vec::new();
        numbering.op(op);
        numbering.push_regions(op, 1, &mut pending);
        while let Some(Pending { body, region, counters, depth, hints }) = pending.pop() {
            // The generic form uses every number once.
            if !flags.generic {
                numbering.at = counters;
            }
            while numbering.scopes.len() > depth {
                for name in numbering.scopes.pop().unwrap_or_default() {
                    numbering.used.remove(&name);
                }
            }
            numbering.scopes.push(Vec::new());
            numbering.region(body, region, &hints);
            for block in body.region(region).blocks() {
                for op in body.block(block).ops() {
                    numbering.push_regions(body.op(op), depth + 1, &mut pending);
                }
            }
        }
        numbering.names
    }

    /// Writes the name of a value; `number` says whether `#1` is wanted for a later result of a group.
    pub(crate) fn value(&self, body: &Body, value: Value, number: bool, out: &mut Vec<u8>) {
        out.push(b'%');
        let Some(names) = self.bodies.get(&key(body)) else {
            out.extend_from_slice(b"<<UNKNOWN SSA VALUE>>");
            return;
        };
        let mut at = value;
        let mut offset = None;
        if let crate::Def::Result(op, index) = body.def(value)
            && body.op(op).n_results() > 1
        {
            let starts = names.groups.get(&op).map_or(&[0][..], |starts| starts);
            let first = starts.iter().copied().rev().find(|&start| start <= index).unwrap_or(0);
            let end = starts.iter().copied().find(|&start| start > index).unwrap_or(body.op(op).n_results());
            at = body.op(op).result(first);
            offset = (end - first > 1).then_some(index - first);
        }
        match names.values.get(at.index()).copied().unwrap_or(NONE) {
            NONE => out.extend_from_slice(b"<<UNKNOWN SSA VALUE>>"),
            text if text & TEXT != 0 => out.extend_from_slice(self.texts[(text & !TEXT) as usize].as_bytes()),
            number => super::write_int(out, i64::from(number)),
        }
        if let Some(offset) = offset.filter(|_| number) {
            out.push(b'#');
            super::write_int(out, offset as i64);
        }
    }

    /// First results of the groups of an operation's results.
    pub(crate) fn groups(&self, body: &Body, op: crate::Op) -> SmallVec<[usize; 2]> {
        let starts = self.bodies.get(&key(body)).and_then(|names| names.groups.get(&op));
        SmallVec::from_slice(starts.map_or(&[0], |starts| starts))
    }

    /// The number of a block in its region.
    pub(crate) fn block(&self, body: &Body, block: Block) -> Option<u32> {
        let number = self.bodies.get(&key(body))?.blocks.get(block.index()).copied()?;
        (number != NONE).then_some(number)
    }
}

impl Numbering<'_> {
    fn body(&mut self, body: &Body) -> &mut BodyNames {
        self.names.bodies.entry(key(body)).or_insert_with(|| BodyNames {
            values: vec![NONE; body.value_capacity()],
            blocks: vec![NONE; body.block_capacity()],
            groups: FxHashMap::default(),
        })
    }

    fn push_regions<'b>(&mut self, op: OpRef<'b>, depth: usize, pending: &mut Vec<Pending<'b>>) {
        if op.n_regions() == 0 {
            return;
        }
        let hints = self.service(op);
        let (body, regions) = op.inside();
        for (at, region) in regions.into_iter().enumerate() {
            let mut wanted = Vec::new();
            if let Some(hints) = hints {
                hints.region_arg_names(op, at, &mut |arg, name| wanted.push((arg, name.to_owned())));
            }
            pending.push(Pending { body, region, counters: self.at, depth, hints: wanted });
        }
    }

    fn service<'a>(&self, op: OpRef<'a>) -> Option<&'a (dyn AsmNames + 'static)> {
        if self.flags.generic { None } else { op.context().service::<dyn AsmNames>(op.kind()) }
    }

    fn region(&mut self, body: &Body, region: Region, hints: &[(usize, String)]) {
        for (number, block) in body.region(region).blocks().enumerate() {
            self.body(body).blocks[block.index()] = number as u32;
            for (at, arg) in body.block(block).args().enumerate() {
                let hint = hints.iter().find(|(index, _)| number == 0 && *index == at);
                let name = match hint {
                    Some((_, name)) => self.unique(name),
                    None if number == 0 => {
                        let name = format!("arg{}", self.at.argument);
                        self.at.argument += 1;
                        self.unique(&name)
                    }
                    None => self.number(),
                };
                self.body(body).values[arg.index()] = name;
            }
            for op in body.block(block).ops() {
                self.op(body.op(op));
            }
        }
    }

    fn number(&mut self) -> u32 {
        self.at.value += 1;
        self.at.value - 1
    }

    fn op(&mut self, op: OpRef<'_>) {
        if op.n_results() == 0 {
            return;
        }
        let body = op.body();
        let mut wanted: Vec<(usize, String)> = Vec::new();
        if !self.flags.generic {
            match self.service(op) {
                Some(service) => service.result_names(op, &mut |at, name| wanted.push((at, name.to_owned()))),
                None if op.has_trait(Traits::CONSTANT_LIKE) => {
                    wanted.extend(constant_name(op).map(|name| (0, name)));
                }
                None => {}
            }
        }
        let mut starts = vec![0];
        let mut first = false;
        for (at, name) in wanted {
            if at >= op.n_results() {
                continue;
            }
            let name = if name.is_empty() { self.number() } else { self.unique(&name) };
            self.body(body).values[op.result(at).index()] = name;
            if at == 0 { first = true } else { starts.push(at) }
        }
        if !first {
            let name = self.number();
            self.body(body).values[op.result(0).index()] = name;
        }
        if starts.len() > 1 {
            starts.sort_unstable();
            starts.dedup();
            self.body(body).groups.insert(op.id(), starts);
        }
    }

    /// A name that no visible value has: conflicts get a number.
    fn unique(&mut self, wanted: &str) -> u32 {
        let wanted = sanitized(wanted);
        let mut name: Box<str> = wanted.as_str().into();
        while self.used.contains(&name) {
            name = format!("{wanted}_{}", self.at.conflict).into();
            self.at.conflict += 1;
        }
        self.used.insert(name.clone());
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(name.clone());
        }
        self.names.texts.push(name);
        (self.names.texts.len() as u32 - 1) | TEXT
    }
}

/// A text as an identifier: other characters are replaced as MLIR does.
fn sanitized(name: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'$' | b'.' | b'_' | b'-');
    let bytes = name.as_bytes();
    let mut out = String::with_capacity(name.len());
    // A name of digits only would be a number.
    if bytes.first().is_some_and(u8::is_ascii_digit) {
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

/// `c4_i64`, `c0`, `true`, `cst`: the name of a constant.
fn constant_name(op: OpRef<'_>) -> Option<String> {
    let ctx = op.context();
    let value = op.attr(ctx.names().value)?;
    Some(match value.data(ctx) {
        AttrData::Integer { value, ty: Type::I1 } => {
            if value.as_i64() == Some(0) {
                "false".to_owned()
            } else {
                "true".to_owned()
            }
        }
        AttrData::Integer { value, ty } => match ty.data(ctx) {
            TypeData::Integer { .. } => format!("c{value}_{}", super::print_type(ctx, *ty)),
            _ => format!("c{value}"),
        },
        AttrData::SymbolRef { .. } => "f".to_owned(),
        _ => "cst".to_owned(),
    })
}
