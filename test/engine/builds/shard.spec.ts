import { Shard } from '../../../src/engine/builds/shard.js';
import { Throttle } from '../../../src/engine/builds/throttle.js';
import type { Row } from '../../../src/kernel/read-models.js';
import { coinsAdded, type JarDocument, jars } from '../../support/jar.js';
import { MemoryReadModels } from '../../support/memory/read-models.js';
import { TestCluster } from '../../support/memory/test-cluster.js';

const BUILD = 'jars@1#1';
/** More rows than the cache of a shard holds. */
const MANY = 3_000;

/** Saves stay in progress until a load starts, and end before the load returns. */
class SlowReadModels extends MemoryReadModels {
  private ended = Promise.resolve();
  private goOn: () => void = () => undefined;

  override async upsert(collection: string, rows: readonly Row[]): Promise<void> {
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    this.goOn = resolve;
    this.ended = asked.then(() => super.upsert(collection, rows));
    return this.ended;
  }

  override async load(collection: string, ids: readonly string[]): Promise<Row[]> {
    const rows = await super.load(collection, ids);
    for (let saves = 0; saves < MANY; saves++) {
      this.goOn();
      await this.ended;
    }
    return rows;
  }
}

describe('A shard of a build', () => {
  it('keeps the known state of a document that is saved and evicted while others are loaded', async () => {
    const cluster = new TestCluster();
    const readModels = new SlowReadModels(cluster.clock);
    await readModels.ensureCollection(BUILD, jars);
    const shard = new Shard<JarDocument>({
      projection: jars,
      build: BUILD,
      readModels,
      throttle: new Throttle(cluster.store, cluster.clock),
      persist: (work) => work(),
    });
    for (let i = 0; i < MANY; i++) await cluster.append(`jar-${i}`, coinsAdded(`${i}`, '1'));
    await cluster.append('jar-0', coinsAdded('0', '2'));
    await cluster.append('jar-new', coinsAdded('new', '1'));
    const touches = cluster.store.log.map((event) => ({ id: jars.id(event) as string, event }));

    await shard.apply(touches.slice(0, MANY), touches[MANY - 1]!.event.position);
    await shard.apply(touches.slice(MANY), touches.at(-1)!.event.position);
    await readModels.load(BUILD, []);
    await shard.flush();

    expect((await readModels.load(BUILD, ['0']))[0]!.document).toMatchObject({ coins: 2 });
  });
});
