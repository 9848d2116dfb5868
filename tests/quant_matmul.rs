//! `quant_matmul` against the statement's formulas, element by element.

mod common;

use proptest::prelude::*;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tools::quant_matmul::answer;

/// Numbers around ties, of every magnitude and in many notations.
fn real() -> impl Strategy<Value = String> {
    prop_oneof![
        (-300..300i32).prop_map(|halves| (f64::from(halves) / 2.0).to_string()),
        (-30..30i32).prop_map(|tenths| (f64::from(tenths) / 10.0).to_string()),
        prop::sample::select(vec![
            "0", "-0.0", "127", "-127.0", "63.5", "1e300", "-5e-324", "+.5", "1E-9"
        ])
        .prop_map(str::to_string),
        any::<f64>().prop_filter("finite", |x| x.is_finite()).prop_map(|x| format!("{x:e}")),
    ]
}

fn case() -> impl Strategy<Value = String> {
    (1..5usize, 1..6usize, 1..4usize).prop_flat_map(|(m, k, n)| {
        let row = (prop::collection::vec(-127..=127i32, k), 0..=127u32, 0..=30u32);
        let column = prop::collection::vec(real(), k);
        let (rows, columns) = (prop::collection::vec(row, m), prop::collection::vec(column, n));
        (rows, columns).prop_map(move |(rows, columns)| {
            let mut input = format!("{m} {k} {n}\n");
            for (row, a, b) in rows {
                let row: Vec<_> = row.iter().map(i32::to_string).collect();
                input += &format!("{} {a} {b}\n", row.join(" "));
            }
            for column in columns {
                input += &format!("{}\n", column.join(" "));
            }
            input
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn small_cases_around_ties_equal_the_formulas(input in case()) {
        common::assert_output("quant_matmul", &input, &answer(input.as_bytes()).unwrap());
    }
}

/// A case of random elements, `decimals` of them behind the point.
fn medium(m: usize, k: usize, n: usize, decimals: usize, random: &mut StdRng) -> String {
    let mut input = format!("{m} {k} {n}\n");
    for _ in 0..m {
        for _ in 0..k {
            input += &format!("{} ", random.random_range(-127..=127));
        }
        input += &format!("{} {}\n", random.random_range(0..=127), random.random_range(0..=30));
    }
    for _ in 0..n {
        let magnitude = 10f64.powi(random.random_range(-6..6));
        for _ in 0..k {
            let x = magnitude * random.random_range(-1.0..1.0);
            input += &format!("{x:.decimals$} ");
        }
        input += "\n";
    }
    input
}

#[test]
fn medium_cases_equal_the_formulas() {
    let mut random = StdRng::seed_from_u64(2);
    for case in 0..40 {
        let [m, k, n] = [0; 3].map(|_| random.random_range(1..80usize));
        let input = medium(m, k, n, case % 20, &mut random);
        common::assert_output("quant_matmul", &input, &answer(input.as_bytes()).unwrap());
    }
}

#[test]
fn long_dot_products_equal_the_formulas() {
    let mut random = StdRng::seed_from_u64(3);
    for (m, k, n) in [(5, 2500, 3), (2, 20_000, 2), (70, 1025, 3)] {
        let input = medium(m, k, n, 3, &mut random);
        common::assert_output("quant_matmul", &input, &answer(input.as_bytes()).unwrap());
    }
}

#[test]
fn a_dot_product_beyond_32_bits_is_exact() {
    let k = 140_000;
    let (row, column) = ("127 ".repeat(k), "-1 ".repeat(k));
    let dot = -127 * 127 * k as i64;
    let input = format!("1 {k} 1\n{row} 1 0\n{column}\n");
    common::assert_output("quant_matmul", &input, &format!("{dot} 65 13\n"));
}
