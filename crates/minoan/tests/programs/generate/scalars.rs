//! Numbers and truth values.

use super::{Gen, Ty, index_of, join};

impl Gen<'_> {
    pub(super) fn literal(&mut self, ty: &Ty) -> String {
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

    pub(super) fn integer(&mut self, depth: u32) -> String {
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

    pub(super) fn float(&mut self, depth: u32) -> String {
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
                let terms = self.expr(&ty, depth);
                format!("(sum {})", self.nudged(&ty, terms))
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
                let factors = self.nudged(&ty, name.clone());
                format!("(let ({name} {tensor}) (ts_dot {factors} {name}))")
            }
        }
    }

    pub(super) fn truth(&mut self, depth: u32) -> String {
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

    pub(super) fn apply(&mut self, name: &str, ty: &Ty, count: usize, depth: u32) -> String {
        let args: Vec<String> = (0..count).map(|_| self.expr(ty, depth)).collect();
        join(name, &args)
    }
}
