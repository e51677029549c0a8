import type { Filter } from '../../../src/kernel/event-store.js';
import { runs, seed } from '../../contracts/seed.js';
import { ids } from '../../contracts/events.js';
import { SeededRandom } from '../../support/clock.js';
import { eachHouse } from '../../support/eventstoredb/house.js';
import { Consumer, Luck, Writer } from './trial.js';

const EVENTS = runs(4_000);
const PREFIXES: Filter = { prefixes: ['jar-', 'box-'] };

describe(`${EVENTS} events in EventStoreDB, with lost connections, lost responses and crashing consumers (SEED=${seed})`, () => {
  const house = eachHouse();

  it('reach each consumer once and in order, with and without a filter, even when checkpoints of the server run ahead', async () => {
    const { server } = house.current;
    server.rashCheckpoints = true;
    const luck = new Luck(new SeededRandom(seed));
    const writer = new Writer(house.current, luck);
    const consumers = [new Consumer(house.current, luck, undefined), new Consumer(house.current, luck, PREFIXES)];

    const [given] = await Promise.all([writer.write(EVENTS), ...consumers.map((consumer) => consumer.consume(EVENTS))]);

    const recorded = ids(server.log.all.filter(({ stream }) => !stream.startsWith('$')));
    expect(recorded).toHaveLength(EVENTS);
    expect(new Set(recorded)).toEqual(given);
    for (const { seen } of consumers) expect(seen).toEqual(recorded);
    expect(Math.min(luck.cuts, writer.lostAnswers, ...consumers.map(({ crashes }) => crashes))).toBeGreaterThan(2);
  }, 240_000);
});
