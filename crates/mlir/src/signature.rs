//! The externally callable functions of a module.

use crate::Backend;
use crate::diagnostics::place;
use melior::StringRef;
use melior::ir::attribute::{AttributeLike, StringAttribute, TypeAttribute};
use melior::ir::block::BlockLike;
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::r#type::{FunctionType, IntegerType, MemRefType};
use melior::ir::{Module, RegionLike, ShapedTypeLike, Type, TypeLike};
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_llvm::{AbiType, Function, Scalar, Signature};
use mlir_sys::{
    mlirAffineMapIsIdentity, mlirComplexTypeGetElementType, mlirMemRefTypeGetAffineMap,
    mlirShapedTypeGetDimSize, mlirShapedTypeGetElementType, mlirShapedTypeGetRank,
    mlirShapedTypeIsDynamicDim, mlirVectorTypeIsScalable,
};

impl Backend {
    /// The public functions that a module of `func.func`s defines, in order; to be called before lowering.
    ///
    /// # Errors
    /// A function with an argument or result that cannot be passed: only numbers, vectors of a fixed length, and ranked
    /// memrefs in the default memory space can, and a memref argument must accept a dense row-major array.
    pub fn functions(&self, module: &Module<'_>) -> Result<Vec<Function>, Diagnostics> {
        let mut functions = Vec::new();
        let mut errors = Diagnostics::new();
        let mut next = module.body().first_operation();
        while let Some(operation) = next {
            let public = operation.attribute("sym_visibility").map_or(true, |visibility| {
                StringAttribute::try_from(visibility).is_ok_and(|visibility| visibility.value() == "public")
            });
            let defined = has_body(&operation);
            if operation.name().as_string_ref().as_str() == Ok("func.func") && public && defined {
                let name = operation.attribute("sym_name").and_then(StringAttribute::try_from);
                let name = name.map(|name| name.value().to_owned()).unwrap_or_default();
                let ty = operation.attribute("function_type").and_then(TypeAttribute::try_from);
                let ty = ty.and_then(|ty| FunctionType::try_from(ty.value()));
                match ty.map_err(|error| error.to_string()).and_then(signature) {
                    Ok(signature) => functions.push(Function::new(name, signature)),
                    Err(reason) => errors.push(
                        Diagnostic::error(format!(
                            "function '{name}' cannot be called from outside: {reason}"
                        ))
                        .at(place(operation.location()))
                        .help("make it private, or restrict its types to numbers, vectors and memrefs"),
                    ),
                }
            }
            next = operation.next_in_block();
        }
        if errors.is_empty() { Ok(functions) } else { Err(errors) }
    }
}

/// Whether an operation has a region with a block.
///
/// `OperationLike::region` prints the operation for its error, and numbers all values of the module for that.
fn has_body(operation: &OperationRef<'_, '_>) -> bool {
    operation.regions().next().is_some_and(|region| region.first_block().is_some())
}

impl Backend {
    /// Defines functions that have the name of a function of the C library or the runtime under [other
    /// symbols](minoan_llvm::symbol_of), before the operations that call the library are lowered.
    pub(crate) fn rename_reserved(&self, module: &mut Module<'_>) {
        let mut next = module.body().first_operation();
        while let Some(operation) = next {
            next = operation.next_in_block();
            let defined = has_body(&operation);
            let name = operation.attribute("sym_name").and_then(StringAttribute::try_from);
            let Some(name) = name.ok().filter(|_| defined).map(|name| name.value().to_owned()) else {
                continue;
            };
            let symbol = minoan_llvm::symbol_of(&name);
            if symbol == name || operation.name().as_string_ref().as_str() != Ok("func.func") {
                continue;
            }
            let (old, new) = (StringRef::new(&name), StringRef::new(&symbol));
            // SAFETY: the operation is a symbol of the module, and the strings outlive the calls. Names that are
            // reserved are few, so the walk for each keeps the time linear.
            unsafe {
                mlir_sys::mlirSymbolTableReplaceAllSymbolUses(
                    old.to_raw(),
                    new.to_raw(),
                    module.as_operation().to_raw(),
                );
                mlir_sys::mlirOperationSetInherentAttributeByName(
                    operation.to_raw(),
                    StringRef::new("sym_name").to_raw(),
                    StringAttribute::new(self.context(), &symbol).to_raw(),
                );
            }
        }
    }
}

