//! Documentation of the built-in functions: meanings and examples.

use crate::prelude::PRELUDE;
use crate::prims::Prim;
use crate::types::Types;

/// The documentation of a built-in function, with all of its overloads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Builtin {
    /// The source name; `get$i$n` for the projections.
    pub name: &'static str,
    /// The meaning, in sentences.
    pub meaning: &'static str,
    /// Calls with their values; empty for functions that are only type-checked.
    pub examples: &'static [Example],
}

/// A call of a built-in function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Example {
    /// The expression.
    pub text: &'static str,
    /// Its type.
    pub ty: &'static str,
    /// Its value, as `kc run` prints it.
    pub value: &'static str,
}

impl Builtin {
    /// All built-in functions: primitives, then the prelude, in the order of their tables.
    pub fn all() -> impl Iterator<Item = &'static Builtin> {
        PRIMITIVES.iter().chain(FUNCTIONS)
    }

    /// The built-in function of a name; any projection for `get$1$2`.
    pub fn named(name: &str) -> Option<&'static Builtin> {
        let name = match Prim::named(name) {
            Some(Prim::Get { .. }) => PROJECTION,
            Some(Prim::Dup { .. }) => COPIES,
            _ => name,
        };
        Self::all().find(|builtin| builtin.name == name)
    }

    /// The signatures of the overloads, as in `(add Float Float) -> Float`.
    pub fn signatures(&self) -> Vec<String> {
        if self.name == PROJECTION {
            return vec!["(get$i$n (Tuple T1 .. Tn)) -> Ti".to_owned()];
        }
        if self.name == COPIES {
            return vec!["(dup$n T) -> (Tuple T .. T)".to_owned()];
        }
        if let Some(prim) = Prim::named(self.name) {
            return vec![prim.signature()];
        }
        let mut types = Types::new();
        let overloads = PRELUDE.iter().filter(|overload| overload.name == self.name);
        let text = overloads.map(|overload| {
            let mut text = format!("({}", self.name);
            for param in overload.params {
                let ty = param.intern(&mut types);
                text.push(' ');
                text.push_str(&types.text(ty));
            }
            let result = overload.result.intern(&mut types);
            format!("{text}) -> {}", types.text(result))
        });
        text.collect()
    }

    /// Whether the function is a primitive, with special typing rules, rather than a function of the prelude.
    pub fn is_primitive(&self) -> bool {
        [PROJECTION, COPIES].contains(&self.name) || Prim::named(self.name).is_some()
    }
}

const PROJECTION: &str = "get$i$n";

const COPIES: &str = "dup$n";

macro_rules! builtins {
    ($table:ident: $($name:literal $meaning:literal $([$text:literal : $ty:literal = $value:literal])*;)*) => {
        static $table: &[Builtin] = &[$(Builtin {
            name: $name,
            meaning: $meaning,
            examples: &[$(Example { text: $text, ty: $ty, value: $value }),*],
        }),*];
    };
}

