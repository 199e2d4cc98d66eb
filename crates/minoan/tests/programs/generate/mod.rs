//! Random programs that are well typed, end, and stay small: every choice is taken from a list of numbers, and the
//! number 0, which also stands for those after the end of the list, always takes the simplest way. So a shorter list
//! of smaller numbers is a simpler program, and what proptest does to the list makes the program smaller.

mod arrays;
mod scalars;

use std::fmt::Write as _;

/// Sizes of tensors are below this.
const SIZES: i64 = 6;
/// Upper bound on the work of one call of a function, counted in expressions.
const MOST_WORK: u64 = 4000;
/// The parameter of a recursive function that counts down; no other variable has its name.
const COUNTER: &str = "count";
/// Upper bound on the trip count of the innermost loop of a function.
const MOST_ROUNDS: u64 = 125;

/// A type of Knossos.
#[derive(Clone, PartialEq, Debug)]
pub enum Ty {
    Int,
    Float,
    Bool,
    Text,
    /// A tensor of a rank of integers, floats or truth values.
    Tensor(u32, Box<Ty>),
    Tuple(Vec<Ty>),
}

impl std::fmt::Display for Ty {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Ty::Int => f.write_str("Integer"),
            Ty::Float => f.write_str("Float"),
            Ty::Bool => f.write_str("Bool"),
            Ty::Text => f.write_str("String"),
            Ty::Tensor(1, element) => write!(f, "(Vec {element})"),
            Ty::Tensor(rank, element) => write!(f, "(Tensor {rank} {element})"),
            Ty::Tuple(parts) => {
                f.write_str("(Tuple")?;
                parts.iter().try_for_each(|part| write!(f, " {part}"))?;
                f.write_str(")")
            }
        }
    }
}

impl Ty {
    fn vector(element: &Ty) -> Ty {
        Ty::Tensor(1, Box::new(element.clone()))
    }

    /// Whether values of the type can be added.
    fn adds(&self) -> bool {
        match self {
            Ty::Int | Ty::Float => true,
            Ty::Bool | Ty::Text => false,
            Ty::Tensor(_, element) => element.adds(),
            Ty::Tuple(parts) => parts.iter().all(Ty::adds),
        }
    }

    fn is_number(&self) -> bool {
        matches!(self, Ty::Int | Ty::Float | Ty::Bool)
    }

    fn has_tensor(&self) -> bool {
        match self {
            Ty::Tensor(..) => true,
            Ty::Tuple(parts) => parts.iter().any(Ty::has_tensor),
            _ => false,
        }
    }
}

/// Numbers that choices are taken from.
pub struct Choices<'a> {
    rest: std::slice::Iter<'a, u16>,
}

impl<'a> Choices<'a> {
    pub fn new(numbers: &'a [u16]) -> Self {
        Self { rest: numbers.iter() }
    }

    /// A number below `count`, larger for a larger number of the list.
    pub fn below(&mut self, count: usize) -> usize {
        let next = self.rest.next().copied().unwrap_or(0);
        (usize::from(next) * count) >> 16
    }

    /// True once in `out_of` times.
    pub fn rarely(&mut self, out_of: usize) -> bool {
        self.below(out_of) + 1 == out_of
    }

    pub fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    fn number(&mut self) -> Ty {
        self.pick(&[Ty::Int, Ty::Float, Ty::Bool])
    }

    pub fn ty(&mut self, deep: bool) -> Ty {
        match self.below(if deep { 13 } else { 10 }) {
            0..=2 => Ty::Int,
            3 | 4 => Ty::Float,
            5 => Ty::Bool,
            6 | 7 => Ty::vector(&self.number()),
            8 => Ty::Tensor(2, Box::new(self.number())),
            9 => Ty::Text,
            _ => {
                let count = [2, 2, 3, 1, 0][self.below(5)];
                Ty::Tuple((0..count).map(|at| self.ty(at == 0)).collect())
            }
        }
    }
}

struct Function {
    name: String,
    params: Vec<Ty>,
    result: Ty,
    work: u64,
    /// Whether its first parameter counts down to zero.
    counts: bool,
}

/// A program and what its function `entry` takes.
pub struct Generated {
    pub text: String,
    pub params: Vec<Ty>,
}

/// The enlargement of the positive terms of sums: by a relative `step`, times a small number that differs from one sum to the
/// next. So results change in proportion to the magnitudes of the terms that cancel out.
#[derive(Clone, Copy)]
pub struct Nudge {
    pub step: f64,
    /// Whether sums with larger numbers in a row of sums are changed less.
    pub falls: bool,
}

