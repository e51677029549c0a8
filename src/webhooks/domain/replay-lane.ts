import type { Decider } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';
import { chainOfRecord } from './delivery-id.js';

/**
 * The chains of one endpoint that a replay job selected, and the progress of the job. Each chain is named by its latest
 * delivery record, with attempt 0 for a missed chain.
 */
export type ReplayLaneEvent =
  | Fact<'ReplayChainsSelected', OfLane & { records: readonly string[] }>
  /** The first `through` chains are held or skipped. */
  | Fact<'ReplayChainsHeld', OfLane & { through: number }>
  /** The first `through` chains are redelivered, skipped or released. */
  | Fact<'ReplayChainsSettled', OfLane & { through: number }>;

interface OfLane {
  readonly replayJobId: string;
  readonly endpointId: string;
}

export interface ReplayLane {
  /** Ordered by event time, oldest first. */
  readonly records: readonly string[];
  readonly held: number;
  readonly settled: number;
}

function evolve(lane: ReplayLane, event: ReplayLaneEvent): ReplayLane {
  switch (event.type) {
    case 'ReplayChainsSelected':
      return { ...lane, records: [...lane.records, ...event.data.records] };
    case 'ReplayChainsHeld':
      return { ...lane, held: event.data.through };
    case 'ReplayChainsSettled':
      return { ...lane, settled: event.data.through };
  }
}

export type ReplayLaneCommand = OfLane &
  (
    | { readonly type: 'SelectChains'; readonly records: readonly string[] }
    | { readonly type: 'RecordHeld'; readonly through: number }
    | { readonly type: 'RecordSettled'; readonly through: number }
  );

function decide(command: ReplayLaneCommand, lane: ReplayLane): readonly ReplayLaneEvent[] {
  const { replayJobId, endpointId } = command;
  const of = { replayJobId, endpointId };
  switch (command.type) {
    case 'SelectChains': {
      const records = withoutChainsOf(lane.records, command.records);
      return records.length === 0 ? [] : [{ type: 'ReplayChainsSelected', data: { ...of, records } }];
    }
    case 'RecordHeld':
      return command.through > lane.held ? [{ type: 'ReplayChainsHeld', data: { ...of, through: command.through } }] : [];
    case 'RecordSettled':
      return command.through > lane.settled ? [{ type: 'ReplayChainsSettled', data: { ...of, through: command.through } }] : [];
  }
}

/** A chain that has had another attempt since it was selected is selected once, by its earlier record. */
function withoutChainsOf(selected: readonly string[], records: readonly string[]): readonly string[] {
  const chains = new Set(selected.map(chainOfRecord));
  return records.filter((record) => !chains.has(chainOfRecord(record)) && chains.add(chainOfRecord(record)));
}

export const replayLane: Decider<ReplayLane, ReplayLaneCommand, ReplayLaneEvent> = {
  category: 'replayLane',
  endless: true,
  versions: { ReplayChainsSelected: 1, ReplayChainsHeld: 1, ReplayChainsSettled: 1 },
  initial: { records: [], held: 0, settled: 0 },
  evolve,
  decide,
};

export function laneIdOf({ replayJobId, endpointId }: OfLane): string {
  return `${replayJobId}.${endpointId}`;
}
