//! The named operations: a table of index maps and scalar computations.
//!
//! A named operation is a `linalg.generic` whose maps and region are fixed. The region is there, but the text leaves it
//! out; the maps follow from the table and, for windows, from strides and dilations.

use crate::assembly::{ins_and_outs, print_arrow, print_operands};
use crate::evaluate::EvaluateNamed;
use crate::scalar::{Combine, emit};
use minoan_ir::affine::{AffineExpr, AffineMap, AffineOp};
use minoan_ir::constraints::{AFFINE_MAP_ARRAY, ANY, ANY_ATTR, SHAPED};
use minoan_ir::text::{OpParser, OpPrinter, ParseError};
use minoan_ir::{Attr, AttrData, Body, Context, DYNAMIC, DialectBuilder, Loc, Op, OpRef, Type, op};
use minoan_services::Evaluate;
use std::sync::Arc;

/// What is known of a named operation.
struct Named {
    name: &'static str,
    /// A letter for each dimension of the iteration domain; empty where it has the rank of the output.
    dims: &'static str,
    /// For each operand the indices, between spaces: a letter is a dimension, two are `x * stride + y * dilation`.
    maps: &'static [&'static str],
    combine: Combine,
}

impl Named {
    fn of(name: &str) -> Option<&'static Named> {
        NAMED.iter().find(|named| named.name == name)
    }

    /// The maps; `strides` and `dilations` belong to the windows in order.
    fn maps(&self, operands: usize, rank: usize, strides: &[i64], dilations: &[i64]) -> Vec<AffineMap> {
        if self.dims.is_empty() {
            return vec![AffineMap::identity(rank as u32); operands];
        }
        let dim = |letter: char| AffineExpr::Dim(self.dims.find(letter).unwrap_or(0) as u32);
        let times = |letter: char, factors: &[i64], at: usize| {
            let factor = AffineExpr::Constant(factors.get(at).copied().unwrap_or(1));
            AffineExpr::binary(AffineOp::Mul, dim(letter), factor)
        };
        let map = |indices: &&str| {
            let mut window = 0;
            let results = indices.split_whitespace().map(|index| {
                let mut letters = index.chars();
                match (letters.next().unwrap_or(' '), letters.next()) {
                    (at, None) => dim(at),
                    (at, Some(inside)) => {
                        let (at, inside) = (times(at, strides, window), times(inside, dilations, window));
                        window += 1;
                        AffineExpr::binary(AffineOp::Add, at, inside)
                    }
                }
            });
            AffineMap { dims: self.dims.len() as u32, symbols: 0, results: results.collect() }
        };
        self.maps.iter().map(map).collect()
    }

    /// Whether upstream keeps the maps as an attribute, which only the generic form shows.
    fn memoizes(&self) -> bool {
        !self.dims.is_empty() && !self.has_maps()
    }

    /// Whether the maps are a property.
    fn has_maps(&self) -> bool {
        matches!(self.name, "linalg.matmul" | "linalg.batch_matmul")
    }
}

const MEMOIZED: &str = "linalg.memoized_indexing_maps";

/// The numbers of `dense<[2, 1]>` or `dense<1>` of `i64`; none where the attribute is absent or another one.
fn factors(ctx: &Context, attr: Option<Attr>) -> Vec<i64> {
    let Some(AttrData::DenseElements { ty, data, splat }) = attr.map(|attr| attr.data(ctx)) else {
        return Vec::new();
    };
    if ty.element(ctx) != Some(Type::I64) {
        return Vec::new();
    }
    let numbers: Vec<i64> = data.as_chunks().0.iter().map(|&bytes| i64::from_le_bytes(bytes)).collect();
    match (splat, ty.shape(ctx), numbers.first()) {
        (true, Some(&[count]), Some(&number)) => vec![number; count.clamp(0, 3) as usize],
        _ => numbers,
    }
}

