//! Runs a program against an input as the judge does: in lock-step, one reply a round.

use super::command::{parse_reply, quoted, Command as Line};
use super::input::Input;
use super::round::Illegal;
use super::rules::{Cost, Rules};
use std::fmt::{self, Write as _};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{mpsc, Arc};
use std::thread;
use std::time::{Duration, Instant};

/// How much of the input one write carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// All lines up to and including the next DECODE: the fastest.
    Round,
    Line,
    Byte,
}

/// How a program is run.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Wall time from the start to the exit, after which the program is killed.
    pub limit: Duration,
    pub pace: Pace,
    /// A pause after every write.
    pub delay: Duration,
}

impl Default for Options {
    /// The statement's 10 seconds, whole rounds, no pause.
    fn default() -> Self {
        Options { limit: Duration::from_secs(10), pace: Pace::Round, delay: Duration::ZERO }
    }
}

/// What a run came to.
#[derive(Clone, Debug)]
pub struct Report {
    /// T if every rule was kept, or the first that was not.
    pub outcome: Result<Cost, Rejection>,
    /// From the start to the exit.
    pub wall: Duration,
    /// The part of it between a DECODE's last byte and its reply, where the program has its turn.
    /// What it does with other commands while the judge is preparing a round is not in it. Zero
    /// after the time limit.
    pub waiting: Duration,
    /// Peak resident set in bytes, where the system has `/proc` (Linux). It is read before the
    /// last DECODE and after its reply, so that what an exiting program does is missed.
    pub peak_memory: Option<u64>,
}

/// Why a program is rejected, and where.
#[derive(Clone, Debug)]
pub struct Rejection {
    pub fault: Fault,
    /// Line of the input as printed; that of the DECODE for a reply, else the last one sent.
    pub line: usize,
    /// That line, cut to a readable length.
    pub command: String,
    /// The reply that broke a rule, cut likewise.
    pub reply: Option<String>,
}

/// What a program did wrong.
#[derive(Clone, Debug)]
pub enum Fault {
    /// It ended, or closed its input or output, when commands or replies were still due.
    Ended(ExitStatus),
    /// It wrote this where nothing is due. What it writes between a reply and the next DECODE can
    /// also be taken for the next reply; then a later fault shows it.
    Extra(String),
    /// It replied to everything and then failed.
    Exit(ExitStatus),
    /// It was still running at the limit.
    TimeLimit(Duration),
    /// The reply is malformed.
    Syntax(String),
    /// The reply's plan breaks a rule.
    Illegal(Illegal),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Fault::Ended(status) => write!(f, "ended too early ({status})"),
            Fault::Extra(text) => write!(f, "extra output {text}"),
            Fault::Exit(status) => write!(f, "failed at its end ({status})"),
            Fault::TimeLimit(limit) => write!(f, "still running after {limit:?}"),
            Fault::Syntax(what) => write!(f, "malformed reply: {what}"),
            Fault::Illegal(illegal) => write!(f, "illegal plan: {illegal}"),
        }
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "line {} ({}): {}", self.line, self.command, self.fault)?;
        match &self.reply {
            Some(reply) => write!(f, "; the reply was {reply}"),
            None => Ok(()),
        }
    }
}

/// No reply is longer: a plan naming every block and every request has 2.4 MB.
const LONGEST_REPLY: u64 = 1 << 24;

/// Runs `program` on `input`. Its standard input and output are taken over; standard error stays
/// what the caller has set. Standard input stays open until the program has ended: it must stop
/// by itself after the last command.
///
/// # Errors
/// The input breaks a promise of the statement, or the program cannot be started or waited for.
pub fn run(mut program: Command, input: &Input, options: &Options) -> io::Result<Report> {
    input.check().map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
    let shared = Arc::new(input.clone());
    let start = Instant::now();
    let mut child = program.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let sent = Arc::new(AtomicUsize::new(0));
    let mut judge = Judge {
        stdin: child.stdin.take().expect("piped"),
        stdout: BufReader::new(child.stdout.take().expect("piped")),
        status: format!("/proc/{}/status", child.id()),
        waiting: Duration::ZERO,
        peak_memory: None,
        rules: Rules::new(input.s, input.c),
        input: shared,
        options: *options,
        sent: Arc::clone(&sent),
    };
    // All reading and writing is done by a thread that can be left behind: a program that stops
    // reading or writing, or leaves its pipes to a child of its own, blocks only that one.
    let (report, reported) = mpsc::channel();
    thread::spawn(move || {
        let end = judge.run();
        // Nobody listens any more after the time limit.
        let _ = report.send((end, judge));
    });

    let deadline = start + options.limit;
    let late = || (Fault::TimeLimit(options.limit), None);
    let received = reported.recv_timeout(options.limit);
    let outcome = match &received {
        Err(_) => Err(late()),
        Ok((Err(Stop::Fault(fault, reply)), _)) => Err((fault.clone(), reply.clone())),
        Ok((Err(Stop::Closed), _)) => match wait_until(&mut child, deadline)? {
            Some(status) => Err((Fault::Ended(status), None)),
            None => Err(late()),
        },
        Ok((Ok(cost), _)) => match wait_until(&mut child, deadline)? {
            Some(status) if status.success() => Ok(*cost),
            Some(status) => Err((Fault::Exit(status), None)),
            None => Err(late()),
        },
    };
    let wall = start.elapsed();
    // Fails only if the program has ended, which is as well.
    let _ = child.kill();
    child.wait()?;
    let sent = sent.load(Ordering::Relaxed);
    Ok(Report {
        outcome: outcome.map_err(|(fault, reply)| Rejection {
            fault,
            line: if sent == 0 { 1 } else { Input::line(sent - 1) },
            command: match sent.checked_sub(1) {
                Some(last) => quoted(&input.commands[last].to_string()),
                None => "the first line".into(),
            },
            reply,
        }),
        wall,
        waiting: received.as_ref().map_or(Duration::ZERO, |(_, judge)| judge.waiting),
        peak_memory: received.ok().and_then(|(_, judge)| judge.peak_memory),
    })
}

