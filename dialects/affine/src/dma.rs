//! Asynchronous transfers between memories.

use crate::assembly::{add_place, parse_place, print_place};
use crate::fold;
use crate::scope::{is_dim, scope_of};
use minoan_ir::constraints::ANY;
use minoan_ir::text::{OpParser, OpPrinter, ParseError};
use minoan_ir::{Body, Op, OpRef, Type, TypeData, Value, Violations, op};
use minoan_services::{Fold, FoldFn};

/// Starts a transfer: `affine.dma_start %a[%i], %b[%j], %tag[%k], %n, %stride, %per_stride : memref<8xf32>, memref<8xf32, 1>,
/// memref<1xi32>`.
///
/// The operands are a source, a destination and a tag, each with the operands of its map, the number of elements, and
/// optionally a stride and the number of elements per stride. The maps are discardable attributes, as in MLIR.
#[op(
    "affine.dma_start",
    assembly = custom(parse_start, print_start),
    verify = verify_start,
    services(Fold = FoldFn(|op, _| fold::without_casts(op)))
)]
pub struct DmaStart {
    /// All operands.
    operands: Vec<Operand<ANY>>,
}

/// The attributes of the maps, in the order of their memrefs.
pub(crate) const MAPS: [&str; 3] = ["src_map", "dst_map", "tag_map"];

/// A memref with the operands of its map.
pub(crate) struct Place {
    pub(crate) memref: Value,
    pub(crate) indices: Vec<Value>,
}

/// The memrefs of a transfer, and the operands after them; `None` if there are too few.
pub(crate) fn places(op: OpRef<'_>, maps: &[&str]) -> Option<(Vec<Place>, Vec<Value>)> {
    let mut operands = op.operands();
    let mut places = Vec::new();
    for &map in maps {
        let inputs = op.attr_named(map)?.as_affine_map(op.context())?.inputs();
        let memref = operands.next()?;
        let indices: Vec<Value> = operands.by_ref().take(inputs).collect();
        (indices.len() == inputs).then_some(())?;
        places.push(Place { memref, indices });
    }
    Some((places, operands.collect()))
}

fn is_ranked(body: &Body, memref: Value) -> bool {
    matches!(body.ty(memref).data(body.context()), TypeData::MemRef { .. })
}

fn verify_start(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    let found = places(view, &MAPS).filter(|(_, rest)| matches!(rest.len(), 1 | 3));
    let Some((places, _)) = found else { return errors.push("incorrect number of operands") };
    for (place, what) in places.iter().zip(["source", "destination", "tag"]) {
        if !is_ranked(body, place.memref) {
            return errors.push(format!("expected DMA {what} to be of memref type"));
        }
    }
    let scope = scope_of(view);
    for (place, what) in places.iter().zip(["src", "dst", "tag"]) {
        for &index in &place.indices {
            if body.ty(index) != Type::INDEX {
                return errors.push(format!("{what} index to dma_start must have 'index' type"));
            }
            if !is_dim(body, index, scope) {
                return errors.push(format!("{what} index must be a valid dimension or symbol identifier"));
            }
        }
    }
}

fn parse_start(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let mut places = Vec::new();
    for map in MAPS {
        places.push(parse_place(p, map)?);
        p.punct(",")?;
    }
    let count = p.operand()?;
    let stride = if p.optional_punct(",") { p.operand_list()? } else { Vec::new() };
    if !matches!(stride.len(), 0 | 2) {
        return Err(p.error_at_name("expected two stride related operands"));
    }
    p.punct(":")?;
    let types = p.type_list()?;
    if types.len() != 3 {
        return Err(p.error_at_name("expected three types"));
    }
    for (place, ty) in places.iter().zip(types) {
        add_place(p, place, ty)?;
    }
    p.add_operands(&[count], &[Type::INDEX])?;
    p.add_operands(&stride, &vec![Type::INDEX; stride.len()])
}

fn print_places(p: &mut OpPrinter<'_, '_>, maps: &[&str]) {
    let Some((places, rest)) = places(p.op(), maps) else { return };
    p.text(" ");
    for (place, map) in places.iter().zip(maps) {
        print_place(p, place.memref, &place.indices, map);
        p.text(", ");
    }
    p.values(&rest);
    p.text(" : ");
    let types: Vec<Type> = places.iter().map(|place| p.body().ty(place.memref)).collect();
    p.types(&types);
}

fn print_start(p: &mut OpPrinter<'_, '_>) {
    print_places(p, &MAPS);
}

/// Waits for the end of a transfer: `affine.dma_wait %tag[%k], %n : memref<1xi32>`.
#[op(
    "affine.dma_wait",
    assembly = custom(parse_wait, print_wait),
    verify = verify_wait,
    services(Fold = FoldFn(|op, _| fold::without_cast(op, 0)))
)]
pub struct DmaWait {
    /// The tag with the operands of its map, and the number of transferred elements.
    operands: Vec<Operand<ANY>>,
}

fn verify_wait(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    let found = places(view, &MAPS[2..]).filter(|(_, rest)| rest.len() == 1);
    let Some((places, _)) = found else { return errors.push("incorrect number of operands") };
    let (tag, scope) = (&places[0], scope_of(view));
    if !is_ranked(body, tag.memref) {
        return errors.push("expected DMA tag to be of memref type");
    }
    for &index in &tag.indices {
        if body.ty(index) != Type::INDEX {
            return errors.push("index to dma_wait must have 'index' type");
        }
        if !is_dim(body, index, scope) {
            return errors.push("index must be a valid dimension or symbol identifier");
        }
    }
}

fn parse_wait(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let tag = parse_place(p, MAPS[2])?;
    p.punct(",")?;
    let count = p.operand()?;
    p.punct(":")?;
    let ty = p.ty()?;
    if !matches!(ty.data(p.ctx()), TypeData::MemRef { .. }) {
        return Err(p.error_at_name("expected tag to be of memref type"));
    }
    add_place(p, &tag, ty)?;
    p.add_operands(&[count], &[Type::INDEX])
}

fn print_wait(p: &mut OpPrinter<'_, '_>) {
    print_places(p, &MAPS[2..]);
}
