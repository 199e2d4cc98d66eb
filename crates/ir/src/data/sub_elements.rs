//! The types and attributes nested in a type or an attribute.

use super::{Declared, Param};
use crate::with_stack;
use crate::{Attr, AttrData, Context, Piece, Type, TypeData};
use rustc_hash::FxHashMap;

/// A type or an attribute.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TypeOrAttr {
    /// A type.
    Type(Type),
    /// An attribute.
    Attr(Attr),
}

impl From<Type> for TypeOrAttr {
    fn from(ty: Type) -> Self {
        TypeOrAttr::Type(ty)
    }
}

impl From<Attr> for TypeOrAttr {
    fn from(attr: Attr) -> Self {
        TypeOrAttr::Attr(attr)
    }
}

type Each<'e> = &'e mut dyn FnMut(TypeOrAttr);
type Map<'m> = &'m mut dyn FnMut(TypeOrAttr) -> TypeOrAttr;

impl Param {
    fn for_each(&self, each: Each<'_>) {
        match self {
            Param::Absent | Param::Int(_) | Param::Name(_) => {}
            Param::Type(ty) => each(TypeOrAttr::Type(*ty)),
            Param::Attr(attr) => each(TypeOrAttr::Attr(*attr)),
            Param::Array(elements) => elements.iter().for_each(|element| element.for_each(each)),
        }
    }

    /// With replaced sub-elements. One that becomes of the other sort stays unchanged.
    fn map(&self, map: Map<'_>) -> Param {
        match self {
            Param::Absent | Param::Int(_) | Param::Name(_) => self.clone(),
            Param::Type(ty) => Param::Type(map_type(*ty, map)),
            Param::Attr(attr) => Param::Attr(map_attr(*attr, map)),
            Param::Array(elements) => Param::Array(elements.iter().map(|element| element.map(map)).collect()),
        }
    }
}

fn map_type(ty: Type, map: Map<'_>) -> Type {
    match map(TypeOrAttr::Type(ty)) {
        TypeOrAttr::Type(new) => new,
        TypeOrAttr::Attr(_) => ty,
    }
}

fn map_attr(attr: Attr, map: Map<'_>) -> Attr {
    match map(TypeOrAttr::Attr(attr)) {
        TypeOrAttr::Attr(new) => new,
        TypeOrAttr::Type(_) => attr,
    }
}

impl Declared {
    /// Calls `each` for the types and attributes in the parameters, excluding nested ones.
    pub(crate) fn for_each(&self, each: Each<'_>) {
        self.params().iter().for_each(|param| param.for_each(each));
    }

    /// Like `for_each`, without parameters that are printed without aliases.
    pub(crate) fn for_each_aliasable(&self, each: Each<'_>) {
        let params = self.params().iter().zip(self.spec().params);
        params.filter(|(_, spec)| !spec.unaliased).for_each(|(param, _)| param.for_each(each));
    }

    fn map(&self, map: Map<'_>) -> Declared {
        self.with(self.params().iter().map(|param| param.map(map)).collect())
    }
}

impl Type {
    /// Calls `each` for the types and attributes directly in the type, in text order.
    pub fn for_each_sub_element(self, ctx: &Context, each: Each<'_>) {
        match self.data(ctx) {
            TypeData::Function { inputs, results } => {
                inputs.iter().chain(results).for_each(|&ty| each(TypeOrAttr::Type(ty)));
            }
            TypeData::Tuple(elements) => elements.iter().for_each(|&ty| each(TypeOrAttr::Type(ty))),
            TypeData::RankedTensor { element, encoding, .. } => {
                each(TypeOrAttr::Type(*element));
                encoding.iter().for_each(|&attr| each(TypeOrAttr::Attr(attr)));
            }
            TypeData::MemRef { element, layout, space, .. } => {
                each(TypeOrAttr::Type(*element));
                layout.iter().chain(space).for_each(|&attr| each(TypeOrAttr::Attr(attr)));
            }
            TypeData::UnrankedMemRef { element, space } => {
                each(TypeOrAttr::Type(*element));
                space.iter().for_each(|&attr| each(TypeOrAttr::Attr(attr)));
            }
            TypeData::UnrankedTensor(element)
            | TypeData::Complex(element)
            | TypeData::Vector { element, .. } => each(TypeOrAttr::Type(*element)),
            TypeData::Declared(declared) => declared.for_each(each),
            TypeData::None
            | TypeData::Index
            | TypeData::Integer { .. }
            | TypeData::Float(_)
            | TypeData::Opaque { .. } => {}
        }
    }

