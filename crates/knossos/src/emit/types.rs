//! Conversion of types to IR types.

use super::Emitter;
use crate::types::{Type as Source, TypeId};
use minoan_diag::Span;
use minoan_frontend::with_stack;
use minoan_ir::Type;
use minoan_knossos_dialect as ks;

/// Upper bound on tuple components: tuples are flattened later, and types that share components could grow
/// exponentially.
const MAX_PARTS: usize = 1000;

/// A converted type.
#[derive(Clone, Copy)]
pub(super) struct Converted {
    ty: Type,
    /// The number of components, including nested ones.
    parts: usize,
    /// The nesting depth of tuples and tensors.
    depth: usize,
}

impl Emitter<'_> {
    /// Converts a type; reports an error at `span` if the IR has no equivalent.
    pub(super) fn ty(&mut self, id: TypeId, span: Span) -> Option<Type> {
        match self.convert(id) {
            Ok(converted) => Some(converted.ty),
            Err(construct) => {
                self.unsupported(span, &construct);
                None
            }
        }
    }

    fn convert(&mut self, id: TypeId) -> Result<Converted, String> {
        if let Some(known) = self.types.get(&id) {
            return known.clone();
        }
        let converted = with_stack(|| self.convert_new(id));
        self.types.insert(id, converted.clone());
        converted
    }

    fn convert_new(&mut self, id: TypeId) -> Result<Converted, String> {
        let types = &self.program.types;
        let ty = match types.get(id) {
            Source::Integer => Type::I64,
            Source::Float => self.float,
            Source::Bool => Type::I1,
            Source::String => ks::string_type(self.ctx),
            &Source::Tensor(rank, element) => {
                if !(1..=ks::MAX_RANK as u32).contains(&rank) {
                    return Err(format!("a tensor of rank {rank}"));
                }
                let element = self.convert(element)?;
                if element.depth >= ks::MAX_TUPLE_DEPTH {
                    return Err(format!("a tensor nested deeper than {}", ks::MAX_TUPLE_DEPTH));
                }
                return Ok(Converted {
                    ty: ks::array(self.ctx, rank as usize, element.ty),
                    parts: element.parts + 1,
                    depth: element.depth + 1,
                });
            }
            Source::Tuple(parts) => {
                let mut tuple = Vec::new();
                let (mut size, mut depth) = (1, 0);
                for &part in parts {
                    let part = self.convert(part)?;
                    tuple.push(part.ty);
                    size += part.parts;
                    depth = depth.max(part.depth);
                    // The tuple itself counts, too.
                    if size - 1 > MAX_PARTS {
                        return Err(format!("a tuple of more than {MAX_PARTS} parts"));
                    }
                    if depth >= ks::MAX_TUPLE_DEPTH {
                        return Err(format!("tuples nested deeper than {}", ks::MAX_TUPLE_DEPTH));
                    }
                }
                return Ok(Converted { ty: Type::tuple(self.ctx, &tuple), parts: size, depth: depth + 1 });
            }
            Source::Lam(..) => return Err("a function value".to_owned()),
            Source::LinearMap(..) => return Err("a linear map".to_owned()),
            // A reverse pass computes everything from the argument.
            &Source::Bag(_, arg) => return self.convert(arg),
            Source::Error | Source::Any => return Err("an unknown type".to_owned()),
        };
        Ok(Converted { ty, parts: 1, depth: 0 })
    }

    /// Whether values of the type can be added; reports an error at `span` otherwise.
    pub(super) fn addable(&mut self, id: TypeId, span: Span) -> Option<()> {
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            match self.program.types.get(id) {
                Source::Tuple(parts) => pending.extend_from_slice(parts),
                Source::Tensor(_, element) => pending.push(*element),
                Source::Bool | Source::String => {
                    let what = format!("a sum of '{}'", self.program.types.text(id));
                    self.unsupported(span, &what);
                    return None;
                }
                _ => {}
            }
        }
        Some(())
    }
}