/// The maps of a named operation, one for each operand.
pub(crate) fn maps(op: OpRef<'_>) -> Option<Vec<AffineMap>> {
    let (named, ctx) = (Named::of(op.name())?, op.context());
    if let Some(maps) = op.attr_named("indexing_maps").and_then(|attr| attr.as_array(ctx)) {
        return maps.iter().map(|map| map.as_affine_map(ctx).cloned()).collect();
    }
    let rank = op.operand_types().last().and_then(|ty| ty.rank(ctx)).unwrap_or(0);
    let [strides, dilations] = ["strides", "dilations"].map(|name| factors(ctx, op.attr_named(name)));
    Some(named.maps(op.n_operands(), rank, &strides, &dilations))
}

fn maps_attr(ctx: &Context, maps: &[AffineMap]) -> Attr {
    let maps: Vec<Attr> = maps.iter().map(|map| Attr::affine_map(ctx, map.clone())).collect();
    Attr::array(ctx, &maps)
}

fn parse(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let ctx = p.ctx();
    let Some(named) = Named::of(p.op_name()) else { return Err(p.error_at_name("has no table")) };
    if named.has_maps() && p.optional_keyword("indexing_maps") {
        p.punct("=")?;
        let maps = p.attribute()?;
        p.set_attr("indexing_maps", maps);
    }
    p.attr_dict()?;
    let types = ins_and_outs(p)?;
    p.attr_dict()?;
    let results = p.optional_arrow_types()?;
    p.add_results(&results);
    if !named.maps.is_empty() && types.len() != named.maps.len() {
        let (want, have) = (named.maps.len(), types.len());
        return Err(p.error_at_name(format!("expected {want} operands, but found {have}")));
    }
    let [strides, dilations] = ["strides", "dilations"].map(|name| factors(ctx, p.get_attr(name)));
    if named.has_maps() && p.get_attr("indexing_maps").is_none() {
        let maps = maps_attr(ctx, &named.maps(types.len(), 0, &[], &[]));
        p.set_attr("indexing_maps", maps);
    } else if named.memoizes() {
        let maps = maps_attr(ctx, &named.maps(types.len(), 0, &strides, &dilations));
        p.set_attr(MEMOIZED, maps);
    }
    let unsigned =
        p.get_attr("cast").is_some_and(|cast| cast == Attr::opaque(ctx, "linalg", ".type_fn<cast_unsigned>"));
    let args: Vec<Type> = types.iter().map(|ty| ty.element_or_self(ctx)).collect();
    let mut fits = true;
    p.build_region(&args, |b, args| {
        // What the text does not say has no place in it, as in MLIR.
        b.set_loc(Loc::UNKNOWN);
        fits = emit(b, named.combine, args, unsigned);
    });
    if !fits {
        return Err(p.error_at_name("is not defined for elements of these types"));
    }
    Ok(())
}

fn print(p: &mut OpPrinter<'_, '_>) {
    let (op, ctx) = (p.op(), p.ctx());
    if let (Some(maps), Some(named)) = (op.attr_named("indexing_maps"), Named::of(op.name()))
        && maps != maps_attr(ctx, &named.maps(op.n_operands(), 0, &[], &[]))
    {
        p.text(" indexing_maps = ");
        p.attr(maps);
    }
    p.attr_dict(&["indexing_maps", MEMOIZED]);
    print_operands(p, " ins", &op.operand_group(0));
    print_operands(p, " outs", &op.operand_group(1));
    print_arrow(p);
}

