import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { IsOptional } from 'class-validator';
import { Ctx } from '../../http/auth/request-context.js';
import { Describe } from '../../http/openapi/describe.js';
import { Operation, Rejects } from '../../http/openapi/operation.js';
import { WidePageQuery } from '../../http/validation/paging.js';
import { IsContent, IsId } from '../../http/validation/validators.js';
import type { CallerContext } from '../../kernel/caller.js';
import { CreateComment, DeleteComment } from '../commands/comment.commands.js';
import { commentSchema, deletedCommentSchema } from '../projections/comments.js';
import { ListComments } from '../queries/comment.queries.js';

class CreateCommentBody {
  @Describe('The text of the comment.', 'Well said!')
  @IsContent(5_000)
  content!: string;

  @Describe(
    'The id of the comment of the same post that this comment replies to; null for a comment on the post itself.',
    'cmt_01kg9p6je0grr0rycz01afc5br',
  )
  @IsOptional()
  @IsId()
  parent_comment_id?: string | null;
}

@Controller('v1/community')
export class CommentsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post('posts/:post_id/comments')
  @Operation('Comment on a post', commentSchema)
  @Rejects('insufficient_level', 'reply_target_invalid', 'community_archived')
  async create(@Ctx() context: CallerContext, @Param('post_id') postId: string, @Body() body: CreateCommentBody) {
    const text = { postId, content: body.content, parentCommentId: body.parent_comment_id ?? null };
    return { data: await this.commands.execute(new CreateComment(context, text)) };
  }

  @Get('posts/:post_id/comments')
  @Operation('List comments', commentSchema, { about: 'A deleted comment has no content.' })
  @Rejects('insufficient_level')
  list(@Ctx() context: CallerContext, @Param('post_id') postId: string, @Query() { page, perPage }: WidePageQuery) {
    return this.queries.execute(new ListComments(context, { postId, page, perPage }));
  }

  @Delete('comments/:comment_id')
  @Operation('Delete a comment', deletedCommentSchema)
  @Rejects('permission_denied')
  async delete(@Ctx() context: CallerContext, @Param('comment_id') id: string) {
    return { data: await this.commands.execute(new DeleteComment(context, { id })) };
  }
}
