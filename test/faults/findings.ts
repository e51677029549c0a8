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

/** What must hold after any number of kills, as tests. */
export function theInvariantsHold(after: () => { readonly findings: Findings; readonly evidence: Evidence }): void {
  it('has come to rest, and ends in order', () => {
    const { unsettled, exitCodes } = after().findings;
    expect(unsettled).toEqual([]);
    expect(new Set(exitCodes)).toEqual(new Set([0]));
  });

  it('has every acknowledged write in the log once, no refused one, and an unknown one at most once', () => {
    const { writes, log } = after().findings;
    expect(writes.filter(({ outcome }) => outcome === 'acknowledged').length).toBeGreaterThan(0);
    expect(misrecordedWrites(writes, log)).toEqual([]);
  });

  it('has a log without gaps and doubles, in which nothing that was read has changed', () => {
    const { seen, log } = after().findings;
    expect(brokenStreams(log)).toEqual([]);
    expect(changedEvents(seen, log)).toEqual([]);
  });

  it('serves the documents that the log tells', async () => {
    const { evidence, findings } = after();
    expect(await driftedDocuments(evidence, findings.log)).toEqual([]);
  });

  it('never had a checkpoint ahead of the log, or going back', () => {
    expect(after().findings.strays).toEqual([]);
  });

  it('has told every public event to every endpoint that wanted it, or says why not', () => {
    expect(untoldEvents(after().findings.log)).toEqual([]);
  });

  it('has numbered the attempts of each chain from 1 on, each with one end', () => {
    expect(brokenChains(after().findings.log)).toEqual([]);
  });

  it('has redelivered each chain of a replay job once, or says why not', () => {
    expect(brokenJobs(after().findings.log)).toEqual([]);
  });

  it('was heard as it remembers, beyond what was in flight at a kill', () => {
    const { requests, log } = after().findings;
    expect(requests.length).toBeGreaterThan(0);
    expect(strangeRequests(requests, log)).toEqual([]);
  });

  it('has recorded of each answer what the receiver did, and followed no redirect', () => {
    const { requests, log } = after().findings;
    expect(misjudgedAnswers(requests, log)).toEqual([]);
  });

  it('left alone who had refused a delivery, until a replay', () => {
    expect(unheededRefusals(after().findings.log)).toEqual([]);
  });

  it('has the same bytes for whoever asks again under a key, and no secret', () => {
    const { repetitions } = after().findings;
    expect(repetitions.length).toBeGreaterThan(0);
    expect(changedAnswers(repetitions)).toEqual([]);
  });

  it('signed no attempt with a secret that was rotated away before', () => {
    const { requests, log, signingSecrets } = after().findings;
    expect(signingSecrets.size).toBeGreaterThan(0);
    expect(staleSignatures(requests, log, signingSecrets)).toEqual([]);
  });
}
