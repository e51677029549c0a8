import { post } from '../../../src/community/domain/post.js';
import { given } from '../../support/given.js';
import { postCreated, writing } from '../facts.js';

const empty = { ...writing, content: null, attachments: [], videoUrl: null };

describe('A post', () => {
  it('is created with the content of its author', () =>
    given(post)
      .when({ type: 'CreatePost', ...writing })
      .then(postCreated));

  it('may consist of a video only', () =>
    given(post)
      .when({ type: 'CreatePost', ...empty, videoUrl: 'https://example.com/kiln.mp4' })
      .then({ ...postCreated, data: { ...postCreated.data, ...empty, videoUrl: 'https://example.com/kiln.mp4' } }));

  it('needs content, an attachment or a video', () =>
    given(post)
      .when({ type: 'CreatePost', ...empty })
      .refuses('content_required', 'content'));

  it('is created once', () =>
    given(post, postCreated)
      .when({ type: 'CreatePost', ...writing })
      .nothing());
});
