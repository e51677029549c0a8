import type { Wiring } from '../../src/engine/registry.js';
import { Registry } from '../../src/engine/registry.js';
import { roomOf } from '../../src/operations/disk.js';
import { Stalls } from '../../src/operations/stalls.js';
import { coinsAdded, jars } from '../support/jar.js';
import { House } from '../support/memory/house.js';

const JARS = 'jars@1#1';
const counting = { name: 'counting', types: ['CoinsAdded'], react: async () => undefined };
const wiring: Wiring = { projections: [jars], reactors: [counting] };

/** A process that runs everything, and another that runs nothing and watches. */
async function watched() {
  const house = new House();
  const { engine } = house.process(wiring);
  await engine.start();
  await house.clock.advance(1_000);
  const registry = new Registry();
  registry.add(wiring);
  const { builds } = house.process(wiring, 'api');
  const stalls = new Stalls(house.store, house.readModels, builds, registry, house.clock);
  const watching = new AbortController();
  void stalls.watch(watching.signal);
  return { house, engine, stalls, end: () => watching.abort() };
}

describe('What follows the log', () => {
  it('stands still when the log has been ahead of it for 30 s, whoever runs it', async () => {
    const { house, engine, stalls, end } = await watched();
    await engine.stop();
    await house.clock.advance(60_000);
    await house.write('jar-a', coinsAdded('a', '1'));
    await house.clock.advance(29_000);
    expect(stalls.names).toEqual([]);
    await house.clock.advance(10_000);
    expect(stalls.names).toEqual([JARS, 'reactor:counting']);
    end();
  });

  it('does not stand still for having had nothing to do', async () => {
    const { house, engine, stalls, end } = await watched();
    await house.clock.advance(60_000);
    house.readModels.away.add(JARS);
    await house.write('jar-a', coinsAdded('a', '1'));
    await stalls.look();
    expect(stalls.names).toEqual([]);
    await engine.stop();
    end();
  });

  it('does not stand still while it moves, be it far behind', async () => {
    const { house, engine, stalls, end } = await watched();
    await engine.stop();
    const positions = [];
    for (let i = 0; i < 12; i++) positions.push(await house.write('jar-a', coinsAdded('a', `${i}`)));
    for (const position of positions) {
      await house.readModels.advance({ [JARS]: position, 'reactor:counting': position });
      await house.clock.advance(10_000);
      expect(stalls.names).toEqual([]);
    }
    end();
  });

  it('is ahead of a log that was restored from an earlier time', async () => {
    const { house, engine, stalls, end } = await watched();
    const position = await house.write('jar-a', coinsAdded('a', '1'));
    await house.clock.advance(1_000);
    await engine.stop();
    await stalls.look();
    expect(stalls.ahead).toEqual([]);
    await house.readModels.advance({ [JARS]: `${position}1`, 'reactor:counting': `${position}1` });
    await stalls.look();
    expect(stalls.ahead).toEqual([JARS, 'reactor:counting']);
    end();
  });

  it('goes on when it moves again', async () => {
    const { house, engine, stalls, end } = await watched();
    house.readModels.away.add(JARS);
    await house.write('jar-a', coinsAdded('a', '1'));
    await house.clock.advance(40_000);
    expect(stalls.names).toEqual([JARS]);
    house.readModels.away.clear();
    await house.clock.advance(10_000);
    expect(stalls.names).toEqual([]);
    await engine.stop();
    end();
  });
});

describe('The disk', () => {
  it('has room, in words', () => expect(roomOf(12.34 * 1024 ** 3)).toBe('12.3 GB free'));

  it('has too little when a quarter of a gigabyte is not free', () => expect(() => roomOf(200 * 1024 ** 2)).toThrow('0.2 GB free'));
});
