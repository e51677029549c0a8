import type { ReplayJobEvent } from '../../../src/webhooks/domain/replay-job.js';
import { findBrokenJobs } from './replay-jobs.js';
import { createLog, type SampleFact } from './sample-log.js';

const OF_JOB = { replayJobId: 'whj_1' };
const ofJob = (type: ReplayJobEvent['type'], more: object = {}): SampleFact => [
  'replayJob-whj_1',
  { type, data: { ...OF_JOB, ...more } },
];
const ofChain = (type: string, chainId: string): SampleFact => [
  `deliveryChain-${chainId}`,
  { type, data: { ...OF_JOB, chainId } },
];

const requested = ofJob('ReplayJobRequested');
const started = ofJob('ReplayJobStarted', { matched: 2 });
const heldAll = ofJob('ReplayJobAllHeld');
const completed = ofJob('ReplayJobCompleted');
const held = [ofChain('DeliveryChainHeld', 'a'), ofChain('DeliveryChainSkipped', 'b')];
const sent = ofChain('AttemptStarted', 'a');

const faultsIn = (...facts: SampleFact[]) => findBrokenJobs(createLog(requested, started, ...facts));

describe('The check of replay jobs', () => {
  it('accepts a job that held, sent and skipped its selected delivery chains', () => {
    expect(faultsIn(...held, heldAll, sent, completed)).toEqual([]);
  });

  it('accepts an unfinished job', () => {
    expect(faultsIn(held[0]!)).toEqual([]);
    expect(findBrokenJobs(createLog(requested))).toEqual([]);
  });

  it.each<[string, SampleFact[]]>([
    ['a delivery chain that was redelivered twice', [...held, heldAll, sent, sent]],
    ['a redelivery before all delivery chains were held', [held[0]!, sent, held[1]!, heldAll]],
    ['a delivery chain held after the job started to send', [...held, heldAll, ofChain('DeliveryChainHeld', 'c')]],
    ['a wrong sum of redelivered and skipped delivery chains', [...held, heldAll, completed]],
  ])('finds %s', (_, facts) => expect(faultsIn(...facts)).toHaveLength(1));
});

describe('The check of backfills', () => {
  const requested = ofJob('ReplayJobRequested', { scope: 'never_planned' });
  const toPlan = (type: string, chainId: string): SampleFact => [
    `deliveryChain-${chainId}`,
    { type, data: { plannedBy: 'whj_1', chainId } },
  ];
  const plans = [toPlan('DeliveryChainPlanned', 'a'), toPlan('DeliveryChainPlanned', 'b')];
  const backfillFaultsIn = (...facts: SampleFact[]) => findBrokenJobs(createLog(requested, started, ...facts));

  it('accepts a job that sent or dropped each chain that it has planned', () =>
    expect(backfillFaultsIn(...plans, sent, toPlan('DeliveryChainMissed', 'b'), completed)).toEqual([]));

  it.each<[string, SampleFact[]]>([
    ['a delivery chain that was planned twice', [...plans, plans[0]!]],
    ['a delivery chain that was sent twice', [...plans, sent, sent]],
    ['a completed job with a chain that waits', [...plans, sent, completed]],
  ])('finds %s', (_, facts) => expect(backfillFaultsIn(...facts)).toHaveLength(1));
});
