import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { Streams } from '../../engine/streams/streams.js';
import { type CallerContext, requireUserId } from '../../identity/caller.js';
import { idOf } from '../../kernel/ids.js';
import { CommunityAccess } from '../community-access.js';
import { type PostContent, postDecider } from '../domain/post.js';
import { type PostDocument, posts } from '../projections/posts.js';

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