/// Checks ranks and extents of the operands against the maps.
fn verify(body: &Body, op: Op, error: &mut dyn FnMut(String)) {
    let (view, ctx) = (body.op(op), body.context());
    let Some(maps) = maps(view) else { return };
    if maps.len() != view.n_operands() {
        return error(format!(
            "expected the number of indexing_map ({}) to be equal to the number of input/output operands ({})",
            maps.len(),
            view.n_operands()
        ));
    }
    let types: Vec<Type> = view.operand_types().collect();
    for (index, (map, ty)) in maps.iter().zip(&types).enumerate() {
        let rank = ty.rank(ctx).unwrap_or(0);
        if rank != map.results.len() {
            return error(format!(
                "expected operand #{index} rank ({rank}) to match the result rank of indexing_map ({})",
                map.results.len()
            ));
        }
    }
    let mut loops = vec![None; maps.first().map_or(0, |map| map.dims as usize)];
    for (map, ty) in maps.iter().zip(&types) {
        for (expr, &extent) in map.results.iter().zip(ty.shape(ctx).unwrap_or(&[])) {
            if let (AffineExpr::Dim(dim), true) = (expr, extent != DYNAMIC) {
                loops[*dim as usize].get_or_insert(extent);
            }
        }
    }
    let ends: Vec<i64> = loops.iter().map(|extent| extent.unwrap_or(DYNAMIC)).collect();
    for (index, (map, ty)) in maps.iter().zip(&types).enumerate() {
        for (dim, (expr, &have)) in map.results.iter().zip(ty.shape(ctx).unwrap_or(&[])).enumerate() {
            let exact = matches!(expr, AffineExpr::Dim(_));
            let Some(want) = extent(expr, &ends).filter(|_| have != DYNAMIC) else { continue };
            if (exact && want != have) || want > have {
                let relation = if exact { "" } else { "greater than or equal to " };
                return error(format!(
                    "inferred input/output operand #{index} has shape's dimension #{dim} to be {relation}{want}, but found {have}"
                ));
            }
        }
    }
}

/// The least extent that an index expression needs, when all loops have known ends.
fn extent(expr: &AffineExpr, ends: &[i64]) -> Option<i64> {
    fn known(expr: &AffineExpr, ends: &[i64]) -> bool {
        match expr {
            AffineExpr::Dim(dim) => ends.get(*dim as usize).is_some_and(|&end| end != DYNAMIC),
            AffineExpr::Binary(_, lhs, rhs) => known(lhs, ends) && known(rhs, ends),
            _ => true,
        }
    }
    let last: Vec<i64> = ends.iter().map(|end| end.saturating_sub(1)).collect();
    if !known(expr, ends) {
        return None;
    }
    expr.evaluate(&last, &[])?.checked_add(1)
}

macro_rules! named {
    (@op $doc:literal $op:ident $name:literal [$($extra:tt)*]) => {
        #[doc = $doc]
        #[op($name,
             traits(OPERAND_SEGMENTS, SINGLE_BLOCK, RECURSIVE_EFFECTS),
             assembly = custom(parse, print),
             verify = verify)]
        pub struct $op {
            /// What is read.
            #[operand(ANY)]
            inputs: Vec<Value>,
            /// What is written.
            #[operand(SHAPED)]
            outputs: Vec<Value>,
            $($extra)*
            /// The outputs, when they are tensors.
            #[result(ANY)]
            result_tensors: Vec<Value>,
            /// The scalar computation: fixed, and left out in text.
            #[region(non_empty)]
            region: Region,
        }
    };
    (@kind $doc:literal $op:ident $name:literal plain) => { named! { @op $doc $op $name [] } };
    (@kind $doc:literal $op:ident $name:literal cast) => {
        named! { @op $doc $op $name [
            /// How inputs are converted to the type of the output.
            #[attr(ANY_ATTR, name = "cast")]
            conversion: Option<Attr>,
        ] }
    };
    (@kind $doc:literal $op:ident $name:literal maps) => {
        named! { @op $doc $op $name [
            /// One map for each operand.
            #[attr(AFFINE_MAP_ARRAY)]
            indexing_maps: Option<Attr>,
            /// How inputs are converted to the type of the output.
            #[attr(ANY_ATTR, name = "cast")]
            conversion: Option<Attr>,
        ] }
    };
    (@kind $doc:literal $op:ident $name:literal window) => {
        named! { @op $doc $op $name [
            /// How far apart windows are, in each dimension.
            #[attr(ANY_ATTR)]
            strides: Option<Attr>,
            /// How far apart elements of a window are.
            #[attr(ANY_ATTR)]
            dilations: Option<Attr>,
        ] }
    };
    ($($doc:literal $op:ident $name:literal $kind:ident $combine:ident $dims:literal [$($map:literal),*];)*) => {
        $(named! { @kind $doc $op $name $kind })*

        static NAMED: &[Named] = &[
            $(Named { name: $name, dims: $dims, maps: &[$($map),*], combine: Combine::$combine },)*
        ];

        /// Declares the operations of this file, and what they answer.
        pub(crate) fn declare(dialect: &mut DialectBuilder<'_>) {
            $(
                dialect.op::<$op>();
                crate::answer::<$op>(dialect);
                dialect.op_service::<$op, dyn Evaluate>(Arc::new(EvaluateNamed));
            )*
        }
    };
}

