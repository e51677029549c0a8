import { Channels } from '../../../src/community/commands/channels.steps.js';
import { channelDecider, type NewChannel } from '../../../src/community/domain/channel.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import { EagerClock, SeededRandom } from '../../support/clock.js';
import { freezeNewEvents, FREEZING } from '../../support/histories.js';
import { createContext } from '../../support/jar.js';
import { MemoryEventStore } from '../../support/memory/event-store.js';

const access = { visibility: 'public', whoCanPost: 'everyone' } as const;
const newChannel = (channelId: string, name: string): NewChannel => ({
  channelId,
  communityId: 'com_1',
  isDefault: false,
  createdBy: 'usr_1',
  name,
  description: null,
  requiredLevel: 0,
  ...access,
});

describe('A channel name that a crash left without its channel', () => {
  const clock = new EagerClock();
  let store: MemoryEventStore;
  let streams: Streams;
  let channels: Channels;
  beforeEach(() => {
    store = new MemoryEventStore(clock);
    streams = new Streams(store, clock, new SeededRandom());
    channels = new Channels(streams);
  });

  const create = (id: string, name: string) => channels.create(newChannel(id, name), createContext(id));
  const rename = (id: string, naming: number) =>
    streams.execute(
      channelDecider,
      id,
      { type: 'EditChannel', content: { name: 'Kilns' }, naming },
      createContext(`rename ${id}`),
    );

  it('is taken by another channel, and then the first one is not created', async () => {
    await channels.claimName('com_1', 'Kilns', { channelId: 'chan_1', naming: 0 }, createContext('chan_1'));

    expect(await create('chan_2', 'kilns')).toMatchObject({ name: 'kilns' });
    await expect(create('chan_1', 'Kilns')).rejects.toMatchObject({ code: 'name_taken' });
    if (FREEZING) await freezeNewEvents(store.log);
  });

  it('is taken from a channel that was not renamed yet, and then that channel keeps its old name', async () => {
    await create('chan_1', 'Ovens');
    await channels.claimName('com_1', 'Kilns', { channelId: 'chan_1', naming: 1 }, createContext('rename chan_1'));

    expect(await create('chan_2', 'Kilns')).toMatchObject({ name: 'Kilns' });
    await expect(rename('chan_1', 1)).rejects.toMatchObject({ code: 'concurrent_update' });
    await expect(create('chan_3', 'Ovens')).rejects.toMatchObject({ code: 'name_taken' });
  });
});
