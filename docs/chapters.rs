//! The programs of the chapters, each as a module.

mod core {
    include!(concat!(env!("OUT_DIR"), "/core.rs"));
}

mod frontends {
    include!(concat!(env!("OUT_DIR"), "/frontends.rs"));
}

mod getting_started {
    include!(concat!(env!("OUT_DIR"), "/getting-started.rs"));
}

mod operations {
    include!(concat!(env!("OUT_DIR"), "/operations.rs"));
}

mod passes {
    include!(concat!(env!("OUT_DIR"), "/passes.rs"));
}

mod patterns {
    include!(concat!(env!("OUT_DIR"), "/patterns.rs"));
}
