//! Primitives: built-in functions with their own typing rules.

/// A primitive. `I n` denotes the type of indices of rank n (`Integer`, or a tuple of n of them):
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Prim {
    /// `I n, (Lam (I n) T)` to `Tensor n T`
    Build,
    /// `I n, (Lam (I n) T)` to `T`
    SumBuild,
    /// `(Lam (Tuple A B) A), A, Vec B` to `A`
    Fold,
    /// `(Lam A B), Tensor n A` to `Tensor n B`
    Map,
    /// `(Lam (Tuple A B) C), Tensor n A, Tensor n B` to `Tensor n C`
    Map2,
    /// `I n, Tensor n T` to `T`
    Index,
    /// `Tensor n T` to `I n`
    Size,
    /// `Tensor n T` to `T`
    Sum,
    /// `I n, T` to `Tensor n T`
    ConstVec,
    /// size `I n`, index `I n`, value `T`, to `Tensor n T`
    DeltaVec,
    /// `I n, I n, T` to `T`: the value if the indices are equal, else zero
    Delta,
    /// `Integer, Integer, (Lam Integer T)` to `Vec (Vec T)`
    Diag,
    /// `T, T, ...` to `Vec T`
    VecInit,
    /// `Tensor n (Tuple A B ...)` to `Tuple (Tensor n A) (Tensor n B) ...`
    Unzip,
    /// `T` to its shape
    Shape,
    /// `Tensor n S, I m, (Lam (I m) (Tuple (I n) T))` to `Tensor n T`, where `S` is the shape of `T`
    BuildFromSparse,
    /// Like `BuildFromSparse`, with a tuple of shapes, and of indices and values per component
    BuildFromSparseTupled,
    /// `T`, tangent of `T`, to `T`
    TsAdd,
    /// `Float, T` to `T`
    TsScale,
    /// `T, T` to `Float`
    TsDot,
    /// `T` to `T`
    TsNeg,
    /// `T, T` to `Bool`
    Eq,
    /// `T, T` to `Bool`
    Ne,
    /// Anything to `Integer`
    Print,
    /// `T` to `T`; prints the value
    Trace,
    /// `f : Lam S T`, `rev : Lam (Tuple S dT) dS`, `S`, `dS`, `dT` to `Float`
    Check,
    /// A lambda, to the time of one call in microseconds, `Float`
    Bench,
    /// `T` to `T`
    Inline,
    /// `T` to `T`
    CopyDown,
    /// `(LM S T)`, tangent of `S`, to tangent of `T`
    LmApply,
    /// Tangent of `T`, `(LM S T)`, to tangent of `S`: the transposed map
    LmApplyR,
    /// `S, T` to `LM S T`: the zero map between their tangents
    LmZero,
    /// `T` to `LM T T`: the identity on its tangents
    LmOne,
    /// `T, Float` to `LM T T`: multiplication by the number
    LmScale,
    /// `T` to `LM Float T`: from a number to that multiple of the value
    LmScaleR,
    /// `T` to `LM T Float`: the inner product with the value
    LmDot,
    /// `(LM B C), (LM A B)` to `LM A C`: the first after the second
    LmCompose,
    /// `(LM S T), (LM S T)` to `LM S T`: the sum
    LmAdd,
    /// `(LM A T), (LM B T), ...` to `LM (Tuple A B ...) T`: the sum of the maps of the components
    LmHCat,
    /// `(LM S A), (LM S B), ...` to `LM S (Tuple A B ...)`: a map for each component
    LmVCat,
    /// `Tensor n (LM S T)` to `LM (Tensor n S) T`: the sum of the maps of the elements
    LmHCatV,
    /// `Tensor n (LM S T)` to `LM S (Tensor n T)`: a map for each element
    LmVCatV,
    /// `I n, (Lam (I n) (LM S T))` to `LM S (Tensor n T)`: `lmVCatV` of a `build`
    LmBuild,
    /// `I n, (Lam (I n) (LM S T))` to `LM (Tensor n S) T`: `lmHCatV` of a `build`
    LmBuildT,
    /// `dS, (Lam (Tuple A B) A), (Lam (Tuple A B) (LM (Tuple S (Tuple A B)) A)), A, Vec B` to
    /// `LM (Tuple S (Tuple A (Vec B))) A`: the derivative of a `fold` in its free variables, its start and its vector
    LmFold,
    /// `(Lam (Tuple A B) A), A, Vec B, (Lam (Tuple (Tuple A B) (Tuple dA dB)) dA), dA, dVec` to `dA`: `lmFold`, applied
    FFold,
    /// `dB, dS, (Lam (Tuple A B) A), (Lam (Tuple (Tuple A B) dA) (Tuple dS (Tuple dA dB))), A, Vec B, dA` to
    /// `Tuple dS (Tuple dA dVec)`: the transpose of `lmFold`, applied
    RFold,
    /// `(Lam S (Tuple T B)), Tensor n S` to `Tuple (Tensor n T) (Tensor n B)`: the forward pass of a `map`
    SufFwdPassMap,
    /// `E, (Lam (Tuple dT B) (Tuple dS E)), Tensor n dT, Tensor n B` to `Tuple (Tensor n dS) E`: the reverse pass of a `map`,
    /// with the sum of the tangents of the free variables, which begins with the first argument
    SufRevPassMap,
    /// `T` to `Tuple`
    Elim,
    /// `T` to a tuple of `arity` copies.
    Dup {
        /// The number of copies.
        arity: u32,
    },
    /// Component `index` (1-based) of a tuple of `arity` components.
    Get {
        /// The component, from 1 to `arity`.
        index: u32,
        /// The number of components.
        arity: u32,
    },
}

