import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { CountedStreams } from '../../engine/read-models/counted-streams.js';
import { Streams } from '../../engine/streams/streams.js';
import { type CallerContext, requireUserId } from '../../kernel/caller.js';
import { idOf } from '../../kernel/ids.js';
import { Rejection } from '../../kernel/rejection.js';
import { CommunityAccess } from '../access/community-access.js';
import { PostAccess } from '../access/post-access.js';
import { assertCanDelete } from '../domain/community-role.js';
import { type PostContent, postDecider } from '../domain/post.js';
import { type DeletedPost, type PostDocument, posts, toDeletedPost } from '../projections/posts.js';

interface PostId {
  readonly id: string;
}

export class CreatePost extends ContextCommand<
  { communityId: string; content: PostContent },
  PostDocument,
  CallerContext
> {}

@CommandHandler(CreatePost)
export class CreatePostHandler implements ICommandHandler<CreatePost> {
  constructor(
    private readonly streams: Streams,
    private readonly access: CommunityAccess,
  ) {}

  async execute({ context: request, params: { communityId, content } }: CreatePost): Promise<PostDocument> {
    const { context } = await this.access.require(communityId, request, 'participate');

    const postId = idOf('post', context.at, context.commandId);
    const command = { type: 'CreatePost', postId, communityId, authorId: requireUserId(context), ...content } as const;
    const outcome = await this.streams.execute(postDecider, postId, command, context);
    return outcome.render(posts, postId);
  }
}

export class EditPost extends ContextCommand<PostId & { content: Partial<PostContent> }, PostDocument, CallerContext> {}

/** Only the author edits a post. */
@CommandHandler(EditPost)
export class EditPostHandler implements ICommandHandler<EditPost> {
  constructor(
    private readonly counted: CountedStreams,
    private readonly postAccess: PostAccess,
  ) {}

  async execute({ context: request, params: { id, content } }: EditPost): Promise<PostDocument> {
    const { post, viewer } = await this.postAccess.require(id, request, 'participate');
    if (post.authorId !== requireUserId(request))
      throw new Rejection('permission_denied', 'Only the author of a post can edit it.');
    return this.counted.change(postDecider, posts, id, { type: 'EditPost', content }, viewer.context);
  }
}

export class DeletePost extends ContextCommand<PostId, DeletedPost, CallerContext> {}

@CommandHandler(DeletePost)
export class DeletePostHandler implements ICommandHandler<DeletePost> {
  constructor(
    private readonly counted: CountedStreams,
    private readonly postAccess: PostAccess,
  ) {}

  async execute({ context: request, params: { id } }: DeletePost): Promise<DeletedPost> {
    const { post, viewer } = await this.postAccess.require(id, request, 'retract');
    const userId = requireUserId(request);
    assertCanDelete(viewer.role, viewer.community, post.authorId, userId);
    return toDeletedPost(
      await this.counted.change(postDecider, posts, id, { type: 'DeletePost', userId }, viewer.context),
    );
  }
}

export class RestorePost extends ContextCommand<PostId, PostDocument, CallerContext> {}

@CommandHandler(RestorePost)
export class RestorePostHandler implements ICommandHandler<RestorePost> {
  constructor(
    private readonly counted: CountedStreams,
    private readonly postAccess: PostAccess,
  ) {}

  async execute({ context: request, params: { id } }: RestorePost): Promise<PostDocument> {
    const { viewer } = await this.postAccess.require(id, request, 'moderate');
    return this.counted.change(
      postDecider,
      posts,
      id,
      { type: 'RestorePost', userId: requireUserId(request) },
      viewer.context,
    );
  }
}

export const postHandlers = [CreatePostHandler, EditPostHandler, DeletePostHandler, RestorePostHandler];
