import fc from 'fast-check';
import { render } from '../../../src/kernel/projection.js';
import { Build, type BuildProgress } from '../../../src/engine/builds/build.js';
import { SharedLog } from '../../../src/engine/builds/shared-log.js';
import { SeededRandom } from '../../support/clock.js';
import { runs, seeds } from '../../contracts/seed.js';
import { coinsAdded, contextOf, jarBroken, fussy, jars, type JarDocument } from '../../support/jar.js';
import { House } from '../../support/memory/house.js';
import { projectionSkips, type Skip } from '../../../src/engine/projecting/skips.js';

const BUILD = 'jars@1#2';
const NEVER = new AbortController().signal;

function buildIn(house: House, projection = jars, onProgress?: (progress: BuildProgress) => void) {
  return new Build(projection, BUILD, { ...house, random: new SeededRandom(), log: new SharedLog(house.store, house.clock) }, onProgress);
}

async function houseOf(events: number): Promise<House> {
  const house = new House();
  for (let i = 0; i < events; i++) await house.write(`jar-${i % 7}`, coinsAdded(String(i % 7), String(i), i));
  return house;
}

describe('A build', () => {
  it.each(seeds)('equals the log for any events and any number of shards (seed %i)', async (seed) => {
    const logs = fc.array(fc.tuple(fc.nat(9), fc.constantFrom('add', 'add', 'add', 'break')), { minLength: 1, maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(logs, fc.integer({ min: 1, max: 6 }), async (events, shards) => {
        const house = new House();
        for (const [i, [id, what]] of events.entries()) {
          await house.write(`jar-${id}`, what === 'add' ? coinsAdded(String(id), String(i), i) : jarBroken(String(id), String(i)));
        }
        await buildIn(house, { ...jars, shards }).run(NEVER);
        const ids = [...new Set(events.map(([id]) => String(id)))].sort();
        expect(await house.documents(BUILD)).toEqual(ids.flatMap((id) => rendered(house, id)));
        expect(await house.readModels.checkpoint(BUILD)).toBe(await house.store.head());
      }),
      { seed, numRuns: runs(30) },
    );
  });

  it('reports its progress', async () => {
    const house = await houseOf(1_200);
    const told: BuildProgress[] = [];
    await buildIn(house, jars, (progress) => told.push(progress)).run(NEVER);
    expect(told.map(({ events }) => events)).toEqual([500, 1_000, 1_200]);
    expect(told.at(-1)!.position).toBe(await house.store.head());
  });

  it('resumes at its checkpoint after a stop at any point', async () => {
    const house = await houseOf(3_000);
    const stop = new AbortController();
    const stopped = buildIn(house, jars, ({ events }) => events >= 2_000 && stop.abort()).run(stop.signal);
    await expect(stopped).rejects.toThrow('stopped before completion');
    const reached = await house.readModels.checkpoint(BUILD);
    expect(reached > '' && reached < (await house.store.head())).toBe(true);

    const told: BuildProgress[] = [];
    await buildIn(house, jars, (progress) => told.push(progress)).run(NEVER);
    expect(told.at(-1)!.events).toBeLessThan(3_000);
    for (let id = 0; id < 7; id++) expect(await house.documents(BUILD)).toContainEqual(render(jars, String(id), house.store.log));
  });

  it('is the same when two runs overlap', async () => {
    const house = await houseOf(300);
    await Promise.all([buildIn(house).run(NEVER), buildIn(house).run(NEVER)]);
    for (let id = 0; id < 7; id++) expect(await house.documents(BUILD)).toContainEqual(render(jars, String(id), house.store.log));
  });

  it('stops at an event that it cannot fold, and names the event', async () => {
    const house = new House();
    await house.write('jar-a', coinsAdded('a', '1', 1));
    await house.write('jar-b', coinsAdded('b', '1', 5), coinsAdded('b', '2', 13));
    await expect(buildIn(house, fussy).run(NEVER)).rejects.toThrow('jar-b at revision 1 (CoinsAdded): Error: thirteen');
    expect((await house.readModels.checkpoint(BUILD)) < (await house.store.head())).toBe(true);
  });

  it('ignores a skipped event', async () => {
    const house = new House();
    await house.write('jar-a', coinsAdded('a', '1', 1), coinsAdded('a', '2', 13), coinsAdded('a', '3', 2));
    const skip: Skip = { document: 'a', eventId: house.store.log[1]!.id };
    const { streams } = house.process({});
    await streams.execute(
      projectionSkips,
      'jars',
      { type: 'SkipEvent', projection: 'jars', reason: 'bad luck', ...skip },
      contextOf('skip'),
    );
    await buildIn(house, fussy).run(NEVER);
    expect(await house.documents(BUILD)).toMatchObject([{ id: 'a', coins: 3 }]);
  });

  it('waits for an unavailable store', async () => {
    const house = await houseOf(20);
    house.readModels.away.add(BUILD);
    const running = buildIn(house).run(NEVER);
    await house.clock.advance(5_000);
    house.readModels.away.clear();
    await house.clock.advance(10_000);
    await running;
    expect(await house.documents(BUILD)).toHaveLength(7);
  });
});

function rendered(house: House, id: string): JarDocument[] {
  const history = house.store.log.filter(({ stream }) => stream === `jar-${id}`);
  return history.at(-1)!.type === 'JarBroken' ? [] : [render(jars, id, history)];
}
