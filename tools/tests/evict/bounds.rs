//! The lower bound, the optimum and the baselines against each other.

use rand::rngs::StdRng;
use rand::SeedableRng;
use tools::evict::baselines::{named, names, Clairvoyant, CLAIRVOYANT, FIXED, LEADER};
use tools::evict::*;

#[test]
fn the_bound_is_below_the_optimum_and_the_clairvoyant_above() {
    let mut rng = StdRng::seed_from_u64(6);
    let (mut tight, mut greedy_is_best) = (0, 0);
    for _ in 0..400 {
        let input = random(&mut rng, &Shape::TINY);
        let (low, best) = (bound(&input).unwrap(), optimum(&input).unwrap());
        let mut clairvoyant = Clairvoyant::new(&input).unwrap();
        let high = play(&input, &mut clairvoyant).unwrap().total();
        assert!(low <= best && best <= high, "{low} <= {best} <= {high}\n{input}");
        tight += u32::from(low == best);
        greedy_is_best += u32::from(best == high);
    }
    assert!(tight >= 200 && greedy_is_best >= 300, "{tight}, {greedy_is_best}");
}

#[test]
fn every_baseline_keeps_the_rules() {
    let mut rng = StdRng::seed_from_u64(7);
    for _ in 0..100 {
        let input = random(&mut rng, &Shape::SMALL);
        let least = bound(&input).unwrap();
        for (name, _) in names() {
            let mut policy = named(name, &input).unwrap().expect("a listed name");
            let cost = play(&input, policy.as_mut());
            let cost = cost.unwrap_or_else(|failure| panic!("{name}: {failure}\n{input}"));
            assert!(cost.total() >= least);
        }
    }
    assert!(named("optimal", &random(&mut rng, &Shape::TINY)).unwrap().is_none());
}

#[test]
fn least_recent_use_with_queues_is_least_recent_use_by_rank() {
    let mut rng = StdRng::seed_from_u64(8);
    for _ in 0..400 {
        let input = random(&mut rng, &Shape::SMALL);
        let ranked = play(&input, &mut FIXED[0].play()).unwrap();
        assert_eq!(play(&input, &mut Lru::default()).unwrap(), ranked, "{input}");
    }
}

#[test]
fn on_workloads_knowing_more_costs_less() {
    let cases = workload::cases(1, |family| !family.held_out);
    let mut sums = [0; 4];
    for case in cases.into_iter().filter(|case| case.subtask.number() == 3) {
        let input = case.input();
        let time = |name| {
            let mut policy = named(name, &input).unwrap().expect("a listed name");
            play(&input, policy.as_mut()).unwrap().total()
        };
        let times = [bound(&input).unwrap(), time(CLAIRVOYANT), time(LEADER), time("lru")];
        assert!(times.iter().all(|&time| time >= times[0]), "{case}: {times:?}");
        for (sum, time) in sums.iter_mut().zip(times) {
            *sum += time;
        }
    }
    let [bound, clairvoyant, leader, lru] = sums;
    assert!(clairvoyant * 100 < bound * 105, "{sums:?}");
    assert!(clairvoyant * 110 < leader * 100 && leader * 110 < lru * 100, "{sums:?}");
}
