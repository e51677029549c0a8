import { postDecider, type PostEvent } from '../../../src/community/domain/post.js';
import { given } from '../../support/given.js';
import { newPost, NOW, postCreated } from '../facts.js';

const empty = { ...newPost, content: null, attachments: [], videoUrl: null };
const post = { postId: 'post_1', communityId: 'com_1', authorId: 'usr_1', at: NOW };
const deleted: PostEvent = { type: 'PostDeleted', data: { ...post, deletedBy: 'usr_2' } };
const restored: PostEvent = { type: 'PostRestored', data: { ...post, restoredBy: 'usr_3' } };
const restore = { type: 'RestorePost', userId: 'usr_3' } as const;

describe('A post', () => {
  it('is created with the content of its author', () =>
    given(postDecider)
      .when({ type: 'CreatePost', ...newPost })
      .then(postCreated));

  it('may consist of a video only', () =>
    given(postDecider)
      .when({ type: 'CreatePost', ...empty, videoUrl: 'https://example.com/kiln.mp4' })
      .then({ ...postCreated, data: { ...postCreated.data, ...empty, videoUrl: 'https://example.com/kiln.mp4' } }));

  it('needs content, an attachment or a video', () =>
    given(postDecider)
      .when({ type: 'CreatePost', ...empty })
      .thenRejects('content_required', 'content'));

  it('is created once', () =>
    given(postDecider, postCreated)
      .when({ type: 'CreatePost', ...newPost })
      .thenNothing());

  it('records only the fields that an edit changes', () =>
    given(postDecider, postCreated)
      .when({ type: 'EditPost', content: { content: 'Slips', requiredLevel: newPost.requiredLevel } })
      .then({ type: 'PostEdited', data: { ...post, changes: { content: 'Slips' } } }));

  it('records no event for an edit that changes nothing', () =>
    given(postDecider, postCreated)
      .when({ type: 'EditPost', content: { content: newPost.content } })
      .thenNothing());

  it('refuses an edit that removes all of its content', () =>
    given(postDecider, postCreated)
      .when({ type: 'EditPost', content: { content: null, attachments: [] } })
      .thenRejects('content_required', 'content'));

  it('is deleted', () => given(postDecider, postCreated).when({ type: 'DeletePost', userId: 'usr_2' }).then(deleted));

  it('is deleted once', () =>
    given(postDecider, postCreated, deleted).when({ type: 'DeletePost', userId: 'usr_3' }).thenNothing());

  it('cannot be edited after its deletion', () =>
    given(postDecider, postCreated, deleted)
      .when({ type: 'EditPost', content: { content: 'Slips' } })
      .thenRejects('not_found'));

  it('is restored 30 days after its deletion', () =>
    given(postDecider, postCreated, deleted)
      .when(restore, { now: '2026-03-03T09:00:00.000Z' })
      .then({ ...restored, data: { ...restored.data, at: '2026-03-03T09:00:00.000Z' } }));

  it('is not restored more than 30 days after its deletion', () =>
    given(postDecider, postCreated, deleted)
      .when(restore, { now: '2026-03-03T09:00:00.001Z' })
      .thenRejects('restore_expired'));

  it('is restored once', () => given(postDecider, postCreated, deleted, restored).when(restore).thenNothing());

  it.each(['EditPost', 'DeletePost', 'RestorePost'] as const)('refuses %s when it does not exist', (type) =>
    given(postDecider)
      .when(type === 'EditPost' ? { type, content: {} } : { type, userId: 'usr_1' })
      .thenRejects('not_found'),
  );
});
