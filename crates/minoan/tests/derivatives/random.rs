//! Random programs on objects in Relay: lists, trees, closures and references. Reverse mode agrees with forward mode and with
//! central differences, on every back end.

use super::objects::PRELUDE;
use super::support::{Case, Numbers};
use serde_json::json;

/// The number of programs.
const PROGRAMS: u64 = 24;

const HELPERS: &str = "
def @leaves(%t: Tree[float64]) -> float64 {
  match (%t) { Node(%x, %l, %r) => sin(%x + @leaves(%l) * @leaves(%r)), Leaf => 0.5f64 }
}
def @flat(%t: Tree[float64], %l: List[float64]) -> List[float64] {
  match (%t) { Node(%x, %a, %b) => @flat(%a, Cons(%x, @flat(%b, %l))), Leaf => %l }
}
def @compose(%f: fn(float64) -> float64, %g: fn(float64) -> float64) -> fn(float64) -> float64 {
  fn (%x: float64) -> float64 { %f(%g(%x)) }
}
";

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Float,
    List,
    Tree,
    Function,
}

type Env = Vec<(String, Kind)>;

/// Creates blocks of bindings; each expression is the name of a variable or a constant.
struct Random {
    numbers: Numbers,
}

impl Random {
    fn name(&mut self) -> String {
        format!("%x{}", self.numbers.fresh())
    }

    fn bind(&mut self, out: &mut String, value: &str) -> String {
        let name = self.name();
        out.push_str(&format!("  let {name} = {value};\n"));
        name
    }

    fn known(&mut self, env: &Env, kind: Kind) -> Option<String> {
        let names: Vec<&String> =
            env.iter().filter(|(_, known)| *known == kind).map(|(name, _)| name).collect();
        (!names.is_empty()).then(|| names[self.numbers.below(names.len())].clone())
    }

    /// The block of a value of a kind, in braces.
    fn block(&mut self, depth: usize, env: &Env, kind: Kind) -> String {
        let mut out = String::new();
        let value = self.value(&mut out, depth, env, kind);
        format!("{{\n{out}  {value} }}")
    }

    fn value(&mut self, out: &mut String, depth: usize, env: &Env, kind: Kind) -> String {
        match kind {
            Kind::Float => self.float(out, depth, env),
            Kind::List => self.list(out, depth, env),
            Kind::Tree => self.tree(out, depth, env),
            Kind::Function => self.function(out, depth, env),
        }
    }

    /// A conditional or a match with a value of a kind.
    fn choice(&mut self, out: &mut String, depth: usize, env: &Env, kind: Kind) -> String {
        let with = |more: &[(&String, Kind)]| -> Env {
            env.iter().cloned().chain(more.iter().map(|&(name, kind)| (name.clone(), kind))).collect()
        };
        let (a, b, c) = (self.name(), self.name(), self.name());
        let text = match self.numbers.below(3) {
            0 => {
                let test = self.float(out, depth, env);
                let (yes, no) = (self.block(depth, env, kind), self.block(depth, env, kind));
                format!("if ({test} > 0.1234f64) {yes} else {no}")
            }
            1 => {
                let list = self.list(out, depth, env);
                let some = self.block(depth, &with(&[(&a, Kind::Float), (&b, Kind::List)]), kind);
                let none = self.block(depth, env, kind);
                format!("match ({list}) {{ Cons({a}, {b}) {some}, Nil {none} }}")
            }
            _ => {
                let tree = self.tree(out, depth, env);
                let inner = with(&[(&a, Kind::Float), (&b, Kind::Tree), (&c, Kind::Tree)]);
                let some = self.block(depth, &inner, kind);
                let none = self.block(depth, env, kind);
                format!("match ({tree}) {{ Node({a}, {b}, {c}) {some}, Leaf {none} }}")
            }
        };
        self.bind(out, &text)
    }

