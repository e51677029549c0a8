import { Builds } from '../../../src/engine/builds/builds.js';
import { complete, createActive, NO_BUILDS, start, startDrop } from '../../../src/engine/builds/catalogue.js';
import { Waiters } from '../../../src/engine/consumers/waiters.js';
import { ReadModelReader } from '../../../src/engine/read-models/read-model-reader.js';
import { ConsistencyContext } from '../../../src/kernel/context.js';
import type { Position } from '../../../src/kernel/position.js';
import { ManualClock } from '../../support/clock.js';
import { jars } from '../../support/jar.js';
import { TEST_KEYS } from '../../support/keys.js';
import { MemoryEventStore } from '../../support/memory/event-store.js';
import { MemoryReadModels } from '../../support/memory/read-models.js';

const AT = '2026-02-01T09:00:00.000Z';
const [FIRST, SECOND] = ['jars@1#1', 'jars@1#2'] as const;
const HERE = '0005';
const jar = { id: 'jar_1', coins: 1, events: [], created_at: AT };

/** Switches builds and drops the previous one as soon as its checkpoint is read. */
class Dropping extends MemoryReadModels {
  dropped = false;

  constructor(private readonly time: ManualClock) {
    super(time);
  }

  override async readCheckpoint(name: string): Promise<Position> {
    const position = await super.readCheckpoint(name);
    if (!this.dropped) await this.dropFirst();
    return position;
  }

  private async dropFirst(): Promise<void> {
    this.dropped = true;
    const [{ revision, value }] = (await this.listEntries()) as unknown as [
      { revision: number; value: typeof NO_BUILDS },
    ];
    await this.compareAndSetEntry('jars@1', revision, startDrop(complete(start(value, AT), 2, true), 1));
    await this.time.advance(1_000);
  }
}

describe('A read whose build is dropped during its wait', () => {
  async function readFrom(checkpointOfSecond: Position): Promise<{ readonly shown: unknown; readonly stale: boolean }> {
    const clock = new ManualClock();
    const [readModels, store] = [new Dropping(clock), new MemoryEventStore(clock)];
    for (const build of [FIRST, SECOND]) {
      await readModels.ensureCollection(build, jars);
      await readModels.upsert(build, [{ id: 'jar_1', position: '0001', document: jar }]);
    }
    await readModels.compareAndSetEntry('jars@1', 0, createActive(NO_BUILDS, AT));
    await readModels.advanceCheckpoints({ [FIRST]: HERE, [SECOND]: checkpointOfSecond });
    const waiters = new Waiters(readModels, clock);
    const progress = new ConsistencyContext(HERE);
    const shown = await new ReadModelReader(
      readModels,
      new Builds(readModels, store, waiters, clock),
      store,
      TEST_KEYS,
    ).get(jars, 'jar_1', progress);
    return { shown, stale: progress.isStale };
  }

  it('is marked as stale when the next build has not reached the position', async () => {
    expect(await readFrom('0001')).toEqual({ shown: jar, stale: true });
  });

  it('is not marked as stale when the next build has reached the position', async () => {
    expect(await readFrom(HERE)).toEqual({ shown: jar, stale: false });
  });
});
