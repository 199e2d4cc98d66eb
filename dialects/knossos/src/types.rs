//! The types of Knossos values.

use minoan_ir::text::{AttrParser, AttrPrinter, ParseError, print_type};
use minoan_ir::{Context, DYNAMIC, Type, TypeData, ty, type_constraints};

/// A string.
#[ty("knossos.string")]
pub struct StringType {}

/// `!knossos.string`.
pub fn string_type(ctx: &Context) -> Type {
    StringType::get(ctx).into()
}

/// Whether a type represents `Integer`, `Float` or `Bool`.
pub fn is_number(ctx: &Context, ty: Type) -> bool {
    ty == Type::I64 || ty == Type::I1 || is_float(ctx, ty)
}

pub(crate) fn is_float(_: &Context, ty: Type) -> bool {
    ty == Type::F32 || ty == Type::F64
}

fn is_string(ctx: &Context, ty: Type) -> bool {
    StringType::cast(ctx, ty).is_some()
}

/// The maximum nesting depth of tuples.
pub const MAX_TUPLE_DEPTH: usize = 200;
/// The maximum number of components of a tuple, including those of nested tuples.
pub const MAX_PARTS: usize = 10_000;

/// Whether a type represents Knossos values: a number, a string, a tensor, or a tuple of these within the limits of
/// depth and size.
pub fn is_value_type(ctx: &Context, ty: Type) -> bool {
    let mut pending = vec![(ty, 0)];
    let mut seen = 0;
    while let Some((ty, depth)) = pending.pop() {
        seen += 1;
        if seen > MAX_PARTS || depth > MAX_TUPLE_DEPTH {
            return false;
        }
        if let Some(parts) = ty.as_tuple(ctx) {
            pending.extend(parts.iter().map(|&part| (part, depth + 1)));
        } else if !is_number(ctx, ty) && !is_string(ctx, ty) {
            match tensor_parts(ctx, ty) {
                Some((rank, element)) if (1..=MAX_RANK).contains(&rank) => pending.push((element, depth + 1)),
                _ => return false,
            }
        }
    }
    true
}

/// The maximum rank of tensors.
pub const MAX_RANK: usize = 16;

/// Rank and element type of a tensor type: `tensor<?x?xf32>` of numbers, `!knossos.tensor<2, T>` of anything else.
pub fn tensor_parts(ctx: &Context, ty: Type) -> Option<(usize, Type)> {
    match ty.data(ctx) {
        TypeData::RankedTensor { shape, element, encoding: None } => {
            let dynamic = !shape.is_empty() && shape.iter().all(|&extent| extent == DYNAMIC);
            (dynamic && is_number(ctx, *element)).then_some((shape.len(), *element))
        }
        _ => {
            let tensor = TensorType::cast(ctx, ty)?;
            Some((tensor.rank(ctx), tensor.element(ctx))).filter(|&(_, element)| !is_number(ctx, element))
        }
    }
}

/// The element type of a tensor type.
pub(crate) fn element_type(ctx: &Context, ty: Type) -> Option<Type> {
    tensor_parts(ctx, ty).map(|(_, element)| element)
}

pub(crate) fn is_array(ctx: &Context, ty: Type) -> bool {
    tensor_parts(ctx, ty).is_some()
}

/// The type of tensors of this rank: `tensor<?x?xf32>` of numbers, `!knossos.tensor<2, T>` of anything else.
pub fn array(ctx: &Context, rank: usize, element: Type) -> Type {
    if is_number(ctx, element) || element == Type::integer(ctx, 8) {
        return Type::tensor(ctx, &vec![DYNAMIC; rank], element);
    }
    TensorType::get(ctx, rank, element).into()
}

/// A tensor of anything but numbers: `!knossos.tensor<2, T>`.
#[ty("knossos.tensor", assembly = custom(TensorType::parse, TensorType::print))]
pub struct TensorType {
    /// The rank.
    rank: usize,
    /// The element type.
    element: Type,
}

impl TensorType {
    fn parse(p: &mut AttrParser<'_, '_>) -> Result<Self, ParseError> {
        p.punct("<")?;
        let at = p.span();
        let rank = p.integer()?;
        if !(1..=MAX_RANK as i64).contains(&rank) {
            return Err(p.error_at(at, format!("expected a rank from 1 to {MAX_RANK}, found {rank}")));
        }
        p.punct(",")?;
        let at = p.span();
        let element = p.ty()?;
        if is_number(p.ctx(), element) {
            let builtin = print_type(p.ctx(), array(p.ctx(), rank as usize, element));
            return Err(p.error_at(at, format!("a tensor of numbers is a builtin tensor: '{builtin}'")));
        }
        p.punct(">")?;
        Ok(Self::get(p.ctx(), rank as usize, element))
    }

    fn print(self, p: &mut AttrPrinter<'_, '_>) {
        p.text(&format!("<{}, ", self.rank(p.ctx())));
        p.ty(self.element(p.ctx()));
        p.text(">");
    }
}

type_constraints! {
    pub VALUE "a Knossos value" is_value_type;
    pub ARRAY "a tensor of Knossos values of dynamic extents" is_array;
    pub TUPLE "a tuple of Knossos values" |ctx, ty| ty.as_tuple(ctx).is_some() && is_value_type(ctx, ty);
    pub STRING "a Knossos string" is_string;
    pub NUMBER "a Knossos number" is_number;
    pub FLOAT "f32 or f64" is_float;
    pub SIZE "one i64, or a tuple of several" |ctx, ty| size_rank(ctx, ty).is_some();
}

/// The rank of tensors whose size has this type.
pub(crate) fn size_rank(ctx: &Context, ty: Type) -> Option<usize> {
    match ty.as_tuple(ctx) {
        None => (ty == Type::I64).then_some(1),
        Some(parts) => {
            (parts.len() > 1 && parts.iter().all(|&part| part == Type::I64)).then_some(parts.len())
        }
    }
}

/// The type of the size of a tensor of this rank.
pub fn size_type(ctx: &Context, rank: usize) -> Type {
    if rank == 1 { Type::I64 } else { Type::tuple(ctx, &vec![Type::I64; rank]) }
}
