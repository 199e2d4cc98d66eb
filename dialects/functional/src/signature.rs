//! Structured signatures: tuples are sequences.

use minoan_ir::{Attr, Context, Type};
use minoan_services::{INDEX_PATH, index_path_attr};
use minoan_sip::Key;

/// The index paths of a function's flattened arguments; `None` if they are 0, 1, 2 etc.
pub(super) fn argument_paths(ctx: &Context, inputs: &[Type]) -> Option<Vec<Vec<Key>>> {
    if !inputs.iter().any(|input| input.as_tuple(ctx).is_some()) {
        return None;
    }
    let mut paths = Vec::new();
    for (&input, index) in inputs.iter().zip(0..) {
        components(ctx, input, &mut vec![Key::Index(index)], &mut paths);
    }
    Some(paths)
}

/// The index paths of a function's results; `None` for a single result, or a tuple without nested tuples.
pub(super) fn result_paths(ctx: &Context, results: &[Type]) -> Option<Vec<Vec<Key>>> {
    let &[result] = results else { return None };
    let parts = result.as_tuple(ctx)?;
    // A tuple with one component differs from the component by its path.
    if parts.len() != 1 && !parts.iter().any(|part| part.as_tuple(ctx).is_some()) {
        return None;
    }
    let mut paths = Vec::new();
    components(ctx, result, &mut Vec::new(), &mut paths);
    Some(paths)
}

/// Collects the paths of a type's components; the recursion is bounded, since languages bound the nesting of tuples.
fn components(ctx: &Context, ty: Type, path: &mut Vec<Key>, paths: &mut Vec<Vec<Key>>) {
    let Some(parts) = ty.as_tuple(ctx) else { return paths.push(path.clone()) };
    for (&part, index) in parts.iter().zip(0..) {
        path.push(Key::Index(index));
        components(ctx, part, path, paths);
        path.pop();
    }
}

/// Index paths as attributes of arguments or results.
pub(super) fn attrs(ctx: &Context, paths: &[Vec<Key>]) -> Attr {
    let name = ctx.name(INDEX_PATH);
    let dictionary = |path: &Vec<Key>| Attr::dictionary(ctx, &[(name, index_path_attr(ctx, path))]);
    Attr::array(ctx, &paths.iter().map(dictionary).collect::<Vec<_>>())
}
