import { Controller, Delete, Param, Put } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Ctx } from '../../http/auth/request-context.js';
import { Operation, Rejects } from '../../http/openapi/operation.js';
import type { CallerContext } from '../../kernel/caller.js';
import { SetLike } from '../commands/like.commands.js';
import { postSchema } from '../projections/posts.js';

@Controller('v1/community/posts/:post_id/like')
export class LikesController {
  constructor(private readonly commands: CommandBus) {}

  @Put()
  @Operation('Like a post', postSchema)
  @Rejects('insufficient_level', 'community_archived')
  async like(@Ctx() context: CallerContext, @Param('post_id') postId: string) {
    return { data: await this.commands.execute(new SetLike(context, { postId, type: 'LikePost' })) };
  }

  @Delete()
  @Operation('Unlike a post', postSchema)
  @Rejects('insufficient_level', 'community_archived')
  async unlike(@Ctx() context: CallerContext, @Param('post_id') postId: string) {
    return { data: await this.commands.execute(new SetLike(context, { postId, type: 'UnlikePost' })) };
  }
}
