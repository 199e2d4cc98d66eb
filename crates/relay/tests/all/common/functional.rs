//! Random programs with lists, options, closures and references.

use std::fmt::Write as _;

/// A sequence of choices from a seed.
struct Choices(u64);

impl Choices {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    fn pick<T: Clone>(&mut self, items: &[T]) -> Option<T> {
        if items.is_empty() { None } else { Some(items[self.below(items.len())].clone()) }
    }
}

/// The variables in scope, by type.
#[derive(Clone, Default)]
struct Scope {
    ints: Vec<String>,
    lists: Vec<String>,
    functions: Vec<String>,
    options: Vec<String>,
    references: Vec<String>,
    /// References to functions, which may capture them.
    cells: Vec<String>,
}

struct Generator {
    choices: Choices,
    next: usize,
}

impl Generator {
    fn fresh(&mut self) -> String {
        self.next += 1;
        format!("%v{}", self.next)
    }

    /// `let`s and effects before an expression.
    fn block(&mut self, scope: &Scope, depth: usize, body: fn(&mut Self, &Scope, usize) -> String) -> String {
        let (mut scope, mut text) = (scope.clone(), String::new());
        for _ in 0..self.choices.below(3) {
            let name = self.fresh();
            match self.choices.below(8) {
                0 => {
                    let value = self.int(&scope, depth);
                    writeln!(text, "let {name} = {value};").expect("a string grows");
                    scope.ints.push(name);
                }
                1 => {
                    let value = self.list(&scope, depth);
                    writeln!(text, "let {name}: List[int32] = {value};").expect("a string grows");
                    scope.lists.push(name);
                }
                2 => {
                    let value = self.function(&scope, depth);
                    writeln!(text, "let {name} = {value};").expect("a string grows");
                    scope.functions.push(name);
                }
                3 => {
                    let value = self.option(&scope, depth);
                    writeln!(text, "let {name} = {value};").expect("a string grows");
                    scope.options.push(name);
                }
                4 => {
                    let value = self.list(&scope, depth);
                    writeln!(text, "let {name} = ref({value});").expect("a string grows");
                    scope.references.push(name);
                }
                5 => {
                    let value = self.function(&scope, depth);
                    writeln!(text, "let {name} = ref({value});").expect("a string grows");
                    scope.cells.push(name);
                }
                6 => {
                    if let Some(cell) = self.choices.pick(&scope.cells) {
                        let value = self.function(&scope, depth);
                        writeln!(text, "ref_write({cell}, {value});").expect("a string grows");
                    }
                }
                _ => {
                    if let Some(reference) = self.choices.pick(&scope.references) {
                        let value = self.list(&scope, depth);
                        writeln!(text, "ref_write({reference}, {value});").expect("a string grows");
                    }
                }
            }
        }
        let value = body(self, &scope, depth);
        format!("{{\n{text}{value}\n}}")
    }

    fn int(&mut self, scope: &Scope, depth: usize) -> String {
        let known = self.choices.pick(&scope.ints).unwrap_or_else(|| "7".to_owned());
        let Some(depth) = depth.checked_sub(1) else { return known };
        match self.choices.below(9) {
            0 => self.choices.below(9).to_string(),
            1 => known,
            2 => format!("({} + {})", self.int(scope, depth), self.int(scope, depth)),
            3 => format!("@sum({})", self.list(scope, depth)),
            4 => format!("@length({})", self.list(scope, depth)),
            5 => {
                let function = self.choices.pick(&scope.functions);
                let argument = self.int(scope, depth);
                function.map_or(argument.clone(), |function| format!("{function}({argument})"))
            }
            6 => {
                let (head, rest) = (self.fresh(), self.fresh());
                let value = self.list(scope, depth);
                let mut inner = scope.clone();
                inner.ints.push(head.clone());
                inner.lists.push(rest.clone());
                let some = self.block(&inner, depth, Self::int);
                let none = self.block(scope, depth, Self::int);
                match self.choices.below(3) {
                    0 => format!("(match ({value}) {{ Cons({head}, {rest}) => {some}, Nil => {none} }})"),
                    1 => {
                        format!(
                            "(match ({value}) {{ Cons(_, Cons({head}, {rest})) => {some}, _ => {none} }})"
                        )
                    }
                    _ => {
                        let other = self.option(scope, depth);
                        format!(
                            "(match (({value}, {other})) {{ (Cons({head}, {rest}), Some(_)) => {some}, \
                             (Nil, None) => 1, _ => {none} }})"
                        )
                    }
                }
            }
            7 => {
                let name = self.fresh();
                let value = self.option(scope, depth);
                let mut inner = scope.clone();
                inner.lists.push(name.clone());
                let some = self.block(&inner, depth, Self::int);
                let none = self.block(scope, depth, Self::int);
                format!("(match ({value}) {{ Some({name}) => {some}, None => {none} }})")
            }
            _ => {
                let (a, b) = (self.int(scope, depth), self.int(scope, depth));
                let (yes, no) = (self.block(scope, depth, Self::int), self.block(scope, depth, Self::int));
                format!("if ({a} < {b}) {yes} else {no}")
            }
        }
        .replace('\n', " ")
    }

