import type { DeadLetter } from '../../src/engine/projections/dead-letter.js';
import { DEAD_LETTERS } from '../../src/engine/projections/dead-letters.js';
import { Projector } from '../../src/engine/projections/projector.js';
import type { EventStore } from '../../src/kernel/event-store.js';
import type { Projection } from '../../src/kernel/projection.js';
import { type JarDocument, jars } from './jar.js';
import { TestCluster } from './memory/test-cluster.js';

/** Creates a projector of jars that has not read any event. */
export async function createProjector<D extends object = JarDocument>(
  projection: Projection<D> = jars as Projection<object> as Projection<D>,
  cluster = new TestCluster(),
  store: EventStore = cluster.store,
) {
  const projector = new Projector(projection, { store, readModels: cluster.readModels, clock: cluster.clock });
  await projector.prepare();
  const readDeadLetters = async () => (await cluster.readDocuments(DEAD_LETTERS)) as DeadLetter[];
  const loadJar = async (id: string) => (await cluster.readModels.load('jars@1', [id]))[0]?.document ?? null;
  return { cluster, projector, letters: readDeadLetters, jarOf: loadJar };
}
