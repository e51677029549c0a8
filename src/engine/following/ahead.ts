import type { EventStore } from '../../kernel/event-store.js';
import type { Position } from '../../kernel/position.js';
import type { ReadModels } from '../../kernel/read-models.js';
import { PROCESS_PLACES } from '../presence.js';

interface Restored {
  readonly events: EventStore;
  readonly models: ReadModels;
}

/**
 * The log was restored from an earlier time than the checkpoints. Whatever follows it would pass over each new event until the log has grown
 * beyond the old end.
 */
export class AheadOfLog extends Error {
  constructor(readonly names: readonly string[]) {
    super(`Checkpoints are ahead of the end of the log: ${names.join(', ')}. Was the log restored? "store rewind" makes them fit.`);
    this.name = 'AheadOfLog';
  }
}

/** Before a service runs on these stores. @throws AheadOfLog */
export async function mustNotBeAhead(restored: Restored): Promise<void> {
  const names = await checkpointsAhead(restored);
  if (names.length > 0) throw new AheadOfLog(names);
}

/** The names of the checkpoints beyond the end of the log: of all that there are, unless told. */
export async function checkpointsAhead({ events, models }: Restored, names?: readonly string[]): Promise<string[]> {
  const asked = names ?? (await placesInLog(models));
  // Read before the head: what is recorded in between moves a checkpoint too.
  const positions = await Promise.all(asked.map(async (name) => [name, await models.checkpoint(name)] as const));
  return namesBeyond(positions, await events.head(), events);
}

/** Of these, the ones beyond the end. Asks for the end only where one is beyond the head: behind that come the store's own events alone. */
export async function namesBeyond(
  positions: readonly (readonly [name: string, position: Position])[],
  head: Position,
  events: EventStore,
): Promise<string[]> {
  const beyond = (end: Position) => positions.filter(([, position]) => position > end).map(([name]) => name);
  return beyond(head).length === 0 ? [] : beyond(await endOf(events));
}

/** A place that nothing in the log lies beyond, the events that the store keeps for itself included, however many. */
export function endOf(events: EventStore): Promise<Position> {
  return events.confirmed();
}

/** Every checkpoint that is a place in the log. */
export async function placesInLog(models: ReadModels): Promise<string[]> {
  return (await models.checkpointNames()).filter((name) => name !== PROCESS_PLACES);
}
