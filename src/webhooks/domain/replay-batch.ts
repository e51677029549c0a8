import type { Decider } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';
import { extractChainId } from './delivery-id.js';

/**
 * The chains of one endpoint that a replay job selected, and the progress of the job. Each chain is named by its latest
 * delivery record, with attempt 0 for a missed chain.
 */
export type ReplayBatchEvent =
  | Fact<'ReplayChainsSelected', ReplayBatchReference & { records: readonly string[] }>
  /** The first `through` chains are held or skipped. */
  | Fact<'ReplayChainsHeld', ReplayBatchReference & { through: number }>
  /** The first `through` chains are redelivered, skipped or released. */
  | Fact<'ReplayChainsSettled', ReplayBatchReference & { through: number }>;

interface ReplayBatchReference {
  readonly replayJobId: string;
  readonly endpointId: string;
}

export interface ReplayBatch {
  /** Ordered by event time, oldest first. */
  readonly records: readonly string[];
  readonly held: number;
  readonly settled: number;
}

function evolve(batch: ReplayBatch, event: ReplayBatchEvent): ReplayBatch {
  switch (event.type) {
    case 'ReplayChainsSelected':
      return { ...batch, records: [...batch.records, ...event.data.records] };
    case 'ReplayChainsHeld':
      return { ...batch, held: event.data.through };
    case 'ReplayChainsSettled':
      return { ...batch, settled: event.data.through };
  }
}

export type ReplayBatchCommand = ReplayBatchReference &
  (
    | { readonly type: 'SelectChains'; readonly records: readonly string[] }
    | { readonly type: 'RecordHeld'; readonly through: number }
    | { readonly type: 'RecordSettled'; readonly through: number }
  );

function decide(command: ReplayBatchCommand, batch: ReplayBatch): readonly ReplayBatchEvent[] {
  const { replayJobId, endpointId } = command;
  const reference = { replayJobId, endpointId };
  switch (command.type) {
    case 'SelectChains': {
      const records = omitSelectedChains(batch.records, command.records);
      return records.length === 0 ? [] : [{ type: 'ReplayChainsSelected', data: { ...reference, records } }];
    }
    case 'RecordHeld':
      return command.through > batch.held
        ? [{ type: 'ReplayChainsHeld', data: { ...reference, through: command.through } }]
        : [];
    case 'RecordSettled':
      return command.through > batch.settled
        ? [{ type: 'ReplayChainsSettled', data: { ...reference, through: command.through } }]
        : [];
  }
}

/** Selects each chain once, by its earliest selected record, also when the chain had another attempt since. */
function omitSelectedChains(selected: readonly string[], records: readonly string[]): readonly string[] {
  const chainIds = new Set(selected.map(extractChainId));
  return records.filter((record) => {
    const chainId = extractChainId(record);
    return !chainIds.has(chainId) && chainIds.add(chainId);
  });
}

export const replayBatchDecider: Decider<ReplayBatch, ReplayBatchCommand, ReplayBatchEvent> = {
  category: 'replayBatch',
  unbounded: true,
  versions: { ReplayChainsSelected: 1, ReplayChainsHeld: 1, ReplayChainsSettled: 1 },
  initial: { records: [], held: 0, settled: 0 },
  evolve,
  decide,
};

export function replayBatchIdOf({ replayJobId, endpointId }: ReplayBatchReference): string {
  return `${replayJobId}.${endpointId}`;
}
