import { channelDecider, type ChannelEvent } from '../../../src/community/domain/channel.js';
import { given } from '../../support/given.js';
import { NOW } from '../facts.js';

const content = {
  name: 'Kilns',
  description: null,
  visibility: 'public',
  whoCanPost: 'everyone',
  requiredLevel: 0,
} as const;
const channel = { channelId: 'chan_1', communityId: 'com_1', isDefault: false, createdBy: 'usr_1', ...content };
const created: ChannelEvent = { type: 'ChannelCreated', data: { ...channel, at: NOW } };
const general: ChannelEvent = { type: 'ChannelCreated', data: { ...channel, isDefault: true, at: NOW } };
const change = { channelId: 'chan_1', communityId: 'com_1', at: NOW };
const renamed: ChannelEvent = { type: 'ChannelEdited', data: { ...change, changes: { name: 'Ovens' }, naming: 1 } };
const deleted: ChannelEvent = { type: 'ChannelDeleted', data: { ...change, deletedBy: 'usr_2' } };
const abandoned = (naming: number): ChannelEvent => ({
  type: 'ChannelNamingAbandoned',
  data: { channelId: 'chan_1', naming, at: NOW },
});
const create = { type: 'CreateChannel', channel } as const;
const rename = { type: 'EditChannel', content: { name: 'Ovens' }, naming: 1 } as const;
const abandon = (naming: number) => ({ type: 'AbandonNaming', channelId: 'chan_1', naming }) as const;

describe('A channel', () => {
  it('is created', () => given(channelDecider).when(create).then(created));

  it('is created once', () => given(channelDecider, created).when(create).thenNothing());

  it('is not created after another channel took its name', () =>
    given(channelDecider, abandoned(0)).when(create).thenRejects('name_taken', 'name'));

  it('is renamed by a new naming', () => given(channelDecider, created).when(rename).then(renamed));

  it('records no event for an edit that changes nothing', () =>
    given(channelDecider, created).when({ type: 'EditChannel', content, naming: null }).thenNothing());

  it('keeps its naming when another field changes', () =>
    given(channelDecider, created, renamed)
      .when({ type: 'EditChannel', content: { requiredLevel: 2 }, naming: null })
      .then({ type: 'ChannelEdited', data: { ...change, changes: { requiredLevel: 2 }, naming: 1 } }));

  it.each<[string, ChannelEvent]>([
    ['that was abandoned', abandoned(1)],
    ['that another edit has used', renamed],
  ])('cannot be renamed by a naming %s', (_, event) =>
    given(channelDecider, created, event)
      .when({ ...rename, content: { name: 'Firing' } })
      .thenRejects('concurrent_update'),
  );

  it('is deleted', () => given(channelDecider, created).when({ type: 'DeleteChannel', userId: 'usr_2' }).then(deleted));

  it('is deleted once', () =>
    given(channelDecider, created, deleted).when({ type: 'DeleteChannel', userId: 'usr_3' }).thenNothing());

  it('cannot be deleted when the community starts with it', () =>
    given(channelDecider, general)
      .when({ type: 'DeleteChannel', userId: 'usr_2' })
      .thenRejects('default_channel_protected'));

  it('cannot be edited after its deletion', () =>
    given(channelDecider, created, deleted).when(rename).thenRejects('not_found'));

  it.each([
    ['its creation', [], 0, abandoned(0)],
    ['a rename that a crash interrupted', [created], 1, abandoned(1)],
  ] as const)('abandons the naming of %s', (_, history, naming, event) =>
    given(channelDecider, ...history)
      .when(abandon(naming))
      .then(event),
  );

  it.each([
    ['it is in use', [created], 0],
    ['it was replaced', [created, renamed], 0],
    ['it is abandoned already', [created, abandoned(1)], 1],
    ['the channel is abandoned already', [abandoned(0)], 0],
  ] as const)('abandons no naming when %s', (_, history, naming) =>
    given(channelDecider, ...history)
      .when(abandon(naming))
      .thenNothing(),
  );

  it.each([rename, { type: 'DeleteChannel', userId: 'usr_1' } as const])(
    'refuses $type when it does not exist',
    (command) => given(channelDecider).when(command).thenRejects('not_found'),
  );
});
