import { changedAnswers } from '../support/invariants/answers.js';
import { brokenChains, strangeRequests, untoldEvents } from '../support/invariants/deliveries.js';
import type { Evidence } from '../support/evidence.js';
import { brokenStreams, changedEvents } from '../support/invariants/log.js';
import { unheededRefusals } from '../support/invariants/refusals.js';
import { brokenJobs } from '../support/invariants/replay-jobs.js';
import { driftedDocuments } from '../support/invariants/read-models.js';
import { staleSignatures } from '../support/invariants/signatures.js';
import { misrecordedWrites } from '../support/invariants/writes.js';
import { misjudgedAnswers } from './tempers.js';
import type { Findings } from './trial-findings.js';

/** Declares the tests that must pass after any number of kills. */
export function theInvariantsHold(after: () => { readonly findings: Findings; readonly evidence: Evidence }): void {
  it('finishes all work and exits with code 0', () => {
    const { unsettled, exitCodes } = after().findings;
    expect(unsettled).toEqual([]);
    expect(new Set(exitCodes)).toEqual(new Set([0]));
  });

  it('records each acknowledged write once, no refused write, and each unknown write at most once', () => {
    const { writes, log } = after().findings;
    expect(writes.filter(({ outcome }) => outcome === 'acknowledged').length).toBeGreaterThan(0);
    expect(misrecordedWrites(writes, log)).toEqual([]);
  });

  it('has a log without gaps, duplicates and changed events', () => {
    const { seen, log } = after().findings;
    expect(brokenStreams(log)).toEqual([]);
    expect(changedEvents(seen, log)).toEqual([]);
  });

  it('serves documents that are folds of the log', async () => {
    const { evidence, findings } = after();
    expect(await driftedDocuments(evidence, findings.log)).toEqual([]);
  });

  it('never has a checkpoint that is ahead of the log or moves back', () => {
    expect(after().findings.strays).toEqual([]);
  });

  it('delivers every public event to every subscribed endpoint, or records why not', () => {
    expect(untoldEvents(after().findings.log)).toEqual([]);
  });

  it('numbers the attempts of each delivery chain from 1, each with one end', () => {
    expect(brokenChains(after().findings.log)).toEqual([]);
  });

  it('redelivers each delivery chain of a replay job once, or records why not', () => {
    expect(brokenJobs(after().findings.log)).toEqual([]);
  });

  it('records the attempts that receivers got, except those in flight at a kill', () => {
    const { requests, log } = after().findings;
    expect(requests.length).toBeGreaterThan(0);
    expect(strangeRequests(requests, log)).toEqual([]);
  });

  it('records each response as the receiver sent it and follows no redirect', () => {
    const { requests, log } = after().findings;
    expect(misjudgedAnswers(requests, log)).toEqual([]);
  });

  it('sends no automatic attempt after a 4xx response before a replay', () => {
    expect(unheededRefusals(after().findings.log)).toEqual([]);
  });

  it('repeats the response of an idempotency key with the same bytes and without secrets', () => {
    const { repetitions } = after().findings;
    expect(repetitions.length).toBeGreaterThan(0);
    expect(changedAnswers(repetitions)).toEqual([]);
  });

  it('signs no attempt with a secret that was rotated before', () => {
    const { requests, log, signingSecrets } = after().findings;
    expect(signingSecrets.size).toBeGreaterThan(0);
    expect(staleSignatures(requests, log, signingSecrets)).toEqual([]);
  });
}