    fn list(&mut self, scope: &Scope, depth: usize) -> String {
        let known = self.choices.pick(&scope.lists).unwrap_or_else(|| "@nil()".to_owned());
        let Some(depth) = depth.checked_sub(1) else { return known };
        match self.choices.below(9) {
            0 => known,
            1 | 2 => format!("Cons({}, {})", self.int(scope, depth), self.list(scope, depth)),
            3 => format!("@map({}, {})", self.function(scope, depth), self.list(scope, depth)),
            4 => format!("@concat({}, {})", self.list(scope, depth), self.list(scope, depth)),
            5 => format!("@rev({})", self.list(scope, depth)),
            6 => match self.choices.pick(&scope.references) {
                Some(reference) => format!("ref_read({reference})"),
                None => known,
            },
            7 => {
                let name = self.fresh();
                format!(
                    "(match ({}) {{ Some({name}) => {name}, None => {} }})",
                    self.option(scope, depth),
                    self.list(scope, depth)
                )
            }
            _ => {
                let (a, b) = (self.int(scope, depth), self.int(scope, depth));
                let (yes, no) = (self.block(scope, depth, Self::list), self.block(scope, depth, Self::list));
                format!("if ({a} < {b}) {yes} else {no}")
            }
        }
        .replace('\n', " ")
    }

    fn function(&mut self, scope: &Scope, depth: usize) -> String {
        let known = self.choices.pick(&scope.functions);
        match (known, self.choices.below(3)) {
            (Some(known), 0) => known,
            (Some(known), 1) if depth > 0 => {
                format!("@compose({known}, {})", self.function(scope, depth - 1))
            }
            _ => {
                let param = self.fresh();
                let mut inner = scope.clone();
                inner.ints.push(param.clone());
                let body = self.block(&inner, depth.saturating_sub(1), Self::int);
                // A function that a reference contains may have the reference, but numbers are not negative, so no call is
                // endless.
                let body = match self.choices.pick(&scope.cells) {
                    Some(cell) => {
                        format!("{{ if ({param} < 0) {{ ref_read({cell})({param} + 1) }} else {body} }}")
                    }
                    None => body,
                };
                format!("fn ({param}: int32) -> int32 {body}").replace('\n', " ")
            }
        }
    }

    fn option(&mut self, scope: &Scope, depth: usize) -> String {
        match (self.choices.pick(&scope.options), self.choices.below(3)) {
            (Some(known), 0) => known,
            (_, 1) => {
                let (yes, no) =
                    (self.list(scope, depth.saturating_sub(1)), self.int(scope, depth.saturating_sub(1)));
                format!("if ({no} < 3) {{ Some({yes}) }} else {{ None }}")
            }
            _ => format!("Some({})", self.list(scope, depth.saturating_sub(1))),
        }
    }
}

/// The text of a program from a seed: `@main` takes a number, and gives one and a list.
pub fn program(seed: u64) -> String {
    let mut generator = Generator { choices: Choices(seed), next: 0 };
    let scope = Scope { ints: vec!["%n".to_owned()], ..Scope::default() };
    let body = generator.block(&scope, 3, |generator, scope, depth| {
        format!("({}, {})", generator.int(scope, depth), generator.list(scope, depth))
    });
    format!(
        "#[version = \"0.0.5\"]\ndef @nil() -> List[int32] {{ Nil }}\ndef @main(%n: int32) -> (int32, List[int32]) {body}\n"
    )
}
