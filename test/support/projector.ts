import type { EventStore } from '../../src/kernel/event-store.js';
import type { Projection } from '../../src/kernel/projection.js';
import { DEAD_LETTERS, type DeadLetter } from '../../src/engine/projecting/dead-letters.js';
import { Projector } from '../../src/engine/projecting/projector.js';
import { jars, type JarDocument } from './jar.js';
import { House } from './memory/house.js';

/** Creates a projector of jars that has not read any event. */
export async function startedProjector(projection: Projection<JarDocument> = jars, house = new House(), store: EventStore = house.store) {
  const projector = new Projector(projection, { store, readModels: house.readModels, clock: house.clock });
  await projector.prepare();
  const letters = async () => (await house.documents(DEAD_LETTERS)) as DeadLetter[];
  const jarOf = async (id: string) => (await house.readModels.load('jars@1', [id]))[0]?.document ?? null;
  return { house, projector, letters, jarOf };
}
