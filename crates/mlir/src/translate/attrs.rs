//! Translation of attributes.

use super::{Translator, string_ref};
use minoan_ir::affine::{AffineExpr, AffineMap, AffineOp};
use minoan_ir::text::print_attr;
use minoan_ir::{Attr, AttrData, FloatKind, Type};
use minoan_services::ToMlir;
use mlir_sys::{
    MlirAffineExpr, MlirAttribute, MlirNamedAttribute, mlirAffineAddExprGet, mlirAffineCeilDivExprGet,
    mlirAffineConstantExprGet, mlirAffineDimExprGet, mlirAffineFloorDivExprGet, mlirAffineMapAttrGet,
    mlirAffineMapGet, mlirAffineModExprGet, mlirAffineMulExprGet, mlirAffineSymbolExprGet, mlirArrayAttrGet,
    mlirAttributeParseGet, mlirDenseElementsAttrRawBufferGet, mlirDenseI32ArrayGet, mlirDenseI64ArrayGet,
    mlirDictionaryAttrGet, mlirFlatSymbolRefAttrGet, mlirFloatAttrDoubleGet, mlirIntegerAttrGet,
    mlirNamedAttributeGet, mlirStringAttrGet, mlirTypeAttrGet, mlirUnitAttrGet,
};
use std::borrow::Cow;

