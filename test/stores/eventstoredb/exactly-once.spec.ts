import type { StreamFilter } from '../../../src/kernel/event-store.js';
import { pickIds } from '../../contracts/events.js';
import { scaleRuns, seed } from '../../contracts/seed.js';
import { SeededRandom } from '../../support/clock.js';
import { setUpServerFixture } from '../../support/eventstoredb/server-fixture.js';
import { Consumer, FaultPlan, Writer } from './exactly-once-run.js';

const EVENTS = scaleRuns(4_000);
const PREFIXES: StreamFilter = { prefixes: ['jar-', 'box-'] };

describe(`${EVENTS} events in EventStoreDB, with lost connections, lost responses and crashing consumers (SEED=${seed})`, () => {
  const cluster = setUpServerFixture();

  it('reach each consumer once and in order, with and without a filter, even when checkpoints of the server run ahead', async () => {
    const { server } = cluster.current;
    server.prematureCheckpoints = true;
    const random = new FaultPlan(new SeededRandom(seed));
    const writer = new Writer(cluster.current, random);
    const consumers = [
      new Consumer(cluster.current, random, undefined),
      new Consumer(cluster.current, random, PREFIXES),
    ];

    const [given] = await Promise.all([writer.write(EVENTS), ...consumers.map((consumer) => consumer.consume(EVENTS))]);

    const recorded = pickIds(server.log.all.filter(({ stream }) => !stream.startsWith('$')));
    expect(recorded).toHaveLength(EVENTS);
    expect(new Set(recorded)).toEqual(given);
    for (const { seen } of consumers) expect(seen).toEqual(recorded);
    expect(Math.min(random.cuts, writer.lostResponses, ...consumers.map(({ crashes }) => crashes))).toBeGreaterThan(2);
  }, 240_000);
});
