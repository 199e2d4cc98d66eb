//! Named operations: a table of indexing maps and scalar computations.
//!
//! A named operation is a `linalg.generic` with fixed maps and a fixed region. The region exists but is not printed;
//! the maps follow from the table and, for windowed operations, from strides and dilations.

use crate::attributes::TypeFn;
use crate::constraints::{WINDOW_1, WINDOW_2, WINDOW_3};
use crate::named_text::{parse, print};
use crate::scalar::Combine;
use crate::{matmul, structured};
use minoan_ir::affine::{AffineExpr, AffineMap, AffineOp};
use minoan_ir::constraints::{ANY, RANKED_TENSOR, SHAPED};
use minoan_ir::verify::bare;
use minoan_ir::{Array, Attr, AttrData, Context, DialectBuilder, OpRef, Type, Violation, op};

/// The table entry of a named operation.
pub(crate) struct Named {
    name: &'static str,
    /// One letter per dimension of the iteration domain; empty if the domain has the rank of the output.
    dims: &'static str,
    /// The indices of each operand, separated by spaces: one letter is a dimension, two letters are `x * stride + y *
    /// dilation`.
    maps: &'static [&'static str],
    /// The number of operands.
    pub(crate) operands: usize,
    pub(crate) combine: Combine,
}

impl Named {
    pub(crate) fn of(name: &str) -> Option<&'static Named> {
        NAMED.iter().find(|named| named.name == name)
    }

    /// The indexing maps; `strides` and `dilations` apply to the windows in order.
    pub(crate) fn maps(
        &self,
        operands: usize,
        rank: usize,
        strides: &[i64],
        dilations: &[i64],
    ) -> Vec<AffineMap> {
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

    /// Whether an index is the sum of a window position and an offset in the window.
    fn has_windows(&self) -> bool {
        self.maps.iter().any(|map| map.split_whitespace().any(|index| index.len() > 1))
    }

    /// Whether upstream stores the maps as an attribute, which only the generic form prints.
    pub(crate) fn memoizes(&self) -> bool {
        !self.dims.is_empty() && !self.has_maps()
    }

    /// Whether the maps are a property.
    pub(crate) fn has_maps(&self) -> bool {
        matches!(self.name, "linalg.matmul" | "linalg.batch_matmul" | "linalg.batch_reduce_matmul")
            || self.needs_maps()
    }

    /// Whether explicit maps are mandatory.
    pub(crate) fn needs_maps(&self) -> bool {
        self.name == "linalg.contract"
    }
}

/// The number of operands of an operation with this scalar computation.
const fn operands(combine: Combine) -> usize {
    1 + combine.inputs()
}

pub(crate) const MEMOIZED: &str = "linalg.memoized_indexing_maps";

/// The elements of an `i64` attribute `dense<[2, 1]>` or `dense<1>`; empty if it is absent or malformed.
pub(crate) fn factors(ctx: &Context, attr: Option<Attr>) -> Vec<i64> {
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

/// The names of the operations.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    NAMED.iter().map(|named| named.name)
}

/// The indexing maps of a named operation, one per operand.
pub(crate) fn maps(op: OpRef<'_>) -> Option<Vec<AffineMap>> {
    let (named, ctx) = (Named::of(op.name())?, op.context());
    if let Some(maps) = op.attr_named("indexing_maps").and_then(|attr| attr.as_array(ctx)) {
        return maps.iter().map(|map| map.as_affine_map(ctx).cloned()).collect();
    }
    let rank = op.operand_types().last().and_then(|ty| ty.rank(ctx)).unwrap_or(0);
    let [strides, dilations] = ["strides", "dilations"].map(|name| factors(ctx, op.attr_named(name)));
    let mut maps = named.maps(op.n_operands(), rank, &strides, &dilations);
    if named.dims.is_empty() {
        // A scalar operand has no indices.
        for (map, _) in
            maps.iter_mut().zip(op.operand_types()).filter(|(_, ty)| !structured::is_array(ctx, *ty))
        {
            *map = AffineMap::projection(rank as u32, &[]);
        }
    }
    Some(maps)
}

