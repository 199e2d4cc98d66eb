//! The named operations: a table of index maps and scalar computations.
//!
//! A named operation is a `linalg.generic` whose maps and region are fixed. The region is there, but the text leaves it
//! out; the maps follow from the table and, for windows, from strides and dilations.

use crate::constraints::{TYPE_FN, WINDOW_1, WINDOW_2, WINDOW_3};
use crate::named_text::{parse, print};
use crate::scalar::Combine;
use crate::{matmul, structured};
use minoan_ir::affine::{AffineExpr, AffineMap, AffineOp};
use minoan_ir::constraints::{AFFINE_MAP_ARRAY, ANY, RANKED_TENSOR, SHAPED};
use minoan_ir::verify::bare;
use minoan_ir::{Attr, AttrData, Context, DialectBuilder, OpRef, Type, Violation, op};

/// What is known of a named operation.
pub(crate) struct Named {
    name: &'static str,
    /// A letter for each dimension of the iteration domain; empty where it has the rank of the output.
    dims: &'static str,
    /// For each operand the indices, between spaces: a letter is a dimension, two are `x * stride + y * dilation`.
    maps: &'static [&'static str],
    /// Number of operands.
    pub(crate) operands: usize,
    pub(crate) combine: Combine,
}

impl Named {
    pub(crate) fn of(name: &str) -> Option<&'static Named> {
        NAMED.iter().find(|named| named.name == name)
    }

    /// The maps; `strides` and `dilations` belong to the windows in order.
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

    /// Whether an index is made of two: where a window is, and where in it.
    fn has_windows(&self) -> bool {
        self.maps.iter().any(|map| map.split_whitespace().any(|index| index.len() > 1))
    }

    /// Whether upstream keeps the maps as an attribute, which only the generic form shows.
    pub(crate) fn memoizes(&self) -> bool {
        !self.dims.is_empty() && !self.has_maps()
    }

    /// Whether the maps are a property.
    pub(crate) fn has_maps(&self) -> bool {
        matches!(self.name, "linalg.matmul" | "linalg.batch_matmul" | "linalg.batch_reduce_matmul")
            || self.needs_maps()
    }

    /// Whether there are no maps but those that are written.
    pub(crate) fn needs_maps(&self) -> bool {
        self.name == "linalg.contract"
    }
}

/// How many operands an operation has that computes so.
const fn operands(combine: Combine) -> usize {
    1 + combine.inputs()
}

pub(crate) const MEMOIZED: &str = "linalg.memoized_indexing_maps";

/// The numbers of `dense<[2, 1]>` or `dense<1>` of `i64`; none where the attribute is absent or another one.
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

/// The maps of a named operation, one for each operand.
pub(crate) fn maps(op: OpRef<'_>) -> Option<Vec<AffineMap>> {
    let (named, ctx) = (Named::of(op.name())?, op.context());
    if let Some(maps) = op.attr_named("indexing_maps").and_then(|attr| attr.as_array(ctx)) {
        return maps.iter().map(|map| map.as_affine_map(ctx).cloned()).collect();
    }
    let rank = op.operand_types().last().and_then(|ty| ty.rank(ctx)).unwrap_or(0);
    let [strides, dilations] = ["strides", "dilations"].map(|name| factors(ctx, op.attr_named(name)));
    let mut maps = named.maps(op.n_operands(), rank, &strides, &dilations);
    if named.dims.is_empty() {
        // An element in the place of an array has no indices.
        for (map, _) in maps.iter_mut().zip(op.operand_types()).filter(|(_, ty)| ty.rank(ctx).is_none()) {
            *map = AffineMap::projection(rank as u32, &[]);
        }
    }
    Some(maps)
}

/// Checks that windows move, and that their elements are apart.
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