/// The exit status, or none if the program is still running at the deadline.
fn wait_until(child: &mut Child, deadline: Instant) -> io::Result<Option<ExitStatus>> {
    loop {
        let status = child.try_wait()?;
        if status.is_some() || Instant::now() >= deadline {
            return Ok(status);
        }
        thread::sleep(Duration::from_micros(200));
    }
}

/// Why the judge stops before the end.
enum Stop {
    /// A pipe is closed: how the program ended tells the fault.
    Closed,
    /// A fault, with the reply that shows it.
    Fault(Fault, Option<String>),
}

/// The judge's side of the pipes.
struct Judge {
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    /// Where Linux tells the program's peak memory.
    status: String,
    waiting: Duration,
    peak_memory: Option<u64>,
    rules: Rules,
    input: Arc<Input>,
    options: Options,
    /// Commands sent, or being sent.
    sent: Arc<AtomicUsize>,
}

impl Judge {
    fn run(&mut self) -> Result<Cost, Stop> {
        let input = Arc::clone(&self.input);
        let mut rounds_left = input.rounds();
        let mut unsent = format!("{} {} {}\n", input.s, input.c, input.commands.len());
        for (index, command) in input.commands.iter().enumerate() {
            writeln!(unsent, "{command}").expect("a string takes everything");
            let Line::Decode(ids) = command else {
                self.rules.apply(command).expect("a checked input");
                continue;
            };
            if rounds_left == 1 {
                self.sample_memory();
            }
            rounds_left -= 1;
            self.sent.store(index + 1, Ordering::Relaxed);
            self.send(&unsent)?;
            unsent.clear();
            let asked = Instant::now();
            let reply = self.reply()?;
            self.waiting += asked.elapsed();
            let batch = self.rules.batch(ids).expect("a checked input");
            let fault = |fault| Stop::Fault(fault, Some(quoted(&reply)));
            let plan = parse_reply(&reply).map_err(|what| fault(Fault::Syntax(what)))?;
            let round = self.rules.decode(batch, &plan);
            round.map_err(|illegal| fault(Fault::Illegal(illegal)))?;
            if !self.stdout.buffer().is_empty() {
                self.nothing_more()?;
            }
        }
        self.sample_memory();
        self.sent.store(input.commands.len(), Ordering::Relaxed);
        self.send(&unsent)?;
        self.nothing_more()?;
        Ok(self.rules.cost())
    }

    /// Writes lines at the pace asked for.
    fn send(&mut self, lines: &str) -> Result<(), Stop> {
        let bytes = lines.as_bytes();
        let written = match self.options.pace {
            Pace::Round => self.write(bytes),
            Pace::Line => bytes.split_inclusive(|&b| b == b'\n').try_for_each(|l| self.write(l)),
            Pace::Byte => bytes.chunks(1).try_for_each(|byte| self.write(byte)),
        };
        written.or_else(|_| {
            // What it wrote before it left says more than that it left.
            self.nothing_more()?;
            Err(Stop::Closed)
        })
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stdin.write_all(bytes)?;
        if !self.options.delay.is_zero() {
            thread::sleep(self.options.delay);
        }
        Ok(())
    }

    /// Reads one line; without its newline.
    fn reply(&mut self) -> Result<String, Stop> {
        let mut line = Vec::new();
        let read = (&mut self.stdout).take(LONGEST_REPLY).read_until(b'\n', &mut line);
        if read.is_err() || line.is_empty() {
            return Err(Stop::Closed);
        }
        let (text, ended) = match line.strip_suffix(b"\n") {
            Some(text) => (text, true),
            None => (&line[..], false),
        };
        let reply = String::from_utf8_lossy(text).into_owned();
        if ended {
            return Ok(reply);
        }
        let what = if line.len() as u64 == LONGEST_REPLY {
            format!("no newline in {LONGEST_REPLY} bytes")
        } else {
            "the output ends without a newline".into()
        };
        Err(Stop::Fault(Fault::Syntax(what), Some(quoted(&reply))))
    }

    /// Waits for the end of the output, which nothing may precede.
    fn nothing_more(&mut self) -> Result<(), Stop> {
        match self.stdout.fill_buf() {
            Ok([]) => Ok(()),
            Ok(text) => {
                let text = quoted(&String::from_utf8_lossy(text));
                Err(Stop::Fault(Fault::Extra(text), None))
            }
            Err(_) => Err(Stop::Closed),
        }
    }

    fn sample_memory(&mut self) {
        let peak = std::fs::read_to_string(&self.status).ok().and_then(|status| {
            let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
            let kib: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
            Some(kib * 1024)
        });
        self.peak_memory = self.peak_memory.max(peak);
    }
}
