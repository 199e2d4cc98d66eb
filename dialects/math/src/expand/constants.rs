//! Formats, and the coefficients for them.
//!
//! The polynomials are minimax approximations, computed with 300 bits and rounded to the format. Their errors are
//! relative to the function, on the reduced interval.

/// A floating-point format with its constants. Constants in several parts are sums of numbers of the format.
#[derive(Debug)]
pub struct Format {
    /// The width in bits.
    pub width: u32,
    /// The width of the mantissa in bits, without the implicit one.
    pub mantissa: u32,
    /// The bias of the exponent.
    pub bias: i64,
    /// `1.5 * 2^mantissa`: the sum with a small number is rounded to an integer.
    pub magic: f64,
    /// The least normal number.
    pub normal: f64,
    /// Below and above, the exponential function is rounded to zero and infinity.
    pub exp: [f64; 2],
    /// Below and above, `2^x` is rounded to zero and infinity.
    pub exp2: [f64; 2],
    /// Below, `e^x - 1` is rounded to -1.
    pub expm1_low: f64,
    /// From here on, the error function is rounded to one.
    pub erf_high: f64,
    /// ln 2; the products of the first part with exponents are exact.
    pub ln2: [f64; 2],
    /// ln 2 to twice the precision.
    pub ln2_exact: [f64; 2],
    /// The binary logarithm of e to twice the precision.
    pub log2e: [f64; 2],
    /// 1/3 to twice the precision.
    pub third: [f64; 2],
    /// π in three parts.
    pub pi: [f64; 3],
    /// Numbers nearer to π/2 than this have a sine that is rounded to one.
    pub sin_one: f64,
    /// `(e^r - 1 - r) / r^2`, for `|r| <= ln 2 / 2`.
    pub exp_poly: &'static [f64],
    /// `(2 atanh(s) / s - 2) / z` in `z = s^2`, for `|s| <= 0.172`.
    pub log_poly: &'static [f64],
    /// `((atanh(s) / s - 1) / z - 1/3) / z` in `z = s^2`, for `|s| <= 0.172`.
    pub pow_poly: &'static [f64],
    /// `(sin(r) - r) / r^3` in `r^2`, for `|r| <= π/2 + 0.006`. The last coefficient is less than in the best
    /// approximation: near π/2 the sum is too small by a quarter of an ulp, so that rounding errors do not raise it above 1,
    /// where an ulp is twice as large.
    pub sin_poly: &'static [f64],
    /// `erf(x) / x - 1` in `x^2`, for `|x| <= 1`.
    pub erf_small: &'static [f64],
    /// `-ln(1 - erf(t + 1))`, up to `erf_high`, weighted by `1 - erf`.
    pub erf_large: &'static [f64],
}

/// `f32`.
pub static SINGLE: Format = Format {
    width: 32,
    mantissa: 23,
    bias: 127,
    magic: 12582912.0,
    normal: 1.1754943508222875e-38,
    exp: [-104.0, 89.0],
    exp2: [-151.0, 129.0],
    expm1_low: -18.0,
    erf_high: 4.0,
    ln2: [0.693145751953125, 1.428606765330187e-06],
    ln2_exact: [0.6931471824645996, -1.9046542121259336e-09],
    log2e: [1.4426950216293335, 1.925963033500011e-08],
    third: [0.3333333432674408, -9.934107758624577e-09],
    pi: [3.1415927410125732, -8.742277657347586e-08, -3.4302490200117637e-15],
    sin_one: 0.000244,
    // 2^-26.5.
    exp_poly: &[0.5, 0.16666576266288757, 0.04166637361049652, 0.008363207802176476, 0.0013941157376393676],
    // 2^-31.6.
    log_poly: &[0.6666666865348816, 0.4000012278556824, 0.2855065166950226, 0.23334720730781555],
    // 2^-38.3.
    pow_poly: &[0.20000000298023224, 0.14285767078399658, 0.11102309823036194, 0.09561999887228012],
    // 2^-31.0.
    sin_poly: &[
        -0.1666666716337204,
        0.008333350531756878,
        -0.00019843093468807638,
        2.7627033887256403e-06,
        -2.5602142628144975e-08,
    ],
    // 2^-26.0.
    erf_small: &[
        0.12837916612625122,
        -0.3761262595653534,
        0.11283600330352783,
        -0.026854444295167923,
        0.005189535673707724,
        -0.0008020845707505941,
        7.889133848948404e-05,
    ],
    // 2^-26.9.
    erf_large: &[
        1.8496055603027344,
        2.638967514038086,
        0.8431068658828735,
        0.04156478866934776,
        -0.010050054639577866,
        0.0020172225777059793,
        -0.0002936518285423517,
        2.3318740204558708e-05,
        -2.540261903050123e-07,
    ],
};

