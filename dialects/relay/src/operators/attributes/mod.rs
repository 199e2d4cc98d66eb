//! Attribute types of operators; several operators share one.

pub(super) mod conv;
pub(super) mod ethosu;
pub(super) mod image;
pub(super) mod machine;
pub(super) mod nn;
pub(super) mod quantized;
pub(super) mod tensor;

use super::{AttrsType, Field, FieldKind, Preset};

const fn named(name: &'static str, fields: &'static [Field]) -> AttrsType {
    AttrsType { name, registered: true, fields }
}

/// The attributes of operators that are registered without an attribute type.
const fn free(name: &'static str, fields: &'static [Field]) -> AttrsType {
    AttrsType { name, registered: false, fields }
}

const fn field(name: &'static str, kind: FieldKind, default: Option<Preset>) -> Field {
    Field { name, kind, default, none: false, boxed: false, at_least: None }
}

const fn need(kind: FieldKind, name: &'static str) -> Field {
    field(name, kind, None)
}

const fn maybe(kind: FieldKind, name: &'static str) -> Field {
    field(name, kind, Some(Preset::None))
}

const fn int(name: &'static str, default: i64) -> Field {
    field(name, FieldKind::Int, Some(Preset::Int(default)))
}

const fn float(name: &'static str, default: f64) -> Field {
    field(name, FieldKind::Float, Some(Preset::Float(default)))
}

const fn flag(name: &'static str, default: bool) -> Field {
    field(name, FieldKind::Bool, Some(Preset::Bool(default)))
}

const fn text(name: &'static str, default: &'static str) -> Field {
    field(name, FieldKind::Str, Some(Preset::Str(default)))
}

const fn dtype(name: &'static str, default: &'static str) -> Field {
    field(name, FieldKind::DType, Some(Preset::Str(default)))
}

const fn ints(name: &'static str, default: &'static [i64]) -> Field {
    field(name, FieldKind::Ints, Some(Preset::Ints(default)))
}

const fn floats(name: &'static str, default: &'static [f64]) -> Field {
    field(name, FieldKind::Floats, Some(Preset::Floats(default)))
}

impl Field {
    const fn or_none(self) -> Field {
        Field { none: true, ..self }
    }

    const fn boxed(self) -> Field {
        Field { boxed: true, ..self }
    }

    const fn at_least(self, least: i64) -> Field {
        Field { at_least: Some(least), ..self }
    }
}
