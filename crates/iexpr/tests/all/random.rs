//! Property tests of random components: wiring, algebraic laws, names and text.

use crate::common::generate::{Choices, PATTERNS, alike, arguments, expression, extents, is_exact, list};
use crate::common::reference::{Array, arity};
use crate::common::{expected, good, run, same};
use minoan_iexpr_dialect::{Expr, Operator, Pattern, Schedule, Split, Step};
use proptest::prelude::*;

/// The text of a component, with the named dimensions of its inputs and outputs.
struct Component {
    text: String,
    inputs: Vec<String>,
    outputs: Vec<String>,
}

fn leaf(choices: &mut Choices<'_>) -> Component {
    let many = 1 + choices.below(2);
    let inputs: Vec<String> = (0..many).map(|_| choices.pick(&PATTERNS).to_owned()).collect();
    from_inputs(choices, inputs)
}

fn from_inputs(choices: &mut Choices<'_>, inputs: Vec<String>) -> Component {
    let (text, output) = expression(choices, &inputs.iter().map(String::as_str).collect::<Vec<_>>());
    Component { text: format!("i(\"{text}\")"), inputs, outputs: vec![output] }
}

/// A random component of a depth; components are composed if they match, and paired otherwise.
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
            // The second component shares as many inputs as possible.
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
            // The consumer reads the first outputs, and possibly one further input.
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
    fn index_names_are_insignificant(list in list(40), extents in extents()) {
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
    fn transposing_the_output_back(list in list(40), extents in extents()) {
        let mut choices = Choices { list: &list, at: 0 };
        let many = 1 + choices.below(2);
        let inputs: Vec<&str> = (0..many).map(|_| choices.pick(&PATTERNS)).collect();
        let (text, output) = expression(&mut choices, &inputs);
        prop_assume!(!output.is_empty());
        let back: String = output.chars().rev().collect();
        let front = text.split_once('~').expect("a tilde").0;
        let names: Vec<String> = inputs.iter().map(|&it| it.to_owned()).collect();
        let arguments = arguments(&mut choices, &names, &extents);
        let there = run(&format!("main = i(\"{text}\")"), &arguments).expect("runs");
        let and_back = run(&format!("main = i(\"{front}~{back}\") >> i(\"{back}~{output}\")"), &arguments).expect("runs");
        prop_assert!(same(&there, &and_back));
    }

    #[test]
    fn swapping_commutative_operands(list in list(40), extents in extents()) {
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
    fn printed_text_round_trips(operator in proptest::option::of(0usize..18), inputs in proptest::collection::vec("[a-z]{0,5}", 1..3), output in "[a-z]{0,5}", splits in proptest::collection::vec((proptest::char::range('a', 'z'), proptest::collection::vec(0u32..100, 1..4)), 0..4), steps in proptest::collection::vec((proptest::char::range('a', 'z'), 0u32..4), 0..6), scheduled in any::<bool>()) {
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
    fn files_round_trip(list in list(120), depth in 0usize..6) {
        let mut choices = Choices { list: &list, at: 0 };
        let text = format!("first = I\nmain = {} | first\n", component(&mut choices, depth).text);
        let (_, _, file) = good(&text);
        let printed = minoan_iexpr::print(&file);
        let (_, _, again) = good(&printed);
        prop_assert!(file.same_structure(&again), "{text}\n{printed}");
        prop_assert_eq!(minoan_iexpr::print(&again), printed);
    }
}

/// Checks that both sides compute the same on the same inputs.
fn law(left: &str, right: &str, inputs: &[Array], definitions: &str) {
    let side = |side: &str| run(&format!("{definitions}\nmain = {side}"), inputs).expect("runs");
    assert!(same(&side(left), &side(right)), "{left} and {right}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn combinator_laws(list in list(200), extents in extents()) {
        let mut choices = Choices { list: &list, at: 0 };
        let (f, g, h) = (component(&mut choices, 1), component(&mut choices, 1), component(&mut choices, 1));
        let definitions = format!("f = {}\ng = {}\nh = {}", f.text, g.text, h.text);
        let all = [&f.inputs[..], &g.inputs, &h.inputs].concat();
        let inputs = arguments(&mut choices, &all, &extents);
        law("(f | g) | h", "f | (g | h)", &inputs, &definitions);
        let (of_f, of_g) = (&inputs[..f.inputs.len()], &inputs[f.inputs.len()..f.inputs.len() + g.inputs.len()]);
        law("~~f", "f", of_f, &definitions);
        law("f & f", "f >> I & f", of_f, &definitions);
        law("I << f", "f", of_f, &definitions);
        law("f << I", "f", of_f, &definitions);
        law("f >> I", "f", of_f, &definitions);
        // Shared inputs are the same on both sides.
        let p = from_inputs(&mut choices, f.inputs[..f.inputs.len().min(2)].to_vec());
        let q = from_inputs(&mut choices, p.inputs.clone());
        let definitions = format!("{definitions}\np = {}\nq = {}", p.text, q.text);
        let once = &of_f[..p.inputs.len()];
        let shared = run(&format!("{definitions}\nmain = p & q"), once).expect("runs");
        let apart = run(&format!("{definitions}\nmain = p | q"), &[once, once].concat()).expect("runs");
        prop_assert!(same(&shared, &apart));
        // Two further components that read exactly the outputs of f and g.
        let (k, l) = (from_inputs(&mut choices, f.outputs[..1].to_vec()), from_inputs(&mut choices, g.outputs[..1].to_vec()));
        let definitions = format!("{definitions}\nk = {}\nl = {}", k.text, l.text);
        law("f >> k", "k << f", of_f, &definitions);
        law("g >> l", "l << g", of_g, &definitions);
        if f.outputs.len() == 1 && g.outputs.len() == 1 {
            law("(k | l) << (f | g)", "(k << f) | (l << g)", &inputs[..f.inputs.len() + g.inputs.len()], &definitions);
        }
        // Composition of matching components is associative.
        let m = from_inputs(&mut choices, k.outputs.clone());
        let definitions = format!("{definitions}\nm = {}", m.text);
        if f.outputs.len() == 1 {
            law("m << (k << f)", "(m << k) << f", of_f, &definitions);
        }
    }
}
