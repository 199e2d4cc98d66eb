use minoan_rewrite::pattern;

fn main() {
    let _ = pattern!("unbound": Add(x, y) => z);
    let _ = pattern!("no operation": x => x);
    let _ = pattern!("twice": Add(a @ Add(x, y), a @ Add(x, y)) => x);
    let _ = pattern!("bad", speed = 2: Add(x, y) => x);
}
