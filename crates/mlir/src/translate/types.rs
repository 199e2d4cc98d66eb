//! Translation of types.

use super::{Translator, string_ref};
use minoan_ir::text::print_type;
use minoan_ir::{DYNAMIC, Signedness, Type, TypeData};
use minoan_services::ToMlir;
use mlir_sys::{
    MlirAttribute, MlirType, mlirComplexTypeGet, mlirFunctionTypeGet, mlirIndexTypeGet, mlirIntegerTypeGet,
    mlirIntegerTypeSignedGet, mlirIntegerTypeUnsignedGet, mlirMemRefTypeContiguousGet, mlirMemRefTypeGet,
    mlirNoneTypeGet, mlirRankedTensorTypeGet, mlirShapedTypeGetDynamicSize, mlirTupleTypeGet,
    mlirTypeParseGet, mlirUnrankedMemRefTypeGet, mlirUnrankedTensorTypeGet, mlirVectorTypeGet,
};

const NO_ATTRIBUTE: MlirAttribute = MlirAttribute { ptr: std::ptr::null() };

impl Translator<'_> {
    /// Translates a type; an unknown one is reported and replaced by `none`.
    pub(super) fn ty(&mut self, ty: Type) -> MlirType {
        if let Some(Some(known)) = self.types.get(ty.index()) {
            return *known;
        }
        let made = self.make_type(ty);
        if self.types.len() <= ty.index() {
            self.types.resize(ty.index() + 1, None);
        }
        self.types[ty.index()] = Some(made);
        made
    }

    pub(super) fn types(&mut self, types: &[Type]) -> Vec<MlirType> {
        types.iter().map(|&ty| self.ty(ty)).collect()
    }

    fn make_type(&mut self, ty: Type) -> MlirType {
        let (ir, mlir) = (self.ir.clone(), self.mlir);
        match ty.data(&ir) {
            // SAFETY: the context is alive.
            TypeData::None => unsafe { mlirNoneTypeGet(mlir) },
            // SAFETY: the context is alive.
            TypeData::Index => unsafe { mlirIndexTypeGet(mlir) },
            // SAFETY: the context is alive; widths are checked by the parser and the verifier.
            TypeData::Integer { width, signedness } => unsafe {
                match signedness {
                    Signedness::Signless => mlirIntegerTypeGet(mlir, *width),
                    Signedness::Signed => mlirIntegerTypeSignedGet(mlir, *width),
                    Signedness::Unsigned => mlirIntegerTypeUnsignedGet(mlir, *width),
                }
            },
            TypeData::Complex(element) => {
                let element = self.ty(*element);
                // SAFETY: the element is a type of this context.
                unsafe { mlirComplexTypeGet(element) }
            }
            TypeData::Function { inputs, results } => {
                let (inputs, results) = (self.types(inputs), self.types(results));
                // SAFETY: the pointers and lengths describe live slices of types of this context.
                unsafe {
                    mlirFunctionTypeGet(
                        mlir,
                        inputs.len() as isize,
                        inputs.as_ptr(),
                        results.len() as isize,
                        results.as_ptr(),
                    )
                }
            }
            TypeData::Tuple(elements) => {
                let elements = self.types(elements);
                // SAFETY: the pointer and length describe a live slice of types of this context.
                unsafe { mlirTupleTypeGet(mlir, elements.len() as isize, elements.as_ptr()) }
            }
            TypeData::Vector { shape, scalable, element } if !scalable.contains(&true) => {
                let element = self.ty(*element);
                // SAFETY: the pointer and length describe a live slice of extents.
                unsafe { mlirVectorTypeGet(shape.len() as isize, shape.as_ptr(), element) }
            }
            TypeData::RankedTensor { shape, element, encoding } => {
                let encoding = encoding.map_or(NO_ATTRIBUTE, |attr| self.attr(attr));
                let (shape, element) = (extents(shape), self.ty(*element));
                // SAFETY: the pointer and length describe a live slice of extents; a null attribute means no
                // encoding.
                unsafe { mlirRankedTensorTypeGet(shape.len() as isize, shape.as_ptr(), element, encoding) }
            }
            TypeData::UnrankedTensor(element) => {
                let element = self.ty(*element);
                // SAFETY: the element is a type of this context.
                unsafe { mlirUnrankedTensorTypeGet(element) }
            }
            TypeData::MemRef { shape, element, layout, space } => {
                let layout = layout.map(|attr| self.attr(attr));
                let space = space.map_or(NO_ATTRIBUTE, |attr| self.attr(attr));
                let (shape, element) = (extents(shape), self.ty(*element));
                let rank = shape.len() as isize;
                // SAFETY: the pointer and length describe a live slice of extents; a null attribute means no memory
                // space.
                unsafe {
                    match layout {
                        None => mlirMemRefTypeContiguousGet(element, rank, shape.as_ptr(), space),
                        Some(layout) => mlirMemRefTypeGet(element, rank, shape.as_ptr(), layout, space),
                    }
                }
            }
            TypeData::UnrankedMemRef { element, space } => {
                let space = space.map_or(NO_ATTRIBUTE, |attr| self.attr(attr));
                let element = self.ty(*element);
                // SAFETY: the element is a type of this context; a null attribute means no memory space.
                unsafe { mlirUnrankedMemRefTypeGet(element, space) }
            }
            // Types of dialects have no other representation here than their text; nor do rarer floats.
            TypeData::Declared(_) | TypeData::Opaque { .. } => match <dyn ToMlir>::of_type(&ir, ty) {
                Some(other) if other != ty => self.ty(other),
                _ => self.parse_type(ty),
            },
            TypeData::Float(_) | TypeData::Vector { .. } => self.parse_type(ty),
        }
    }

    fn parse_type(&mut self, ty: Type) -> MlirType {
        let text = print_type(&self.ir, ty);
        // SAFETY: the context is alive and the text outlives the call.
        let parsed = unsafe { mlirTypeParseGet(self.mlir, string_ref(text.as_bytes())) };
        if parsed.ptr.is_null() {
            self.report(format!("MLIR does not know the type '{text}'"), minoan_ir::Loc::UNKNOWN);
            // SAFETY: the context is alive.
            return unsafe { mlirNoneTypeGet(self.mlir) };
        }
        parsed
    }
}

/// Extents with MLIR's marker for dynamic extents.
pub(super) fn extents(shape: &[i64]) -> Vec<i64> {
    // SAFETY: the call reads a constant.
    let dynamic = unsafe { mlirShapedTypeGetDynamicSize() };
    shape.iter().map(|&extent| if extent == DYNAMIC { dynamic } else { extent }).collect()
}
