import { Progress } from '../../src/kernel/context.js';
import type { Find } from '../../src/kernel/read-models.js';
import { Builds } from '../../src/engine/builds/builds.js';
import { Views } from '../../src/engine/reading/views.js';
import { Waiters } from '../../src/engine/following/waiters.js';
import { serveFirstBuild } from './builds.js';
import { ManualClock } from './clock.js';
import { jars, type JarDocument } from './jar.js';
import { TEST_KEYS } from './keys.js';
import { MemoryEventStore } from './memory/event-store.js';
import { MemoryReadModels } from './memory/read-models.js';

export const JARS = 'jars@1#1';
export const anyTime = () => new Progress();

/** Records every `find` call. */
class WatchedReadModels extends MemoryReadModels {
  readonly finds: Find[] = [];

  override find<D extends object>(collection: string, find: Find): Promise<D[]> {
    this.finds.push(find);
    return super.find(collection, find);
  }
}

/** Creates documents of jars 1 to n; three consecutive jars share a `created_at` second. */
export async function shelf(count: number) {
  const clock = new ManualClock();
  const readModels = new WatchedReadModels(clock);
  const waiters = new Waiters(readModels, clock);
  const store = new MemoryEventStore(clock);
  await serveFirstBuild(jars, readModels);
  await readModels.prepare(JARS, jars);
  const documents = Array.from({ length: count }, (_, i): JarDocument => {
    return {
      id: `jar_${String(i + 1).padStart(4, '0')}`,
      coins: i % 2,
      events: [],
      created_at: `2026-02-01T09:00:${String(Math.floor(i / 3)).padStart(2, '0')}.000Z`,
    };
  });
  await readModels.save(
    JARS,
    documents.map((document, i) => ({ id: document.id, position: String(i + 1).padStart(4, '0'), document })),
  );
  return {
    clock,
    store,
    readModels,
    waiters,
    views: new Views(readModels, new Builds(readModels, store, waiters, clock), store, TEST_KEYS),
    newestFirst: documents.toReversed(),
  };
}
