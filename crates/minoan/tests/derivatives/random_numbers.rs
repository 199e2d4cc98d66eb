//! Random programs in Knossos: reverse mode agrees with forward mode and with central differences, and compiled gradients with
//! interpreted ones.

use super::support::{Case, Numbers};
use serde_json::json;

/// The number of programs.
const PROGRAMS: u64 = 40;

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Float,
    Vector,
    Index,
}

type Env = Vec<(String, Kind)>;

/// Creates expressions; vectors have three elements.
struct Random {
    numbers: Numbers,
    /// Whether a function `g` of a number and a vector can be called.
    calls: bool,
}

impl Random {
    fn name(&mut self) -> String {
        format!("x{}", self.numbers.fresh())
    }

    fn known(&mut self, env: &Env, kind: Kind, others: &[&str]) -> Option<String> {
        let names = env.iter().filter(|(_, known)| *known == kind).map(|(name, _)| name.clone());
        let all: Vec<String> = names.chain(others.iter().map(|&text| text.to_owned())).collect();
        (!all.is_empty()).then(|| all[self.numbers.below(all.len())].clone())
    }

    fn index(&mut self, env: &Env) -> String {
        self.known(env, Kind::Index, &["0", "1", "2"]).expect("there are constants")
    }

    fn float(&mut self, depth: usize, env: &Env) -> String {
        if depth == 0 || self.numbers.below(8) == 0 {
            return self.known(env, Kind::Float, &["0.5", "1.25", "-0.75"]).expect("there are constants");
        }
        let depth = depth - 1;
        let with = |name: &String, kind: Kind| [&env[..], &[(name.clone(), kind)]].concat();
        match self.numbers.below(16) {
            at @ 0..4 => {
                let op = ["add", "sub", "mul", "mul"][at];
                format!("({op} {} {})", self.float(depth, env), self.float(depth, env))
            }
            at @ 4..7 => format!("({} {})", ["sin", "cos", "tanh"][at - 4], self.float(depth, env)),
            7 => format!("(exp (sin {}))", self.float(depth, env)),
            8 => format!("(div {} (add 1.5 (sin {})))", self.float(depth, env), self.float(depth, env)),
            9 => {
                let i = self.name();
                format!("(sumbuild 3 (lam ({i} : Integer) {}))", self.float(depth, &with(&i, Kind::Index)))
            }
            10 => format!("(index {} {})", self.index(env), self.vector(depth, env)),
            11 => {
                let test = self.float(depth, env);
                format!("(if (gt {test} 0.1234) {} {})", self.float(depth, env), self.float(depth, env))
            }
            12 => {
                let x = self.name();
                format!(
                    "(let ({x} {}) {})",
                    self.float(depth, env),
                    self.float(depth, &with(&x, Kind::Float))
                )
            }
            13 => {
                let (i, v) = (self.name(), self.name());
                let inner = [&with(&v, Kind::Vector)[..], &[(i.clone(), Kind::Index)]].concat();
                let (vector, factor) = (self.vector(depth, env), self.float(depth, &inner));
                format!(
                    "(let ({v} {vector}) (sumbuild (size {v}) (lam ({i} : Integer) (mul (index {i} {v}) {factor}))))"
                )
            }
            14 => {
                let (s, e, p) = (self.name(), self.name(), self.name());
                let inner = [&with(&s, Kind::Float)[..], &[(e.clone(), Kind::Float)]].concat();
                let body = self.float(depth, &inner);
                let (start, over) = (self.float(depth.saturating_sub(1), env), self.vector(depth, env));
                format!("(fold (lam ({p} : Tuple Float Float) (let (({s} {e}) {p}) {body})) {start} {over})")
            }
            _ if self.calls => format!("(g {} {})", self.float(depth, env), self.vector(depth, env)),
            _ => format!("(max {})", self.vector(depth, env)),
        }
    }

    fn vector(&mut self, depth: usize, env: &Env) -> String {
        let known = self.known(env, Kind::Vector, &[]);
        let choice = self.numbers.below(10);
        if let Some(known) = known.filter(|_| depth == 0 || choice < 3) {
            return known;
        }
        let (depth, i) = (depth.saturating_sub(1), self.name());
        let mut inner = [&env[..], &[(i.clone(), Kind::Index)]].concat();
        if choice < 8 || depth == 0 {
            return format!("(build 3 (lam ({i} : Integer) {}))", self.float(depth, &inner));
        }
        let (s, e, p) = (self.name(), self.name(), self.name());
        inner.extend([(s.clone(), Kind::Vector), (e.clone(), Kind::Float)]);
        let body = self.float(depth, &inner);
        let (start, over) = (self.vector(depth, env), self.vector(depth, env));
        format!(
            "(fold (lam ({p} : Tuple (Vec Float) Float) (let (({s} {e}) {p}) (build 3 (lam ({i} : Integer) {body})))) {start} {over})"
        )
    }
}

fn program(seed: u64) -> String {
    let mut random = Random { numbers: Numbers::new(seed), calls: false };
    let env =
        |names: &[(&str, Kind)]| names.iter().map(|&(name, kind)| (name.to_owned(), kind)).collect::<Env>();
    let callee = random.float(3, &env(&[("x", Kind::Float), ("u", Kind::Vector)]));
    random.calls = true;
    let body = random.float(4, &env(&[("a", Kind::Float), ("v", Kind::Vector), ("w", Kind::Vector)]));
    format!(
        "(def g Float ((x : Float) (u : Vec Float)) {callee})\n\
         (def f Float ((a : Float) (v : Vec Float) (w : Vec Float)) {body})\n"
    )
}

#[test]
fn gradients_of_random_programs() {
    for seed in 1..=PROGRAMS {
        let text = program(seed);
        let args = json!([0.3, [0.31, -0.7, 0.55], [1.1, 0.2, -0.4]]);
        Case::new(&text, "random.ks", &text, "f", &args).check();
    }
}
