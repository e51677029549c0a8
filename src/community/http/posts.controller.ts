import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { IsInt, IsObject, IsOptional, Max, Min, ValidateIf } from 'class-validator';
import { Ctx } from '../../http/auth/request-context.js';
import { Describe } from '../../http/openapi/describe.js';
import { Operation, Rejects } from '../../http/openapi/operation.js';
import { WithoutForbiddenKey } from '../../http/validation/forbidden-key.js';
import { WidePageQuery } from '../../http/validation/paging.js';
import { IsContent, IsHttpsUrl, OptionalNotNull } from '../../http/validation/validators.js';
import type { CallerContext } from '../../kernel/caller.js';
import { omitUndefined } from '../../kernel/omit-undefined.js';
import { CreatePost, DeletePost, EditPost, RestorePost } from '../commands/post.commands.js';
import type { Attachment, PostContent } from '../domain/post.js';
import { deletedPostSchema, postSchema } from '../projections/posts.js';
import { ListPosts, RetrievePost } from '../queries/post.queries.js';
import { IsAttachments } from './attachments.js';
import { HasContent, isEmptyContent, isGiven } from './content.validator.js';
import { MAX_LEVEL } from './levels.js';
import { MaxJsonBytes } from './max-json-bytes.js';

const MAX_CHARACTERS = 20_000;
const MAX_METADATA_BYTES = 16 * 1024;

const LEVEL =
  'The lowest level of a member who may read, like and comment on the post; 0, also for a new post without it, admits all members.';
const VIDEO = 'The https address of a video; null for none.';

class CreatePostBody {
  @Describe('The text of the post; null with attachments or a video alone.')
  @ValidateIf((post: CreatePostBody) => isGiven(post.content) || isEmptyContent(post))
  @HasContent('A post needs content, an attachment or a video')
  @IsContent(MAX_CHARACTERS)
  content?: string | null;

  @Describe('The files and links of the post; null for none. Further keys of an attachment are kept.')
  @ValidateIf((post: CreatePostBody) => isGiven(post.attachments) && !isEmptyContent(post))
  @IsAttachments()
  attachments?: Attachment[] | null;

  @Describe('Values of the author, which are returned unchanged; at most 16 KiB of JSON.')
  @IsOptional()
  @IsObject()
  @MaxJsonBytes(MAX_METADATA_BYTES)
  @WithoutForbiddenKey()
  metadata?: Record<string, unknown> | null;

  @Describe(LEVEL)
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(MAX_LEVEL)
  required_level?: number | null;

  @Describe(VIDEO, 'https://example.com/video')
  @IsOptional()
  @IsHttpsUrl()
  video_url?: string | null;
}

class EditPostBody {
  @Describe('The new text; null removes it from a post with attachments or a video.')
  @IsOptional()
  @IsContent(MAX_CHARACTERS)
  content?: string | null;

  @Describe('The new files and links, in place of all earlier ones; null removes them.')
  @IsOptional()
  @IsAttachments()
  attachments?: Attachment[] | null;

  @Describe('The new values of the author, in place of all earlier ones; at most 16 KiB of JSON.')
  @OptionalNotNull()
  @IsObject()
  @MaxJsonBytes(MAX_METADATA_BYTES)
  @WithoutForbiddenKey()
  metadata?: Record<string, unknown>;

  @Describe(LEVEL)
  @OptionalNotNull()
  @IsInt()
  @Min(0)
  @Max(MAX_LEVEL)
  required_level?: number;

  @Describe(VIDEO, 'https://example.com/video')
  @IsOptional()
  @IsHttpsUrl()
  video_url?: string | null;
}

@Controller('v1/community')
export class PostsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post('communities/:id/posts')
  @Operation('Create a post', postSchema)
  @Rejects('not_a_member', 'community_archived')
  async create(@Ctx() context: CallerContext, @Param('id') communityId: string, @Body() body: CreatePostBody) {
    return {
      data: await this.commands.execute(new CreatePost(context, { communityId, content: toPostContent(body) })),
    };
  }

  @Get('communities/:id/posts')
  @Operation('List posts', postSchema, { about: 'Shows the posts that are not deleted.' })
  @Rejects('not_a_member')
  list(@Ctx() context: CallerContext, @Param('id') communityId: string, @Query() { page, perPage }: WidePageQuery) {
    return this.queries.execute(new ListPosts(context, { communityId, page, perPage }));
  }

  @Get('posts/:post_id')
  @Operation('Retrieve a post', postSchema)
  async retrieve(@Ctx() context: CallerContext, @Param('post_id') id: string) {
    return { data: await this.queries.execute(new RetrievePost(context, { id })) };
  }

  @Patch('posts/:post_id')
  @Operation('Edit a post', postSchema, { about: 'Only its author edits it.' })
  @Rejects('permission_denied', 'content_required', 'community_archived')
  async edit(@Ctx() context: CallerContext, @Param('post_id') id: string, @Body() body: EditPostBody) {
    return { data: await this.commands.execute(new EditPost(context, { id, content: toPostChanges(body) })) };
  }

  @Delete('posts/:post_id')
  @Operation('Delete a post', deletedPostSchema)
  @Rejects('permission_denied')
  async delete(@Ctx() context: CallerContext, @Param('post_id') id: string) {
    return { data: await this.commands.execute(new DeletePost(context, { id })) };
  }

  @Post('posts/:post_id/restore')
  @HttpCode(200)
  @Operation('Restore a post', postSchema, {
    about: 'The owner and moderators restore it within 30 days after its deletion.',
  })
  @Rejects('permission_denied', 'restore_expired', 'community_archived')
  async restore(@Ctx() context: CallerContext, @Param('post_id') id: string) {
    return { data: await this.commands.execute(new RestorePost(context, { id })) };
  }
}

function toPostContent({ content, attachments, metadata, required_level, video_url }: CreatePostBody): PostContent {
  return {
    content: content ?? null,
    attachments: attachments ?? [],
    metadata: metadata ?? {},
    requiredLevel: required_level ?? 0,
    videoUrl: video_url ?? null,
  };
}

/** Maps only the fields that the body contains. */
function toPostChanges({ attachments, required_level, video_url, ...same }: EditPostBody): Partial<PostContent> {
  return omitUndefined({
    ...same,
    attachments: attachments === null ? [] : attachments,
    requiredLevel: required_level,
    videoUrl: video_url,
  });
}