fn signature(ty: FunctionType<'_>) -> Result<Signature, String> {
    let mut signature = Signature::default();
    for index in 0..ty.input_count() {
        let input = ty.input(index).map_err(|error| error.to_string())?;
        let unsupported = |reason| format!("argument {} is of type {input}, {reason}", index + 1);
        signature.arguments.push(abi_type(input, true).map_err(unsupported)?);
    }
    for index in 0..ty.result_count() {
        let result = ty.result(index).map_err(|error| error.to_string())?;
        let unsupported = |reason| format!("result {} is of type {result}, {reason}", index + 1);
        signature.results.push(abi_type(result, false).map_err(unsupported)?);
    }
    Ok(signature)
}

fn abi_type(ty: Type<'_>, argument: bool) -> Result<AbiType, &'static str> {
    if let Some(scalar) = scalar(ty) {
        return Ok(AbiType::Scalar(scalar));
    }
    if ty.to_string() == "!llvm.ptr" {
        return Ok(AbiType::Object);
    }
    if ty.is_vector() {
        return vector(ty);
    }
    let memref =
        MemRefType::try_from(ty).map_err(|_| "which is not a number, a vector or a ranked memref")?;
    if memref.memory_space().is_some() {
        return Err("which has a non-default memory space");
    }
    let element = scalar(memref.element()).ok_or("whose elements are not numbers")?;
    let shape: Vec<Option<usize>> = (0..memref.rank())
        .map(|dim| {
            // SAFETY: the dimension is below the rank.
            let dynamic = unsafe { mlirShapedTypeIsDynamicDim(memref.to_raw(), dim as isize) };
            // SAFETY: as above.
            let size = || unsafe { mlir_sys::mlirShapedTypeGetDimSize(memref.to_raw(), dim as isize) };
            (!dynamic).then(|| size() as usize)
        })
        .collect();
    if argument && !accepts_dense(memref, &shape) {
        return Err("whose layout is not that of a dense array");
    }
    Ok(AbiType::MemRef { element, shape })
}

fn vector(ty: Type<'_>) -> Result<AbiType, &'static str> {
    // SAFETY: the type is a vector type, and the dimensions are below its rank.
    unsafe {
        let ty = ty.to_raw();
        if mlirVectorTypeIsScalable(ty) {
            return Err("whose number of elements depends on the processor");
        }
        let element = scalar(Type::from_raw(mlirShapedTypeGetElementType(ty)))
            .ok_or("whose elements are not numbers")?;
        let dims = 0..mlirShapedTypeGetRank(ty) as isize;
        let shape = dims.map(|dim| mlirShapedTypeGetDimSize(ty, dim) as usize).collect();
        Ok(AbiType::Vector { element, shape })
    }
}

/// Whether code for this type is correct for a dense row-major array.
fn accepts_dense(memref: MemRefType<'_>, shape: &[Option<usize>]) -> bool {
    // SAFETY: the type is a memref.
    if unsafe { mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(memref.to_raw())) } {
        return true;
    }
    let mut strides = vec![0i64; shape.len()];
    let mut offset = 0i64;
    // SAFETY: there is room for one stride per dimension.
    let status = unsafe {
        mlir_sys::mlirMemRefTypeGetStridesAndOffset(memref.to_raw(), strides.as_mut_ptr(), &raw mut offset)
    };
    // SAFETY: a constant function.
    let dynamic = unsafe { mlir_sys::mlirShapedTypeGetDynamicStrideOrOffset() };
    if status.value == 0 || (offset != dynamic && offset != 0) {
        return false;
    }
    let mut dense = Some(1i64);
    for (size, stride) in shape.iter().zip(strides).rev() {
        if stride != dynamic && Some(stride) != dense {
            return false;
        }
        dense = dense.zip(*size).map(|(dense, size)| dense * size as i64);
    }
    true
}

fn scalar(ty: Type<'_>) -> Option<Scalar> {
    if ty.is_index() {
        return Some(Scalar::I64);
    } else if ty.is_f16() {
        return Some(Scalar::F16);
    } else if ty.is_bf16() {
        return Some(Scalar::BF16);
    } else if ty.is_f32() {
        return Some(Scalar::F32);
    } else if ty.is_f64() {
        return Some(Scalar::F64);
    } else if ty.is_complex() {
        // SAFETY: the type is a complex type.
        let part = unsafe { Type::from_raw(mlirComplexTypeGetElementType(ty.to_raw())) };
        return match scalar(part)? {
            Scalar::F32 => Some(Scalar::ComplexF32),
            Scalar::F64 => Some(Scalar::ComplexF64),
            _ => None,
        };
    }
    match IntegerType::try_from(ty).ok()?.width() {
        1 => Some(Scalar::I1),
        8 => Some(Scalar::I8),
        16 => Some(Scalar::I16),
        32 => Some(Scalar::I32),
        64 => Some(Scalar::I64),
        0 => None,
        width => Some(Scalar::Int(width)),
    }
}
