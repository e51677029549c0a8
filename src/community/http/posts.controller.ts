import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Max,
  Min,
  ValidateBy,
  ValidateIf,
  type ValidationArguments,
} from 'class-validator';
import { Ctx } from '../../http/auth/request-context.js';
import { Operation, Rejects } from '../../http/openapi/operation.js';
import { IsHttpsUrl } from '../../http/validation/validators.js';
import type { CallerContext } from '../../identity/caller.js';
import { CreatePost } from '../commands/post.commands.js';
import type { Attachment, PostContent } from '../domain/post.js';
import { postSchema } from '../projections/posts.js';
import { RetrievePost } from '../queries/post.queries.js';
import { IsAttachments } from './attachments.js';
import { MaxJsonBytes } from './max-json-bytes.js';

const MAX_METADATA_BYTES = 16 * 1024;
const MAX_LEVEL = 100;

class CreatePostBody {
  @ValidateIf((post: CreatePostBody) => isGiven(post.content) || isEmptyPost(post))
  @HasContent()
  @IsString()
  @Length(1, 20_000)
  content?: string | null;

  @ValidateIf((post: CreatePostBody) => isGiven(post.attachments) && !isEmptyPost(post))
  @IsAttachments()
  attachments?: Attachment[] | null;

  @IsOptional()
  @IsObject()
  @MaxJsonBytes(MAX_METADATA_BYTES)
  metadata?: Record<string, unknown> | null;

  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(MAX_LEVEL)
  required_level?: number | null;

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
  @Rejects('not_a_member')
  async create(@Ctx() context: CallerContext, @Param('id') communityId: string, @Body() body: CreatePostBody) {
    return {
      data: await this.commands.execute(new CreatePost(context, { communityId, content: toPostContent(body) })),
    };
  }

  @Get('posts/:post_id')
  @Operation('Retrieve a post', postSchema)
  async retrieve(@Ctx() context: CallerContext, @Param('post_id') id: string) {
    return { data: await this.queries.execute(new RetrievePost(context, { id })) };
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

function HasContent(): PropertyDecorator {
  const validate = (_: unknown, details?: ValidationArguments) => !isEmptyPost(details!.object);
  const defaultMessage = () => 'A post needs content, an attachment or a video';
  return ValidateBy(
    { name: 'hasContent', validator: { validate, defaultMessage } },
    { context: { code: 'content_required', schema: {} } },
  );
}

function isEmptyPost({ content, attachments, video_url }: CreatePostBody): boolean {
  return [content, attachments, video_url].every(
    (part) => !isGiven(part) || (part as { readonly length: unknown }).length === 0,
  );
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
