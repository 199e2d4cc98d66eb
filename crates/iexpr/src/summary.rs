//! Signatures of components, and how combinators compose them.
//!
//! An expression determines the rank of its inputs and outputs; the identity does not. So the type of an output may
//! depend on an input, and an input has the rank and kind that its first reader requires.

use crate::ast::{Combinator, Literal};
use minoan_diag::{Diagnostic, FileId, Span};
use minoan_iexpr_dialect::{Class, Step};
use std::fmt;

/// Upper bound on the inputs and on the outputs of a component.
pub const MAX_PORTS: usize = 1000;

/// The kind of a tensor's elements.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Floats.
    Numeric,
    /// Booleans.
    Bool,
}

/// An input or output of a component.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Port {
    /// The rank; `None` if only the identity reads it, so that any rank is valid.
    pub rank: Option<usize>,
    /// The kind of its elements.
    pub kind: Kind,
}

/// The inputs and outputs of a component.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Signature {
    /// The inputs in order.
    pub inputs: Vec<Port>,
    /// The outputs in order.
    pub outputs: Vec<Port>,
}

impl fmt::Display for Port {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.rank {
            Some(rank) => write!(f, "rank {rank}")?,
            None => write!(f, "any rank")?,
        }
        f.write_str(if self.kind == Kind::Bool { " bool" } else { "" })
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |ports: &[Port]| ports.iter().map(Port::to_string).collect::<Vec<_>>().join(", ");
        write!(f, "({}) -> ({})", list(&self.inputs), list(&self.outputs))
    }
}

/// The requirements on an input, each with its location.
#[derive(Clone, Copy, Default)]
pub(crate) struct Input {
    rank: Option<(usize, Span)>,
    truth: Option<Span>,
    /// Whether the schedule of a reader places the computation of the input.
    is_staged: bool,
}

/// A known property, or the property of an input.
#[derive(Clone, Copy)]
enum Of<T> {
    Known(T, Span),
    Input(usize),
}

#[derive(Clone, Copy)]
pub(crate) struct Output {
    rank: Of<usize>,
    kind: Of<Kind>,
}

/// The signature and size of a component.
#[derive(Clone, Default)]
pub(crate) struct Summary {
    pub(crate) inputs: Vec<Input>,
    pub(crate) outputs: Vec<Output>,
    /// The number of expressions and identities, including those of named components.
    pub(crate) size: usize,
}

impl Summary {
    pub(crate) fn identity() -> Summary {
        let output = Output { rank: Of::Input(0), kind: Of::Input(0) };
        Summary { inputs: vec![Input::default()], outputs: vec![output], size: 1 }
    }

    /// The summary of a valid expression.
    pub(crate) fn of(literal: &Literal, file: FileId) -> Summary {
        let span = |at: &std::ops::Range<usize>| {
            Span::new(file, literal.base + at.start as u32, literal.base + at.end as u32)
        };
        let (expr, places) = (&literal.expr, &literal.places);
        let operator = places.operator.as_ref().map_or_else(|| span(&places.output), span);
        let class = expr.operator.map(|operator| operator.class());
        let truth = (class == Some(Class::Logical)).then_some(operator);
        let steps = expr.schedule.as_ref().map_or(&[][..], |schedule| &schedule.steps);
        let inputs = expr.inputs.iter().zip(&places.inputs).enumerate();
        let inputs = inputs.map(|(index, (input, at))| Input {
            rank: Some((input.rank(), span(at))),
            truth,
            is_staged: steps.contains(&Step::Stage(index)),
        });
        let inputs = inputs.collect();
        let kind = match class {
            None => Of::Input(0),
            Some(Class::Numeric) => Of::Known(Kind::Numeric, operator),
            Some(Class::Comparison | Class::Logical) => Of::Known(Kind::Bool, operator),
        };
        let rank = Of::Known(expr.output.rank(), span(&places.output));
        Summary { inputs, outputs: vec![Output { rank, kind }], size: 1 }
    }

    /// Whether the schedule of an expression places the computation of an input, which so must be the output of another one.
    pub(crate) fn needs_producer(&self) -> bool {
        self.inputs.iter().any(|input| input.is_staged)
    }

