import { type Message, messageDecider, type MessageEvent } from '../../../src/community/domain/message.js';
import { given } from '../../support/given.js';
import { NOW } from '../facts.js';

const message = {
  messageId: 'msg_1',
  channelId: 'chan_1',
  communityId: 'com_1',
  authorId: 'usr_1',
  content: 'Which cone?',
  attachments: [],
  replyTo: null,
};
const send = { type: 'SendMessage', message, target: null } as const;
const sent: MessageEvent = { type: 'MessageSent', data: { ...message, at: NOW } };
const change = { messageId: 'msg_1', channelId: 'chan_1', communityId: 'com_1', at: NOW };
const deleted: MessageEvent = { type: 'MessageDeleted', data: { ...change, deletedBy: 'usr_2' } };
const target: Message = {
  status: 'sent',
  id: 'msg_0',
  channelId: 'chan_1',
  communityId: 'com_1',
  authorId: 'usr_2',
  content: { content: 'Six', attachments: [] },
};

describe('A message', () => {
  it('is sent', () => given(messageDecider).when(send).then(sent));

  it('is sent once', () => given(messageDecider, sent).when(send).thenNothing());

  it('needs content or an attachment', () =>
    given(messageDecider)
      .when({ ...send, message: { ...message, content: null } })
      .thenRejects('content_required', 'content'));

  it('replies to a message of its channel', () =>
    given(messageDecider)
      .when({ ...send, target })
      .then(sent));

  it.each<[string, Message]>([
    ['an unknown message', { status: 'unknown' }],
    ['a deleted message', { ...target, status: 'deleted' }],
    ['a message of another channel', { ...target, channelId: 'chan_2' }],
  ])('cannot reply to %s', (_, other) =>
    given(messageDecider)
      .when({ ...send, target: other })
      .thenRejects('reply_target_invalid', 'reply_to'),
  );

  it('records only the fields that an edit changes', () =>
    given(messageDecider, sent)
      .when({ type: 'EditMessage', content: { content: 'Which glaze?', attachments: [] } })
      .then({ type: 'MessageEdited', data: { ...change, changes: { content: 'Which glaze?' } } }));

  it('records no event for an edit that changes nothing', () =>
    given(messageDecider, sent)
      .when({ type: 'EditMessage', content: { content: message.content } })
      .thenNothing());

  it('refuses an edit that removes all of its content', () =>
    given(messageDecider, sent)
      .when({ type: 'EditMessage', content: { content: null } })
      .thenRejects('content_required', 'content'));

  it('is deleted', () => given(messageDecider, sent).when({ type: 'DeleteMessage', userId: 'usr_2' }).then(deleted));

  it('is deleted once', () =>
    given(messageDecider, sent, deleted).when({ type: 'DeleteMessage', userId: 'usr_1' }).thenNothing());

  it('cannot be edited after its deletion', () =>
    given(messageDecider, sent, deleted)
      .when({ type: 'EditMessage', content: { content: 'x' } })
      .thenRejects('not_found'));

  it.each([{ type: 'EditMessage', content: {} } as const, { type: 'DeleteMessage', userId: 'usr_1' } as const])(
    'refuses $type when it does not exist',
    (command) => given(messageDecider).when(command).thenRejects('not_found'),
  );
});
