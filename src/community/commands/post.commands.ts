import { Command, CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { Streams } from '../../engine/streams/streams.js';
import type { CallerContext } from '../../identity/caller.js';
import { idOf } from '../../kernel/ids.js';
import { post, type PostContent } from '../domain/post.js';
import { refuseOutsiders } from '../domain/standing.js';
import { posts, type PostDocument } from '../projections/posts.js';
import { Standings, userIdOf, within } from '../standings.js';

export class CreatePost extends Command<PostDocument> {
  constructor(
    readonly context: CallerContext,
    readonly communityId: string,
    readonly content: PostContent,
  ) {
    super();
  }
}

@CommandHandler(CreatePost)
export class CreatePostHandler implements ICommandHandler<CreatePost> {
  constructor(
    private readonly streams: Streams,
    private readonly standings: Standings,
  ) {}

  async execute({ context, communityId, content }: CreatePost): Promise<PostDocument> {
    const { community, standing } = await this.standings.of(communityId, context);
    refuseOutsiders(standing);

    const postId = idOf('post', context.at, context.commandId);
    const writing = { type: 'CreatePost', postId, communityId, authorId: userIdOf(context), ...content } as const;
    const outcome = await this.streams.execute(post, postId, writing, within(community, context));
    return outcome.render(posts, postId);
  }
}
