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
import { comments, commentSchema, deletedCommentSchema } from '../projections/comments.js';
import { markDeleted } from '../projections/deletions.js';
import { postLikes, postLikeSchema } from '../projections/post-likes.js';
import { deletedPostSchema, posts, postSchema } from '../projections/posts.js';
import { completeDeletedPost, completePost } from '../publication-sources.js';
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
    publish({
      fact: 'PostEdited',
      type: 'community.post.edited',
      summary: 'A post was edited',
      description: 'The author changed a post.',
      projection: posts,
      schema: postSchema,
      complete: completePost,
      change: true,
    }),
    publish({
      fact: 'PostRestored',
      type: 'community.post.restored',
      summary: 'A post was restored',
      description: 'A deleted post is back in its community.',
      projection: posts,
      schema: postSchema,
      complete: completePost,
      change: true,
    }),
    publish({
      fact: 'PostLiked',
      type: 'community.post.liked',
      summary: 'A post was liked',
      description: 'A member likes a post.',
      projection: postLikes,
      schema: postLikeSchema,
      alone: true,
      floods: true,
    }),
    publish({
      fact: 'PostUnliked',
      type: 'community.post.unliked',
      summary: 'A like was removed',
      description: 'A member no longer likes a post.',
      projection: postLikes,
      schema: postLikeSchema,
      alone: true,
      floods: true,
    }),
    publish({
      fact: 'CommentCreated',
      type: 'community.comment.created',
      summary: 'A comment was created',
      description: 'A member commented on a post.',
      projection: comments,
      schema: commentSchema,
    }),
    publish({
      fact: 'CommentDeleted',
      type: 'community.comment.deleted',
      summary: 'A comment was deleted',
      description: 'A comment was removed; its replies stay.',
      projection: comments,
      schema: deletedCommentSchema,
      complete: async (comment) => markDeleted(comment),
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
