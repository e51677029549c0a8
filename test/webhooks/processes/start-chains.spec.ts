import { Streams } from '../../../src/engine/streams.js';
import { idOfStream } from '../../../src/kernel/decider.js';
import { EventStore } from '../../../src/kernel/event-store.js';
import type { EventOf } from '../../../src/kernel/projection.js';
import { chain, type ChainEvent } from '../../../src/webhooks/domain/chain.js';
import { endpoint } from '../../../src/webhooks/domain/endpoint.js';
import { StartChains } from '../../../src/webhooks/processes/start-chains.js';
import { MemoryJobs } from '../../support/memory/jobs.js';
import { ManualClock } from '../../support/clock.js';
import { Desk, OCCURRENCE } from '../desk.js';

describe('A chain that was planned', () => {
  let desk: Desk;
  beforeAll(async () => void (desk = await Desk.open()));
  afterAll(() => desk.close());

  async function planned(): Promise<EventOf<ChainEvent, 'ChainPlanned'>> {
    const { events } = await desk.service.get(EventStore).readAll({ filter: { prefixes: ['chain-'] }, limit: 100 });
    return events.find(({ type }) => type === 'ChainPlanned') as EventOf<ChainEvent, 'ChainPlanned'>;
  }

  it('has its first attempt put from the log alone, whatever has become of the endpoint', async () => {
    const { id } = await desk.endpoint('/one', { event_types: [OCCURRENCE] });
    await desk.occur();
    await desk.receiver.received('/one');
    await desk.api.delete(`/v1/webhooks/endpoints/${id}`);
    expect((await desk.service.get(Streams).state(endpoint, id)).status).toBe('deleted');

    const jobs = new MemoryJobs(new ManualClock());
    const event = await planned();
    await new StartChains(jobs).react(event);
    await new StartChains(jobs).react(event);

    const keys = [...jobs.entries.keys()];
    expect(keys).toEqual([`attempt:${idOfStream(event.stream)}:1`]);
    expect((await desk.service.get(Streams).state(chain, idOfStream(event.stream))).status).not.toBe('waiting');
  });
});
