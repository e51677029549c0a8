import type { NounParts } from '../../engine/area-parts.js';
import { commentHandlers } from '../commands/comment.commands.js';
import { SetLikeHandler } from '../commands/like.commands.js';
import { postHandlers } from '../commands/post.commands.js';
import { Posts } from '../commands/posts.steps.js';
import { CommentsController } from '../http/comments.controller.js';
import { LikesController } from '../http/likes.controller.js';
import { PostsController } from '../http/posts.controller.js';
import { PostAccess } from '../post-access.js';
import { comments } from '../projections/comments.js';
import { posts } from '../projections/posts.js';
import { ListCommentsHandler } from '../queries/comment.queries.js';
import { postQueryHandlers } from '../queries/post.queries.js';

export const postParts: NounParts = {
  controllers: [PostsController, LikesController, CommentsController],
  providers: [
    PostAccess,
    Posts,
    ...postHandlers,
    SetLikeHandler,
    ...commentHandlers,
    ...postQueryHandlers,
    ListCommentsHandler,
  ],
  projections: [posts, comments],
};