/// `f64`.
pub static DOUBLE: Format = Format {
    width: 64,
    mantissa: 52,
    bias: 1023,
    magic: 6755399441055744.0,
    normal: f64::MIN_POSITIVE,
    exp: [-746.0, 710.0],
    exp2: [-1076.0, 1025.0],
    expm1_low: -38.0,
    erf_high: 6.0,
    ln2: [0.6931471805599472, -1.8641886737243033e-15],
    ln2_exact: [std::f64::consts::LN_2, 2.3190468138462996e-17],
    log2e: [std::f64::consts::LOG2_E, 2.0355273740931033e-17],
    third: [0.3333333333333333, 1.850371707708594e-17],
    pi: [std::f64::consts::PI, 1.2246467991473532e-16, -2.9947698097183397e-33],
    sin_one: 1.0536e-8,
    // 2^-61.4.
    exp_poly: &[
        0.5,
        0.1666666666666667,
        0.041666666666666685,
        0.008333333333326112,
        0.001388888888887449,
        0.00019841269874902156,
        2.4801587347245562e-05,
        2.755725529551381e-06,
        2.755725292479414e-07,
        2.5105260855059364e-08,
        2.0921602862547216e-09,
    ],
    // 2^-57.5.
    log_poly: &[
        0.666666666666667,
        0.39999999999897184,
        0.28571428626968337,
        0.222222109802599,
        0.18182899944696834,
        0.15331373937946177,
        0.14620623377106665,
    ],
    // 2^-66.5.
    pow_poly: &[
        0.2,
        0.14285714285714282,
        0.11111111111114287,
        0.09090909089807445,
        0.07692307883553566,
        0.06666648040355151,
        0.05883416136861374,
        0.0522795368314739,
        0.05383077879020844,
    ],
    // 2^-61.3.
    sin_poly: &[
        -0.16666666666666666,
        0.00833333333333319,
        -0.0001984126984119208,
        2.75573192033206e-06,
        -2.5052105268112234e-08,
        1.6058759070866593e-10,
        -7.631104466127021e-13,
        2.2648269407205052e-15,
        9.473637461640077e-17,
        -8.222729926305749e-18,
    ],
    // 2^-56.0.
    erf_small: &[
        0.1283791670955126,
        -0.3761263890318375,
        0.11283791670954885,
        -0.02686617064507787,
        0.005223977624828395,
        -0.0008548326981423788,
        0.00012055331132903609,
        -1.4925595771172962e-05,
        1.6461008464751155e-06,
        -1.6350396108648497e-07,
        1.4660328064339042e-08,
        -1.1374953447997308e-09,
        5.960681677686845e-11,
    ],
    // 2^-56.1.
    erf_large: &[
        1.8496055099332482,
        2.6389675142347864,
        0.8431072563588481,
        0.041561098038139295,
        -0.010033825343623438,
        0.001977902462856879,
        -0.0002373225274812801,
        -2.6276137300767124e-05,
        2.7151838502103012e-05,
        -9.591673228482726e-06,
        2.032381532318372e-06,
        -1.1174608473580709e-07,
        -1.2360432764589697e-07,
        6.833526790227714e-08,
        -2.2562672319720596e-08,
        5.5515258449731615e-09,
        -1.0670679585394422e-09,
        1.6091790229940042e-10,
        -1.8731686153964103e-11,
        1.626323194124304e-12,
        -9.913825524616959e-14,
        3.782764844484409e-15,
        -6.792260828231511e-17,
    ],
};
