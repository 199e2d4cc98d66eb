//! Random programs that are well typed, end, and stay small: every choice is taken from a list of numbers, and the
//! number 0, which also stands for those after the end of the list, always takes the simplest way. So a shorter list
//! of smaller numbers is a simpler program, and what proptest does to the list makes the program smaller.

use std::fmt::Write as _;

/// Sizes of tensors are below this.
const SIZES: i64 = 6;
/// How much one call of a function may do, counted in expressions.
const MOST_WORK: u64 = 4000;
/// The parameter of a recursive function that counts down; no other variable has its name.
const COUNTER: &str = "count";
/// How often the innermost loop of a function may go round.
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

/// A program with a function for each list, the last of which is called `entry`.
pub fn program(lists: &[Vec<u16>]) -> Generated {
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
                    // In tail position, once, behind a choice, or behind a `let`.
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

    /// What `fill` writes inside a loop of so many rounds.
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

    fn literal(&mut self, ty: &Ty) -> String {
        const INTEGERS: &[&str] = &[
            "0",
            "1",
            "2",
            "3",
            "5",
            "-1",
            "-2",
            "7",
            "100",
            "-12345678901",
            "9223372036854775807",
            "-9223372036854775808",
        ];
        const FLOATS: &[&str] = &[
            "0.0",
            "1.0",
            "-1.5",
            "0.1",
            "2.5",
            "1e10",
            "-0.0",
            "1e-30",
            "3.0e38",
            "(div 1.0 0.0)",
            "(div -1.0 0.0)",
            "(div 0.0 0.0)",
        ];
        let known = match ty {
            Ty::Int => INTEGERS,
            Ty::Float => FLOATS,
            Ty::Bool => &["false", "true"],
            Ty::Text => &["\"\"", "\"a\"", "\"bc d\"", "\"x\\n\"", "\"caf\u{e9}\""],
            Ty::Tensor(rank, element) => {
                let sizes: Vec<String> = (0..*rank).map(|_| self.choices.below(4).to_string()).collect();
                return format!("(constVec {} {})", index_of(&sizes), self.literal(element));
            }
            Ty::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.literal(part)).collect();
                return join("tuple", &parts);
            }
        };
        self.choices.pick(known).to_owned()
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

    /// `(lam (i : Integer) ..)`, or with a tuple of indices.
    fn over_indices(&mut self, rank: u32, result: &Ty, depth: u32) -> String {
        let rounds = (SIZES as u64 - 1).pow(rank);
        self.looped(rounds, |this| {
            if rank == 1 {
                let index = this.bind(&Ty::Int);
                let body = this.expr(result, depth);
                this.scope.pop();
                return format!("(lam ({index} : Integer) {body})");
            }
            let tuple = this.fresh();
            let names: Vec<String> = (0..rank).map(|_| this.bind(&Ty::Int)).collect();
            let body = this.expr(result, depth);
            this.scope.truncate(this.scope.len() - names.len());
            if names[0] == names[1] {
                return format!(
                    "(lam ({tuple} : {}) (let ({} (get$2$2 {tuple})) {body}))",
                    indices(rank),
                    names[0]
                );
            }
            format!("(lam ({tuple} : {}) (let (({}) {tuple}) {body}))", indices(rank), names.join(" "))
        })
    }

    /// An element of a tensor, or `other` when it has none.
    fn element(&mut self, rank: u32, element: &Ty, depth: u32) -> String {
        let tensor = self.expr(&Ty::Tensor(rank, Box::new(element.clone())), depth);
        let name = self.fresh();
        let at: Vec<String> = (0..rank).map(|_| self.expr(&Ty::Int, 1)).collect();
        let other = self.leaf(element);
        if rank == 1 {
            let unchecked = self.choices.rarely(20);
            let get = format!("(index (mod {} (size {name})) {name})", at[0]);
            if unchecked {
                return format!("(let ({name} {tensor}) {get})");
            }
            return format!("(let ({name} {tensor}) (if (eq (size {name}) 0) {other} {get}))");
        }
        let (rows, columns) = (self.fresh(), self.fresh());
        format!(
            "(let ({name} {tensor}) (let (({rows} {columns}) (size {name})) (if (eq (mul {rows} {columns}) 0) \
             {other} (index (tuple (mod {} {rows}) (mod {} {columns})) {name}))))",
            at[0], at[1]
        )
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

    fn fold(&mut self, ty: &Ty, depth: u32) -> String {
        let element = self.choices.number();
        let init = self.expr(ty, depth);
        let vector = self.expr(&Ty::vector(&element), depth);
        self.looped(SIZES as u64 - 1, |this| {
            let (both, acc, item) = (this.fresh(), this.fresh(), this.fresh());
            this.scope.push((acc.clone(), ty.clone()));
            this.scope.push((item.clone(), element.clone()));
            let body = this.expr(ty, depth);
            this.scope.truncate(this.scope.len() - 2);
            format!(
                "(fold (lam ({both} : Tuple {ty} {element}) (let (({acc} {item}) {both})\n      {body})) {init} {vector})"
            )
        })
    }

    /// The terms are made so that tensors in them have one size.
    fn sum_build(&mut self, ty: &Ty, depth: u32) -> String {
        let rank = if self.rounds == 1 { 1 + self.choices.below(2) as u32 } else { 1 };
        if !ty.has_tensor() {
            let sizes = self.sizes(rank);
            let lambda = self.over_indices(rank, ty, depth);
            return format!("(sumbuild {} {lambda})", index_of(&sizes));
        }
        let mut sizes = self.sizes(rank);
        if !self.choices.rarely(10) {
            sizes.iter_mut().for_each(|size| *size = format!("(add 1 (mod {size} 3))"));
        }
        let (rows, columns) = (self.fresh(), self.fresh());
        let (row_count, column_count) = (self.size(), self.size());
        let index = self.fresh();
        let term = self.looped(5u64.pow(rank), |this| {
            if rank == 1 {
                this.scope.push((index.clone(), Ty::Int));
            } else {
                this.scope.push((index.clone(), Ty::Tuple(vec![Ty::Int; 2])));
            }
            let term = this.sized(ty, &rows, &columns, depth);
            this.scope.pop();
            term
        });
        let param = if rank == 1 { "Integer".to_owned() } else { indices(rank) };
        format!(
            "(let (({rows} (add 0 {row_count})) ({columns} (add 0 {column_count})))\n    (sumbuild {} (lam ({index} : {param}) {term})))",
            index_of(&sizes)
        )
    }

    /// An expression whose tensors have known sizes.
    fn sized(&mut self, ty: &Ty, rows: &str, columns: &str, depth: u32) -> String {
        match ty {
            Ty::Tensor(rank, element) => {
                let both = [rows.to_owned(), columns.to_owned()];
                let size = index_of(&both[..*rank as usize]);
                match self.choices.below(3) {
                    0 => {
                        let value = self.expr(element, depth.min(2));
                        format!("(constVec {size} {value})")
                    }
                    1 => {
                        let index = self.sizes(*rank);
                        let value = self.expr(element, depth.min(2));
                        format!("(deltaVec {size} {} {value})", index_of(&index))
                    }
                    _ => {
                        let lambda = self.over_indices(*rank, element, depth.min(2));
                        format!("(build {size} {lambda})")
                    }
                }
            }
            Ty::Tuple(parts) => {
                let parts: Vec<String> =
                    parts.iter().map(|part| self.sized(part, rows, columns, depth)).collect();
                join("tuple", &parts)
            }
            other => self.expr(other, depth),
        }
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

    fn apply(&mut self, name: &str, ty: &Ty, count: usize, depth: u32) -> String {
        let args: Vec<String> = (0..count).map(|_| self.expr(ty, depth)).collect();
        join(name, &args)
    }

    fn integer(&mut self, depth: u32) -> String {
        match self.choices.below(14) {
            0 => self.leaf(&Ty::Int),
            1 | 2 => self.apply("add", &Ty::Int, 2, depth),
            3 => self.apply("sub", &Ty::Int, 2, depth),
            4 => self.apply("mul", &Ty::Int, 2, depth),
            5 => {
                let name = self.choices.pick(&["neg", "abs"]);
                self.apply(name, &Ty::Int, 1, depth)
            }
            6 => {
                let name = self.choices.pick(&["max", "min"]);
                self.apply(name, &Ty::Int, 2, depth)
            }
            7 | 8 => {
                let name = self.choices.pick(&["div", "mod", "rem"]);
                let (left, right) = (self.expr(&Ty::Int, depth), self.expr(&Ty::Int, depth));
                if self.choices.rarely(8) {
                    return format!("({name} {left} {right})");
                }
                let divisor = self.fresh();
                format!("(let ({divisor} {right}) ({name} {left} (if (eq {divisor} 0) -1 {divisor})))")
            }
            9 => {
                let element = self.choices.number();
                self.apply("size", &Ty::vector(&element), 1, depth)
            }
            10 => {
                let element = self.choices.number();
                let matrix = self.expr(&Ty::Tensor(2, Box::new(element)), depth);
                format!("(get${}$2 (size {matrix}))", 1 + self.choices.below(2))
            }
            11 => {
                let ty = Ty::Tensor(1 + self.choices.below(2) as u32, Box::new(Ty::Int));
                self.apply("sum", &ty, 1, depth)
            }
            12 => {
                let vector = self.expr(&Ty::vector(&Ty::Float), depth);
                let name = self.fresh();
                format!("(let ({name} {vector}) (if (eq (size {name}) 0) -1 (imax {name})))")
            }
            _ => {
                let ty = self.choices.ty(true);
                self.apply("print", &ty, 1, depth)
            }
        }
    }

    fn float(&mut self, depth: u32) -> String {
        match self.choices.below(16) {
            0 => self.leaf(&Ty::Float),
            1 | 2 => self.apply("add", &Ty::Float, 2, depth),
            3 => self.apply("sub", &Ty::Float, 2, depth),
            4 | 5 => self.apply("mul", &Ty::Float, 2, depth),
            6 => self.apply("div", &Ty::Float, 2, depth),
            7 => {
                let name = self.choices.pick(&["neg", "abs", "sqrt"]);
                self.apply(name, &Ty::Float, 1, depth)
            }
            8 => {
                let name = self.choices.pick(&["max", "min"]);
                self.apply(name, &Ty::Float, 2, depth)
            }
            9 => self.apply("to_float", &Ty::Int, 1, depth),
            10 => self.apply("bool_to_float", &Ty::Bool, 1, depth),
            11 => {
                let name = self.choices.pick(&["mul", "pow"]);
                let (left, right) = (self.expr(&Ty::Float, depth), self.expr(&Ty::Int, depth));
                format!("({name} {left} {right})")
            }
            12 => self.apply("$ranhashdoub", &Ty::Int, 1, depth),
            13 => {
                let ty = Ty::Tensor(1 + self.choices.below(2) as u32, Box::new(Ty::Float));
                self.apply("sum", &ty, 1, depth)
            }
            14 => {
                let vector = self.expr(&Ty::vector(&Ty::Float), depth);
                let name = self.fresh();
                format!("(let ({name} {vector}) (if (eq (size {name}) 0) -1.0 (max {name})))")
            }
            _ => {
                let ty = Ty::Tensor(1 + self.choices.below(2) as u32, Box::new(Ty::Float));
                let tensor = self.expr(&ty, depth);
                let name = self.fresh();
                format!("(let ({name} {tensor}) (ts_dot {name} {name}))")
            }
        }
    }

    fn truth(&mut self, depth: u32) -> String {
        match self.choices.below(8) {
            0 => self.leaf(&Ty::Bool),
            1 | 2 => {
                let name = self.choices.pick(&["lt", "gt", "lte", "gte"]);
                let ty = self.choices.pick(&[Ty::Int, Ty::Float]);
                self.apply(name, &ty, 2, depth)
            }
            3 | 4 => {
                let name = self.choices.pick(&["and", "or"]);
                self.apply(name, &Ty::Bool, 2, depth)
            }
            5 => self.apply("not", &Ty::Bool, 1, depth),
            _ => {
                let name = self.choices.pick(&["eq", "ne"]);
                let ty = self.choices.ty(true);
                self.apply(name, &ty, 2, depth)
            }
        }
    }

    fn tensor(&mut self, rank: u32, element: &Ty, depth: u32) -> String {
        let ty = Ty::Tensor(rank, Box::new(element.clone()));
        let may_loop = self.rounds * 5u64.pow(rank) <= MOST_ROUNDS;
        match self.choices.below(if may_loop { 14 } else { 4 }) {
            0 => self.leaf(&ty),
            1 => {
                let (sizes, value) = (self.sizes(rank), self.expr(element, depth));
                format!("(constVec {} {value})", index_of(&sizes))
            }
            2 => {
                let (sizes, at) = (self.sizes(rank), self.sizes(rank));
                let value = self.expr(element, depth);
                format!("(deltaVec {} {} {value})", index_of(&sizes), index_of(&at))
            }
            3 if rank == 1 => {
                let count = 1 + self.choices.below(3);
                self.apply("Vec_init", element, count, depth)
            }
            4 | 5 => {
                let its = self.choices.number();
                let tensor = self.expr(&Ty::Tensor(rank, Box::new(its.clone())), depth);
                let body = self.looped(5u64.pow(rank), |this| {
                    let name = this.bind(&its);
                    let body = this.expr(element, depth);
                    this.scope.pop();
                    format!("(lam ({name} : {its}) {body})")
                });
                format!("(map {body} {tensor})")
            }
            6 | 7 => self.map2(rank, element, depth),
            8 if *element == Ty::Float && rank == 1 => match self.choices.below(4) {
                0 => {
                    let (left, right) = (self.expr(&ty, depth), self.expr(&Ty::Float, depth));
                    format!("(sub {left} {right})")
                }
                1 => {
                    let (left, right) = (self.expr(&Ty::Float, depth), self.expr(&ty, depth));
                    format!("(mul {left} {right})")
                }
                2 => {
                    let (vector, factor, name) =
                        (self.expr(&ty, depth), self.expr(&Ty::Float, depth), self.fresh());
                    format!("(let ({name} {vector}) (sub {name} (mul {factor} {name})))")
                }
                _ => {
                    let matrix = self.expr(&Ty::Tensor(2, Box::new(Ty::Float)), depth);
                    let (name, lambda) = (self.fresh(), self.over_indices(1, &Ty::Float, depth));
                    format!("(let ({name} {matrix}) (mul {name} (build (get$2$2 (size {name})) {lambda})))")
                }
            },
            9 if *element == Ty::Float => match self.choices.below(3) {
                0 => self.apply("ts_neg", &ty, 1, depth),
                1 => {
                    let (factor, tensor) = (self.expr(&Ty::Float, depth), self.expr(&ty, depth));
                    format!("(ts_scale {factor} {tensor})")
                }
                _ => {
                    let (tensor, name) = (self.expr(&ty, depth), self.fresh());
                    format!("(let ({name} {tensor}) (ts_add {name} {name}))")
                }
            },
            // The same tensor, changed in one place.
            10 => {
                let (tensor, value) = (self.expr(&ty, depth), self.expr(element, depth));
                let (name, index) = (self.fresh(), self.fresh());
                let at: Vec<String> = self.sizes(rank);
                format!(
                    "(let ({name} {tensor})\n    (build (size {name}) (lam ({index} : {}) (if (eq {index} {}) {value} \
                     (index {index} {name})))))",
                    if rank == 1 { "Integer".to_owned() } else { indices(rank) },
                    index_of(&at)
                )
            }
            _ => {
                let sizes = self.sizes(rank);
                let lambda = self.over_indices(rank, element, depth);
                format!("(build {} {lambda})", index_of(&sizes))
            }
        }
    }

    fn map2(&mut self, rank: u32, element: &Ty, depth: u32) -> String {
        let (left, right) = (self.choices.number(), self.choices.number());
        let tensor = self.expr(&Ty::Tensor(rank, Box::new(left.clone())), depth);
        let name = self.fresh();
        let other = if self.choices.rarely(10) {
            self.expr(&Ty::Tensor(rank, Box::new(right.clone())), depth)
        } else if left == right && self.choices.rarely(2) {
            name.clone()
        } else {
            let lambda = self.over_indices(rank, &right, depth);
            format!("(build (size {name}) {lambda})")
        };
        let body = self.looped(5u64.pow(rank), |this| {
            let (both, one, two) = (this.fresh(), this.fresh(), this.fresh());
            this.scope.push((one.clone(), left.clone()));
            this.scope.push((two.clone(), right.clone()));
            let body = this.expr(element, depth);
            this.scope.truncate(this.scope.len() - 2);
            format!("(lam ({both} : Tuple {left} {right}) (let (({one} {two}) {both}) {body}))")
        });
        format!("(let ({name} {tensor}) (map2 {body} {name} {other}))")
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
