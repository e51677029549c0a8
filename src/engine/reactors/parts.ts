import type { Checkpoints } from '../../kernel/checkpoints.js';
import { hashText } from '../../kernel/hash.js';
import { pickEarlier, pickLater, type Position, START } from '../../kernel/position.js';
import type { AnyReactor, Registry } from '../registry.js';

const PREFIX = 'reactor:';

/** One of `of` equal parts of a reactor, by hash of the stream. Each part has a lease and a checkpoint. */
export interface Part {
  readonly nth: number;
  readonly of: number;
}

export function listParts({ reactorParts }: Pick<Registry, 'reactorParts'>): readonly Part[] {
  return Array.from({ length: reactorParts }, (_, nth) => ({ nth, of: reactorParts }));
}

export function isInPart({ nth, of }: Part, stream: string): boolean {
  return of === 1 || hashText(stream) % of === nth;
}

/** Returns the name of the part's lease and checkpoint. */
export function checkpointNameOf({ name }: Pick<AnyReactor, 'name'>, { nth, of }: Part): string {
  return of === 1 ? `${PREFIX}${name}` : `${PREFIX}${name}#${nth + 1}/${of}`;
}

export function listReactorCheckpoints(registry: Pick<Registry, 'reactors' | 'reactorParts'>): string[] {
  return registry.reactors.flatMap((reactor) => listParts(registry).map((part) => checkpointNameOf(reactor, part)));
}

export function isReactorCheckpoint(name: string): boolean {
  return name.startsWith(PREFIX);
}

/**
 * Sets the start of a part after a change of the number of parts: events that all parts of an earlier division have
 * passed are done. A checkpoint never moves back, so a return to an earlier division repeats no event.
 */
export async function initializePart(
  { name }: Pick<AnyReactor, 'name'>,
  part: Part,
  checkpoints: Checkpoints,
): Promise<void> {
  const kept = (await checkpoints.listCheckpointNames()).flatMap((checkpoint) => parseDivisions(checkpoint, name));
  const divisions = [...new Set(kept)].filter((of) => of !== part.of);
  const passed = await Promise.all(divisions.map((of) => readPassedPosition({ name }, of, checkpoints)));
  const begin = passed.reduce(pickLater, START);
  if (begin !== START) await checkpoints.advanceCheckpoints({ [checkpointNameOf({ name }, part)]: begin });
}

/**
 * Returns the number of parts at the time when this checkpoint was written; empty for another reactor's checkpoint.
 */
function parseDivisions(checkpoint: string, reactor: string): number[] {
  if (checkpoint === `${PREFIX}${reactor}`) return [1];
  const [name, division] = checkpoint.split('#');
  return name === `${PREFIX}${reactor}` ? [Number(division!.split('/')[1])] : [];
}

async function readPassedPosition(
  reactor: Pick<AnyReactor, 'name'>,
  of: number,
  checkpoints: Checkpoints,
): Promise<Position> {
  const positions = await Promise.all(
    listParts({ reactorParts: of }).map((part) => checkpoints.readCheckpoint(checkpointNameOf(reactor, part))),
  );
  return positions.reduce(pickEarlier);
}
