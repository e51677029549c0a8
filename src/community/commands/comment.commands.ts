import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { Streams } from '../../engine/streams/streams.js';
import { type CallerContext, requireUserId } from '../../kernel/caller.js';
import { idOf } from '../../kernel/ids.js';
import { PostAccess } from '../access/post-access.js';
import { commentDecider } from '../domain/comment.js';
import { assertCanDelete } from '../domain/community-role.js';
import { type CommentDocument, comments, type DeletedComment } from '../projections/comments.js';
import { markDeleted } from '../projections/deletions.js';

interface CommentText {
  readonly postId: string;
  readonly content: string;
  readonly parentCommentId: string | null;
}

export class CreateComment extends ContextCommand<CommentText, CommentDocument, CallerContext> {}

@CommandHandler(CreateComment)
export class CreateCommentHandler implements ICommandHandler<CreateComment> {
  constructor(
    private readonly streams: Streams,
    private readonly postAccess: PostAccess,
  ) {}

  async execute({ context: request, params }: CreateComment): Promise<CommentDocument> {
    const { post, viewer } = await this.postAccess.requireOpen(params.postId, request, 'participate');
    const { context } = viewer;
    const { parentCommentId } = params;
    const parent = parentCommentId === null ? null : await this.streams.loadState(commentDecider, parentCommentId);

    const commentId = idOf('cmt', context.at, context.commandId);
    const comment = { commentId, communityId: post.communityId, authorId: requireUserId(context), ...params };
    const command = { type: 'CreateComment', comment, parent } as const;
    const outcome = await this.streams.execute(commentDecider, commentId, command, context);
    return outcome.render(comments, commentId);
  }
}

export class DeleteComment extends ContextCommand<{ id: string }, DeletedComment, CallerContext> {}

@CommandHandler(DeleteComment)
export class DeleteCommentHandler implements ICommandHandler<DeleteComment> {
  constructor(
    private readonly streams: Streams,
    private readonly access: PostAccess,
  ) {}

  async execute({ context: request, params: { id } }: DeleteComment): Promise<DeletedComment> {
    const { comment, viewer } = await this.access.requireComment(id, request, 'retract');
    const userId = requireUserId(request);
    assertCanDelete(viewer.role, viewer.community, comment.authorId, userId);

    const command = { type: 'DeleteComment', userId } as const;
    const outcome = await this.streams.execute(commentDecider, id, command, viewer.context);
    return markDeleted(await outcome.render(comments, id));
  }
}

export const commentHandlers = [CreateCommentHandler, DeleteCommentHandler];