    pub(crate) fn signature(&self) -> Signature {
        let input = |input: &Input| Port {
            rank: input.rank.map(|(rank, _)| rank),
            kind: if input.truth.is_some() { Kind::Bool } else { Kind::Numeric },
        };
        let inputs: Vec<Port> = self.inputs.iter().map(input).collect();
        let output = |output: &Output| Port {
            rank: match output.rank {
                Of::Known(rank, _) => Some(rank),
                Of::Input(input) => inputs[input].rank,
            },
            kind: match output.kind {
                Of::Known(kind, _) => kind,
                Of::Input(input) => inputs[input].kind,
            },
        };
        let outputs = self.outputs.iter().map(output).collect();
        Signature { inputs, outputs }
    }

    /// Summary of `~f`.
    pub(crate) fn swap(mut self) -> Summary {
        if self.outputs.len() >= 2 {
            self.outputs.swap(0, 1);
        }
        self
    }

    /// Summary of `rev(f)`: the inputs of `f`, then a cotangent of each output that is a number; a cotangent of each input that
    /// is a number.
    pub(crate) fn reverse(mut self, at: Span) -> Result<Summary, Box<Diagnostic>> {
        let Signature { inputs, outputs } = self.signature();
        if let Some(free) = inputs.iter().position(|input| input.rank.is_none()) {
            let error = Diagnostic::error(format!(
                "`rev` needs the rank of each input, but nothing but an identity reads input {free}"
            ));
            let help = "an expression determines the rank without changing the values: `i(\"ij~ij\")`";
            return Err(Box::new(error.at(at).help(help)));
        }
        for (ports, what) in [(&inputs, "input"), (&outputs, "output")] {
            if ports.iter().all(|port| port.kind == Kind::Bool) {
                let error = Diagnostic::error(format!("`rev` needs an {what} of numbers, and there is none"));
                return Err(Box::new(error.at(at)));
            }
        }
        let numbers = |ports: &[Port]| -> Vec<usize> {
            ports.iter().filter(|port| port.kind == Kind::Numeric).filter_map(|port| port.rank).collect()
        };
        self.outputs = numbers(&inputs)
            .into_iter()
            .map(|rank| Output { rank: Of::Known(rank, at), kind: Of::Known(Kind::Numeric, at) })
            .collect();
        let cotangents = numbers(&outputs).into_iter();
        self.inputs.extend(cotangents.map(|rank| Input { rank: Some((rank, at)), ..Input::default() }));
        self.size = self.size.saturating_mul(4);
        self.check_ports(at)?;
        Ok(self)
    }

    /// Reports too many inputs or outputs.
    fn check_ports(&self, at: Span) -> Result<(), Box<Diagnostic>> {
        for (ports, what) in [(self.inputs.len(), "inputs"), (self.outputs.len(), "outputs")] {
            if ports > MAX_PORTS {
                let message = format!("a component has at most {MAX_PORTS} {what}, this one has {ports}");
                return Err(Box::new(Diagnostic::error(message).at(at)));
            }
        }
        Ok(())
    }

    /// Summary of two components wired by a combinator at `at`.
    pub(crate) fn wire(
        self,
        combinator: Combinator,
        other: Summary,
        at: Span,
    ) -> Result<Summary, Box<Diagnostic>> {
        let wire = Wire { symbol: combinator.symbol(), at };
        let size = self.size.saturating_add(other.size);
        let mut wired = match combinator {
            Combinator::Compose => wire.compose(self, other)?,
            Combinator::Chain => wire.compose(other, self)?,
            Combinator::Fanout => wire.fanout(self, other)?,
            Combinator::Pair => pair(self, other),
        };
        wired.size = size;
        wired.check_ports(at)?;
        Ok(wired)
    }
}

impl Output {
    /// The output for renumbered inputs.
    fn renumbered(self, number: impl Fn(usize) -> usize) -> Output {
        let rank = if let Of::Input(input) = self.rank { Of::Input(number(input)) } else { self.rank };
        let kind = if let Of::Input(input) = self.kind { Of::Input(number(input)) } else { self.kind };
        Output { rank, kind }
    }
}

