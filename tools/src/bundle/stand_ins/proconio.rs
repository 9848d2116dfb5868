macro_rules! input {
    (from $source:expr, $($name:ident: with $kind:expr),+ $(,)?) => {
        let source = $source;
        $(let $name = $crate::proconio::source::RuntimeReadable::read($kind, &mut *source);)+
    };
}
pub(crate) use input;

pub mod source {
    use std::io::BufRead;

    pub trait Source<R: BufRead> {
        fn next_token(&mut self) -> Option<&str>;
        fn is_empty(&mut self) -> bool;
    }

    pub trait RuntimeReadable {
        type Output;
        fn read<R: BufRead, S: Source<R>>(self, source: &mut S) -> Self::Output;
    }
}
