import { Projector } from '../../../src/engine/projections/projector.js';
import { StoreUnavailable } from '../../../src/kernel/event-store.js';
import { render } from '../../../src/kernel/projection.js';
import type { Row } from '../../../src/kernel/read-models.js';
import { coinsAdded, jars } from '../../support/jar.js';
import { MemoryReadModels } from '../../support/memory/read-models.js';
import { TestCluster } from '../../support/memory/test-cluster.js';

const JARS = 'jars@1';

/** While isolated, the read models show unacknowledged saves, and lose them when they rejoin. */
class LonelyReadModels extends MemoryReadModels {
  private before: Map<string, Row> | null = null;

  isolate(): void {
    this.before = new Map(this.collections.get(JARS));
  }

  rejoin(): void {
    this.collections.set(JARS, this.before!);
    this.before = null;
  }

  override async upsert(collection: string, rows: readonly Row[]): Promise<void> {
    await super.upsert(collection, rows);
    if (this.before !== null) throw new StoreUnavailable('no majority has it', true);
  }
}

describe('A projection whose save is visible and not acknowledged', () => {
  it('saves the rows again, and loses no event when the first save is undone', async () => {
    const cluster = new TestCluster();
    const readModels = new LonelyReadModels(cluster.clock);
    const projector = new Projector(jars, { store: cluster.store, readModels, clock: cluster.clock });
    await projector.prepare();
    await cluster.append('jar-a', coinsAdded('a', '1', 5));
    await projector.handle(cluster.store.log);
    await cluster.append('jar-a', coinsAdded('a', '2', 7));
    readModels.isolate();

    await expect(projector.handle(cluster.store.log)).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(projector.handle(cluster.store.log)).rejects.toBeInstanceOf(StoreUnavailable);
    readModels.rejoin();
    await projector.handle(cluster.store.log);

    expect(await readModels.load(JARS, ['a'])).toMatchObject([{ document: render(jars, 'a', cluster.store.log) }]);
  });
});
