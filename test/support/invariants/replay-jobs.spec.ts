import type { ReplayJobEvent } from '../../../src/webhooks/domain/replay-job.js';
import { logOf, type Planted } from './planted.js';
import { brokenJobs } from './replay-jobs.js';

const OF_JOB = { replayJobId: 'whj_1' };
const ofJob = (type: ReplayJobEvent['type'], more: object = {}): Planted => ['replayJob-whj_1', { type, data: { ...OF_JOB, ...more } }];
const ofChain = (type: string, chainId: string): Planted => [`chain-${chainId}`, { type, data: { ...OF_JOB, chainId } }];

const requested = ofJob('ReplayJobRequested');
const started = ofJob('ReplayJobStarted', { matched: 2 });
const heldAll = ofJob('ReplayJobHeldAll');
const completed = ofJob('ReplayJobCompleted');
const held = [ofChain('ChainHeld', 'a'), ofChain('ChainSkipped', 'b')];
const sent = ofChain('AttemptStarted', 'a');

const faultsIn = (...planted: Planted[]) => brokenJobs(logOf(requested, started, ...planted));

describe('The check of replay jobs', () => {
  it('is content with a job that has held, sent and skipped what it selected', () => {
    expect(faultsIn(...held, heldAll, sent, completed)).toEqual([]);
  });

  it('is content with a job that is not at its end', () => {
    expect(faultsIn(held[0]!)).toEqual([]);
    expect(brokenJobs(logOf(requested))).toEqual([]);
  });

  it.each<[string, Planted[]]>([
    ['a chain that was redelivered twice', [...held, heldAll, sent, sent]],
    ['what was sent before everything was held', [held[0]!, sent, held[1]!, heldAll]],
    ['what was held after it began to send', [...held, heldAll, ofChain('ChainHeld', 'c')]],
    ['a sum that does not come out', [...held, heldAll, completed]],
  ])('finds %s', (_, planted) => expect(faultsIn(...planted)).toHaveLength(1));
});