/// A program with a function for each list, the last of which is called `entry`.
pub fn program(lists: &[Vec<u16>], nudge: Option<Nudge>) -> Generated {
    let mut functions = Vec::new();
    let mut text = String::new();
    for (index, list) in lists.iter().enumerate() {
        let last = index + 1 == lists.len();
        let name = if last { "entry".to_owned() } else { format!("f{index}") };
        let mut one = Gen {
            choices: Choices::new(list),
            functions: &functions,
            scope: Vec::new(),
            names: 0,
            rounds: 1,
            work: 0,
            fuel: 60,
            nudge,
            sums: 3 * index as u32,
        };
        let (definition, function) = one.function(name, last);
        text.push_str(&definition);
        functions.push(function);
    }
    let params = functions.pop().map(|entry| entry.params).unwrap_or_default();
    Generated { text, params }
}

struct Gen<'a> {
    choices: Choices<'a>,
    functions: &'a [Function],
    scope: Vec<(String, Ty)>,
    names: usize,
    rounds: u64,
    work: u64,
    fuel: i32,
    nudge: Option<Nudge>,
    /// The number of sums so far.
    sums: u32,
}

impl Gen<'_> {
    fn function(&mut self, name: String, is_entry: bool) -> (String, Function) {
        let kind = if is_entry { 0 } else { self.choices.below(5) };
        let result = self.choices.ty(true);
        let count = self.choices.below(4);
        let mut params: Vec<Ty> = (0..count).map(|_| self.choices.ty(true)).collect();
        if kind > 0 {
            params.insert(0, Ty::Int);
        }
        let named: Vec<String> = params
            .iter()
            .enumerate()
            .map(|(at, ty)| {
                let name = if kind > 0 && at == 0 { COUNTER.to_owned() } else { self.fresh() };
                self.scope.push((name.clone(), ty.clone()));
                name
            })
            .collect();
        let list: Vec<String> =
            named.iter().zip(&params).map(|(name, ty)| format!("({name} : {})", bare(ty))).collect();
        let list = match &list[..] {
            [only] => only.clone(),
            all => format!("({})", all.join(" ")),
        };
        if kind > 0 {
            self.rounds = SIZES as u64;
        }
        let body = match kind {
            0 => self.expr(&result, 5),
            kind => {
                let end = self.expr(&result, 3);
                let again = |this: &mut Self| {
                    let mut call = format!("({name} (sub {COUNTER} 1)");
                    for (param, ty) in named.iter().zip(&params).skip(1) {
                        let same = this.choices.rarely(3) && this.visible(ty).contains(param);
                        let arg = if same { param.clone() } else { this.expr(ty, 2) };
                        let _ = write!(call, " {arg}");
                    }
                    call + ")"
                };
                let more = match kind {
                    // In tail position, once, after a choice, or after a `let`.
                    1 => again(self),
                    2 => {
                        let (condition, yes) = (self.expr(&Ty::Bool, 2), again(self));
                        let no = if self.choices.rarely(2) { self.expr(&result, 2) } else { again(self) };
                        format!("(if {condition} {yes} {no})")
                    }
                    3 => {
                        let ty = self.choices.ty(true);
                        let value = self.expr(&ty, 2);
                        let bound = self.bind(&ty);
                        let call = again(self);
                        self.scope.pop();
                        format!("(let ({bound} {value}) {call})")
                    }
                    // Not in tail position.
                    _ => {
                        let call = again(self);
                        let bound = self.bind(&result);
                        let rest = self.expr(&result, 3);
                        self.scope.pop();
                        format!("(let ({bound} {call})\n      {rest})")
                    }
                };
                format!("(if (lte {COUNTER} 0) {end}\n    {more})")
            }
        };
        let definition = format!("(def {name} {result} {list}\n  {body})\n\n");
        (definition, Function { name, params, result, work: self.work + 1, counts: kind > 0 })
    }

    fn fresh(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    /// A new variable in scope, sometimes of a name that is in use.
    fn bind(&mut self, ty: &Ty) -> String {
        let name = if self.choices.rarely(12) && !self.scope.is_empty() {
            let (name, _) = self.choices.pick(&self.scope);
            if name == COUNTER { self.fresh() } else { name }
        } else {
            self.fresh()
        };
        self.scope.push((name.clone(), ty.clone()));
        name
    }

    fn visible(&self, ty: &Ty) -> Vec<String> {
        let mut out = Vec::new();
        for (index, (name, its)) in self.scope.iter().enumerate() {
            if its == ty && self.scope[index + 1..].iter().all(|(later, _)| later != name) {
                out.push(name.clone());
            }
        }
        out
    }

    /// Runs `fill` inside a loop of the given number of iterations.
    fn looped<R>(&mut self, rounds: u64, fill: impl FnOnce(&mut Self) -> R) -> R {
        let before = self.rounds;
        self.rounds *= rounds;
        let result = fill(self);
        self.rounds = before;
        result
    }

    fn leaf(&mut self, ty: &Ty) -> String {
        let visible = self.visible(ty);
        if !visible.is_empty() && !self.choices.rarely(3) {
            return self.choices.pick(&visible);
        }
        self.literal(ty)
    }

    /// A size: 0 to 5, and at times not known to be.
    fn size(&mut self) -> String {
        match self.choices.below(12) {
            0..=5 => self.choices.below(SIZES as usize).to_string(),
            6..=8 => {
                let number = self.expr(&Ty::Int, 1);
                format!("(mod {number} {SIZES})")
            }
            9 | 10 => {
                let element = self.choices.number();
                let tensor = self.expr(&Ty::vector(&element), 1);
                format!("(size {tensor})")
            }
            _ => format!("(sub {} 1)", self.choices.below(SIZES as usize)),
        }
    }

    fn sizes(&mut self, rank: u32) -> Vec<String> {
        (0..rank).map(|_| self.size()).collect()
    }

    /// The terms of a sum, changed if they are to be.
    fn nudged(&mut self, ty: &Ty, terms: String) -> String {
        const COUNT: u32 = 5;
        let Some(Nudge { step, falls }) = self.nudge else { return terms };
        self.sums += 1;
        let at = self.sums % COUNT;
        let weight = 1 + if falls { COUNT - 1 - at } else { at };
        enlarged(ty, terms, 1.0 + step * f64::from(weight))
    }

    /// An expression of a type.
    fn expr(&mut self, ty: &Ty, depth: u32) -> String {
        self.work += self.rounds;
        self.fuel -= 1;
        if depth == 0 || self.fuel < 0 || self.work > MOST_WORK {
            return self.leaf(ty);
        }
        // Half of the choices depend on the type.
        if self.choices.below(2) == 1 { self.general(ty, depth - 1) } else { self.special(ty, depth - 1) }
    }

    fn general(&mut self, ty: &Ty, depth: u32) -> String {
        let may_loop = self.rounds <= MOST_ROUNDS / 5;
        match self.choices.below(20) {
            0 | 1 => self.leaf(ty),
            2 => {
                let (condition, yes, no) =
                    (self.expr(&Ty::Bool, depth), self.expr(ty, depth), self.expr(ty, depth));
                format!("(if {condition} {yes} {no})")
            }
            3 | 4 => {
                let its = self.choices.ty(true);
                let value = self.expr(&its, depth);
                let name = self.bind(&its);
                let body = self.expr(ty, depth);
                self.scope.pop();
                format!("(let ({name} {value})\n    {body})")
            }
            5 => {
                let parts: Vec<Ty> = (0..1 + self.choices.below(3)).map(|_| self.choices.ty(true)).collect();
                let value = self.expr(&Ty::Tuple(parts.clone()), depth);
                let names: Vec<String> = parts.iter().map(|_| self.fresh()).collect();
                self.scope.extend(names.iter().cloned().zip(parts));
                let body = self.expr(ty, depth);
                self.scope.truncate(self.scope.len() - names.len());
                format!("(let (({}) {value})\n    {body})", names.join(" "))
            }
            6 => {
                let count = self.choices.below(4);
                let mut bindings = String::new();
                for _ in 0..count {
                    let its = self.choices.ty(true);
                    let value = self.expr(&its, depth);
                    let name = self.bind(&its);
                    // A name alone could be taken for a pattern.
                    let value = if value.starts_with('(') { value } else { format!("($inline {value})") };
                    let _ = write!(bindings, "({name} {value})");
                }
                let body = self.expr(ty, depth);
                self.scope.truncate(self.scope.len() - count);
                format!("(let ({bindings})\n    {body})")
            }
            7..=9 => self.call(ty, depth),
            10 => {
                let mut parts: Vec<Ty> =
                    (0..1 + self.choices.below(3)).map(|_| self.choices.ty(false)).collect();
                let at = self.choices.below(parts.len());
                parts[at] = ty.clone();
                let count = parts.len();
                let tuple = self.expr(&Ty::Tuple(parts), depth);
                format!("(get${}${count} {tuple})", at + 1)
            }
            11 => {
                let condition = self.expr(&Ty::Bool, depth);
                let name = self.fresh();
                let body = self.expr(ty, depth);
                if self.choices.rarely(2) {
                    format!("(assert {condition} {body})")
                } else {
                    format!("(let ({name} {condition}) (assert (or {name} (not {name})) {body}))")
                }
            }
            12 => {
                let value = self.expr(ty, depth);
                format!("($trace {value})")
            }
            13 => {
                let values: Vec<String> = (0..1 + self.choices.below(3))
                    .map(|_| {
                        let ty = self.choices.ty(true);
                        self.expr(&ty, depth.min(2))
                    })
                    .collect();
                let body = self.expr(ty, depth);
                format!("(let (_ {})\n    {body})", join("print", &values))
            }
            14 if ty.is_number() => {
                let rank = 1 + self.choices.below(2) as u32;
                self.element(rank, ty, depth)
            }
            15 if may_loop && ty.adds() => self.sum_build(ty, depth),
            16 => {
                let adds = ty.adds();
                let its = if adds { Ty::Int } else { self.choices.ty(false) };
                let (left, right, value) = (self.expr(&its, 1), self.expr(&its, 1), self.expr(ty, depth));
                if !adds {
                    return format!("(if (ne {left} {right}) {value} {})", self.leaf(ty));
                }
                format!("(delta {left} {right} {value})")
            }
            _ if may_loop => self.fold(ty, depth),
            _ => self.leaf(ty),
        }
    }

    fn call(&mut self, ty: &Ty, depth: u32) -> String {
        let room = MOST_WORK.saturating_sub(self.work) / self.rounds;
        let fits: Vec<&Function> = self
            .functions
            .iter()
            .filter(|function| function.result == *ty && function.work <= room)
            .collect();
        if fits.is_empty() {
            return self.leaf(ty);
        }
        let function = fits[self.choices.below(fits.len())];
        self.work += function.work * self.rounds;
        let mut args = Vec::new();
        for (index, param) in function.params.iter().enumerate() {
            let arg = self.expr(param, depth.min(2));
            args.push(if index == 0 && function.counts { format!("(mod {arg} {SIZES})") } else { arg });
        }
        join(&function.name, &args)
    }

    fn special(&mut self, ty: &Ty, depth: u32) -> String {
        match ty {
            Ty::Int => self.integer(depth),
            Ty::Float => self.float(depth),
            Ty::Bool => self.truth(depth),
            Ty::Text => self.leaf(ty),
            Ty::Tensor(rank, element) => self.tensor(*rank, element, depth),
            Ty::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.expr(part, depth)).collect();
                join("tuple", &parts)
            }
        }
    }
}

