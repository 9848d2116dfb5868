//! Generated inputs: legal, varied, and played by policies.

use rand::rngs::StdRng;
use rand::SeedableRng;
use std::collections::HashSet;
use tools::evict::*;

/// Recounts from the definitions whatever the rules keep up to date.
fn recount(rules: &Rules) {
    let running = |request: &&Request| request.state == RequestState::Running;
    let mut used = 0;
    for (index, block) in rules.blocks().iter().enumerate() {
        let refers = |r: &&Request| r.blocks.contains(&BlockIx(index as u32));
        let referring = || rules.requests().iter().filter(refers);
        let live = referring().filter(|request| request.unfinished()).count();
        let active = referring().filter(running).count();
        assert_eq!((block.live, block.active), (live as u32, active as u32));
        assert!(block.active == 0 || block.resident());
        assert_eq!(block.resident(), rules.resident().contains(&BlockIx(index as u32)));
        used += u64::from(block.resident());
    }
    for (index, request) in rules.requests().iter().enumerate() {
        let listed = rules.running().contains(&RequestIx(index as u32));
        assert_eq!(listed, running(&request));
        if listed {
            let tokens = request.p - request.blocks.len() as u64 * rules.s() + request.g;
            used += tokens.div_ceil(rules.s());
        }
        assert_eq!(request.g == request.m, request.state == RequestState::Finished);
    }
    assert_eq!(rules.resident().len(), rules.blocks().iter().filter(|b| b.resident()).count());
    assert_eq!(rules.running().len(), rules.requests().iter().filter(running).count());
    assert_eq!(used + rules.free(), rules.c());
}

/// Plays on, and recounts at every turn.
struct Recounting<P>(P);

impl<P: Policy> Policy for Recounting<P> {
    fn action(&mut self, rules: &Rules, batch: &Batch) -> Option<Action> {
        recount(rules);
        self.0.action(rules, batch)
    }
    fn applied(&mut self, rules: &Rules, command: &Command) {
        recount(rules);
        self.0.applied(rules, command);
    }
    fn decoded(&mut self, rules: &Rules, round: &Round) {
        recount(rules);
        self.0.decoded(rules, round);
    }
}

#[test]
fn random_inputs_are_legal_and_policies_get_through_them() {
    let mut rng = StdRng::seed_from_u64(1);
    for _ in 0..400 {
        let input = random(&mut rng, &Shape::SMALL);
        input.check_limits().unwrap_or_else(|error| panic!("{error}\n{input}"));
        assert_eq!(Input::parse(&input.to_string()).as_ref(), Ok(&input));
        play(&input, &mut Recounting(Lru::default())).unwrap();
        play(&input, &mut Recounting(Arbitrary(StdRng::seed_from_u64(2)))).unwrap();
    }
}

#[test]
fn no_policy_beats_the_optimum() {
    let mut rng = StdRng::seed_from_u64(3);
    let (mut beaten, mut reached) = (0, 0);
    for _ in 0..400 {
        let input = random(&mut rng, &Shape::TINY);
        let best = optimum(&input).unwrap();
        let lru = play(&input, &mut Lru::default()).unwrap().total();
        let many = (0..50).map(|seed| {
            let policy = &mut Arbitrary(StdRng::seed_from_u64(seed));
            play(&input, policy).unwrap().total()
        });
        let luckiest = many.min().unwrap();
        assert!(best <= lru.min(luckiest), "{best}, {lru}, {luckiest}\n{input}");
        beaten += u32::from(best < lru);
        reached += u32::from(best == luckiest);
    }
    // The inputs tell policies apart, and chance finds most optima.
    assert!(beaten >= 40, "{beaten}");
    assert!(reached >= 300, "{reached}");
}