impl Prim {
    /// All primitives except [`Prim::Get`] and [`Prim::Dup`], with their names.
    pub const NAMED: [(&'static str, Prim); 50] = [
        ("build", Prim::Build),
        ("sumbuild", Prim::SumBuild),
        ("fold", Prim::Fold),
        ("map", Prim::Map),
        ("map2", Prim::Map2),
        ("index", Prim::Index),
        ("size", Prim::Size),
        ("sum", Prim::Sum),
        ("constVec", Prim::ConstVec),
        ("deltaVec", Prim::DeltaVec),
        ("delta", Prim::Delta),
        ("diag", Prim::Diag),
        ("Vec_init", Prim::VecInit),
        ("unzip", Prim::Unzip),
        ("shape", Prim::Shape),
        ("buildFromSparse", Prim::BuildFromSparse),
        ("buildFromSparseTupled", Prim::BuildFromSparseTupled),
        ("ts_add", Prim::TsAdd),
        ("ts_scale", Prim::TsScale),
        ("ts_dot", Prim::TsDot),
        ("ts_neg", Prim::TsNeg),
        ("eq", Prim::Eq),
        ("ne", Prim::Ne),
        ("print", Prim::Print),
        ("$trace", Prim::Trace),
        ("$check", Prim::Check),
        ("$BENCH", Prim::Bench),
        ("$inline", Prim::Inline),
        ("$copydown", Prim::CopyDown),
        ("lmApply", Prim::LmApply),
        ("lmApplyR", Prim::LmApplyR),
        ("lmZero", Prim::LmZero),
        ("lmOne", Prim::LmOne),
        ("lmScale", Prim::LmScale),
        ("lmScaleR", Prim::LmScaleR),
        ("lmDot", Prim::LmDot),
        ("lmCompose", Prim::LmCompose),
        ("lmAdd", Prim::LmAdd),
        ("lmHCat", Prim::LmHCat),
        ("lmVCat", Prim::LmVCat),
        ("lmHCatV", Prim::LmHCatV),
        ("lmVCatV", Prim::LmVCatV),
        ("lmBuild", Prim::LmBuild),
        ("lmBuildT", Prim::LmBuildT),
        ("lmFold", Prim::LmFold),
        ("FFold", Prim::FFold),
        ("RFold", Prim::RFold),
        ("suffwdpass_map", Prim::SufFwdPassMap),
        ("sufrevpass_map", Prim::SufRevPassMap),
        ("elim", Prim::Elim),
    ];

    /// The primitive with this name; `get$i$n` and `dup$n` accept any numbers, including invalid ones.
    pub fn named(name: &str) -> Option<Prim> {
        if let Some(arity) = name.strip_prefix("dup$") {
            let is_number = arity.bytes().all(|byte| byte.is_ascii_digit());
            return is_number.then(|| arity.parse().ok()).flatten().map(|arity| Prim::Dup { arity });
        }
        if let Some(numbers) = name.strip_prefix("get$") {
            let (index, arity) = numbers.split_once('$')?;
            let number =
                |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?;
            return Some(Prim::Get { index: number(index)?, arity: number(arity)? });
        }
        Self::NAMED.iter().find(|(it, _)| *it == name).map(|&(_, prim)| prim)
    }

    /// The source name.
    pub fn name(self) -> String {
        match self {
            Prim::Get { index, arity } => format!("get${index}${arity}"),
            Prim::Dup { arity } => format!("dup${arity}"),
            prim => Self::NAMED.iter().find(|(_, it)| *it == prim).map_or("", |(name, _)| name).to_owned(),
        }
    }

    /// The number of arguments; `None` if variadic.
    pub fn arity(self) -> Option<usize> {
        Some(match self {
            Prim::VecInit | Prim::Print | Prim::LmHCat | Prim::LmVCat => return None,
            Prim::Size | Prim::Sum | Prim::Unzip | Prim::Shape | Prim::TsNeg => 1,
            Prim::Trace | Prim::Bench | Prim::Inline | Prim::CopyDown | Prim::Get { .. } => 1,
            Prim::Elim | Prim::Dup { .. } => 1,
            Prim::SufFwdPassMap => 2,
            Prim::SufRevPassMap => 4,
            Prim::FFold => 6,
            Prim::RFold => 7,
            Prim::Build | Prim::SumBuild | Prim::Map | Prim::Index | Prim::ConstVec => 2,
            Prim::TsAdd | Prim::TsScale | Prim::TsDot | Prim::Eq | Prim::Ne => 2,
            Prim::LmOne | Prim::LmScaleR | Prim::LmDot | Prim::LmHCatV | Prim::LmVCatV => 1,
            Prim::LmApply | Prim::LmApplyR | Prim::LmZero | Prim::LmScale => 2,
            Prim::LmCompose | Prim::LmAdd | Prim::LmBuild | Prim::LmBuildT => 2,
            Prim::Fold | Prim::Map2 | Prim::DeltaVec | Prim::Delta | Prim::Diag => 3,
            Prim::BuildFromSparse | Prim::BuildFromSparseTupled => 3,
            Prim::Check | Prim::LmFold => 5,
        })
    }

    /// The indices of the lambda arguments.
    pub fn lambda_args(self) -> &'static [usize] {
        match self {
            Prim::Build | Prim::SumBuild | Prim::LmBuild | Prim::LmBuildT => &[1],
            Prim::Fold | Prim::Map | Prim::Map2 | Prim::Bench | Prim::SufFwdPassMap => &[0],
            Prim::SufRevPassMap => &[1],
            Prim::LmFold => &[1, 2],
            Prim::FFold => &[0, 3],
            Prim::RFold => &[2, 3],
            Prim::Diag | Prim::BuildFromSparse | Prim::BuildFromSparseTupled => &[2],
            Prim::Check => &[0, 1],
            _ => &[],
        }
    }

