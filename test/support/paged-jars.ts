import { Builds } from '../../src/engine/builds/builds.js';
import { Waiters } from '../../src/engine/consumers/waiters.js';
import { ReadModelReader } from '../../src/engine/read-models/read-model-reader.js';
import { ConsistencyContext } from '../../src/kernel/context.js';
import type { FindQuery } from '../../src/kernel/read-models.js';
import { activateFirstBuild } from './builds.js';
import { ManualClock } from './clock.js';
import { type JarDocument, jars } from './jar.js';
import { TEST_KEYS } from './keys.js';
import { MemoryEventStore } from './memory/event-store.js';
import { MemoryReadModels } from './memory/read-models.js';

export const JARS = 'jars@1#1';
export const createEmptyContext = () => new ConsistencyContext();

/** Records every `find` call. */
class RecordingReadModels extends MemoryReadModels {
  readonly finds: FindQuery[] = [];

  override find<D extends object>(collection: string, find: FindQuery): Promise<D[]> {
    this.finds.push(find);
    return super.find(collection, find);
  }
}

/** Creates documents of jars 1 to n; three consecutive jars share a `created_at` second. */
export async function createPagedJars(count: number) {
  const clock = new ManualClock();
  const readModels = new RecordingReadModels(clock);
  const waiters = new Waiters(readModels, clock);
  const store = new MemoryEventStore(clock);
  await activateFirstBuild(jars, readModels);
  await readModels.ensureCollection(JARS, jars);
  const documents = Array.from({ length: count }, (_, i): JarDocument => {
    return {
      id: `jar_${String(i + 1).padStart(4, '0')}`,
      coins: i % 2,
      events: [],
      created_at: `2026-02-01T09:00:${String(Math.floor(i / 3)).padStart(2, '0')}.000Z`,
    };
  });
  await readModels.upsert(
    JARS,
    documents.map((document, i) => ({ id: document.id, position: String(i + 1).padStart(4, '0'), document })),
  );
  return {
    clock,
    store,
    readModels,
    waiters,
    views: new ReadModelReader(readModels, new Builds(readModels, store, waiters, clock), store, TEST_KEYS),
    newestFirst: documents.toReversed(),
  };
}
