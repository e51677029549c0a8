import type { Checkpoints } from '../../kernel/checkpoints.js';
import type { EventStore } from '../../kernel/event-store.js';
import type { Position } from '../../kernel/position.js';
import { PROCESS_NUMBERS } from '../process-numbers.js';
import { loadRefusedNames, type LogAndReadModels, recordRefusal } from './refused-logs.js';

export interface RestoredStores extends LogAndReadModels {
  readonly checkpoints: Checkpoints;
}

type NamedPosition = readonly [name: string, position: Position];

/**
 * The log was restored to a time before the checkpoints. Consumers would skip each new event until the log passes its
 * old end; the store's own system events alone can bring the log there.
 */
export class CheckpointsAheadOfLog extends Error {
  constructor(readonly names: readonly string[]) {
    super(
      `Checkpoints are ahead of the end of the log: ${names.join(', ')}. If the log was restored, run "store rewind".`,
    );
    this.name = 'CheckpointsAheadOfLog';
  }
}

/**
 * Checks the checkpoints before a service starts. A refused start stays refused until "store rewind", however far the
 * log grows.
 * @throws CheckpointsAheadOfLog
 */
export async function requireCheckpointsInLog(restored: RestoredStores): Promise<void> {
  const { events, checkpoints } = restored;
  // The checkpoints are read before the head: an event that is recorded in between moves a checkpoint too.
  const positions = await readPositions(await listLogCheckpoints(checkpoints), checkpoints);
  const names = await findCheckpointsAhead(positions, await events.readHead(), restored);
  if (names.length === 0) return;
  await recordRefusal(restored, names);
  throw new CheckpointsAheadOfLog(names);
}

/**
 * Returns the names of the checkpoints that are beyond the end of the log, and of those for which a start was refused.
 * Reads the end only when a checkpoint is beyond the head: between the two are only system events of the store.
 */
export async function findCheckpointsAhead(
  positions: readonly NamedPosition[],
  head: Position,
  restored: LogAndReadModels,
): Promise<string[]> {
  const beyond = (end: Position) => positions.filter(([, position]) => position > end).map(([name]) => name);
  const now = beyond(head).length === 0 ? [] : beyond(await readEnd(restored.events));
  return [...new Set([...now, ...(await loadRefusedNames(restored))])];
}

export function readPositions(names: readonly string[], checkpoints: Checkpoints): Promise<NamedPosition[]> {
  return Promise.all(names.map(async (name) => [name, await checkpoints.readCheckpoint(name)] as const));
}

/** Returns a position that no entry of the log exceeds, system events of the store included. */
export function readEnd(events: EventStore): Promise<Position> {
  return events.confirmPosition();
}

/** Returns the names of all checkpoints that are positions in the log. */
export async function listLogCheckpoints(checkpoints: Checkpoints): Promise<string[]> {
  return (await checkpoints.listCheckpointNames()).filter((name) => name !== PROCESS_NUMBERS);
}
