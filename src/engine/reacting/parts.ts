import { hashOf } from '../../kernel/hash.js';
import { earlier, later, START, type Position } from '../../kernel/position.js';
import type { ReadModels } from '../../kernel/read-models.js';
import type { Reactor, Registry } from '../registry.js';

const PREFIX = 'reactor:';

/** One of `of` equal parts of a reactor, by hash of the stream. Each part has a lease and a checkpoint. */
export interface Part {
  readonly nth: number;
  readonly of: number;
}

export function partsOf({ reactorParts }: Pick<Registry, 'reactorParts'>): readonly Part[] {
  return Array.from({ length: reactorParts }, (_, nth) => ({ nth, of: reactorParts }));
}

export function isIn({ nth, of }: Part, stream: string): boolean {
  return of === 1 || hashOf(stream) % of === nth;
}

/** Returns the name of the part's lease and checkpoint. */
export function checkpointOf({ name }: Pick<Reactor, 'name'>, { nth, of }: Part): string {
  return of === 1 ? `${PREFIX}${name}` : `${PREFIX}${name}#${nth + 1}/${of}`;
}

/** Returns the checkpoint names of all parts of all reactors. */
export function reactorCheckpoints(registry: Pick<Registry, 'reactors' | 'reactorParts'>): string[] {
  return registry.reactors.flatMap((reactor) => partsOf(registry).map((part) => checkpointOf(reactor, part)));
}

export function isReactorCheckpoint(name: string): boolean {
  return name.startsWith(PREFIX);
}

/**
 * Sets the start of a part after a change of the number of parts: events that all parts of an earlier division have
 * passed are done. A checkpoint never moves back, so a return to an earlier division repeats no event.
 */
export async function beginPart({ name }: Pick<Reactor, 'name'>, part: Part, readModels: ReadModels): Promise<void> {
  const kept = (await readModels.checkpointNames()).flatMap((checkpoint) => divisionIn(checkpoint, name));
  const divisions = [...new Set(kept)].filter((of) => of !== part.of);
  const passed = await Promise.all(divisions.map((of) => passedBy({ name }, of, readModels)));
  const begin = passed.reduce(later, START);
  if (begin !== START) await readModels.advance({ [checkpointOf({ name }, part)]: begin });
}

/**
 * Returns the number of parts at the time when this checkpoint was written; empty for another reactor's checkpoint.
 */
function divisionIn(checkpoint: string, reactor: string): number[] {
  if (checkpoint === `${PREFIX}${reactor}`) return [1];
  const [name, division] = checkpoint.split('#');
  return name === `${PREFIX}${reactor}` ? [Number(division!.split('/')[1])] : [];
}

async function passedBy(reactor: Pick<Reactor, 'name'>, of: number, readModels: ReadModels): Promise<Position> {
  const positions = await Promise.all(partsOf({ reactorParts: of }).map((part) => readModels.checkpoint(checkpointOf(reactor, part))));
  return positions.reduce(earlier);
}
