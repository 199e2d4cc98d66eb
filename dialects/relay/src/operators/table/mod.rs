//! The rows of the table, by namespace and name.

mod dynamic;
mod ethosu;
mod image;
mod machine;
mod nn;
mod quantized;
mod tensor_a_l;
mod tensor_m_z;

use super::{AttrsType, Facts, Operator, Pattern};
use crate::relation::Relation;

pub(super) static TABLES: [&[Operator]; 8] = [
    tensor_a_l::OPERATORS,
    tensor_m_z::OPERATORS,
    nn::OPERATORS,
    quantized::OPERATORS,
    dynamic::OPERATORS,
    image::OPERATORS,
    ethosu::OPERATORS,
    machine::OPERATORS,
];

const fn op(
    name: &'static str,
    args: &'static [&'static str],
    pattern: Pattern,
    relation: Relation,
) -> Operator {
    let facts = Facts { stateful: false, kernel: true, view: false, identity: false };
    Operator {
        name,
        args,
        variadic: false,
        pattern,
        relation,
        attrs_type: None,
        object_type: None,
        fields: &[],
        facts,
    }
}

impl Operator {
    const fn attrs(self, ty: &'static AttrsType) -> Operator {
        let (attrs_type, object_type) = match ty.registered {
            true => (Some(ty.name), None),
            false => (None, Some(ty.name)),
        };
        Operator { attrs_type, object_type, fields: ty.fields, ..self }
    }

    const fn variadic(self) -> Operator {
        Operator { variadic: true, ..self }
    }

    const fn stateful(self) -> Operator {
        Operator { facts: Facts { stateful: true, ..self.facts }, ..self }
    }

    const fn no_kernel(self) -> Operator {
        Operator { facts: Facts { kernel: false, ..self.facts }, ..self }
    }

    const fn view(self) -> Operator {
        Operator { facts: Facts { view: true, ..self.facts }, ..self }
    }

    const fn identity(self) -> Operator {
        Operator { facts: Facts { identity: true, ..self.facts }, ..self }
    }
}