/// Checks the number of operands. The text of an operation with others could not be read back.
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
            /// What is read.
            #[operand(ANY)]
            inputs: Vec<Value>,
            /// What is written.
            #[operand(SHAPED)]
            outputs: Vec<Value>,
            $($extra)*
            /// The outputs, when they are tensors.
            #[result($result)]
            result_tensors: Vec<Value>,
            /// The scalar computation: fixed, and left out in text.
            #[region(non_empty)]
            region: Region,
        }
    };
    (@kind $doc:literal $op:ident $name:literal plain) => {
        named! { @op $doc $op $name structured::verify, RANKED_TENSOR, [] }
    };
    (@kind $doc:literal $op:ident $name:literal cast) => {
        named! { @op $doc $op $name structured::verify, RANKED_TENSOR, [
            /// How inputs are converted to the type of the output.
            #[attr(TYPE_FN, name = "cast")]
            conversion: Option<Attr>,
        ] }
    };
    (@kind $doc:literal $op:ident $name:literal maps) => {
        named! { @op $doc $op $name matmul::verify, RANKED_TENSOR, [
            /// One map for each operand.
            #[attr(AFFINE_MAP_ARRAY)]
            indexing_maps: Option<Attr>,
            /// How inputs are converted to the type of the output.
            #[attr(TYPE_FN, name = "cast")]
            conversion: Option<Attr>,
        ] }
    };
    (@kind $doc:literal $op:ident $name:literal contract) => {
        named! { @op $doc $op $name matmul::verify_contract, SHAPED, [
            /// One map for each operand.
            #[attr(AFFINE_MAP_ARRAY)]
            indexing_maps: Attr,
            /// How inputs are converted to the type of the output.
            #[attr(TYPE_FN, name = "cast")]
            conversion: Option<Attr>,
        ] }
    };
    (@kind $doc:literal $op:ident $name:literal window1) => { named! { @window $doc $op $name WINDOW_1 } };
    (@kind $doc:literal $op:ident $name:literal window2) => { named! { @window $doc $op $name WINDOW_2 } };
    (@kind $doc:literal $op:ident $name:literal window3) => { named! { @window $doc $op $name WINDOW_3 } };
    (@window $doc:literal $op:ident $name:literal $window:ident) => {
        named! { @op $doc $op $name structured::verify, RANKED_TENSOR, [
            /// How far apart windows are, in each dimension.
            #[attr($window)]
            strides: Option<Attr>,
            /// How far apart elements of a window are.
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

        /// Declares the operations of this file, and what they answer.
        pub(crate) fn declare(dialect: &mut DialectBuilder<'_>) {
            $(
                dialect.op::<$op>();
                crate::computed::<$op>(dialect);
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
    "A convolution of images, channels first." Conv2DNchwFchw "linalg.conv_2d_nchw_fchw" window2 MulAdd "nfhwcpq" ["n c hp wq", "f c p q", "n f h w"];
    "A convolution of images, channels last." Conv2DNhwcHwcf "linalg.conv_2d_nhwc_hwcf" window2 MulAdd "nhwfpqc" ["n hp wq c", "p q c f", "n h w f"];
    "Sums of windows, channels first." PoolingNchwSum "linalg.pooling_nchw_sum" window2 PoolSum "nchwpq" ["n c hp wq", "p q", "n c h w"];
    "Greatest elements of windows, channels first." PoolingNchwMax "linalg.pooling_nchw_max" window2 PoolMax "nchwpq" ["n c hp wq", "p q", "n c h w"];
    "Sums of windows, channels last." PoolingNhwcSum "linalg.pooling_nhwc_sum" window2 PoolSum "nhwcpq" ["n hp wq c", "p q", "n h w c"];
    "Greatest elements of windows, channels last." PoolingNhwcMax "linalg.pooling_nhwc_max" window2 PoolMax "nhwcpq" ["n hp wq c", "p q", "n h w c"];
    "Least elements of windows, channels last." PoolingNhwcMin "linalg.pooling_nhwc_min" window2 PoolMin "nhwcpq" ["n hp wq c", "p q", "n h w c"];
    "The next integer above, element by element." Ceil "linalg.ceil" plain Ceil "" [];
    "The next integer below, element by element." Floor "linalg.floor" plain Floor "" [];
    "The error function, element by element." Erf "linalg.erf" plain Erf "" [];
    "The nearest integer, element by element." Round "linalg.round" plain Round "" [];
    "The inverse of the square root, element by element." Rsqrt "linalg.rsqrt" plain Rsqrt "" [];
    "The inverse, element by element." Reciprocal "linalg.reciprocal" plain Reciprocal "" [];
    "The square, element by element." Square "linalg.square" plain Square "" [];
    "The unsigned quotient, element by element." DivUnsigned "linalg.div_unsigned" plain DivUnsigned "" [];
    "The power, element by element." PowF "linalg.powf" plain Pow "" [];
    "A choice of two by a condition, element by element." Select "linalg.select" plain Select "" [];
    "The products of lists of matrices and vectors." BatchMatvec "linalg.batch_matvec" plain MulAdd "bmk" ["b m k", "b k", "b m"];
    "The products of lists of vectors and matrices." BatchVecmat "linalg.batch_vecmat" plain MulAdd "bnk" ["b k", "b k n", "b n"];
    "The sum of the products of two lists of matrices." BatchReduceMatmul "linalg.batch_reduce_matmul" maps MulAdd "bmnk" ["b m k", "b k n", "m n"];
    "The product of matrices in tiles, the second one transposed." Mmt4D "linalg.mmt4d" plain MulAdd "mnkxyz" ["m k x z", "n k y z", "m n x y"];
    "The products of two lists of matrices in tiles, the second ones transposed." BatchMmt4D "linalg.batch_mmt4d" plain MulAdd "bmnkxyz" ["b m k x z", "b n k y z", "b m n x y"];
    "A convolution along one dimension." Conv1D "linalg.conv_1d" plain MulAdd "xp" ["xp", "p", "x"];
    "A convolution along two dimensions." Conv2D "linalg.conv_2d" plain MulAdd "xypq" ["xp yq", "p q", "x y"];
    "A convolution along three dimensions." Conv3D "linalg.conv_3d" plain MulAdd "xyzpqr" ["xp yq zr", "p q r", "x y z"];
    "A convolution of signals, channels last." Conv1DNwcWcf "linalg.conv_1d_nwc_wcf" window1 MulAdd "nwfpc" ["n wp c", "p c f", "n w f"];
    "A convolution of signals, channels first." Conv1DNcwFcw "linalg.conv_1d_ncw_fcw" window1 MulAdd "nfwcp" ["n c wp", "f c p", "n f w"];
    "A convolution of images, channels last, filters first." Conv2DNhwcFhwc "linalg.conv_2d_nhwc_fhwc" window2 MulAdd "nhwfpqc" ["n hp wq c", "f p q c", "n h w f"];
    "A convolution of images in groups, channels first." Conv2DNgchwFgchw "linalg.conv_2d_ngchw_fgchw" window2 MulAdd "ngfhwcpq" ["n g c hp wq", "f g c p q", "n g f h w"];
    "A convolution of images in groups, channels and groups of filters first." Conv2DNgchwGfchw "linalg.conv_2d_ngchw_gfchw" window2 MulAdd "ngfhwcpq" ["n g c hp wq", "g f c p q", "n g f h w"];
    "A convolution of images in groups, channels last." Conv2DNhwgcGfhwc "linalg.conv_2d_nhwgc_gfhwc" window2 MulAdd "nhwgfpqc" ["n hp wq g c", "g f p q c", "n h w g f"];
    "A convolution of volumes, channels last." Conv3DNdhwcDhwcf "linalg.conv_3d_ndhwc_dhwcf" window3 MulAdd "ndhwfpqrc" ["n dp hq wr c", "p q r c f", "n d h w f"];
    "A convolution of volumes, channels first." Conv3DNcdhwFcdhw "linalg.conv_3d_ncdhw_fcdhw" window3 MulAdd "nfdhwcpqr" ["n c dp hq wr", "f c p q r", "n f d h w"];
    "A convolution of signals channel by channel, channels last." DepthwiseConv1DNwcWc "linalg.depthwise_conv_1d_nwc_wc" window1 MulAdd "nwcp" ["n wp c", "p c", "n w c"];
    "A convolution of signals channel by channel, channels first." DepthwiseConv1DNcwCw "linalg.depthwise_conv_1d_ncw_cw" window1 MulAdd "nwcp" ["n c wp", "c p", "n c w"];
    "Several convolutions of signals channel by channel, channels last." DepthwiseConv1DNwcWcm "linalg.depthwise_conv_1d_nwc_wcm" window1 MulAdd "nwcmp" ["n wp c", "p c m", "n w c m"];
    "A convolution of images channel by channel, channels last." DepthwiseConv2DNhwcHwc "linalg.depthwise_conv_2d_nhwc_hwc" window2 MulAdd "nhwcpq" ["n hp wq c", "p q c", "n h w c"];
    "A convolution of images channel by channel, channels first." DepthwiseConv2DNchwChw "linalg.depthwise_conv_2d_nchw_chw" window2 MulAdd "nhwcpq" ["n c hp wq", "c p q", "n c h w"];
    "Several convolutions of images channel by channel, channels last." DepthwiseConv2DNhwcHwcm "linalg.depthwise_conv_2d_nhwc_hwcm" window2 MulAdd "nhwcmpq" ["n hp wq c", "p q c m", "n h w c m"];
    "A convolution of volumes channel by channel, channels last." DepthwiseConv3DNdhwcDhwc "linalg.depthwise_conv_3d_ndhwc_dhwc" window3 MulAdd "ndhwpqrc" ["n dp hq wr c", "p q r c", "n d h w c"];
    "A convolution of volumes channel by channel, channels first." DepthwiseConv3DNcdhwCdhw "linalg.depthwise_conv_3d_ncdhw_cdhw" window3 MulAdd "ndhwpqrc" ["n c dp hq wr", "c p q r", "n c d h w"];
    "Several convolutions of volumes channel by channel, channels last." DepthwiseConv3DNdhwcDhwcm "linalg.depthwise_conv_3d_ndhwc_dhwcm" window3 MulAdd "ndhwmpqrc" ["n dp hq wr c", "p q r c m", "n d h w c m"];
    "Greatest elements of windows, read as unsigned, channels last." PoolingNhwcMaxUnsigned "linalg.pooling_nhwc_max_unsigned" window2 PoolMaxUnsigned "nhwcpq" ["n hp wq c", "p q", "n h w c"];
    "Least elements of windows, read as unsigned, channels last." PoolingNhwcMinUnsigned "linalg.pooling_nhwc_min_unsigned" window2 PoolMinUnsigned "nhwcpq" ["n hp wq c", "p q", "n h w c"];
    "Sums of windows of signals, channels last." PoolingNwcSum "linalg.pooling_nwc_sum" window1 PoolSum "nwcp" ["n wp c", "p", "n w c"];
    "Sums of windows of signals, channels first." PoolingNcwSum "linalg.pooling_ncw_sum" window1 PoolSum "ncwp" ["n c wp", "p", "n c w"];
    "Greatest elements of windows of signals, channels last." PoolingNwcMax "linalg.pooling_nwc_max" window1 PoolMax "nwcp" ["n wp c", "p", "n w c"];
    "Greatest elements of windows of signals, read as unsigned, channels last." PoolingNwcMaxUnsigned "linalg.pooling_nwc_max_unsigned" window1 PoolMaxUnsigned "nwcp" ["n wp c", "p", "n w c"];
    "Greatest elements of windows of signals, channels first." PoolingNcwMax "linalg.pooling_ncw_max" window1 PoolMax "ncwp" ["n c wp", "p", "n c w"];
    "Least elements of windows of signals, channels last." PoolingNwcMin "linalg.pooling_nwc_min" window1 PoolMin "nwcp" ["n wp c", "p", "n w c"];
    "Least elements of windows of signals, read as unsigned, channels last." PoolingNwcMinUnsigned "linalg.pooling_nwc_min_unsigned" window1 PoolMinUnsigned "nwcp" ["n wp c", "p", "n w c"];
    "Sums of windows of volumes, channels last." PoolingNdhwcSum "linalg.pooling_ndhwc_sum" window3 PoolSum "ndhwcpqr" ["n dp hq wr c", "p q r", "n d h w c"];
    "Greatest elements of windows of volumes, channels last." PoolingNdhwcMax "linalg.pooling_ndhwc_max" window3 PoolMax "ndhwcpqr" ["n dp hq wr c", "p q r", "n d h w c"];
    "Least elements of windows of volumes, channels last." PoolingNdhwcMin "linalg.pooling_ndhwc_min" window3 PoolMin "ndhwcpqr" ["n dp hq wr c", "p q r", "n d h w c"];
    "A contraction: the sum of the products of elements of two arrays, along dimensions that maps say." Contract "linalg.contract" contract MulAdd "" [];
    "The product of two matrices less their zero points." QuantizedMatmul "linalg.quantized_matmul" plain MulAddZeroPoints "mnk" ["m k", "k n", "", "", "m n"];
    "The products of two lists of matrices less their zero points." QuantizedBatchMatmul "linalg.quantized_batch_matmul" plain MulAddZeroPoints "bmnk" ["b m k", "b k n", "", "", "b m n"];
    "A convolution of images less zero points, channels last." Conv2DNhwcHwcfQ "linalg.conv_2d_nhwc_hwcf_q" window2 MulAddZeroPoints "nhwfpqc" ["n hp wq c", "p q c f", "", "", "n h w f"];
    "A convolution of images less zero points, channels last, filters first." Conv2DNhwcFhwcQ "linalg.conv_2d_nhwc_fhwc_q" window2 MulAddZeroPoints "nhwfpqc" ["n hp wq c", "f p q c", "", "", "n h w f"];
    "A convolution of images less zero points, channels first." Conv2DNchwFchwQ "linalg.conv_2d_nchw_fchw_q" window2 MulAddZeroPoints "nfhwcpq" ["n c hp wq", "f c p q", "", "", "n f h w"];
    "A convolution of images in groups less zero points, channels and groups of filters first." Conv2DNgchwGfchwQ "linalg.conv_2d_ngchw_gfchw_q" window2 MulAddZeroPoints "ngfhwcpq" ["n g c hp wq", "g f c p q", "", "", "n g f h w"];
    "A convolution of images in groups less zero points, channels last." Conv2DNhwgcGfhwcQ "linalg.conv_2d_nhwgc_gfhwc_q" window2 MulAddZeroPoints "nhwgfpqc" ["n hp wq g c", "g f p q c", "", "", "n h w g f"];
    "A convolution of volumes less zero points, channels last." Conv3DNdhwcDhwcfQ "linalg.conv_3d_ndhwc_dhwcf_q" window3 MulAddZeroPoints "ndhwfpqrc" ["n dp hq wr c", "p q r c f", "", "", "n d h w f"];
    "A convolution of images less zero points channel by channel, channels last." DepthwiseConv2DNhwcHwcQ "linalg.depthwise_conv_2d_nhwc_hwc_q" window2 MulAddZeroPoints "nhwcpq" ["n hp wq c", "p q c", "", "", "n h w c"];
    "Several convolutions of images less zero points channel by channel, channels last." DepthwiseConv2DNhwcHwcmQ "linalg.depthwise_conv_2d_nhwc_hwcm_q" window2 MulAddZeroPoints "nhwcmpq" ["n hp wq c", "p q c m", "", "", "n h w c m"];
    "Random numbers between a least and a most, of a seed." FillRng2D "linalg.fill_rng_2d" plain Random "mn" ["", "", "", "m n"];
}
