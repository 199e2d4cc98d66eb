//! Random components and schedules: what is computed depends on neither wiring tricks nor loops.

mod common;

use common::reference::{Array, arity};
use common::{expected, good, run, same};
use minoan_iexpr_dialect::{Expr, Operator, Pattern, Schedule, Split, Step};
use proptest::prelude::*;

/// A row of decisions.
struct Choices<'a> {
    list: &'a [u16],
    at: usize,
}

impl Choices<'_> {
    fn below(&mut self, count: usize) -> usize {
        let choice = self.list.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        usize::from(choice) % count.max(1)
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

/// Extents of the indices, the same for a letter wherever it stands.
fn extent(letter: char, extents: &[usize]) -> usize {
    extents[(letter as usize - 'i' as usize) % extents.len()]
}

/// An operator whose results on small whole numbers are small whole numbers.
const EXACT: [&str; 8] = ["+", "*", "-", ">", "<", "+", "*", "-"];

/// An expression that reads tensors whose dimensions are named by `patterns`.
fn expression(choices: &mut Choices<'_>, inputs: &[&str]) -> (String, String) {
    let mut letters: Vec<char> = Vec::new();
    for letter in inputs.iter().flat_map(|input| input.chars()) {
        if !letters.contains(&letter) {
            letters.push(letter);
        }
    }
    let mut output = letters.clone();
    for index in (1..output.len()).rev() {
        output.swap(index, choices.below(index + 1));
    }
    let show = |pattern: &str| if pattern.is_empty() { ".".to_owned() } else { pattern.to_owned() };
    if let [left, right] = inputs {
        let output: String = output.into_iter().collect();
        let operator = choices.pick(&EXACT);
        return (format!("{}{operator}{}~{}", show(left), show(right), show(&output)), output);
    }
    let operator = match choices.below(3) {
        0 => choices.pick(&["", "+", "-", ">", "<"]),
        _ => {
            output.truncate(choices.below(output.len() + 1));
            choices.pick(&["+", ">", "<", "+"])
        }
    };
    let output: String = output.into_iter().collect();
    (format!("{operator}{}~{}", show(inputs[0]), show(&output)), output)
}

/// A component as text, with the named dimensions of its inputs and outputs.
struct Component {
    text: String,
    inputs: Vec<String>,
    outputs: Vec<String>,
}

const PATTERNS: [&str; 12] = ["", "i", "j", "ij", "ji", "ijk", "ik", "kj", "ii", "jij", "jk", "k"];

fn leaf(choices: &mut Choices<'_>) -> Component {
    let many = 1 + choices.below(2);
    let inputs: Vec<String> = (0..many).map(|_| choices.pick(&PATTERNS).to_owned()).collect();
    from_inputs(choices, inputs)
}

fn from_inputs(choices: &mut Choices<'_>, inputs: Vec<String>) -> Component {
    let (text, output) = expression(choices, &inputs.iter().map(String::as_str).collect::<Vec<_>>());
    Component { text: format!("i(\"{text}\")"), inputs, outputs: vec![output] }
}

/// A component of a depth; what fits together is wired, what does not is put side by side.
fn component(choices: &mut Choices<'_>, depth: usize) -> Component {
    if depth == 0 {
        return leaf(choices);
    }
    let first = component(choices, depth - 1);
    match choices.below(6) {
        0 => {
            let second = component(choices, depth - 1);
            let text = format!("({} | {})", first.text, second.text);
            let inputs = [first.inputs, second.inputs].concat();
            Component { text, inputs, outputs: [first.outputs, second.outputs].concat() }
        }
        1 => {
            let mut outputs = first.outputs;
            if outputs.len() >= 2 {
                outputs.swap(0, 1);
            }
            Component { text: format!("~{}", first.text), outputs, ..first }
        }
        2 => {
            // The second one shares what inputs it can.
            let many = 1 + choices.below(2);
            let inputs: Vec<String> = (0..many)
                .map(|at| first.inputs.get(at).cloned().unwrap_or_else(|| choices.pick(&PATTERNS).to_owned()))
                .collect();
            let second = from_inputs(choices, inputs);
            let text = format!("({} & {})", first.text, second.text);
            let mut inputs = first.inputs.clone();
            inputs.extend(second.inputs.iter().skip(first.inputs.len()).cloned());
            Component { text, inputs, outputs: [first.outputs, second.outputs].concat() }
        }
        3 => {
            let text = format!("(I & {})", first.text);
            let outputs = [&first.inputs[..1], &first.outputs].concat();
            Component { text, inputs: first.inputs, outputs }
        }
        which => {
            // What follows reads the first outputs, and perhaps an input more.
            let many = 1 + choices.below(2);
            let reads: Vec<String> = (0..many)
                .map(|at| {
                    first.outputs.get(at).cloned().unwrap_or_else(|| choices.pick(&PATTERNS).to_owned())
                })
                .collect();
            let second = from_inputs(choices, reads);
            let paired = many.min(first.outputs.len());
            let text = if which == 4 {
                format!("({} >> {})", first.text, second.text)
            } else {
                format!("({} << {})", second.text, first.text)
            };
            let inputs = first.inputs.iter().chain(&second.inputs[paired..]).cloned().collect();
            let outputs = second.outputs.iter().chain(&first.outputs[paired..]).cloned().collect();
            Component { text, inputs, outputs }
        }
    }
}

fn arguments(choices: &mut Choices<'_>, inputs: &[String], extents: &[usize]) -> Vec<Array> {
    let one = |input: &String| {
        let shape: Vec<usize> = input.chars().map(|letter| extent(letter, extents)).collect();
        let count = shape.iter().product();
        Array::numbers(&shape, (0..count).map(|_| choices.below(7) as f64 - 3.0).collect())
    };
    inputs.iter().map(one).collect()
}

fn extents() -> impl Strategy<Value = Vec<usize>> {
    proptest::collection::vec(prop_oneof![Just(0usize), Just(1), 2usize..7], 3)
}

fn list(most: usize) -> impl Strategy<Value = Vec<u16>> {
    proptest::collection::vec(any::<u16>(), 0..most)
}

/// Numbers that an `f32` does not hold exactly depend on the order of sums.
fn is_exact(arrays: &[Array]) -> bool {
    const LARGEST: f64 = 16_000_000.0;
    arrays.iter().all(|array| array.data.iter().all(|it| it.abs() < LARGEST || it.is_infinite()))
}

/// The same numbers; a sum of nothing may have another sign.
fn alike(left: &[Array], right: &[Array]) -> bool {
    let alike = |(a, b): (&f64, &f64)| a == b || a.is_nan() && b.is_nan();
    left.len() == right.len()
        && left
            .iter()
            .zip(right)
            .all(|(left, right)| left.shape == right.shape && left.data.iter().zip(&right.data).all(alike))
}

/// Splits and an order for an expression, without stages.
fn schedule(choices: &mut Choices<'_>, expr: &Expr) -> Schedule {
    let mut schedule = Schedule::default();
    let mut parts = Vec::new();
    for axis in expr.axes() {
        let factors: Vec<u32> = (0..choices.below(3)).map(|_| choices.pick(&[1, 2, 3, 4, 5])).collect();
        parts.extend((0..=factors.len() as u32).map(|part| Step::Loop { axis, part }));
        if !factors.is_empty() {
            schedule.splits.push(Split { axis, factors });
        }
    }
    for index in (1..parts.len()).rev() {
        parts.swap(index, choices.below(index + 1));
    }
    if choices.below(5) > 0 {
        schedule.steps = parts;
    }
    let is_output = |step: &Step| matches!(step, Step::Loop { axis, .. } if expr.output.0.contains(axis));
    let last = schedule.steps.iter().rposition(is_output).map_or(0, |last| last + 1);
    if expr.is_reduction() && !schedule.steps.is_empty() && choices.below(2) == 0 {
        let at = last + choices.below(schedule.steps.len() - last + 1);
        schedule.steps.insert(at, Step::Init);
    }
    schedule
}

/// Gives an input of an expression a place to be computed.
fn stage(choices: &mut Choices<'_>, expr: &mut Expr, input: usize) {
    let Some(schedule) = &mut expr.schedule else { return };
    let at = choices.below(schedule.steps.len() + 1);
    schedule.steps.insert(at, Step::Stage(input));
}

/// The schedule of a producer that goes along with its consumer's: its output axes are split and ordered alike.
fn aligned(choices: &mut Choices<'_>, producer: &mut Expr, consumer: &Expr, input: usize) {
    let Some(theirs) = consumer.schedule.clone() else { return };
    let partner = |axis: char| {
        let position = consumer.inputs[input].0.iter().position(|&it| it == axis)?;
        Some(producer.output.0[position])
    };
    let mut schedule = Schedule::default();
    for split in &theirs.splits {
        for (&own, _) in producer
            .output
            .0
            .iter()
            .zip(&consumer.inputs[input].0)
            .filter(|(_, theirs)| **theirs == split.axis)
        {
            schedule.splits.push(Split { axis: own, factors: split.factors.clone() });
        }
    }
    // Reduced axes go anywhere; the rest as theirs do.
    let mut steps: Vec<Step> = Vec::new();
    for step in &theirs.steps {
        if let Step::Loop { axis, part } = *step {
            let repeated = consumer.inputs[input].0.iter().filter(|&&it| it == axis).count() > 1;
            if repeated {
                producer.schedule = Some(Schedule::default());
                return;
            }
            steps.extend(partner(axis).map(|axis| Step::Loop { axis, part }));
        }
    }
    for axis in producer.reduced_axes() {
        let factors: Vec<u32> = (0..choices.below(2)).map(|_| choices.pick(&[2, 3])).collect();
        if !steps.is_empty() {
            for part in 0..=factors.len() as u32 {
                let at = choices.below(steps.len() + 1);
                steps.insert(at, Step::Loop { axis, part });
            }
        }
        if !factors.is_empty() {
            schedule.splits.push(Split { axis, factors });
        }
    }
    schedule.steps = steps;
    producer.schedule = Some(schedule);
}

fn parsed(text: &str) -> Expr {
    minoan_iexpr_dialect::parse(text).expect("it is one").0
}

fn literal(expr: &Expr) -> String {
    let (again, places) = minoan_iexpr_dialect::parse(&expr.to_string()).expect("what is printed reads back");
    assert_eq!(&again, expr);
    assert_eq!(minoan_iexpr_dialect::check(&again, &places), [], "{expr}");
    format!("i(\"{expr}\")")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn components_agree_with_the_reference(list in list(120), depth in 0usize..5, extents in extents()) {
        let mut choices = Choices { list: &list, at: 0 };
        let component = component(&mut choices, depth);
        let text = format!("main = {}", component.text);
        let inputs = arguments(&mut choices, &component.inputs, &extents);
        let want = expected(&text, &inputs).expect("extents fit");
        prop_assume!(is_exact(&want));
        let have = run(&text, &inputs).expect("runs");
        prop_assert!(alike(&have, &want), "{text}: {have:?}, expected {want:?}");
        let (_, checked, file) = good(&text);
        let signature = checked.signature("main").expect("it is defined");
        let counts = (signature.inputs.len(), signature.outputs.len());
        prop_assert_eq!(counts, arity(&file, file.defs[0].body));
        prop_assert_eq!(counts, (component.inputs.len(), component.outputs.len()));
    }

    #[test]
    fn a_schedule_changes_no_value(list in list(80), extents in extents()) {
        let mut choices = Choices { list: &list, at: 0 };
        let many = 1 + choices.below(2);
        let inputs: Vec<&str> = (0..many).map(|_| choices.pick(&PATTERNS)).collect();
        let (text, _) = expression(&mut choices, &inputs);
        let mut expr = parsed(&text);
        let want_text = format!("main = i(\"{expr}\")");
        expr.schedule = Some(schedule(&mut choices, &expr));
        let names: Vec<String> = inputs.iter().map(|&it| it.to_owned()).collect();
        let arguments = arguments(&mut choices, &names, &extents);
        let want = expected(&want_text, &arguments).expect("extents fit");
        let have = run(&format!("main = {}", literal(&expr)), &arguments).expect("runs");
        prop_assert!(alike(&have, &want), "{expr}: {have:?}, expected {want:?}");
    }

    #[test]
    fn staging_changes_no_value(list in list(160), extents in extents(), length in 1usize..4) {
        // A chain from the last consumer back: what is computed inside is aligned with what is around it.
        let mut choices = Choices { list: &list, at: 0 };
        let mut chain: Vec<Expr> = Vec::new();
        let many = 1 + choices.below(2);
        let inputs: Vec<&str> = (0..many).map(|_| choices.pick(&PATTERNS)).collect();
        let (text, mut output) = expression(&mut choices, &inputs);
        chain.push(parsed(&text));
        for _ in 0..length {
            let mut reads = vec![output.clone()];
            if choices.below(3) == 0 {
                reads.push(choices.pick(&PATTERNS).to_owned());
            }
            let reads: Vec<&str> = reads.iter().map(String::as_str).collect();
            let (text, next) = expression(&mut choices, &reads);
            chain.push(parsed(&text));
            output = next;
        }
        let arguments: Vec<String> = chain[0].inputs.iter().map(|it| it.0.iter().collect()).chain(
            chain[1..].iter().filter_map(|expr| expr.inputs.get(1).map(|it| it.0.iter().collect()))).collect();
        let plain: Vec<String> = chain.iter().map(literal).collect();
        let last = chain.len() - 1;
        chain[last].schedule = Some(schedule(&mut choices, &chain[last]));
        for at in (1..=last).rev() {
            let consumer = chain[at].clone();
            aligned(&mut choices, &mut chain[at - 1], &consumer, 0);
            if choices.below(4) > 0 {
                stage(&mut choices, &mut chain[at], 0);
            }
        }
        let scheduled: Vec<String> = chain.iter().map(literal).collect();
        let arguments = self::arguments(&mut choices, &arguments, &extents);
        let want = expected(&format!("main = {}", plain.join(" >> ")), &arguments).expect("extents fit");
        prop_assume!(is_exact(&want));
        let text = format!("main = {}", scheduled.join(" >> "));
        match run(&text, &arguments) {
            Ok(have) => prop_assert!(alike(&have, &want), "{text}: {have:?}, expected {want:?}"),
            Err(error) => {
                let known = ["not lowered yet: stage", "producer axes align with", "producer index `"];
                prop_assert!(known.iter().any(|it| error.contains(it)), "{}\n{}", text, error);
            }
        }
    }

    #[test]
    fn names_of_indices_do_not_matter(list in list(40), extents in extents()) {
        let mut choices = Choices { list: &list, at: 0 };
        let many = 1 + choices.below(2);
        let inputs: Vec<&str> = (0..many).map(|_| choices.pick(&PATTERNS)).collect();
        let (text, _) = expression(&mut choices, &inputs);
        let renamed: String = text.chars().map(|c| match c { 'i' => 'z', 'j' => 'i', 'k' => 'a', c => c }).collect();
        let names: Vec<String> = inputs.iter().map(|&it| it.to_owned()).collect();
        let arguments = arguments(&mut choices, &names, &extents);
        let side = |text: &str| run(&format!("main = i(\"{text}\")"), &arguments).expect("runs");
        prop_assert!(same(&side(&text), &side(&renamed)));
    }

    #[test]
    fn operands_of_commutative_operators_may_be_swapped(list in list(40), extents in extents()) {
        let mut choices = Choices { list: &list, at: 0 };
        let operator = choices.pick(&["+", "*", ">", "<"]);
        let (left, right) = (choices.pick(&["ij", "i", "j", ""]), choices.pick(&["ij", "ji"]));
        let names = vec![left.to_owned(), right.to_owned()];
        let arguments = arguments(&mut choices, &names, &extents);
        let left = if left.is_empty() { "." } else { left };
        let one = run(&format!("main = i(\"{left}{operator}{right}~ij\")"), &arguments).expect("runs");
        let swapped: Vec<Array> = arguments.iter().rev().cloned().collect();
        let two = run(&format!("main = i(\"{right}{operator}{left}~ij\")"), &swapped).expect("runs");
        prop_assert!(alike(&one, &two));
    }

    #[test]
    fn what_is_printed_reads_back(operator in proptest::option::of(0usize..18), inputs in proptest::collection::vec("[a-z]{0,5}", 1..3), output in "[a-z]{0,5}", splits in proptest::collection::vec((proptest::char::range('a', 'z'), proptest::collection::vec(0u32..100, 1..4)), 0..4), steps in proptest::collection::vec((proptest::char::range('a', 'z'), 0u32..4), 0..6), scheduled in any::<bool>()) {
        let pattern = |text: &str| Pattern(text.chars().collect());
        let mut splits: Vec<Split> = splits.into_iter().map(|(axis, factors)| Split { axis, factors }).collect();
        splits.sort_by_key(|split| split.axis);
        splits.dedup_by_key(|split| split.axis);
        let steps = steps.into_iter().map(|(axis, part)| Step::Loop { axis, part }).chain([Step::Stage(1), Step::Init, Step::Stage(0)]);
        let expr = Expr {
            operator: operator.map(|at| Operator::ALL[at]).or((inputs.len() == 2).then_some(Operator::Add)),
            inputs: inputs.iter().map(|it| pattern(it)).collect(),
            output: pattern(&output),
            schedule: scheduled.then(|| Schedule { splits, steps: steps.collect() }),
        };
        let (again, _) = minoan_iexpr_dialect::parse(&expr.to_string()).expect("what is printed is an expression");
        prop_assert_eq!(again, expr);
    }

    #[test]
    fn files_read_back(list in list(120), depth in 0usize..6) {
        let mut choices = Choices { list: &list, at: 0 };
        let text = format!("first = I\nmain = {} | first\n", component(&mut choices, depth).text);
        let (_, _, file) = good(&text);
        let printed = minoan_iexpr::print(&file);
        let (_, _, again) = good(&printed);
        prop_assert!(file.same_structure(&again), "{text}\n{printed}");
        prop_assert_eq!(minoan_iexpr::print(&again), printed);
    }
}

/// Both sides give the same on the same inputs.
fn law(left: &str, right: &str, inputs: &[Array], definitions: &str) {
    let side = |side: &str| run(&format!("{definitions}\nmain = {side}"), inputs).expect("runs");
    assert!(same(&side(left), &side(right)), "{left} and {right}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn laws_of_the_combinators(list in list(200), extents in extents()) {
        let mut choices = Choices { list: &list, at: 0 };
        let (f, g, h) = (component(&mut choices, 1), component(&mut choices, 1), component(&mut choices, 1));
        let definitions = format!("f = {}\ng = {}\nh = {}", f.text, g.text, h.text);
        let all = [&f.inputs[..], &g.inputs, &h.inputs].concat();
        let inputs = arguments(&mut choices, &all, &extents);
        law("(f | g) | h", "f | (g | h)", &inputs, &definitions);
        let (of_f, of_g) = (&inputs[..f.inputs.len()], &inputs[f.inputs.len()..f.inputs.len() + g.inputs.len()]);
        law("~~f", "f", of_f, &definitions);
        law("f & f", "f >> I & f", of_f, &definitions);
        if f.outputs.len() == 1 {
            law("I << f", "f", of_f, &definitions);
        }
        if f.inputs.len() == 1 {
            law("f << I", "f", of_f, &definitions);
            let twice = [of_f, of_f].concat();
            let (shared, apart) = (run(&format!("{definitions}\nmain = f & f"), of_f), run(&format!("{definitions}\nmain = f | f"), &twice));
            prop_assert!(same(&shared.expect("runs"), &apart.expect("runs")));
        }
        // Two more that read just what f and g give.
        let (k, l) = (from_inputs(&mut choices, f.outputs[..1].to_vec()), from_inputs(&mut choices, g.outputs[..1].to_vec()));
        let definitions = format!("{definitions}\nk = {}\nl = {}", k.text, l.text);
        law("f >> k", "k << f", of_f, &definitions);
        law("g >> l", "l << g", of_g, &definitions);
        if f.outputs.len() == 1 && g.outputs.len() == 1 {
            law("(k | l) << (f | g)", "(k << f) | (l << g)", &inputs[..f.inputs.len() + g.inputs.len()], &definitions);
        }
        // Composition of what matches is associative.
        let m = from_inputs(&mut choices, k.outputs.clone());
        let definitions = format!("{definitions}\nm = {}", m.text);
        if f.outputs.len() == 1 {
            law("m << (k << f)", "(m << k) << f", of_f, &definitions);
        }
    }
}