/// Verifies that strides and dilations are positive.
fn verify_windows(op: OpRef<'_>, named: &Named) -> Result<(), Violation> {
    let windows = named.maps.first().map_or(0, |map| map.split(' ').filter(|index| index.len() > 1).count());
    let [strides, dilations] =
        ["strides", "dilations"].map(|name| factors(op.context(), op.attr_named(name)));
    let factor = |factors: &[i64], at: usize| factors.get(at).copied().unwrap_or(1);
    let without_one = (0..windows).filter_map(|at| match (factor(&strides, at), factor(&dilations, at)) {
        (0, other) | (other, 0) => Some(other),
        _ => None,
    });
    match without_one.max_by_key(|&other| other != 1) {
        None => Ok(()),
        Some(1) => Err(bare("unexpected loop dimension for convolution op")),
        Some(_) => Err(bare("unexpected input index map for convolutions")),
    }
}

/// Verifies the number of operands. With a wrong number, the custom form could not be parsed back.
pub(crate) fn verify_operands(op: OpRef<'_>) -> Result<(), Violation> {
    let have = op.n_operands();
    let Some(named) = Named::of(op.name()) else { return Ok(()) };
    if named.operands == have {
        return verify_windows(op, named);
    }
    let want = named.operands;
    let inputs = if named.has_windows() { 2 } else { want - 1 };
    if have <= inputs && named.has_windows() || named.dims.is_empty() {
        let plural = if inputs == 1 { "" } else { "s" };
        return Err(bare(format!("expected op with {inputs} input{plural} and 1 output")));
    }
    let message = format!(
        "expected the number of indexing_map ({want}) to be equal to the number of input/output operands ({have})"
    );
    Err(message.into())
}

pub(crate) fn maps_attr(ctx: &Context, maps: &[AffineMap]) -> Attr {
    let maps: Vec<Attr> = maps.iter().map(|map| Attr::affine_map(ctx, map.clone())).collect();
    Attr::array(ctx, &maps)
}

macro_rules! named {
    (@op $doc:literal $op:ident $name:literal $verify:path, $result:ident, [$($extra:tt)*]) => {
        #[doc = $doc]
        #[op($name,
             traits(OPERAND_SEGMENTS, SINGLE_BLOCK, RECURSIVE_EFFECTS),
             assembly = custom(parse, print),
             verify = $verify)]
        pub struct $op {
            /// The inputs.
            inputs: Vec<Operand<ANY>>,
            /// The outputs.
            outputs: Vec<Operand<SHAPED>>,
            $($extra)*
            /// The updated outputs, if they are tensors.
            #[result($result)]
            result_tensors: Vec<Value>,
            /// The scalar computation; implied and not printed.
            #[region(non_empty)]
            region: Region,
        }
    };
    (@kind $doc:literal $op:ident $name:literal plain) => {
        named! { @op $doc $op $name structured::verify, RANKED_TENSOR, [] }
    };
    (@kind $doc:literal $op:ident $name:literal cast) => {
        named! { @op $doc $op $name structured::verify, RANKED_TENSOR, [
            /// The conversion of inputs to the output's element type.
            #[attr(name = "cast")]
            conversion: Option<TypeFn>,
        ] }
    };
    (@kind $doc:literal $op:ident $name:literal maps) => {
        named! { @op $doc $op $name matmul::verify, RANKED_TENSOR, [
            /// The indexing map of each operand.
            indexing_maps: Option<Array<AffineMap>>,
            /// The conversion of inputs to the output's element type.
            #[attr(name = "cast")]
            conversion: Option<TypeFn>,
        ] }
    };
    (@kind $doc:literal $op:ident $name:literal contract) => {
        named! { @op $doc $op $name matmul::verify_contract, SHAPED, [
            /// The indexing map of each operand.
            indexing_maps: Array<AffineMap>,
            /// The conversion of inputs to the output's element type.
            #[attr(name = "cast")]
            conversion: Option<TypeFn>,
        ] }
    };
    (@kind $doc:literal $op:ident $name:literal window1) => { named! { @window $doc $op $name WINDOW_1 } };
    (@kind $doc:literal $op:ident $name:literal window2) => { named! { @window $doc $op $name WINDOW_2 } };
    (@kind $doc:literal $op:ident $name:literal window3) => { named! { @window $doc $op $name WINDOW_3 } };
    (@window $doc:literal $op:ident $name:literal $window:ident) => {
        named! { @op $doc $op $name structured::verify, RANKED_TENSOR, [
            /// The distance between windows in each dimension.
            #[attr($window)]
            strides: Option<Attr>,
            /// The distance between elements of a window in each dimension.
            #[attr($window)]
            dilations: Option<Attr>,
        ] }
    };
    ($($doc:literal $op:ident $name:literal $kind:ident $combine:ident $dims:literal [$($map:literal),*];)*) => {
        $(named! { @kind $doc $op $name $kind })*

        static NAMED: &[Named] = &[
            $(Named {
                name: $name,
                dims: $dims,
                maps: &[$($map),*],
                operands: operands(Combine::$combine),
                combine: Combine::$combine,
            },)*
        ];

        /// Declares the operations of this file and registers their services.
        pub(crate) fn declare(dialect: &mut DialectBuilder<'_>) {
            $(
                dialect.op::<$op>();
                crate::services::computed::<$op>(dialect);
            )*
        }
    };
}