    /// The type with its direct sub-elements replaced. A sub-element that becomes of the other sort stays unchanged, as
    /// does the whole type if its verifier rejects the new parameters.
    #[must_use]
    pub fn map_sub_elements(self, ctx: &Context, map: Map<'_>) -> Type {
        let data = match self.data(ctx) {
            TypeData::Declared(declared) => {
                let new = declared.map(map);
                if new == *declared || new.spec().check(ctx, new.params()).is_err() {
                    return self;
                }
                TypeData::Declared(new)
            }
            data => {
                let mut new = data.clone();
                match &mut new {
                    TypeData::Function { inputs, results } => {
                        inputs.iter_mut().chain(results).for_each(|ty| *ty = map_type(*ty, map));
                    }
                    TypeData::Tuple(elements) => {
                        elements.iter_mut().for_each(|ty| *ty = map_type(*ty, map));
                    }
                    TypeData::RankedTensor { element, encoding, .. } => {
                        *element = map_type(*element, map);
                        encoding.iter_mut().for_each(|attr| *attr = map_attr(*attr, map));
                    }
                    TypeData::MemRef { element, layout, space, .. } => {
                        *element = map_type(*element, map);
                        layout.iter_mut().chain(space).for_each(|attr| *attr = map_attr(*attr, map));
                    }
                    TypeData::UnrankedMemRef { element, space } => {
                        *element = map_type(*element, map);
                        space.iter_mut().for_each(|attr| *attr = map_attr(*attr, map));
                    }
                    TypeData::UnrankedTensor(element)
                    | TypeData::Complex(element)
                    | TypeData::Vector { element, .. } => *element = map_type(*element, map),
                    TypeData::Declared(_)
                    | TypeData::None
                    | TypeData::Index
                    | TypeData::Integer { .. }
                    | TypeData::Float(_)
                    | TypeData::Opaque { .. } => return self,
                }
                if new == *data {
                    return self;
                }
                new
            }
        };
        ctx.intern_type(data)
    }
}

impl Attr {
    /// Calls `each` for the types and attributes directly in the attribute, in text order. Types of numbers and
    /// elements are not among them, since the data depends on them.
    pub fn for_each_sub_element(self, ctx: &Context, each: Each<'_>) {
        match self.data(ctx) {
            AttrData::Dictionary(entries) => {
                entries.iter().for_each(|&(_, attr)| each(TypeOrAttr::Attr(attr)));
            }
            AttrData::Array(elements) => elements.iter().for_each(|&attr| each(TypeOrAttr::Attr(attr))),
            AttrData::Type(ty) => each(TypeOrAttr::Type(*ty)),
            AttrData::Distinct { referenced, .. } => each(TypeOrAttr::Attr(*referenced)),
            AttrData::Structured { pieces, .. } => {
                pieces.iter().filter_map(Piece::attr).for_each(|attr| each(TypeOrAttr::Attr(attr)));
            }
            AttrData::Declared(declared) => declared.for_each(each),
            _ => {}
        }
    }

    /// The attribute with its direct sub-elements replaced. A sub-element that becomes of the other sort stays unchanged,
    /// as does the whole attribute if its verifier rejects the new parameters.
    #[must_use]
    pub fn map_sub_elements(self, ctx: &Context, map: Map<'_>) -> Attr {
        let data = match self.data(ctx) {
            AttrData::Declared(declared) => {
                let new = declared.map(map);
                if new == *declared || new.spec().check(ctx, new.params()).is_err() {
                    return self;
                }
                AttrData::Declared(new)
            }
            data @ (AttrData::Dictionary(_)
            | AttrData::Array(_)
            | AttrData::Type(_)
            | AttrData::Structured { .. }) => {
                let mut new = data.clone();
                match &mut new {
                    AttrData::Dictionary(entries) => {
                        entries.iter_mut().for_each(|(_, attr)| *attr = map_attr(*attr, map));
                    }
                    AttrData::Array(elements) => {
                        elements.iter_mut().for_each(|attr| *attr = map_attr(*attr, map));
                    }
                    AttrData::Type(ty) => *ty = map_type(*ty, map),
                    AttrData::Structured { pieces, .. } => {
                        for piece in pieces {
                            match piece {
                                Piece::Text(_) => {}
                                Piece::Attr(attr) | Piece::Unaliased(attr) => *attr = map_attr(*attr, map),
                            }
                        }
                    }
                    _ => {}
                }
                if new == *data {
                    return self;
                }
                new
            }
            _ => return self,
        };
        ctx.intern_attr(data)
    }
}

/// Replaces types and attributes wherever they are nested in others; results are cached.
pub struct Replacer<'r> {
    ctx: &'r Context,
    replace: Box<dyn FnMut(TypeOrAttr) -> Option<TypeOrAttr> + 'r>,
    known: FxHashMap<TypeOrAttr, TypeOrAttr>,
}

impl<'r> Replacer<'r> {
    /// Creates a replacer. `replace` returns the replacement of an element, which is not visited, or `None`
    /// to descend into the element.
    pub fn new(ctx: &'r Context, replace: impl FnMut(TypeOrAttr) -> Option<TypeOrAttr> + 'r) -> Self {
        Self { ctx, replace: Box::new(replace), known: FxHashMap::default() }
    }

    /// Replaces in a type.
    pub fn ty(&mut self, ty: Type) -> Type {
        match self.element(TypeOrAttr::Type(ty)) {
            TypeOrAttr::Type(new) => new,
            TypeOrAttr::Attr(_) => ty,
        }
    }

    /// Replaces in an attribute.
    pub fn attr(&mut self, attr: Attr) -> Attr {
        match self.element(TypeOrAttr::Attr(attr)) {
            TypeOrAttr::Attr(new) => new,
            TypeOrAttr::Type(_) => attr,
        }
    }

    fn element(&mut self, element: TypeOrAttr) -> TypeOrAttr {
        if let Some(&known) = self.known.get(&element) {
            return known;
        }
        let ctx = self.ctx;
        let new = match (self.replace)(element) {
            Some(new) => new,
            None => with_stack(|| match element {
                TypeOrAttr::Type(ty) => {
                    TypeOrAttr::Type(ty.map_sub_elements(ctx, &mut |part| self.element(part)))
                }
                TypeOrAttr::Attr(attr) => {
                    TypeOrAttr::Attr(attr.map_sub_elements(ctx, &mut |part| self.element(part)))
                }
            }),
        };
        self.known.insert(element, new);
        new
    }
}
