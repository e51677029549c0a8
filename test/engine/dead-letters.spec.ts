import type { Recorded } from '../../src/kernel/event.js';
import type { Projection } from '../../src/kernel/projection.js';
import { coinsAdded, jars, type JarDocument } from '../support/jar.js';
import { startedProjector } from '../support/projector.js';

const JARS = 'jars@1';

describe('An event that a projection cannot fold', () => {
  const fussy: Projection<JarDocument> = {
    ...jars,
    on: {
      ...jars.on,
      CoinsAdded: (document, event) => {
        if (event.data.coins === 13) throw new Error('thirteen');
        return jars.on.CoinsAdded!(document, event);
      },
    },
  };

  async function poisoned() {
    const all = await startedProjector(fussy);
    await all.house.write('jar-a', coinsAdded('a', '1', 1), coinsAdded('a', '2', 13), coinsAdded('a', '3', 2));
    await all.house.write('jar-b', coinsAdded('b', '1', 5));
    await all.projector.take(all.house.store.log);
    return all;
  }

  it('blocks its document alone, which keeps what it was before', async () => {
    const { jarOf } = await poisoned();
    expect(await jarOf('a')).toMatchObject({ coins: 1 });
    expect(await jarOf('b')).toMatchObject({ coins: 5 });
  });

  it('is a dead letter, and so is every later event of that document', async () => {
    const { house, projector, letters } = await poisoned();
    await house.write('jar-a', coinsAdded('a', '4', 2));
    await projector.take(house.store.log.slice(4));
    expect((await letters()).map(({ document, position, error, first }) => ({ document, position, error, first }))).toEqual([
      { document: 'a', position: house.store.log[1]!.position, error: 'Error: thirteen', first: true },
      { document: 'a', position: house.store.log[2]!.position, error: 'behind one that failed', first: false },
      { document: 'a', position: house.store.log[4]!.position, error: 'behind one that failed', first: false },
    ]);
  });

  it('keeps no payload in its dead letter', async () => {
    const { letters } = await poisoned();
    expect(JSON.stringify(await letters())).not.toContain('jarId');
  });

  it('stays a dead letter in the next process, for which the events before it count', async () => {
    const { house, letters } = await poisoned();
    const before = await letters();
    const second = await startedProjector(fussy, house);
    await second.projector.take(house.store.log);
    expect(await letters()).toEqual(before);

    await house.readModels.drop(JARS);
    const third = await startedProjector(fussy, house);
    await third.projector.take(house.store.log);
    expect(await third.jarOf('a')).toMatchObject({ coins: 1 });
  });

  it('is tried three times', async () => {
    let tries = 0;
    const moody: Projection<JarDocument> = {
      ...jars,
      on: {
        CoinsAdded: (document, event) => {
          if (++tries < 3) throw new Error('not now');
          return jars.on.CoinsAdded!(document, event);
        },
      },
    };
    const { house, projector, jarOf, letters } = await startedProjector(moody);
    await house.write('jar-a', coinsAdded('a', '1', 5));
    await projector.take(house.store.log);
    expect(await jarOf('a')).toMatchObject({ coins: 5 });
    expect(await letters()).toEqual([]);
  });

  it('blocks its stream when not even its document can be told', async () => {
    const { house, projector, letters, jarOf } = await startedProjector();
    await house.write('jar-a', coinsAdded('a', '1', 1));
    await house.write('jar-b', coinsAdded('b', '1', 1), coinsAdded('b', '2', 1));
    const spoiled = house.store.log.map((event, i) => (i === 1 ? unreadable(event) : event));
    await projector.take(spoiled);
    expect((await letters()).map(({ document, stream }) => ({ document, stream }))).toEqual([
      { document: null, stream: 'jar-b' },
      { document: null, stream: 'jar-b' },
    ]);
    expect(await jarOf('a')).toMatchObject({ coins: 1 });
    expect(await jarOf('b')).toBeNull();
  });
});

function unreadable(event: Recorded): Recorded {
  return Object.defineProperty({ ...event }, 'data', {
    get: () => {
      throw new Error('not JSON');
    },
  });
}
