import { extractCategory } from '../../../src/kernel/decider.js';
import type { RecordedEvent, RecordedOf } from '../../../src/kernel/event.js';
import { deliveryChainDecider } from '../../../src/webhooks/domain/delivery-chain/delivery-chain.js';
import type { DeliveryChainEvent } from '../../../src/webhooks/domain/delivery-chain/facts.js';
import { replayJobDecider, type ReplayJobEvent } from '../../../src/webhooks/domain/replay-job.js';

type OfChain = RecordedOf<
  Extract<
    DeliveryChainEvent,
    { type: 'AttemptStarted' | 'DeliveryChainHeld' | 'DeliveryChainSkipped' | 'DeliveryChainReleased' }
  >
>;
type OfJob = RecordedOf<ReplayJobEvent>;
type Planned = RecordedOf<Extract<DeliveryChainEvent, { type: 'DeliveryChainPlanned' | 'DeliveryChainMissed' }>>;

/**
 * Finds replay jobs that redeliver a delivery chain twice, send before they hold every chain, or end with a wrong sum:
 * matched = redelivered + skipped. A backfill holds no chain; it plans each of its chains once.
 */
export function findBrokenJobs(log: readonly RecordedEvent[]): string[] {
  const jobs = Map.groupBy(filterCategory(log, replayJobDecider.category) as OfJob[], ({ data }) => data.replayJobId);
  const chains = Map.groupBy(
    filterCategory(log, deliveryChainDecider.category).filter(isOfJob),
    ({ data }) => data.replayJobId!,
  );
  const planned = Map.groupBy(
    filterCategory(log, deliveryChainDecider.category).filter(isPlannedByJob),
    ({ data }) => data.plannedBy!,
  );
  return [...jobs].flatMap(([id, events]) =>
    isBackfill(events)
      ? findBackfillBreaches(id, events, chains.get(id) ?? [], planned.get(id) ?? [])
      : findBreaches(id, events, chains.get(id) ?? []),
  );
}

function findBackfillBreaches(
  id: string,
  job: readonly OfJob[],
  chains: readonly OfChain[],
  plans: readonly Planned[],
): string[] {
  const idsOf = (
    events: readonly { readonly type: string; readonly data: { readonly chainId: string } }[],
    type: string,
  ) => events.filter((event) => event.type === type).map(({ data }) => data.chainId);
  const [planned, missed] = [idsOf(plans, 'DeliveryChainPlanned'), idsOf(plans, 'DeliveryChainMissed')];
  const sent = idsOf(chains, 'AttemptStarted');
  const isCompleted = job.some(({ type }) => type === 'ReplayJobCompleted');
  return [
    ...(new Set(planned).size === planned.length ? [] : [`${id} has planned a delivery chain twice`]),
    ...(new Set(sent).size === sent.length ? [] : [`${id} has delivered a delivery chain twice`]),
    ...(!isCompleted || planned.length === sent.length + missed.length
      ? []
      : [`${id} planned ${planned.length} but processed ${sent.length + missed.length}`]),
  ];
}

function findBreaches(id: string, job: readonly OfJob[], chains: readonly OfChain[]): string[] {
  const of = (type: OfChain['type']) => chains.filter((event) => event.type === type);
  const [attempts, held, skipped] = [of('AttemptStarted'), of('DeliveryChainHeld'), of('DeliveryChainSkipped')];
  const sent = attempts.map(({ data }) => data.chainId);
  const heldAll = job.find(({ type }) => type === 'ReplayJobAllHeld')?.position ?? null;
  const started = job.find((event) => event.type === 'ReplayJobStarted');
  const isCompleted = job.some(({ type }) => type === 'ReplayJobCompleted');
  const sum = sent.length + skipped.length;
  return [
    ...(new Set(sent).size === sent.length ? [] : [`${id} has redelivered a delivery chain twice`]),
    ...(attempts.every(({ position }) => heldAll !== null && position > heldAll)
      ? []
      : [`${id} sent before it held every delivery chain`]),
    ...(held.every(({ position }) => heldAll === null || position < heldAll)
      ? []
      : [`${id} held a delivery chain after it started to send`]),
    ...(!isCompleted || started?.data.matched === sum
      ? []
      : [`${id} matched ${started?.data.matched} but processed ${sum}`]),
  ];
}

function isBackfill(job: readonly OfJob[]): boolean {
  return job.some((event) => event.type === 'ReplayJobRequested' && event.data.scope === 'never_planned');
}

function isPlannedByJob(event: RecordedEvent): event is Planned {
  const isPlan = event.type === 'DeliveryChainPlanned' || event.type === 'DeliveryChainMissed';
  return isPlan && (event.data as Planned['data']).plannedBy !== undefined;
}

function isOfJob(event: RecordedEvent): event is OfChain {
  const types: readonly string[] = [
    'AttemptStarted',
    'DeliveryChainHeld',
    'DeliveryChainSkipped',
    'DeliveryChainReleased',
  ];
  return types.includes(event.type) && (event.data as { replayJobId?: string }).replayJobId !== undefined;
}

function filterCategory(log: readonly RecordedEvent[], category: string): RecordedEvent[] {
  return log.filter(({ stream }) => extractCategory(stream) === category);
}
