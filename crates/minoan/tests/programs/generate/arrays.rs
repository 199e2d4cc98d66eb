//! Tensors: built, folded, mapped.

use super::{Gen, MOST_ROUNDS, SIZES, Ty, index_of, indices, join};

impl Gen<'_> {
    /// `(lam (i : Integer) ..)`, or with a tuple of indices.
    pub(super) fn over_indices(&mut self, rank: u32, result: &Ty, depth: u32) -> String {
        self.over_indices_with(rank, |this| this.expr(result, depth))
    }

    fn over_indices_with(&mut self, rank: u32, body: impl FnOnce(&mut Self) -> String) -> String {
        let rounds = (SIZES as u64 - 1).pow(rank);
        self.looped(rounds, |this| {
            if rank == 1 {
                let index = this.bind(&Ty::Int);
                let body = body(this);
                this.scope.pop();
                return format!("(lam ({index} : Integer) {body})");
            }
            let tuple = this.fresh();
            let names: Vec<String> = (0..rank).map(|_| this.bind(&Ty::Int)).collect();
            let body = body(this);
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
    pub(super) fn element(&mut self, rank: u32, element: &Ty, depth: u32) -> String {
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

    pub(super) fn fold(&mut self, ty: &Ty, depth: u32) -> String {
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
    pub(super) fn sum_build(&mut self, ty: &Ty, depth: u32) -> String {
        let rank = if self.rounds == 1 { 1 + self.choices.below(2) as u32 } else { 1 };
        if !ty.has_tensor() {
            let sizes = self.sizes(rank);
            let lambda = self.over_indices_with(rank, |this| {
                let term = this.expr(ty, depth);
                this.nudged(ty, term)
            });
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
            this.nudged(ty, term)
        });
        let param = if rank == 1 { "Integer".to_owned() } else { indices(rank) };
        format!(
            "(let (({rows} (add 0 {row_count})) ({columns} (add 0 {column_count})))\n    (sumbuild {} (lam ({index} : {param}) {term})))",
            index_of(&sizes)
        )
    }

    /// An expression whose tensors have known sizes.
    pub(super) fn sized(&mut self, ty: &Ty, rows: &str, columns: &str, depth: u32) -> String {
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

    pub(super) fn tensor(&mut self, rank: u32, element: &Ty, depth: u32) -> String {
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
                    let rows = self.nudged(&Ty::Tensor(2, Box::new(Ty::Float)), name.clone());
                    let vector = format!("(build (get$2$2 (size {name})) {lambda})");
                    let vector = self.nudged(&ty, vector);
                    format!("(let ({name} {matrix}) (mul {rows} {vector}))")
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

    pub(super) fn map2(&mut self, rank: u32, element: &Ty, depth: u32) -> String {
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