named! {
    "The product of two matrices, added to the output." Matmul "linalg.matmul" maps MulAdd "mnk" ["m k", "k n", "m n"];
    "Batched matrix product." BatchMatmul "linalg.batch_matmul" maps MulAdd "bmnk" ["b m k", "b k n", "b m n"];
    "The product of a matrix and a vector." Matvec "linalg.matvec" cast MulAdd "mn" ["m n", "n", "m"];
    "The product of a vector and a matrix." Vecmat "linalg.vecmat" cast MulAdd "nm" ["m", "m n", "n"];
    "The inner product of two vectors." Dot "linalg.dot" cast MulAdd "m" ["m", "m", ""];
    "A copy." Copy "linalg.copy" cast First "" [];
    "Elementwise sum." Add "linalg.add" plain Add "" [];
    "Elementwise difference." Sub "linalg.sub" plain Sub "" [];
    "Elementwise product." Mul "linalg.mul" plain Mul "" [];
    "Elementwise signed or floating-point quotient." Div "linalg.div" plain Div "" [];
    "Elementwise maximum." Max "linalg.max" plain Max "" [];
    "Elementwise minimum." Min "linalg.min" plain Min "" [];
    "Elementwise exponential." Exp "linalg.exp" plain Exp "" [];
    "Elementwise logarithm." Log "linalg.log" plain Log "" [];
    "Elementwise absolute value." Abs "linalg.abs" plain Abs "" [];
    "Elementwise square root." Sqrt "linalg.sqrt" plain Sqrt "" [];
    "Elementwise hyperbolic tangent." Tanh "linalg.tanh" plain Tanh "" [];
    "Elementwise negation." NegF "linalg.negf" plain Neg "" [];
    "2-D convolution, channels first." Conv2DNchwFchw "linalg.conv_2d_nchw_fchw" window2 MulAdd "nfhwcpq" ["n c hp wq", "f c p q", "n f h w"];
    "2-D convolution, channels last." Conv2DNhwcHwcf "linalg.conv_2d_nhwc_hwcf" window2 MulAdd "nhwfpqc" ["n hp wq c", "p q c f", "n h w f"];
    "2-D sum pooling, channels first." PoolingNchwSum "linalg.pooling_nchw_sum" window2 PoolSum "nchwpq" ["n c hp wq", "p q", "n c h w"];
    "2-D max pooling, channels first." PoolingNchwMax "linalg.pooling_nchw_max" window2 PoolMax "nchwpq" ["n c hp wq", "p q", "n c h w"];
    "2-D sum pooling, channels last." PoolingNhwcSum "linalg.pooling_nhwc_sum" window2 PoolSum "nhwcpq" ["n hp wq c", "p q", "n h w c"];
    "2-D max pooling, channels last." PoolingNhwcMax "linalg.pooling_nhwc_max" window2 PoolMax "nhwcpq" ["n hp wq c", "p q", "n h w c"];
    "2-D min pooling, channels last." PoolingNhwcMin "linalg.pooling_nhwc_min" window2 PoolMin "nhwcpq" ["n hp wq c", "p q", "n h w c"];
    "Elementwise ceiling." Ceil "linalg.ceil" plain Ceil "" [];
    "Elementwise floor." Floor "linalg.floor" plain Floor "" [];
    "Elementwise error function." Erf "linalg.erf" plain Erf "" [];
    "Elementwise rounding to the nearest integer." Round "linalg.round" plain Round "" [];
    "Elementwise reciprocal square root." Rsqrt "linalg.rsqrt" plain Rsqrt "" [];
    "Elementwise reciprocal." Reciprocal "linalg.reciprocal" plain Reciprocal "" [];
    "Elementwise square." Square "linalg.square" plain Square "" [];
    "Elementwise unsigned quotient." DivUnsigned "linalg.div_unsigned" plain DivUnsigned "" [];
    "Elementwise power." PowF "linalg.powf" plain Pow "" [];
    "Elementwise select." Select "linalg.select" plain Select "" [];
    "Batched matrix-vector product." BatchMatvec "linalg.batch_matvec" plain MulAdd "bmk" ["b m k", "b k", "b m"];
    "Batched vector-matrix product." BatchVecmat "linalg.batch_vecmat" plain MulAdd "bnk" ["b k", "b k n", "b n"];
    "The sum of a batched matrix product over the batch." BatchReduceMatmul "linalg.batch_reduce_matmul" maps MulAdd "bmnk" ["b m k", "b k n", "m n"];
    "Matrix product in tiled layout, the second operand transposed." Mmt4D "linalg.mmt4d" plain MulAdd "mnkxyz" ["m k x z", "n k y z", "m n x y"];
    "Batched matrix product in tiled layout, the second operands transposed." BatchMmt4D "linalg.batch_mmt4d" plain MulAdd "bmnkxyz" ["b m k x z", "b n k y z", "b m n x y"];
    "1-D convolution without channels." Conv1D "linalg.conv_1d" plain MulAdd "xp" ["xp", "p", "x"];
    "2-D convolution without channels." Conv2D "linalg.conv_2d" plain MulAdd "xypq" ["xp yq", "p q", "x y"];
    "3-D convolution without channels." Conv3D "linalg.conv_3d" plain MulAdd "xyzpqr" ["xp yq zr", "p q r", "x y z"];
    "1-D convolution, channels last." Conv1DNwcWcf "linalg.conv_1d_nwc_wcf" window1 MulAdd "nwfpc" ["n wp c", "p c f", "n w f"];
    "1-D convolution, channels first." Conv1DNcwFcw "linalg.conv_1d_ncw_fcw" window1 MulAdd "nfwcp" ["n c wp", "f c p", "n f w"];
    "2-D convolution, channels last, filters first." Conv2DNhwcFhwc "linalg.conv_2d_nhwc_fhwc" window2 MulAdd "nhwfpqc" ["n hp wq c", "f p q c", "n h w f"];
    "2-D grouped convolution, channels first." Conv2DNgchwFgchw "linalg.conv_2d_ngchw_fgchw" window2 MulAdd "ngfhwcpq" ["n g c hp wq", "f g c p q", "n g f h w"];
    "2-D grouped convolution, channels and filter groups first." Conv2DNgchwGfchw "linalg.conv_2d_ngchw_gfchw" window2 MulAdd "ngfhwcpq" ["n g c hp wq", "g f c p q", "n g f h w"];
    "2-D grouped convolution, channels last." Conv2DNhwgcGfhwc "linalg.conv_2d_nhwgc_gfhwc" window2 MulAdd "nhwgfpqc" ["n hp wq g c", "g f p q c", "n h w g f"];
    "3-D convolution, channels last." Conv3DNdhwcDhwcf "linalg.conv_3d_ndhwc_dhwcf" window3 MulAdd "ndhwfpqrc" ["n dp hq wr c", "p q r c f", "n d h w f"];
    "3-D convolution, channels first." Conv3DNcdhwFcdhw "linalg.conv_3d_ncdhw_fcdhw" window3 MulAdd "nfdhwcpqr" ["n c dp hq wr", "f c p q r", "n f d h w"];
    "1-D depthwise convolution, channels last." DepthwiseConv1DNwcWc "linalg.depthwise_conv_1d_nwc_wc" window1 MulAdd "nwcp" ["n wp c", "p c", "n w c"];
    "1-D depthwise convolution, channels first." DepthwiseConv1DNcwCw "linalg.depthwise_conv_1d_ncw_cw" window1 MulAdd "nwcp" ["n c wp", "c p", "n c w"];
    "1-D depthwise convolution with a channel multiplier, channels last." DepthwiseConv1DNwcWcm "linalg.depthwise_conv_1d_nwc_wcm" window1 MulAdd "nwcmp" ["n wp c", "p c m", "n w c m"];
    "2-D depthwise convolution, channels last." DepthwiseConv2DNhwcHwc "linalg.depthwise_conv_2d_nhwc_hwc" window2 MulAdd "nhwcpq" ["n hp wq c", "p q c", "n h w c"];
    "2-D depthwise convolution, channels first." DepthwiseConv2DNchwChw "linalg.depthwise_conv_2d_nchw_chw" window2 MulAdd "nhwcpq" ["n c hp wq", "c p q", "n c h w"];
    "2-D depthwise convolution with a channel multiplier, channels last." DepthwiseConv2DNhwcHwcm "linalg.depthwise_conv_2d_nhwc_hwcm" window2 MulAdd "nhwcmpq" ["n hp wq c", "p q c m", "n h w c m"];
    "3-D depthwise convolution, channels last." DepthwiseConv3DNdhwcDhwc "linalg.depthwise_conv_3d_ndhwc_dhwc" window3 MulAdd "ndhwpqrc" ["n dp hq wr c", "p q r c", "n d h w c"];
    "3-D depthwise convolution, channels first." DepthwiseConv3DNcdhwCdhw "linalg.depthwise_conv_3d_ncdhw_cdhw" window3 MulAdd "ndhwpqrc" ["n c dp hq wr", "c p q r", "n c d h w"];
    "3-D depthwise convolution with a channel multiplier, channels last." DepthwiseConv3DNdhwcDhwcm "linalg.depthwise_conv_3d_ndhwc_dhwcm" window3 MulAdd "ndhwmpqrc" ["n dp hq wr c", "p q r c m", "n d h w c m"];
    "2-D unsigned max pooling, channels last." PoolingNhwcMaxUnsigned "linalg.pooling_nhwc_max_unsigned" window2 PoolMaxUnsigned "nhwcpq" ["n hp wq c", "p q", "n h w c"];
    "2-D unsigned min pooling, channels last." PoolingNhwcMinUnsigned "linalg.pooling_nhwc_min_unsigned" window2 PoolMinUnsigned "nhwcpq" ["n hp wq c", "p q", "n h w c"];
    "1-D sum pooling, channels last." PoolingNwcSum "linalg.pooling_nwc_sum" window1 PoolSum "nwcp" ["n wp c", "p", "n w c"];
    "1-D sum pooling, channels first." PoolingNcwSum "linalg.pooling_ncw_sum" window1 PoolSum "ncwp" ["n c wp", "p", "n c w"];
    "1-D max pooling, channels last." PoolingNwcMax "linalg.pooling_nwc_max" window1 PoolMax "nwcp" ["n wp c", "p", "n w c"];
    "1-D unsigned max pooling, channels last." PoolingNwcMaxUnsigned "linalg.pooling_nwc_max_unsigned" window1 PoolMaxUnsigned "nwcp" ["n wp c", "p", "n w c"];
    "1-D max pooling, channels first." PoolingNcwMax "linalg.pooling_ncw_max" window1 PoolMax "ncwp" ["n c wp", "p", "n c w"];
    "1-D min pooling, channels last." PoolingNwcMin "linalg.pooling_nwc_min" window1 PoolMin "nwcp" ["n wp c", "p", "n w c"];
    "1-D unsigned min pooling, channels last." PoolingNwcMinUnsigned "linalg.pooling_nwc_min_unsigned" window1 PoolMinUnsigned "nwcp" ["n wp c", "p", "n w c"];
    "3-D sum pooling, channels last." PoolingNdhwcSum "linalg.pooling_ndhwc_sum" window3 PoolSum "ndhwcpqr" ["n dp hq wr c", "p q r", "n d h w c"];
    "3-D max pooling, channels last." PoolingNdhwcMax "linalg.pooling_ndhwc_max" window3 PoolMax "ndhwcpqr" ["n dp hq wr c", "p q r", "n d h w c"];
    "3-D min pooling, channels last." PoolingNdhwcMin "linalg.pooling_ndhwc_min" window3 PoolMin "ndhwcpqr" ["n dp hq wr c", "p q r", "n d h w c"];
    "A contraction of two arrays along the dimensions that the indexing maps determine." Contract "linalg.contract" contract MulAdd "" [];
    "Quantized matrix product with zero points." QuantizedMatmul "linalg.quantized_matmul" plain MulAddZeroPoints "mnk" ["m k", "k n", "", "", "m n"];
    "Quantized batched matrix product with zero points." QuantizedBatchMatmul "linalg.quantized_batch_matmul" plain MulAddZeroPoints "bmnk" ["b m k", "b k n", "", "", "b m n"];
    "Quantized 2-D convolution with zero points, channels last." Conv2DNhwcHwcfQ "linalg.conv_2d_nhwc_hwcf_q" window2 MulAddZeroPoints "nhwfpqc" ["n hp wq c", "p q c f", "", "", "n h w f"];
    "Quantized 2-D convolution with zero points, channels last, filters first." Conv2DNhwcFhwcQ "linalg.conv_2d_nhwc_fhwc_q" window2 MulAddZeroPoints "nhwfpqc" ["n hp wq c", "f p q c", "", "", "n h w f"];
    "Quantized 2-D convolution with zero points, channels first." Conv2DNchwFchwQ "linalg.conv_2d_nchw_fchw_q" window2 MulAddZeroPoints "nfhwcpq" ["n c hp wq", "f c p q", "", "", "n f h w"];
    "Quantized 2-D grouped convolution with zero points, channels and filter groups first." Conv2DNgchwGfchwQ "linalg.conv_2d_ngchw_gfchw_q" window2 MulAddZeroPoints "ngfhwcpq" ["n g c hp wq", "g f c p q", "", "", "n g f h w"];
    "Quantized 2-D grouped convolution with zero points, channels last." Conv2DNhwgcGfhwcQ "linalg.conv_2d_nhwgc_gfhwc_q" window2 MulAddZeroPoints "nhwgfpqc" ["n hp wq g c", "g f p q c", "", "", "n h w g f"];
    "Quantized 3-D convolution with zero points, channels last." Conv3DNdhwcDhwcfQ "linalg.conv_3d_ndhwc_dhwcf_q" window3 MulAddZeroPoints "ndhwfpqrc" ["n dp hq wr c", "p q r c f", "", "", "n d h w f"];
    "Quantized 2-D depthwise convolution with zero points, channels last." DepthwiseConv2DNhwcHwcQ "linalg.depthwise_conv_2d_nhwc_hwc_q" window2 MulAddZeroPoints "nhwcpq" ["n hp wq c", "p q c", "", "", "n h w c"];
    "Quantized 2-D depthwise convolution with zero points and a channel multiplier, channels last." DepthwiseConv2DNhwcHwcmQ "linalg.depthwise_conv_2d_nhwc_hwcm_q" window2 MulAddZeroPoints "nhwcmpq" ["n hp wq c", "p q c m", "", "", "n h w c m"];
    "Pseudo-random numbers between a minimum and a maximum, from a seed." FillRng2D "linalg.fill_rng_2d" plain Random "mn" ["", "", "", "m n"];
}