    /// The signature, for messages.
    pub fn signature(self) -> String {
        let text = match self {
            Prim::Build => "(build size (lam (i : Index) T)) -> Tensor of T",
            Prim::SumBuild => "(sumbuild size (lam (i : Index) T)) -> T",
            Prim::Fold => "(fold (lam (acc_x : Tuple A B) A) A (Vec B)) -> A",
            Prim::Map => "(map (lam (x : A) B) (Tensor n A)) -> (Tensor n B)",
            Prim::Map2 => "(map2 (lam (xy : Tuple A B) C) (Tensor n A) (Tensor n B)) -> (Tensor n C)",
            Prim::Index => "(index index (Tensor n T)) -> T",
            Prim::Size => "(size (Tensor n T)) -> the size, an Integer or a tuple of n Integers",
            Prim::Sum => "(sum (Tensor n T)) -> T",
            Prim::ConstVec => "(constVec size T) -> Tensor of T",
            Prim::DeltaVec => "(deltaVec size index T) -> Tensor of T",
            Prim::Delta => "(delta index index T) -> T",
            Prim::Diag => "(diag Integer Integer (lam (i : Integer) T)) -> (Vec (Vec T))",
            Prim::VecInit => "(Vec_init T T ...) -> (Vec T)",
            Prim::Unzip => "(unzip (Tensor n (Tuple A B ...))) -> (Tuple (Tensor n A) (Tensor n B) ...)",
            Prim::Shape => "(shape T) -> the shape of T",
            Prim::BuildFromSparse => {
                "(buildFromSparse shape size (lam (i : Index) (Tuple Index T))) -> Tensor of T"
            }
            Prim::BuildFromSparseTupled => {
                "(buildFromSparseTupled (Tuple shape ...) size (lam (i : Index) (Tuple (Tuple Index T) ...))) \
                 -> (Tuple tensor ...)"
            }
            Prim::TsAdd => "(ts_add T (tangent of T)) -> T",
            Prim::TsScale => "(ts_scale Float T) -> T",
            Prim::TsDot => "(ts_dot T T) -> Float",
            Prim::TsNeg => "(ts_neg T) -> T",
            Prim::Eq => "(eq T T) -> Bool",
            Prim::Ne => "(ne T T) -> Bool",
            Prim::Print => "(print value ...) -> Integer",
            Prim::Trace => "($trace T) -> T",
            Prim::Check => {
                "($check (lam (x : S) T) (lam (t : Tuple S dT) dS) S dS dT) -> Float, where dS is the tangent of S"
            }
            Prim::Bench => "($BENCH (lam (x : Tuple) number)) -> Float",
            Prim::Inline => "($inline T) -> T",
            Prim::CopyDown => "($copydown T) -> T",
            Prim::LmApply => "(lmApply (LM S T) (tangent of S)) -> (tangent of T)",
            Prim::LmApplyR => "(lmApplyR (tangent of T) (LM S T)) -> (tangent of S)",
            Prim::LmZero => "(lmZero S T) -> (LM S T)",
            Prim::LmOne => "(lmOne T) -> (LM T T)",
            Prim::LmScale => "(lmScale T Float) -> (LM T T)",
            Prim::LmScaleR => "(lmScaleR T) -> (LM Float T)",
            Prim::LmDot => "(lmDot T) -> (LM T Float)",
            Prim::LmCompose => "(lmCompose (LM B C) (LM A B)) -> (LM A C)",
            Prim::LmAdd => "(lmAdd (LM S T) (LM S T)) -> (LM S T)",
            Prim::LmHCat => "(lmHCat (LM A T) (LM B T) ...) -> (LM (Tuple A B ...) T)",
            Prim::LmVCat => "(lmVCat (LM S A) (LM S B) ...) -> (LM S (Tuple A B ...))",
            Prim::LmHCatV => "(lmHCatV (Tensor n (LM S T))) -> (LM (Tensor n S) T)",
            Prim::LmVCatV => "(lmVCatV (Tensor n (LM S T))) -> (LM S (Tensor n T))",
            Prim::LmBuild => "(lmBuild size (lam (i : Index) (LM S T))) -> (LM S (Tensor of T))",
            Prim::LmBuildT => "(lmBuildT size (lam (i : Index) (LM S T))) -> (LM (Tensor of S) T)",
            Prim::LmFold => {
                "(lmFold (tangent of S) (lam (ab : Tuple A B) A) (lam (ab : Tuple A B) (LM (Tuple S (Tuple A B)) A)) A (Vec B)) \
                 -> (LM (Tuple S (Tuple A (Vec B))) A)"
            }
            Prim::FFold => {
                "(FFold (lam (ab : Tuple A B) A) A (Vec B) (lam (t : Tuple (Tuple A B) (Tuple dA dB)) dA) dA (Vec dB)) \
                 -> dA, where dA is the tangent of A"
            }
            Prim::RFold => {
                "(RFold dB dS (lam (ab : Tuple A B) A) (lam (t : Tuple (Tuple A B) dA) (Tuple dS (Tuple dA dB))) A (Vec B) dA) \
                 -> (Tuple dS (Tuple dA (Vec dB))), where dA is the tangent of A"
            }
            Prim::SufFwdPassMap => {
                "(suffwdpass_map (lam (x : S) (Tuple T B)) (Tensor n S)) -> (Tuple (Tensor n T) (Tensor n B))"
            }
            Prim::SufRevPassMap => {
                "(sufrevpass_map E (lam (t : Tuple dT B) (Tuple dS E)) (Tensor n dT) (Tensor n B)) -> (Tuple (Tensor n dS) E)"
            }
            Prim::Elim => "(elim T) -> (Tuple)",
            Prim::Dup { .. } => {
                return format!(
                    "({} T) -> a tuple of {} copies",
                    self.name(),
                    self.name().trim_start_matches("dup$")
                );
            }
            Prim::Get { .. } => return format!("({} tuple) -> the component", self.name()),
        };
        text.to_owned()
    }
}

/// The reason why a name that the reference compiler reserves cannot be called, and the form to write instead.
pub(crate) fn without_type(name: &str) -> Option<(&'static str, &'static str)> {
    Some(match name {
        "lmVariant" => (
            "ksc reserves the name for one of two linear maps, but gives it no type",
            "choose between the maps by 'if'",
        ),
        "lmApplyT" | "lmApplyTR" | "lmDummyFold" => (
            "ksc uses the name while it optimizes, but no program can call it",
            "apply a map by 'lmApply' or 'lmApplyR'",
        ),
        _ => return None,
    })
}