/// A value whose positive floats are multiplied by a factor.
fn enlarged(ty: &Ty, value: String, factor: f64) -> String {
    let larger = |name: &str| format!("(max {name} (mul {name} {factor:?}))");
    match ty {
        Ty::Float => format!("(let (term {value}) {})", larger("term")),
        Ty::Tensor(_, element) if **element == Ty::Float => {
            format!("(map (lam (term : Float) {}) {value})", larger("term"))
        }
        Ty::Tuple(parts) => {
            let count = parts.len();
            let part = |(at, ty)| enlarged(ty, format!("(get${}${count} terms)", at + 1), factor);
            let parts: Vec<String> = parts.iter().enumerate().map(part).collect();
            format!("(let (terms {value}) {})", join("tuple", &parts))
        }
        _ => value,
    }
}

fn bare(ty: &Ty) -> String {
    let text = ty.to_string();
    text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).map(str::to_owned).unwrap_or(text)
}

fn join(name: &str, args: &[String]) -> String {
    let mut text = format!("({name}");
    for arg in args {
        let _ = write!(text, " {arg}");
    }
    text + ")"
}

fn index_of(parts: &[String]) -> String {
    match parts {
        [only] => only.clone(),
        parts => join("tuple", parts),
    }
}

fn indices(rank: u32) -> String {
    format!("Tuple{}", " Integer".repeat(rank as usize))
}