impl Translator<'_> {
    /// Translates an attribute; an unknown one is reported and replaced by `unit`.
    pub(super) fn attr(&mut self, attr: Attr) -> MlirAttribute {
        if let Some(Some(known)) = self.attrs.get(attr.index()) {
            return *known;
        }
        let made = self.make_attr(attr);
        if self.attrs.len() <= attr.index() {
            self.attrs.resize(attr.index() + 1, None);
        }
        self.attrs[attr.index()] = Some(made);
        made
    }

    /// Translates the entries of a dictionary.
    pub(super) fn entries(&mut self, dictionary: Attr) -> Vec<MlirNamedAttribute> {
        let ir = self.ir.clone();
        let entries = dictionary.as_dictionary(&ir).unwrap_or(&[]);
        entries
            .iter()
            .map(|&(name, attr)| {
                let (name, attr) = (self.name(name), self.attr(attr));
                // SAFETY: both belong to this context.
                unsafe { mlirNamedAttributeGet(name, attr) }
            })
            .collect()
    }

    fn make_attr(&mut self, attr: Attr) -> MlirAttribute {
        let (ir, mlir) = (self.ir.clone(), self.mlir);
        match attr.data(&ir) {
            // SAFETY: the context is alive.
            AttrData::Unit => unsafe { mlirUnitAttrGet(mlir) },
            // `mlirIntegerAttrGet` zero-extends an `int64_t` to wider types.
            AttrData::Integer { value, ty }
                if value.as_i64().is_some_and(|value| {
                    value >= 0 || ty.integer_width(&ir).is_none_or(|width| width <= 64)
                }) =>
            {
                let (value, ty) = (value.as_i64().unwrap_or_default(), self.ty(*ty));
                // SAFETY: the type is an integer or index type of this context.
                unsafe { mlirIntegerAttrGet(ty, value) }
            }
            AttrData::Float { bits, ty }
                if matches!(ty.float_kind(&ir), Some(FloatKind::F32 | FloatKind::F64))
                    && !is_nan(*ty, *bits) =>
            {
                let value = attr.as_f64(&ir).unwrap_or_default();
                let ty = self.ty(*ty);
                // SAFETY: the type is a float type of this context, and the conversion to it is exact.
                unsafe { mlirFloatAttrDoubleGet(mlir, ty, value) }
            }
            AttrData::String { bytes, ty: Type::NONE } => {
                // SAFETY: the context is alive and the bytes outlive the call.
                unsafe { mlirStringAttrGet(mlir, string_ref(bytes)) }
            }
            AttrData::Type(ty) => {
                let ty = self.ty(*ty);
                // SAFETY: the type belongs to this context.
                unsafe { mlirTypeAttrGet(ty) }
            }
            AttrData::Array(elements) => {
                let elements: Vec<MlirAttribute> = elements.iter().map(|&attr| self.attr(attr)).collect();
                // SAFETY: the pointer and length describe a live slice of attributes of this context.
                unsafe { mlirArrayAttrGet(mlir, elements.len() as isize, elements.as_ptr()) }
            }
            AttrData::Dictionary(_) => {
                let entries = self.entries(attr);
                // SAFETY: the pointer and length describe a live slice of attributes of this context.
                unsafe { mlirDictionaryAttrGet(mlir, entries.len() as isize, entries.as_ptr()) }
            }
            AttrData::SymbolRef { root, nested } if nested.is_empty() => {
                // SAFETY: the context is alive and the name outlives the call.
                unsafe { mlirFlatSymbolRefAttrGet(mlir, string_ref(root.as_str(&ir).as_bytes())) }
            }
            AttrData::DenseArray { element: Type::I32, .. } => {
                let values = attr.as_dense_i32(&ir).unwrap_or_default();
                // SAFETY: the pointer and length describe a live slice.
                unsafe { mlirDenseI32ArrayGet(mlir, values.len() as isize, values.as_ptr()) }
            }
            AttrData::DenseArray { element: Type::I64, .. } => {
                let values = attr.as_dense_i64(&ir).unwrap_or_default();
                // SAFETY: the pointer and length describe a live slice.
                unsafe { mlirDenseI64ArrayGet(mlir, values.len() as isize, values.as_ptr()) }
            }
            // MLIR packs booleans differently; they are translated as text.
            AttrData::DenseElements { ty, data, .. } if ty.element_or_self(&ir) != Type::I1 => {
                let data = zero_extended(ty.element_or_self(&ir).integer_width(&ir), data);
                let ty = self.ty(*ty);
                // SAFETY: the pointer and length describe live bytes: one element for a splat, otherwise all, in the
                // layout of MLIR, little endian on this machine.
                let dense =
                    unsafe { mlirDenseElementsAttrRawBufferGet(ty, data.len(), data.as_ptr().cast()) };
                if dense.ptr.is_null() { self.parse_attr(attr) } else { dense }
            }
            AttrData::AffineMap(map) => self.affine_map(map),
            AttrData::Declared(_) | AttrData::Opaque { .. } | AttrData::Structured { .. } => {
                match <dyn ToMlir>::of_attr(&ir, attr) {
                    Some(other) if other != attr => self.attr(other),
                    _ => self.parse_attr(attr),
                }
            }
            _ => self.parse_attr(attr),
        }
    }

    fn parse_attr(&mut self, attr: Attr) -> MlirAttribute {
        let text = print_attr(&self.ir, attr);
        // SAFETY: the context is alive and the text outlives the call.
        let parsed = unsafe { mlirAttributeParseGet(self.mlir, string_ref(text.as_bytes())) };
        if parsed.ptr.is_null() {
            self.report(format!("MLIR does not know the attribute '{text}'"), minoan_ir::Loc::UNKNOWN);
            // SAFETY: the context is alive.
            return unsafe { mlirUnitAttrGet(self.mlir) };
        }
        parsed
    }

    fn affine_map(&mut self, map: &AffineMap) -> MlirAttribute {
        let mut results: Vec<MlirAffineExpr> =
            map.results.iter().map(|expr| self.affine_expr(expr)).collect();
        // SAFETY: the pointer and length describe a live slice of expressions of this context, which use no more
        // dimensions and symbols than given.
        unsafe {
            mlirAffineMapAttrGet(mlirAffineMapGet(
                self.mlir,
                map.dims as isize,
                map.symbols as isize,
                results.len() as isize,
                results.as_mut_ptr(),
            ))
        }
    }

    fn affine_expr(&mut self, expr: &AffineExpr) -> MlirAffineExpr {
        match expr {
            // SAFETY: the context is alive.
            AffineExpr::Dim(at) => unsafe { mlirAffineDimExprGet(self.mlir, *at as isize) },
            // SAFETY: the context is alive.
            AffineExpr::Symbol(at) => unsafe { mlirAffineSymbolExprGet(self.mlir, *at as isize) },
            // SAFETY: the context is alive.
            AffineExpr::Constant(value) => unsafe { mlirAffineConstantExprGet(self.mlir, *value) },
            AffineExpr::Binary(op, lhs, rhs) => {
                let (lhs, rhs) = (self.affine_expr(lhs), self.affine_expr(rhs));
                // SAFETY: both sides are expressions of this context.
                unsafe {
                    match op {
                        AffineOp::Add => mlirAffineAddExprGet(lhs, rhs),
                        AffineOp::Mul => mlirAffineMulExprGet(lhs, rhs),
                        AffineOp::Mod => mlirAffineModExprGet(lhs, rhs),
                        AffineOp::FloorDiv => mlirAffineFloorDivExprGet(lhs, rhs),
                        AffineOp::CeilDiv => mlirAffineCeilDivExprGet(lhs, rhs),
                    }
                }
            }
        }
    }
}

/// The payload of a NaN does not survive a conversion; its bits are translated as text.
fn is_nan(ty: Type, bits: u128) -> bool {
    if ty == Type::F32 { f32::from_bits(bits as u32).is_nan() } else { f64::from_bits(bits as u64).is_nan() }
}

/// The elements of a dense attribute in the form of MLIR, whose bits beyond the width of an integer are zero: here they repeat the
/// sign.
fn zero_extended(width: Option<u32>, data: &[u8]) -> Cow<'_, [u8]> {
    let Some(width) = width.filter(|width| width % 8 != 0) else { return data.into() };
    let mut data = data.to_vec();
    let size = width.div_ceil(8) as usize;
    for last in data.iter_mut().skip(size - 1).step_by(size) {
        *last &= (1 << (width % 8)) - 1;
    }
    data.into()
}
