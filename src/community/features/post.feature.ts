import type { Feature } from '../../engine/feature.js';
import { auditStream, createAuditedResource, nameByKey } from '../../kernel/audited-stream.js';
import { publish } from '../../kernel/public-event-definition.js';
import { PostAccess } from '../access/post-access.js';
import { commentHandlers } from '../commands/comment.commands.js';
import { SetLikeHandler } from '../commands/like.commands.js';
import { postHandlers } from '../commands/post.commands.js';
import { commentDecider } from '../domain/comment.js';
import { postDecider } from '../domain/post.js';
import { postLikeDecider } from '../domain/post-like.js';
import { CommentsController } from '../http/comments.controller.js';
import { LikesController } from '../http/likes.controller.js';
import { PostsController } from '../http/posts.controller.js';
import { comments } from '../projections/comments.js';
import { deletedPostSchema, posts, postSchema } from '../projections/posts.js';
import { completeDeletedPost } from '../publication-sources.js';
import { ListCommentsHandler } from '../queries/comment.queries.js';
import { postQueryHandlers } from '../queries/post.queries.js';

const post = createAuditedResource('post', posts, ['like_count', 'comment_count']);

export const postFeature: Feature = {
  streams: [
    auditStream(postDecider, post),
    auditStream(postLikeDecider, nameByKey(post, 'postId')),
    auditStream(commentDecider, createAuditedResource('comment', comments)),
  ],
  projections: [posts, comments],
  publicEvents: [
    publish({
      fact: 'PostCreated',
      type: 'community.post.created',
      summary: 'A post was created',
      description: 'A member created a post in a community.',
      projection: posts,
      schema: postSchema,
    }),
    publish({
      fact: 'PostDeleted',
      type: 'community.post.deleted',
      summary: 'A post was deleted',
      description: 'A post was removed from a community.',
      projection: posts,
      schema: deletedPostSchema,
      complete: completeDeletedPost,
    }),
  ],
  controllers: [PostsController, LikesController, CommentsController],
  providers: [
    PostAccess,
    ...postHandlers,
    SetLikeHandler,
    ...commentHandlers,
    ...postQueryHandlers,
    ListCommentsHandler,
  ],
};