    fn float(&mut self, out: &mut String, depth: usize, env: &Env) -> String {
        if depth == 0 || self.numbers.below(8) == 0 {
            let constants = ["0.5f64", "1.25f64"];
            let constant = constants[self.numbers.below(2)].to_owned();
            return self.known(env, Kind::Float).unwrap_or(constant);
        }
        let depth = depth - 1;
        let text = match self.numbers.below(16) {
            at @ 0..4 => {
                let op = ["+", "-", "*", "*"][at];
                format!("{} {op} {}", self.float(out, depth, env), self.float(out, depth, env))
            }
            at @ 4..6 => format!("{}({})", ["sin", "tanh"][at - 4], self.float(out, depth, env)),
            6 => format!("@sum({})", self.list(out, depth, env)),
            7 => format!("@leaves({})", self.tree(out, depth, env)),
            at @ 8..10 => {
                let fold = ["@foldl", "@foldr"][at - 8];
                let (start, list) = (self.float(out, depth, env), self.list(out, depth, env));
                let (a, b) = (self.name(), self.name());
                let mut inner = env.clone();
                inner.extend([(a.clone(), Kind::Float), (b.clone(), Kind::Float)]);
                let body = self.block(depth, &inner, Kind::Float);
                let step = self.bind(out, &format!("fn ({a}: float64, {b}: float64) -> float64 {body}"));
                format!("tanh({fold}({step}, {start}, {list}))")
            }
            10..12 => {
                let f = self.function(out, depth, env);
                format!("{f}({})", self.float(out, depth, env))
            }
            12 => {
                let start = self.float(out, depth, env);
                let reference = self.bind(out, &format!("ref({start})"));
                for _ in 0..2 {
                    let factor = self.float(out, depth, env);
                    self.bind(out, &format!("ref_write({reference}, ref_read({reference}) * {factor})"));
                }
                format!("ref_read({reference})")
            }
            _ => return self.choice(out, depth, env, Kind::Float),
        };
        self.bind(out, &text)
    }

    fn list(&mut self, out: &mut String, depth: usize, env: &Env) -> String {
        let known = self.known(env, Kind::List);
        let choice = self.numbers.below(10);
        if let Some(known) = known.filter(|_| depth == 0 || choice < 2) {
            return known;
        }
        if depth == 0 {
            return self.bind(out, "Nil");
        }
        let depth = depth - 1;
        let text = match choice {
            0..5 => format!("Cons({}, {})", self.float(out, depth, env), self.list(out, depth, env)),
            5..7 => {
                let f = self.function(out, depth, env);
                format!("@map({f}, {})", self.list(out, depth, env))
            }
            7 => format!("@rev({})", self.list(out, depth, env)),
            8 => format!("@flat({}, {})", self.tree(out, depth, env), self.list(out, depth, env)),
            _ => return self.choice(out, depth, env, Kind::List),
        };
        self.bind(out, &text)
    }

    fn tree(&mut self, out: &mut String, depth: usize, env: &Env) -> String {
        let known = self.known(env, Kind::Tree);
        let choice = self.numbers.below(10);
        if let Some(known) = known.filter(|_| depth == 0 || choice < 3) {
            return known;
        }
        if depth == 0 {
            return self.bind(out, "Leaf");
        }
        let depth = depth - 1;
        let text = match choice {
            0..6 => {
                let value = self.float(out, depth, env);
                format!("Node({value}, {}, {})", self.tree(out, depth, env), self.tree(out, depth, env))
            }
            6..8 => format!("@tree({}, 2)", self.float(out, depth, env)),
            _ => return self.choice(out, depth, env, Kind::Tree),
        };
        self.bind(out, &text)
    }

    fn function(&mut self, out: &mut String, depth: usize, env: &Env) -> String {
        let known = self.known(env, Kind::Function);
        let choice = self.numbers.below(10);
        if let Some(known) = known.filter(|_| choice < 3) {
            return known;
        }
        let depth = depth.saturating_sub(1);
        if depth > 0 && choice < 5 {
            let (f, g) = (self.function(out, depth, env), self.function(out, depth, env));
            return self.bind(out, &format!("@compose({f}, {g})"));
        }
        if depth > 0 && choice < 6 {
            return self.choice(out, depth, env, Kind::Function);
        }
        let x = self.name();
        let inner = [&env[..], &[(x.clone(), Kind::Float)]].concat();
        let body = self.block(depth, &inner, Kind::Float);
        self.bind(out, &format!("fn ({x}: float64) -> float64 {body}"))
    }
}

fn program(seed: u64) -> String {
    let mut random = Random { numbers: Numbers::new(seed) };
    let env: Env = [("%a", Kind::Float), ("%l", Kind::List), ("%t", Kind::Tree)]
        .map(|(name, kind)| (name.to_owned(), kind))
        .into();
    let body = random.block(4, &env, Kind::Float);
    format!(
        "{PRELUDE}{HELPERS}def @main(%a: float64, %l: List[float64], %t: Tree[float64]) -> float64 {body}\n"
    )
}

#[test]
fn gradients_of_random_programs_on_objects() {
    let node =
        |x: f64, l: serde_json::Value, r: serde_json::Value| json!({"ctor": "Node", "fields": [x, l, r]});
    let cons = |x: f64, l: serde_json::Value| json!({"ctor": "Cons", "fields": [x, l]});
    let args = json!([
        0.3,
        cons(0.31, cons(-0.7, cons(0.55, json!("Nil")))),
        node(0.4, node(-0.2, json!("Leaf"), json!("Leaf")), json!("Leaf"))
    ]);
    for seed in 1..=PROGRAMS {
        let text = program(seed);
        Case::new(&text, "random.relay", &text, "main", &args).check();
    }
}
