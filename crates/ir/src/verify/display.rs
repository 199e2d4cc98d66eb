//! Types in messages.

use crate::{Attr, AttrData, Context, DYNAMIC, Signedness, Type, TypeData};
use std::fmt::Write;

/// A part of a type's text that is still to be written.
enum Part {
    Type(Type),
    Text(String),
}

/// The text of a type. Not recursive: types may be nested without limit.
pub(super) fn type_to_string(ctx: &Context, ty: Type) -> String {
    let mut out = String::new();
    let mut parts = vec![Part::Type(ty)];
    while let Some(part) = parts.pop() {
        match part {
            Part::Text(text) => out.push_str(&text),
            Part::Type(ty) => {
                let from = parts.len();
                write_type(ctx, ty, &mut parts);
                parts[from..].reverse();
            }
        }
    }
    out
}

fn write_type(ctx: &Context, ty: Type, parts: &mut Vec<Part>) {
    let text = |text: String| Part::Text(text);
    match ty.data(ctx) {
        TypeData::None => parts.push(text("none".into())),
        TypeData::Index => parts.push(text("index".into())),
        TypeData::Integer { width, signedness } => {
            let prefix = match signedness {
                Signedness::Signless => "i",
                Signedness::Signed => "si",
                Signedness::Unsigned => "ui",
            };
            parts.push(text(format!("{prefix}{width}")));
        }
        TypeData::Float(kind) => parts.push(text(kind.keyword().into())),
        TypeData::Complex(element) => {
            parts.extend([text("complex<".into()), Part::Type(*element), text(">".into())]);
        }
        TypeData::Function { inputs, results } => {
            parts.push(text("(".into()));
            list(inputs, parts);
            parts.push(text(") -> ".into()));
            match results[..] {
                [one] if one.as_function(ctx).is_none() => parts.push(Part::Type(one)),
                _ => {
                    parts.push(text("(".into()));
                    list(results, parts);
                    parts.push(text(")".into()));
                }
            }
        }
        TypeData::Tuple(elements) => {
            parts.push(text("tuple<".into()));
            list(elements, parts);
            parts.push(text(">".into()));
        }
        TypeData::Vector { shape, scalable, element } => {
            let mut head = "vector<".to_owned();
            for (extent, scalable) in shape.iter().zip(scalable) {
                head += &if *scalable { format!("[{extent}]x") } else { format!("{extent}x") };
            }
            parts.extend([text(head), Part::Type(*element), text(">".into())]);
        }
        TypeData::RankedTensor { shape, element, encoding } => {
            let tail = attr_tail(ctx, &[*encoding]);
            parts.extend([text(extents("tensor<", shape)), Part::Type(*element), text(tail)]);
        }
        TypeData::UnrankedTensor(element) => {
            parts.extend([text("tensor<*x".into()), Part::Type(*element), text(">".into())]);
        }
        TypeData::MemRef { shape, element, layout, space } => {
            let tail = attr_tail(ctx, &[*layout, *space]);
            parts.extend([text(extents("memref<", shape)), Part::Type(*element), text(tail)]);
        }
        TypeData::UnrankedMemRef { element, space } => {
            parts.extend([text("memref<*x".into()), Part::Type(*element), text(attr_tail(ctx, &[*space]))]);
        }
        TypeData::Opaque { dialect, text: rest } => {
            parts.push(text(format!("!{}{}", dialect.as_str(ctx), rest.as_str(ctx))));
        }
    }
}

fn list(types: &[Type], parts: &mut Vec<Part>) {
    for (index, &ty) in types.iter().enumerate() {
        if index > 0 {
            parts.push(Part::Text(", ".into()));
        }
        parts.push(Part::Type(ty));
    }
}

fn extents(head: &str, shape: &[i64]) -> String {
    let mut text = head.to_owned();
    for &extent in shape {
        text += &if extent == DYNAMIC { "?x".to_owned() } else { format!("{extent}x") };
    }
    text
}

fn attr_tail(ctx: &Context, attrs: &[Option<Attr>]) -> String {
    let mut text = String::new();
    for attr in attrs.iter().flatten() {
        text += ", ";
        text += &attr_text(ctx, *attr);
    }
    text + ">"
}

fn attr_text(ctx: &Context, attr: Attr) -> String {
    match attr.data(ctx) {
        AttrData::Integer { value, ty } => match *ty {
            Type::I64 => value.to_string(),
            ty => format!("{value} : {}", type_to_string(ctx, ty)),
        },
        AttrData::Opaque { dialect, text, .. } => format!("#{}{}", dialect.as_str(ctx), text.as_str(ctx)),
        AttrData::Strided { offset, strides } => {
            let number = |value: i64| if value == DYNAMIC { "?".to_owned() } else { value.to_string() };
            let all: Vec<String> = strides.iter().map(|&stride| number(stride)).collect();
            let mut text = format!("strided<[{}]", all.join(", "));
            if *offset != 0 {
                let _ = write!(text, ", offset: {}", number(*offset));
            }
            text + ">"
        }
        AttrData::String { bytes, .. } => format!("\"{}\"", bytes.escape_ascii()),
        _ => "...".to_owned(),
    }
}
