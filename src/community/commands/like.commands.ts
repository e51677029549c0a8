import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { Streams } from '../../engine/streams/streams.js';
import { type CallerContext, requireUserId } from '../../kernel/caller.js';
import { requireFound } from '../../kernel/rejection.js';
import { PostAccess } from '../access/post-access.js';
import { type PostLikeCommand, postLikeDecider, postLikeIdOf } from '../domain/post-like.js';
import { type PostDocument, posts } from '../projections/posts.js';

export class SetLike extends ContextCommand<
  { postId: string; type: PostLikeCommand['type'] },
  PostDocument,
  CallerContext
> {}

@CommandHandler(SetLike)
export class SetLikeHandler implements ICommandHandler<SetLike> {
  constructor(
    private readonly streams: Streams,
    private readonly reader: ReadModelReader,
    private readonly postAccess: PostAccess,
  ) {}

  async execute({ context: request, params: { postId, type } }: SetLike): Promise<PostDocument> {
    const { post, viewer } = await this.postAccess.requireOpen(postId, request, 'participate');
    const userId = requireUserId(request);
    const command = { type, postId, communityId: post.communityId, userId };
    await this.streams.execute(postLikeDecider, postLikeIdOf(postId, userId), command, viewer.context);
    return requireFound(await this.reader.get(posts, postId, viewer.context.consistency));
  }
}
