import { hashOf } from '../../kernel/hash.js';
import { earlier, later, START, type Position } from '../../kernel/position.js';
import type { ReadModels } from '../../kernel/read-models.js';
import type { Reactor, Registry } from '../registry.js';

const PREFIX = 'reactor:';

/** The streams that one of `of` equal parts of a reactor takes, each part with a lease and a checkpoint. */
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

/** Name of its lease and its checkpoint. */
export function checkpointOf({ name }: Pick<Reactor, 'name'>, { nth, of }: Part): string {
  return of === 1 ? `${PREFIX}${name}` : `${PREFIX}${name}#${nth + 1}/${of}`;
}

/** Of all reactors, in all their parts. */
export function reactorCheckpoints(registry: Pick<Registry, 'reactors' | 'reactorParts'>): string[] {
  return registry.reactors.flatMap((reactor) => partsOf(registry).map((part) => checkpointOf(reactor, part)));
}

export function isReactorCheckpoint(name: string): boolean {
  return name.startsWith(PREFIX);
}

/**
 * Where a part begins whose reactor was divided otherwise before: what all parts of one division have passed is done. Never back, so that a
 * return to an earlier division does nothing again.
 */
export async function beginPart({ name }: Pick<Reactor, 'name'>, part: Part, readModels: ReadModels): Promise<void> {
  const kept = (await readModels.checkpointNames()).flatMap((checkpoint) => divisionIn(checkpoint, name));
  const divisions = [...new Set(kept)].filter((of) => of !== part.of);
  const passed = await Promise.all(divisions.map((of) => passedBy({ name }, of, readModels)));
  const begin = passed.reduce(later, START);
  if (begin !== START) await readModels.advance({ [checkpointOf({ name }, part)]: begin });
}

/** Into how many parts the reactor was divided when this checkpoint was written; none of another reactor's. */
function divisionIn(checkpoint: string, reactor: string): number[] {
  if (checkpoint === `${PREFIX}${reactor}`) return [1];
  const [name, division] = checkpoint.split('#');
  return name === `${PREFIX}${reactor}` ? [Number(division!.split('/')[1])] : [];
}

async function passedBy(reactor: Pick<Reactor, 'name'>, of: number, readModels: ReadModels): Promise<Position> {
  const positions = await Promise.all(partsOf({ reactorParts: of }).map((part) => readModels.checkpoint(checkpointOf(reactor, part))));
  return positions.reduce(earlier);
}