fn pair(left: Summary, right: Summary) -> Summary {
    let before = left.inputs.len();
    let mut both = left;
    both.inputs.extend(right.inputs);
    both.outputs.extend(right.outputs.iter().map(|output| output.renumbered(|input| before + input)));
    both
}

struct Wire {
    symbol: &'static str,
    at: Span,
}

impl Wire {
    /// Summary of `f << g`.
    fn compose(&self, f: Summary, g: Summary) -> Result<Summary, Box<Diagnostic>> {
        let paired = f.inputs.len().min(g.outputs.len());
        let mut inputs = g.inputs;
        for (output, need) in g.outputs.iter().zip(&f.inputs) {
            self.connect(*output, *need, &mut inputs)?;
        }
        let before = inputs.len();
        inputs.extend(&f.inputs[paired..]);
        let through = |output: &Output| Output {
            rank: match output.rank {
                Of::Input(input) if input < paired => g.outputs[input].rank,
                Of::Input(input) => Of::Input(before + input - paired),
                known => known,
            },
            kind: match output.kind {
                Of::Input(input) if input < paired => g.outputs[input].kind,
                Of::Input(input) => Of::Input(before + input - paired),
                known => known,
            },
        };
        let mut outputs: Vec<Output> = f.outputs.iter().map(through).collect();
        outputs.extend(&g.outputs[paired..]);
        Ok(Summary { inputs, outputs, size: 0 })
    }

    /// Summary of `f & g`.
    fn fanout(&self, f: Summary, g: Summary) -> Result<Summary, Box<Diagnostic>> {
        let paired = f.inputs.len().min(g.inputs.len());
        let mut inputs = f.inputs;
        for (input, need) in inputs.iter_mut().zip(&g.inputs) {
            self.constrain(input, *need, "shares one input that")?;
        }
        inputs.extend(&g.inputs[paired..]);
        let outputs = f.outputs.into_iter().chain(g.outputs).collect();
        Ok(Summary { inputs, outputs, size: 0 })
    }

    /// Connects an output to an input.
    fn connect(&self, output: Output, need: Input, inputs: &mut [Input]) -> Result<(), Box<Diagnostic>> {
        match (output.rank, need.rank) {
            (Of::Known(have, from), Some((want, to))) if have != want => {
                let message =
                    format!("`{}` gives a value of rank {have} to an input of rank {want}", self.symbol);
                let error = Diagnostic::error(message).at(self.at);
                let error = error.label(from, format!("this is of rank {have}"));
                return Err(Box::new(error.label(to, format!("this is of rank {want}"))));
            }
            (Of::Input(input), Some(_)) => {
                let need = Input { truth: None, ..need };
                self.constrain(&mut inputs[input], need, "leads one input through an identity, which")?;
            }
            _ => {}
        }
        match (output.kind, need.truth) {
            (Of::Known(Kind::Numeric, from), Some(to)) => {
                let message =
                    format!("`{}` gives a number to an operator that takes truth values", self.symbol);
                let error = Diagnostic::error(message).at(self.at);
                let error = error.label(from, "gives a number").label(to, "takes truth values");
                Err(Box::new(
                    error.help("a comparison yields truth values: `!=i~i` is true for what is not 0"),
                ))
            }
            (Of::Input(input), Some(_)) => {
                inputs[input].truth = inputs[input].truth.or(need.truth);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn constrain(&self, input: &mut Input, need: Input, how: &str) -> Result<(), Box<Diagnostic>> {
        if let (Some((one, here)), Some((other, there))) = (input.rank, need.rank)
            && one != other
        {
            let message = format!("`{}` {how} has rank {one} and rank {other}", self.symbol);
            let error = Diagnostic::error(message).at(self.at);
            let error = error.label(here, format!("this is of rank {one}"));
            return Err(Box::new(error.label(there, format!("this is of rank {other}"))));
        }
        input.rank = input.rank.or(need.rank);
        input.truth = input.truth.or(need.truth);
        input.is_staged |= need.is_staged;
        Ok(())
    }
}
