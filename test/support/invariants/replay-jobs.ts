import { categoryOfStream } from '../../../src/kernel/decider.js';
import type { Recorded, RecordedOf } from '../../../src/kernel/event.js';
import { chain, type ChainEvent } from '../../../src/webhooks/domain/chain.js';
import { replayJob, type ReplayJobEvent } from '../../../src/webhooks/domain/replay-job.js';

type OfChain = RecordedOf<Extract<ChainEvent, { type: 'AttemptStarted' | 'ChainHeld' | 'ChainSkipped' | 'ChainReleased' }>>;
type OfJob = RecordedOf<ReplayJobEvent>;

/**
 * Finds replay jobs that redeliver a delivery chain twice, send before they hold every chain, or end with a wrong sum:
 * matched = redelivered + skipped.
 */
export function brokenJobs(log: readonly Recorded[]): string[] {
  const jobs = Map.groupBy(ofCategory(log, replayJob.category) as OfJob[], ({ data }) => data.replayJobId);
  const chains = Map.groupBy(ofCategory(log, chain.category).filter(isOfJob), ({ data }) => data.replayJobId!);
  return [...jobs].flatMap(([id, events]) => breaches(id, events, chains.get(id) ?? []));
}

function breaches(id: string, job: readonly OfJob[], chains: readonly OfChain[]): string[] {
  const of = (type: OfChain['type']) => chains.filter((event) => event.type === type);
  const [begun, held, skipped] = [of('AttemptStarted'), of('ChainHeld'), of('ChainSkipped')];
  const sent = begun.map(({ data }) => data.chainId);
  const heldAll = job.find(({ type }) => type === 'ReplayJobHeldAll')?.position ?? null;
  const started = job.find((event) => event.type === 'ReplayJobStarted');
  const isCompleted = job.some(({ type }) => type === 'ReplayJobCompleted');
  const sum = sent.length + skipped.length;
  return [
    ...(new Set(sent).size === sent.length ? [] : [`${id} has redelivered a delivery chain twice`]),
    ...(begun.every(({ position }) => heldAll !== null && position > heldAll) ? [] : [`${id} sent before it held every delivery chain`]),
    ...(held.every(({ position }) => heldAll === null || position < heldAll)
      ? []
      : [`${id} held a delivery chain after it started to send`]),
    ...(!isCompleted || started?.data.matched === sum ? [] : [`${id} matched ${started?.data.matched} but processed ${sum}`]),
  ];
}

function isOfJob(event: Recorded): event is OfChain {
  const types: readonly string[] = ['AttemptStarted', 'ChainHeld', 'ChainSkipped', 'ChainReleased'];
  return types.includes(event.type) && (event.data as { replayJobId?: string }).replayJobId !== undefined;
}

function ofCategory(log: readonly Recorded[], category: string): Recorded[] {
  return log.filter(({ stream }) => categoryOfStream(stream) === category);
}
