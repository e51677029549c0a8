import { findRetriesAfterClientError } from '../support/invariants/client-errors.js';
import { findBrokenChains, findUnexpectedRequests, findUnpublishedEvents } from '../support/invariants/deliveries.js';
import { findBrokenExports, verifyChains } from '../support/invariants/hash-chains.js';
import { findChangedResponses } from '../support/invariants/idempotent-responses.js';
import { findBrokenStreams, findChangedEvents } from '../support/invariants/log.js';
import { findMoneyErrors } from '../support/invariants/money.js';
import { findDriftedDocuments } from '../support/invariants/read-models.js';
import { findBrokenJobs } from '../support/invariants/replay-jobs.js';
import { findStaleSignatures } from '../support/invariants/signatures.js';
import { findMisrecordedWrites } from '../support/invariants/writes.js';
import type { StoreInspector } from '../support/store-inspector.js';
import { findMisrecordedResponses } from './receiver-behaviours.js';
import type { TrialResults } from './trial-results.js';

/** Declares the tests that must pass after any number of kills. */
export function testInvariants(
  after: () => { readonly findings: TrialResults; readonly evidence: StoreInspector },
): void {
  it('finishes all work and exits with code 0', () => {
    const { unfinishedWork, exitCodes } = after().findings;
    expect(unfinishedWork).toEqual([]);
    expect(new Set(exitCodes)).toEqual(new Set([0]));
  });

  it('records each acknowledged write once, no refused write, and each unknown write at most once', () => {
    const { writes, log } = after().findings;
    expect(writes.filter(({ outcome }) => outcome === 'acknowledged').length).toBeGreaterThan(0);
    expect(findMisrecordedWrites(writes, log)).toEqual([]);
  });

  it('has a log without gaps, duplicates and changed events', () => {
    const { seen, log } = after().findings;
    expect(findBrokenStreams(log)).toEqual([]);
    expect(findChangedEvents(seen, log)).toEqual([]);
  });

  it('serves documents that are folds of the log', async () => {
    const { evidence, findings } = after();
    expect(await findDriftedDocuments(evidence, findings.log)).toEqual([]);
  });

  it('has hash chains that fit the log and their checkpoints', async () => {
    const { evidence, findings } = after();
    const verified = await verifyChains(evidence);
    expect(verified).toMatchObject({ events: findings.log.length, mismatches: [] });
    expect(verified.stored_heads).toBeGreaterThanOrEqual(verified.chains);
  });

  it('completes every export, with a file that verifies', async () => {
    const { evidence, findings } = after();
    expect(await findBrokenExports(evidence, findings.log)).toEqual([]);
  });

  it('conserves money, and leaves no gap between invoice numbers', () => {
    expect(findMoneyErrors(after().findings.log)).toEqual([]);
  });

  it('never has a checkpoint that is ahead of the log or moves back', () => {
    expect(after().findings.strayCheckpoints).toEqual([]);
  });

  it('delivers every public event to every subscribed endpoint, or records why not', () => {
    expect(findUnpublishedEvents(after().findings.log)).toEqual([]);
  });

  it('numbers the attempts of each delivery chain from 1, each with one end', () => {
    expect(findBrokenChains(after().findings.log)).toEqual([]);
  });

  it('redelivers each delivery chain of a replay job once, or records why not', () => {
    expect(findBrokenJobs(after().findings.log)).toEqual([]);
  });

  it('records the attempts that receivers got, except those in flight at a kill', () => {
    const { requests, log } = after().findings;
    expect(requests.length).toBeGreaterThan(0);
    expect(findUnexpectedRequests(requests, log)).toEqual([]);
  });

  it('records each response as the receiver sent it and follows no redirect', () => {
    const { requests, log } = after().findings;
    expect(findMisrecordedResponses(requests, log)).toEqual([]);
  });

  it('sends no automatic attempt after a 4xx response before a replay', () => {
    expect(findRetriesAfterClientError(after().findings.log)).toEqual([]);
  });

  it('repeats the response of an idempotency key with the same bytes and without secrets', () => {
    const { repetitions } = after().findings;
    expect(repetitions.length).toBeGreaterThan(0);
    expect(findChangedResponses(repetitions)).toEqual([]);
  });

  it('signs no attempt with a secret that was rotated before', () => {
    const { requests, log, signingSecrets } = after().findings;
    expect(signingSecrets.size).toBeGreaterThan(0);
    expect(findStaleSignatures(requests, log, signingSecrets)).toEqual([]);
  });
}
