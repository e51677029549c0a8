import type { EventStore } from '../../kernel/event-store.js';
import type { Position } from '../../kernel/position.js';
import type { ReadModels } from '../../kernel/read-models.js';
import { PROCESS_PLACES } from '../presence.js';
import { noteRefusal, refusedNames, type Restored } from './refused-logs.js';

type NamedPosition = readonly [name: string, position: Position];

/**
 * The log was restored from an earlier time than the checkpoints. Whatever follows it would pass over each new event until the log has grown
 * beyond the old end, which the store's own events alone can bring about.
 */
export class AheadOfLog extends Error {
  constructor(readonly names: readonly string[]) {
    super(`Checkpoints are ahead of the end of the log: ${names.join(', ')}. Was the log restored? Only "store rewind" makes them fit.`);
    this.name = 'AheadOfLog';
  }
}

/**
 * Before a service runs on these stores. What is refused once stays refused until "store rewind", however far the log grows.
 * @throws AheadOfLog
 */
export async function mustNotBeAhead(restored: Restored): Promise<void> {
  const { events, models } = restored;
  // Read before the head: what is recorded in between moves a checkpoint too.
  const positions = await positionsOf(await placesInLog(models), models);
  const names = await checkpointsAhead(positions, await events.head(), restored);
  if (names.length === 0) return;
  await noteRefusal(restored, names);
  throw new AheadOfLog(names);
}

/**
 * Of these, the ones beyond the end, and those for which a start was refused. Asks for the end only where one is beyond the head: behind
 * that come the store's own events alone.
 */
export async function checkpointsAhead(positions: readonly NamedPosition[], head: Position, restored: Restored): Promise<string[]> {
  const beyond = (end: Position) => positions.filter(([, position]) => position > end).map(([name]) => name);
  const now = beyond(head).length === 0 ? [] : beyond(await endOf(restored.events));
  return [...new Set([...now, ...(await refusedNames(restored))])];
}

/** Where the checkpoints of these names are. */
export function positionsOf(names: readonly string[], models: ReadModels): Promise<NamedPosition[]> {
  return Promise.all(names.map(async (name) => [name, await models.checkpoint(name)] as const));
}

/** A place that nothing in the log lies beyond, the events that the store keeps for itself included, however many. */
export function endOf(events: EventStore): Promise<Position> {
  return events.confirmed();
}

/** Every checkpoint that is a place in the log. */
export async function placesInLog(models: ReadModels): Promise<string[]> {
  return (await models.checkpointNames()).filter((name) => name !== PROCESS_PLACES);
}
