//! Custom assembly of the operations without regions.

use minoan_ir::affine::{AffineExpr, AffineMap};
use minoan_ir::text::{OpParser, OpPrinter, ParseError, Unresolved};
use minoan_ir::{Attr, OpRef, Type, TypeData, Value};

/// Parses `(%i)[%n]`: the operands of dimensions and symbols, which are added to the operation; returns the number of
/// dimensions.
pub(crate) fn parse_dims_and_symbols(p: &mut OpParser<'_, '_>) -> Result<usize, ParseError> {
    let mut names = p.operands_between("(", ")", "operand list")?;
    let dims = names.len();
    if p.at_punct("[") {
        names.extend(p.bracketed_operands()?);
    }
    p.add_operands(&names, &vec![Type::INDEX; names.len()])?;
    Ok(dims)
}

/// Prints `(%i)[%n]`.
pub(crate) fn print_dims_and_symbols(p: &mut OpPrinter<'_, '_>, operands: &[Value], dims: usize) {
    let (dims, symbols) = operands.split_at(dims.min(operands.len()));
    p.text("(");
    p.values(dims);
    p.text(")");
    if !symbols.is_empty() {
        p.text("[");
        p.values(symbols);
        p.text("]");
    }
}

/// Parses an affine map, possibly by its alias.
pub(crate) fn parse_map<'c>(p: &mut OpParser<'_, 'c>, name: &str) -> Result<&'c AffineMap, ParseError> {
    let (span, ctx) = (p.span(), p.ctx());
    let attr = p.attribute()?;
    let Some(map) = attr.as_affine_map(ctx) else {
        return Err(p.error_at(span, "invalid kind of attribute specified"));
    };
    p.set_attr(name, attr);
    Ok(map)
}

pub(crate) fn parse_apply(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let map = parse_map(p, "map")?;
    let dims = parse_dims_and_symbols(p)?;
    p.attr_dict()?;
    if map.dims as usize != dims || map.inputs() != p.operands().len() {
        return Err(p.error_at_name("dimension or symbol index mismatch"));
    }
    p.add_results(&vec![Type::INDEX; map.results.len()]);
    Ok(())
}

pub(crate) fn parse_extremum(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    parse_map(p, "map")?;
    parse_dims_and_symbols(p)?;
    p.attr_dict()?;
    p.add_result(Type::INDEX);
    Ok(())
}

/// Prints an operation that applies its map to its operands.
pub(crate) fn print_mapped(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    let operands: Vec<Value> = op.operands().collect();
    p.text(" ");
    if let Some(attr) = op.attr_named("map") {
        p.attr(attr);
        let dims = attr.as_affine_map(p.ctx()).map_or(0, |map| map.dims as usize);
        print_dims_and_symbols(p, &operands, dims);
    }
    p.attr_dict(&["map"]);
}

/// Parses `%m[%i + 1, symbol(%n)]`: the memref and the operands of its map, which is set as an attribute.
pub(crate) fn parse_place(
    p: &mut OpParser<'_, '_>,
    attr: &str,
) -> Result<(Unresolved, Vec<Unresolved>), ParseError> {
    let memref = p.operand()?;
    let (map, mut indices, symbols) = p.affine_map_of_operands("[", "]")?;
    indices.extend(symbols);
    let map = Attr::affine_map(p.ctx(), map);
    p.set_attr(attr, map);
    Ok((memref, indices))
}

/// Prints `%m[%i + 1, symbol(%n)]` for the operands from the memref on.
pub(crate) fn print_place(p: &mut OpPrinter<'_, '_>, memref: Value, indices: &[Value], attr: &str) {
    p.value(memref);
    p.text("[");
    if let Some(map) = p.op().attr_named(attr).and_then(|map| map.as_affine_map(p.ctx())) {
        let (dims, symbols) = indices.split_at((map.dims as usize).min(indices.len()));
        p.affine_exprs(&map.results, dims, symbols);
    }
    p.text("]");
}

/// Adds a memref and the operands of its map.
pub(crate) fn add_place(
    p: &mut OpParser<'_, '_>,
    (memref, indices): &(Unresolved, Vec<Unresolved>),
    ty: Type,
) -> Result<(), ParseError> {
    p.add_operands(&[*memref], &[ty])?;
    p.add_operands(indices, &vec![Type::INDEX; indices.len()])
}

/// Parses `: memref<8xf32>`; returns the type and the type of its elements.
fn parse_memref_type(p: &mut OpParser<'_, '_>) -> Result<(Type, Type), ParseError> {
    p.punct(":")?;
    let (span, ctx) = (p.span(), p.ctx());
    let ty = p.ty()?;
    match ty.data(ctx) {
        TypeData::MemRef { element, .. } => Ok((ty, *element)),
        _ => Err(p.error_at(span, "invalid kind of type specified")),
    }
}