/// Everything that random inputs should show some time.
#[test]
fn random_inputs_are_varied() {
    let mut seen = HashSet::new();
    let mut rng = StdRng::seed_from_u64(4);
    for _ in 0..300 {
        let input = random(&mut rng, &Shape::SMALL);
        let mut note = |what: &'static str, happens: bool| {
            if happens {
                seen.insert(what);
            }
        };
        note("S = 1", input.s == 1);
        note("C = 1", input.c == 1);
        let mut rules = Rules::new(input.s, input.c);
        let mut policy = Arbitrary(StdRng::seed_from_u64(5));
        let mut preempted = HashSet::new();
        for command in &input.commands {
            match command {
                Command::CreateBlock(BlockId(id)) => {
                    note(
                        "a block with a request's id",
                        rules.find_request(RequestId(*id)).is_some(),
                    );
                    note("a large id", *id > 1_000_000);
                }
                Command::DropBlock(id) => {
                    let block = rules.block(rules.find_block(*id).unwrap());
                    note("DROP of a resident block", block.resident());
                    note("DROP of an absent block", !block.resident());
                }
                Command::Add { blocks, p, m, .. } => {
                    note("p = k·S > 0", *p > 0 && *p == blocks.len() as u64 * input.s);
                    note("p = 0", *p == 0);
                    note("p of 10^12", *p == 1_000_000_000_000);
                    note("m of 10^12", *m == 1_000_000_000_000);
                }
                Command::Cancel(id) => {
                    let request = rules.find_request(*id).unwrap();
                    note("CANCEL of a preempted request", preempted.contains(&request));
                    note(
                        match rules.request(request).state {
                            RequestState::Waiting => "CANCEL of a waiting request",
                            RequestState::Running => "CANCEL of a running request",
                            RequestState::Finished => "CANCEL of a finished request",
                            RequestState::Cancelled => "CANCEL of a cancelled request",
                        },
                        true,
                    );
                }
                Command::Decode(ids) => {
                    let batch = rules.batch(ids).unwrap();
                    note("growth", batch.growth > 0);
                    note("a full GPU", batch.need() > 0 && rules.free() == batch.need());
                    for ix in &batch.requests {
                        note("a request resumed", preempted.remove(ix));
                    }
                    while !rules.met(&batch) {
                        let action = policy.action(&rules, &batch).unwrap();
                        rules.act(&batch, action).unwrap();
                        if let Action::Preempt(id) = action {
                            preempted.insert(rules.find_request(id).unwrap());
                            note("R", true);
                        } else {
                            note("B", true);
                        }
                    }
                    let round = rules.generate(batch).unwrap();
                    note("two finish at once", round.finished.len() > 1);
                    continue;
                }
            }
            rules.apply(command).unwrap();
        }
    }
    assert_eq!(seen.len(), 21, "{seen:#?}");
}

#[test]
fn inputs_at_the_limits_are_within_them() {
    for family in Limits::ALL {
        let input = limits(&mut StdRng::seed_from_u64(6), family);
        input.check_limits().unwrap_or_else(|error| panic!("{family:?}: {error}"));
        assert_eq!(input.commands.len(), 200_000, "{family:?}");
        let sum: usize = input
            .commands
            .iter()
            .map(|command| match command {
                Command::Decode(ids) => ids.len(),
                _ => 0,
            })
            .sum();
        assert!(sum >= 190_000, "{family:?}: the sum of n is {sum}");
        let cost = play(&input, &mut Lru::default()).unwrap();
        assert_eq!(cost.rounds, input.rounds() as u64);
        let pressed = family != Limits::Full;
        assert_eq!(cost.loads + cost.allocations > 200_000, pressed, "{family:?}: {cost:?}");
    }
}

#[test]
fn a_limit_that_is_broken_is_named() {
    let input = |text: &str| Input::parse(text).unwrap().check_limits().unwrap_err().to_string();
    for (text, message) in [
        ("100001 1 0", "line 1: S should be in 1..=100000"),
        ("1 100001 0", "line 1: C should be in 1..=100000"),
        ("1 1 0", "line 1: q should be in 1..=200000"),
        ("1 1 1\nCREATE_BLOCK 1", "line 2: the number of requests should be in"),
        ("1 1 1\nADD 1 0 0 1", "line 2: the sum of n should be in"),
        ("1 1 3\nADD 1 0 0 2\nDECODE 1 1\nCREATE_BLOCK 1", "line 4: request 1 never ends"),
        ("1 1 3\nADD 1 0 0 1\nDECODE 1 1\nCANCEL 1", "line 4: every request is cancelled"),
    ] {
        assert!(input(text).starts_with(message), "{text:?}: {}", input(text));
    }
}