named! {
    "The product of two matrices, added to the output." Matmul "linalg.matmul" maps MulAdd "mnk" ["m k", "k n", "m n"];
    "The products of two lists of matrices." BatchMatmul "linalg.batch_matmul" maps MulAdd "bmnk" ["b m k", "b k n", "b m n"];
    "The product of a matrix and a vector." Matvec "linalg.matvec" cast MulAdd "mn" ["m n", "n", "m"];
    "The product of a vector and a matrix." Vecmat "linalg.vecmat" cast MulAdd "nm" ["m", "m n", "n"];
    "The inner product of two vectors." Dot "linalg.dot" cast MulAdd "m" ["m", "m", ""];
    "A copy." Copy "linalg.copy" cast First "" [];
    "The sum, element by element." Add "linalg.add" plain Add "" [];
    "The difference, element by element." Sub "linalg.sub" plain Sub "" [];
    "The product, element by element." Mul "linalg.mul" plain Mul "" [];
    "The signed or floating-point quotient, element by element." Div "linalg.div" plain Div "" [];
    "The greater, element by element." Max "linalg.max" plain Max "" [];
    "The lesser, element by element." Min "linalg.min" plain Min "" [];
    "The exponential, element by element." Exp "linalg.exp" plain Exp "" [];
    "The logarithm, element by element." Log "linalg.log" plain Log "" [];
    "The absolute value, element by element." Abs "linalg.abs" plain Abs "" [];
    "The square root, element by element." Sqrt "linalg.sqrt" plain Sqrt "" [];
    "The hyperbolic tangent, element by element." Tanh "linalg.tanh" plain Tanh "" [];
    "The negation, element by element." NegF "linalg.negf" plain Neg "" [];
    "A convolution of images, channels first." Conv2DNchwFchw "linalg.conv_2d_nchw_fchw" window MulAdd "nfhwcpq" ["n c hp wq", "f c p q", "n f h w"];
    "A convolution of images, channels last." Conv2DNhwcHwcf "linalg.conv_2d_nhwc_hwcf" window MulAdd "nhwfpqc" ["n hp wq c", "p q c f", "n h w f"];
    "Sums of windows, channels first." PoolingNchwSum "linalg.pooling_nchw_sum" window PoolSum "nchwpq" ["n c hp wq", "p q", "n c h w"];
    "Greatest elements of windows, channels first." PoolingNchwMax "linalg.pooling_nchw_max" window PoolMax "nchwpq" ["n c hp wq", "p q", "n c h w"];
    "Sums of windows, channels last." PoolingNhwcSum "linalg.pooling_nhwc_sum" window PoolSum "nhwcpq" ["n hp wq c", "p q", "n h w c"];
    "Greatest elements of windows, channels last." PoolingNhwcMax "linalg.pooling_nhwc_max" window PoolMax "nhwcpq" ["n hp wq c", "p q", "n h w c"];
    "Least elements of windows, channels last." PoolingNhwcMin "linalg.pooling_nhwc_min" window PoolMin "nhwcpq" ["n hp wq c", "p q", "n h w c"];
}