/// Parses `, vector<4xf32>`.
fn parse_vector_type(p: &mut OpParser<'_, '_>) -> Result<Type, ParseError> {
    p.punct(",")?;
    let span = p.span();
    let ty = p.ty()?;
    match ty.is_vector(p.ctx()) {
        true => Ok(ty),
        false => Err(p.error_at(span, "invalid kind of type specified")),
    }
}

pub(crate) fn parse_load(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let place = parse_place(p, "map")?;
    p.attr_dict()?;
    let (ty, element) = parse_memref_type(p)?;
    add_place(p, &place, ty)?;
    p.add_result(element);
    Ok(())
}

pub(crate) fn parse_vector_load(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let place = parse_place(p, "map")?;
    p.attr_dict()?;
    let (ty, _) = parse_memref_type(p)?;
    let vector = parse_vector_type(p)?;
    add_place(p, &place, ty)?;
    p.add_result(vector);
    Ok(())
}

pub(crate) fn parse_store(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let value = p.operand()?;
    p.punct(",")?;
    let place = parse_place(p, "map")?;
    p.attr_dict()?;
    let (ty, element) = parse_memref_type(p)?;
    p.add_operands(&[value], &[element])?;
    add_place(p, &place, ty)
}

pub(crate) fn parse_vector_store(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let value = p.operand()?;
    p.punct(",")?;
    let place = parse_place(p, "map")?;
    p.attr_dict()?;
    let (ty, _) = parse_memref_type(p)?;
    let vector = parse_vector_type(p)?;
    p.add_operands(&[value], &[vector])?;
    add_place(p, &place, ty)
}

fn operands(op: OpRef<'_>) -> Vec<Value> {
    op.operands().collect()
}

/// Prints `affine.load` and `affine.vector_load`.
pub(crate) fn print_load(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    let operands = operands(op);
    p.text(" ");
    print_place(p, operands[0], &operands[1..], "map");
    p.attr_dict(&["map"]);
    p.text(" : ");
    p.ty(p.body().ty(operands[0]));
    print_vector_type(p, op.result_types().next());
}

/// Prints `affine.store` and `affine.vector_store`.
pub(crate) fn print_store(p: &mut OpPrinter<'_, '_>) {
    let operands = operands(p.op());
    p.text(" ");
    p.value(operands[0]);
    p.text(", ");
    print_place(p, operands[1], &operands[2..], "map");
    p.attr_dict(&["map"]);
    p.text(" : ");
    p.ty(p.body().ty(operands[1]));
    print_vector_type(p, Some(p.body().ty(operands[0])));
}

fn print_vector_type(p: &mut OpPrinter<'_, '_>, ty: Option<Type>) {
    let op = p.op();
    if let Some(ty) = ty.filter(|_| op.is::<crate::VectorLoad>() || op.is::<crate::VectorStore>()) {
        p.text(", ");
        p.ty(ty);
    }
}

pub(crate) fn parse_prefetch(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let place = parse_place(p, "map")?;
    p.punct(",")?;
    let access = p.any_keyword()?;
    p.punct(",")?;
    p.keyword("locality")?;
    p.punct("<")?;
    let hint = p.attribute_of_type(Type::I32)?;
    p.set_attr("localityHint", hint);
    p.punct(">")?;
    p.punct(",")?;
    let cache = p.any_keyword()?;
    p.attr_dict()?;
    let (ty, _) = parse_memref_type(p)?;
    add_place(p, &place, ty)?;
    if !matches!(&access[..], "read" | "write") {
        return Err(p.error_at_name("rw specifier has to be 'read' or 'write'"));
    }
    if !matches!(&cache[..], "data" | "instr") {
        return Err(p.error_at_name("cache type has to be 'data' or 'instr'"));
    }
    p.set_attr("isWrite", Attr::bool(access == "write"));
    p.set_attr("isDataCache", Attr::bool(cache == "data"));
    Ok(())
}

pub(crate) fn print_prefetch(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    let operands = operands(op);
    let is = |name: &str| op.attr_named(name).and_then(|attr| attr.as_bool(p.ctx())) == Some(true);
    let (is_write, is_data) = (is("isWrite"), is("isDataCache"));
    let hint = op.attr_named("localityHint").and_then(|hint| hint.as_i64(p.ctx())).unwrap_or(0);
    p.text(" ");
    print_place(p, operands[0], &operands[1..], "map");
    let (access, cache) = (if is_write { "write" } else { "read" }, if is_data { "data" } else { "instr" });
    p.text(&format!(", {access}, locality<{hint}>, {cache}"));
    p.attr_dict(&["map", "localityHint", "isDataCache", "isWrite"]);
    p.text(" : ");
    p.ty(p.body().ty(operands[0]));
}

/// Whether a map is the value of a symbol, which is its only operand: such a bound is written `%n`.
pub(crate) fn is_symbol_identity(map: &AffineMap) -> bool {
    map.dims == 0 && map.symbols == 1 && map.results[..] == [AffineExpr::Symbol(0)]
}
