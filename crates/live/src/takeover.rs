//! Taking over: planned calls whose answer an earlier run has already are settled with it.

use proofmark_core::evidence::{Evidence, Exchange, FrameId, Reply};
use proofmark_core::reuse::{Earlier, is_repeatable};

use crate::options::Options;
use crate::record::Record;
use crate::runner::settle;
use crate::schedule::Job;
use crate::session::Answered;

#[derive(Debug)]
pub(crate) struct Takeover<'a> {
    run: &'a Evidence,
    earlier: Earlier<'a>,
    record: &'a Record,
    /// The main connection, on which the answers would have come.
    connection: u32,
}

impl<'a> Takeover<'a> {
    /// `None` if there is no earlier run to take anything from.
    pub(crate) fn begin(
        evidence: &mut Evidence,
        options: &'a Options,
        record: &'a Record,
        connection: u32,
    ) -> Option<Takeover<'a>> {
        let run = options.incremental.as_ref()?.earlier.as_deref()?;
        let earlier = Earlier::new(run, evidence);
        let program = evidence.reuse.take().and_then(|r| r.program);
        evidence.reuse = Some(earlier.begin(program));
        Some(Takeover { run, earlier, record, connection })
    }

    /// Calls that may not have to be made, and the others.
    pub(crate) fn hold(&self, evidence: &Evidence, jobs: Vec<Job>) -> (Vec<Job>, Vec<Job>) {
        jobs.into_iter().partition(|job| self.answer(evidence, *job).is_some())
    }

    /// Settles what was held, once the valid calls of the round have shown that the tools still
    /// behave; what has to be made after all is returned.
    pub(crate) fn settle(&self, evidence: &mut Evidence, held: Vec<Job>) -> Vec<Job> {
        let mut left = Vec::new();
        for job in held {
            match self.answer(evidence, job) {
                Some(known) => {
                    settle(evidence, job.id, self.again(known));
                    if let Some(reuse) = &mut evidence.reuse {
                        reuse.exchanges.push(job.id);
                    }
                }
                None => left.push(job),
            }
        }
        left
    }

    /// Notes which tools turned out to behave in another way than before.
    pub(crate) fn end(&self, evidence: &mut Evidence) {
        let tools = evidence.tools().filter(|tool| self.earlier.differs(evidence, &tool.name));
        let differs = tools.map(|tool| tool.name.clone()).collect();
        if let Some(reuse) = &mut evidence.reuse {
            reuse.differs = differs;
        }
    }

    fn answer(&self, evidence: &Evidence, job: Job) -> Option<&'a Exchange> {
        let planned = evidence.exchange(job.id).filter(|_| is_repeatable(job.probe))?;
        self.earlier.answer(evidence, planned, job.probe.hostile)
    }

    fn again(&self, known: &Exchange) -> Answered {
        let frame = |id: &FrameId| self.run.frames.get(id.0 as usize);
        let frames = known.frames.iter().filter_map(frame);
        Answered {
            reply: Reply::clone(&known.reply),
            http: known.http.clone(),
            frames: frames.map(|f| self.record.again(self.connection, f)).collect(),
            started: self.record.now(),
            took: known.took,
        }
    }
}