builtins! { PRIMITIVES:
    "build" "The tensor of the given size whose element at `i` is the value of the lambda at `i`."
        ["(build 3 (lam (i : Integer) (mul i i)))": "(Vec Integer)" = "[0, 1, 4]"]
        ["(build (tuple 2 2) (lam (ij : Tuple Integer Integer) (let ((i j) ij) (sub i j))))"
            : "(Tensor 2 Integer)" = "[[0, -1], [1, 0]]"];
    "sumbuild" "The sum of the values of the lambda over all indices below the size, in an order that is left open; zero for an empty domain of numbers."
        ["(sumbuild 4 (lam (i : Integer) (to_float i)))": "Float" = "6"];
    "fold" "Left fold over a vector: the lambda maps the pair of accumulator and element to the next accumulator."
        ["(fold (lam (ax : Tuple Float Float) (sub (get$1$2 ax) (get$2$2 ax))) 10.0 (Vec_init 1.0 2.0))"
            : "Float" = "7"];
    "map" "Applies the lambda to each element of a tensor."
        ["(map (lam (x : Float) (mul x x)) (Vec_init 1.0 2.0 3.0))": "(Vec Float)" = "[1, 4, 9]"];
    "map2" "Applies the lambda to the pairs of elements of two tensors of one size."
        ["(map2 (lam (xy : Tuple Float Float) (mul (get$1$2 xy) (get$2$2 xy))) (Vec_init 1.0 2.0) (Vec_init 3.0 4.0))"
            : "(Vec Float)" = "[3, 8]"];
    "index" "The element of a tensor at an index, which counts from 0 and must be in bounds."
        ["(index 1 (Vec_init 5.0 6.0))": "Float" = "6"];
    "size" "The extents of a tensor."
        ["(size (Vec_init 5.0 6.0))": "Integer" = "2"]
        ["(size (constVec (tuple 2 3) 1.0))": "(Tuple Integer Integer)" = "(2, 3)"];
    "sum" "The sum of the elements of a tensor, in an order that is left open; `fold` adds from the first to the last."
        ["(sum (Vec_init 5.0 6.0))": "Float" = "11"];
    "constVec" "The tensor of the given size whose elements all have one value."
        ["(constVec 3 1.5)": "(Vec Float)" = "[1.5, 1.5, 1.5]"];
    "deltaVec" "The tensor of the given size (first) that has the value (third) at an index (second), and zeros elsewhere."
        ["(deltaVec 3 1 2.5)": "(Vec Float)" = "[0, 2.5, 0]"];
    "delta" "The value if both indices are equal, else zero."
        ["(delta 1 1 2.5)": "Float" = "2.5"]
        ["(delta 0 1 2.5)": "Float" = "0"];
    "diag" "The matrix with the given numbers of rows and columns, as a vector of rows, that has the values of the lambda on its diagonal."
        ["(diag 2 2 (lam (i : Integer) (to_float (add i 1))))": "(Vec (Vec Float))" = "[[1, 0], [0, 2]]"];
    "Vec_init" "The vector of the operands, at least one."
        ["(Vec_init 1 2 3)": "(Vec Integer)" = "[1, 2, 3]"];
    "unzip" "A tuple of tensors from a tensor of tuples."
        ["(unzip (Vec_init (tuple 1 2.5) (tuple 2 3.5)))": "(Tuple (Vec Integer) (Vec Float))" = "([1, 2], [2.5, 3.5])"];
    "shape" "The shape of a value: the empty tuple for scalars, the size for tensors of scalars, the shapes of the components for other \
             tensors and tuples."
        ["(shape (Vec_init 1.0 2.0))": "Integer" = "2"]
        ["(shape (tuple 1.0 (Vec_init (Vec_init 1.0) (Vec_init 1.0 2.0))))": "(Tuple (Tuple) (Vec Integer))" = "((), [1, 2])"];
    "buildFromSparse" "The tensor of the given shape whose elements are the sums of the updates, pairs of an index and a value. The shape \
                       of a tensor of scalars is a tensor of empty tuples."
        ["(buildFromSparse (constVec 3 (tuple)) 2 (lam (k : Integer) (tuple 1 (to_float (add k 1)))))"
            : "(Vec Float)" = "[0, 3, 0]"];
    "buildFromSparseTupled" "Like `buildFromSparse`, for several tensors at once: shapes, updates and results are tuples."
        ["(buildFromSparseTupled (tuple (constVec 2 (tuple)) (constVec 3 (tuple))) 2
  (lam (k : Integer) (tuple (tuple 0 1.0) (tuple k 2.0))))"
            : "(Tuple (Vec Float) (Vec Float))" = "([2, 0], [2, 2, 0])"];
    "ts_add" "Adds a tangent to a value; components without a tangent (integers, booleans, strings) are unchanged."
        ["(ts_add (tuple 1.5 3) (tuple 2.0 (tuple)))": "(Tuple Float Integer)" = "(3.5, 3)"];
    "ts_scale" "Multiplies all floats of a value by a factor."
        ["(ts_scale 2.0 (tuple 1.5 (Vec_init 1.0 2.0)))": "(Tuple Float (Vec Float))" = "(3, [2, 4])"];
    "ts_dot" "The inner product of two values: the sum of the products of corresponding floats."
        ["(ts_dot (Vec_init 1.0 2.0) (Vec_init 3.0 4.0))": "Float" = "11"];
    "ts_neg" "Negates all floats of a value."
        ["(ts_neg (tuple 1.5 -2.0))": "(Tuple Float Float)" = "(-1.5, 2)"];
    "eq" "Whether two values of one type are equal, component by component; NaN differs from everything."
        ["(eq (Vec_init 1 2) (Vec_init 1 2))": "Bool" = "true"];
    "ne" "The negation of `eq`."
        ["(ne 1 2)": "Bool" = "true"];
    "print" "Prints the operands, one after another. The value is the number of operands."
        ["(print \"x is \" 2)": "Integer" = "2"];
    "$trace" "Prints a value and returns it."
        ["($trace 2.5)": "Float" = "2.5"];
    "$check" "Compares a function with its reverse derivative at a point: the difference of <df(dx), dy> by finite differences and \
              <dx, rev(dy)>. Operands: the function, the reverse derivative, the argument, a tangent of it, a tangent of the result."
        ["(lt (abs ($check (lam (x : Float) (mul x x)) (lam (xd : Tuple Float Float) (mul (mul 2.0 (get$1$2 xd)) (get$2$2 xd))) 3.0 1.0 1.0)) 0.1)"
            : "Bool" = "true"];
    "$BENCH" "The least time of a call of the lambda, in microseconds: of at least 3 calls, for about 20 ms. The lambda takes the empty \
              tuple or the number of the call, and returns a number."
        ["(lt ($BENCH (lam (none : Tuple) (sumbuild 100 (lam (i : Integer) (to_float i))))) 1000000.0)": "Bool" = "true"];
    "$inline" "The operand; a hint for other Knossos compilers to inline the call."
        ["($inline (add 1.5 1.0))": "Float" = "2.5"];
    "$copydown" "The operand; a hint for other Knossos compilers to reuse memory."
        ["($copydown 2.5)": "Float" = "2.5"];
    "lmApply" "Applies a linear map to a tangent of its source; `[D f]` at a point is the linear map that is the derivative of `f` there. \
               Linear maps have no value at run time: functions that take or return them are inlined."
        ["(lmApply ([D mul] 2.0 3.0) (tuple 1.0 0.5))": "Float" = "4"];
    "lmApplyR" "Applies the transpose of a linear map to a tangent of its target."
        ["(lmApplyR 1.0 ([D mul] 2.0 3.0))": "(Tuple Float Float)" = "(3, 2)"];
    "lmZero" "The zero map between the tangents of two values, which give the sizes of its results."
        ["(lmApply (lmZero 1.0 (Vec_init 1.0 2.0)) 3.0)": "(Vec Float)" = "[0, 0]"];
    "lmOne" "The identity on the tangents of a value."
        ["(lmApply (lmOne 1.0) 3.0)": "Float" = "3"];
    "lmScale" "Multiplication of the tangents of a value by a number."
        ["(lmApply (lmScale (Vec_init 1.0 2.0) 2.0) (Vec_init 3.0 4.0))": "(Vec Float)" = "[6, 8]"];
    "lmScaleR" "The map from a number to that multiple of a value."
        ["(lmApply (lmScaleR (Vec_init 1.0 2.0)) 3.0)": "(Vec Float)" = "[3, 6]"];
    "lmDot" "The inner product with a value."
        ["(lmApply (lmDot (Vec_init 1.0 2.0)) (Vec_init 3.0 4.0))": "Float" = "11"];
    "lmCompose" "The composition of two maps: the first one after the second."
        ["(lmApply (lmCompose (lmScale 1.0 2.0) (lmScale 1.0 3.0)) 1.5)": "Float" = "9"];
    "lmAdd" "The sum of two maps."
        ["(lmApply (lmAdd (lmScale 1.0 2.0) (lmOne 1.0)) 1.5)": "Float" = "4.5"];
    "lmHCat" "The map from tuples that is the sum of a map for each component."
        ["(lmApply (lmHCat (lmOne 1.0) (lmScale 1.0 2.0)) (tuple 1.5 2.0))": "Float" = "5.5"];
    "lmVCat" "The map to tuples that has a map for each component."
        ["(lmApply (lmVCat (lmOne 1.0) (lmScale 1.0 2.0)) 1.5)": "(Tuple Float Float)" = "(1.5, 3)"];
    "lmHCatV" "The map from tensors that is the sum of a map for each element."
        ["(lmApply (lmHCatV (build 2 (lam (i : Integer) (lmScale 1.0 (to_float i))))) (Vec_init 3.0 4.0))": "Float" = "4"];
    "lmVCatV" "The map to tensors that has a map for each element."
        ["(lmApply (lmVCatV (build 2 (lam (i : Integer) (lmScale 1.0 (to_float i))))) 3.0)": "(Vec Float)" = "[0, 3]"];
    "lmBuild" "The map to tensors of the given size that has the map of the lambda for each element: `lmVCatV` of a `build`."
        ["(lmApply (lmBuild 2 (lam (i : Integer) (lmScale 1.0 (to_float i)))) 3.0)": "(Vec Float)" = "[0, 3]"];
    "lmBuildT" "The map from tensors of the given size that is the sum of the maps of the lambda: `lmHCatV` of a `build`."
        ["(lmApply (lmBuildT 2 (lam (i : Integer) (lmScale 1.0 (to_float i)))) (Vec_init 3.0 4.0))": "Float" = "4"];
    "lmFold" "The derivative of a `fold` as a map from the tangents of its free variables, its start and its vector. Operands: the zero \
              tangent of the free variables, the step, the derivative of the step in the free variables and its argument, the start, the vector."
        ["(lmApply (lmFold 0.0 (lam (ax : Tuple Float Float) (mul ax)) (lam (ax : Tuple Float Float)
  (lmHCat (lmScale 1.0 0.0) (lmHCat (lmScale 1.0 (get$2$2 ax)) (lmScale 1.0 (get$1$2 ax))))) 1.0 (Vec_init 2.0 3.0))
  (tuple 0.0 (tuple 0.0 (Vec_init 1.0 0.0))))": "Float" = "3"];
    "FFold" "The forward derivative of a `fold`: operands are the step, the start, the vector, the derivative of the step, and the tangents \
             of the start and of the vector."
        ["(FFold (lam (ax : Tuple Float Float) (mul ax)) 1.0 (Vec_init 2.0 3.0)
  (lam (t : Tuple (Tuple Float Float) (Tuple Float Float)) (let (((a x) (get$1$2 t)) ((da dx) (get$2$2 t))) (add (mul a dx) (mul da x))))
  0.0 (Vec_init 1.0 0.0))": "Float" = "3"];
    "RFold" "The reverse derivative of a `fold`: operands are a value of the type of the tangents of the elements, which is unused, the zero \
             tangent of the free variables, the step, its reverse derivative, the start, the vector, and a tangent of the result."
        ["(RFold 0.0 (tuple) (lam (ax : Tuple Float Float) (mul ax))
  (lam (t : Tuple (Tuple Float Float) Float) (let (((a x) (get$1$2 t)) (d (get$2$2 t))) (tuple (tuple) (tuple (mul d x) (mul d a)))))
  1.0 (Vec_init 2.0 3.0) 1.0)": "(Tuple (Tuple) (Tuple Float (Vec Float)))" = "((), (6, [3, 2]))"];
    "suffwdpass_map" "The forward pass of a `map`: the tensor of values and that of what the reverse pass needs."
        ["(suffwdpass_map (lam (x : Float) (tuple (mul x x) x)) (Vec_init 2.0 3.0))": "(Tuple (Vec Float) (Vec Float))" = "([4, 9], [2, 3])"];
    "sufrevpass_map" "The reverse pass of a `map`: the tensor of tangents, and the sum of those of the free variables. Operands: the start of \
                      this sum, the reverse pass of the lambda, the tangents of the results, what the forward pass has kept."
        ["(sufrevpass_map 0.0 (lam (t : Tuple Float Float) (let ((d x) t) (tuple (mul 2.0 (mul d x)) d))) (Vec_init 1.0 1.0) (Vec_init 2.0 3.0))"
            : "(Tuple (Vec Float) Float)" = "([4, 6], 2)"];
    "elim" "The empty tuple, for any operand."
        ["(elim 2.5)": "(Tuple)" = "()"];
    "get$i$n" "Component `i`, which counts from 1, of a tuple with `n` components."
        ["(get$2$3 (tuple 1 2.5 true))": "Float" = "2.5"];
    "dup$n" "A tuple of `n` copies of the operand, at most 1000."
        ["(dup$2 2.5)": "(Tuple Float Float)" = "(2.5, 2.5)"];
}

