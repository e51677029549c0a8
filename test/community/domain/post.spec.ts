import { postDecider } from '../../../src/community/domain/post.js';
import { given } from '../../support/given.js';
import { newPost, postCreated } from '../facts.js';

const empty = { ...newPost, content: null, attachments: [], videoUrl: null };

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
});