builtins! { FUNCTIONS:
    "add" "Sum. Integers wrap around."
        ["(add 1.5 2.0)": "Float" = "3.5"]
        ["(add 1 2)": "Integer" = "3"];
    "sub" "Difference; of two vectors of one size, or of each element and a number."
        ["(sub 1 2)": "Integer" = "-1"]
        ["(sub (Vec_init 3.0 4.0) 1.0)": "(Vec Float)" = "[2, 3]"];
    "mul" "Product; of a number and each element of a vector; of a matrix and a vector."
        ["(mul 2.5 2)": "Float" = "5"]
        ["(mul 2.0 (Vec_init 3.0 4.0))": "(Vec Float)" = "[6, 8]"]
        ["(mul (constVec (tuple 2 2) 1.0) (Vec_init 3.0 4.0))": "(Vec Float)" = "[7, 7]"];
    "mymul" "Product of a number and each element of a vector."
        ["(mymul 2.0 (Vec_init 3.0 4.0))": "(Vec Float)" = "[6, 8]"];
    "div" "Quotient. Integer division truncates toward zero, and division by 0 is an error."
        ["(div 1.0 4.0)": "Float" = "0.25"]
        ["(div -7 2)": "Integer" = "-3"];
    "neg" "Negation."
        ["(neg 2.5)": "Float" = "-2.5"];
    "mod" "Remainder of the floored quotient: it has the sign of the divisor."
        ["(mod -7 2)": "Integer" = "1"];
    "rem" "Remainder of the truncated quotient: it has the sign of the dividend."
        ["(rem -7 2)": "Integer" = "-1"];
    "pow" "Integral power of a number."
        ["(pow 2.0 10)": "Float" = "1024"]
        ["(pow 2.0 -1)": "Float" = "0.5"];
    "gt" "Greater than." ["(gt 2 1)": "Bool" = "true"];
    "lt" "Less than." ["(lt 2.0 1.0)": "Bool" = "false"];
    "gte" "Greater than or equal." ["(gte 2 2)": "Bool" = "true"];
    "lte" "Less than or equal." ["(lte 2.0 2.0)": "Bool" = "true"];
    "and" "Conjunction; both operands are evaluated." ["(and true false)": "Bool" = "false"];
    "or" "Disjunction; both operands are evaluated." ["(or true false)": "Bool" = "true"];
    "not" "Negation of a boolean." ["(not true)": "Bool" = "false"];
    "to_float" "The float nearest to an integer." ["(to_float 3)": "Float" = "3"];
    "bool_to_float" "1.0 for true, 0.0 for false." ["(bool_to_float true)": "Float" = "1"];
    "log" "Natural logarithm." ["(log 1.0)": "Float" = "0"];
    "exp" "Exponential; of each element of a vector."
        ["(exp 0.0)": "Float" = "1"]
        ["(exp (Vec_init 0.0 0.0))": "(Vec Float)" = "[1, 1]"];
    "sin" "Sine of an angle in radians." ["(sin 0.0)": "Float" = "0"];
    "cos" "Cosine of an angle in radians." ["(cos 0.0)": "Float" = "1"];
    "tanh" "Hyperbolic tangent." ["(tanh 0.0)": "Float" = "0"];
    "cosh" "Hyperbolic cosine." ["(cosh 0.0)": "Float" = "1"];
    "sqrt" "Square root; NaN for negative numbers." ["(sqrt 2.25)": "Float" = "1.5"];
    "erf" "Error function." ["(erf 0.0)": "Float" = "0"];
    "lgamma" "Natural logarithm of the absolute value of the gamma function." ["(lgamma 2.0)": "Float" = "0"];
    "abs" "Absolute value." ["(abs -2.5)": "Float" = "2.5"] ["(abs -3)": "Integer" = "3"];
    "max" "Maximum; of the elements of a vector."
        ["(max 1.0 2.0)": "Float" = "2"]
        ["(max (Vec_init 3.0 1.0))": "Float" = "3"];
    "min" "Minimum." ["(min 1 2)": "Integer" = "1"];
    "imax" "The index of the first maximum of a vector."
        ["(imax (Vec_init 1.0 3.0 3.0))": "Integer" = "1"];
    "pi" "The constant pi." ["(gt (pi) 3.14)": "Bool" = "true"];
    "$ranhashdoub" "A pseudorandom number from 0 to 1, a function of the operand." ["(lt ($ranhashdoub 7) 1.0)": "Bool" = "true"];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_builtin_is_documented_once_and_in_order() {
        let mut names: Vec<&str> = Vec::new();
        PRELUDE.iter().for_each(|it| {
            if !names.contains(&it.name) {
                names.push(it.name)
            }
        });
        let documented: Vec<&str> = FUNCTIONS.iter().map(|it| it.name).collect();
        assert_eq!(documented, names);
        let names: Vec<&str> = Prim::NAMED.iter().map(|it| it.0).chain([PROJECTION, COPIES]).collect();
        let documented: Vec<&str> = PRIMITIVES.iter().map(|it| it.name).collect();
        assert_eq!(documented, names);
    }

    #[test]
    fn overloads_have_signatures() {
        let negation = Builtin::named("neg").map(Builtin::signatures).unwrap_or_default();
        assert_eq!(negation, ["(neg Float) -> Float", "(neg Integer) -> Integer"]);
        assert_eq!(Builtin::named("get$1$2").map(|it| it.name), Some(PROJECTION));
    }
}
