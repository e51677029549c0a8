import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { Ctx } from '../../http/auth/request-context.js';
import { Describe } from '../../http/openapi/describe.js';
import { Operation, Rejects } from '../../http/openapi/operation.js';
import { WidePageQuery } from '../../http/validation/paging.js';
import { IsHttpsUrl, IsIdentifier, IsName, OptionalNotNull } from '../../http/validation/validators.js';
import type { CallerContext } from '../../kernel/caller.js';
import { omitUndefined } from '../../kernel/omit-undefined.js';
import {
  AddLibraryResource,
  DeleteLibraryResource,
  EditLibraryResource,
  RecordDownload,
} from '../commands/library.commands.js';
import type { LibraryResourceContent } from '../domain/library-resource.js';
import { countedDownloadSchema } from '../projections/library-downloads.js';
import { deletedLibraryResourceSchema, libraryResourceSchema } from '../projections/library-resources.js';
import { ListLibraryResources, RetrieveLibraryResource } from '../queries/library.queries.js';
import { MAX_LEVEL } from './levels.js';

const MAX_TITLE = 200;

const TITLE = 'The title that members see.';
const TITLE_EXAMPLE = 'Guide for new members';
const FILE = 'The https address of the file, which the service does not store itself.';
const FILE_EXAMPLE = 'https://example.com/guide.pdf';

class LibraryResourceBody {
  @Describe('The text about the file; null for none.', 'How to begin')
  @IsOptional()
  @IsString()
  @MaxLength(5_000)
  description?: string | null;

  @Describe('The media type of the file; null when it is unknown.', 'application/pdf')
  @IsOptional()
  @IsIdentifier(255)
  mime_type?: string | null;

  @Describe('The size of the file, in bytes; null when it is unknown.', 102_400)
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  size_bytes?: number | null;

  @Describe(
    'The lowest level of a member who may download it; 0, also for a new resource without it, admits all members.',
  )
  @OptionalNotNull()
  @IsInt()
  @Min(0)
  @Max(MAX_LEVEL)
  required_level?: number;
}

class AddLibraryResourceBody extends LibraryResourceBody {
  @Describe(TITLE, TITLE_EXAMPLE)
  @IsName(MAX_TITLE)
  title!: string;

  @Describe(FILE, FILE_EXAMPLE)
  @IsHttpsUrl()
  file_url!: string;
}

class EditLibraryResourceBody extends LibraryResourceBody {
  @Describe(TITLE, TITLE_EXAMPLE)
  @OptionalNotNull()
  @IsName(MAX_TITLE)
  title?: string;

  @Describe(FILE, FILE_EXAMPLE)
  @OptionalNotNull()
  @IsHttpsUrl()
  file_url?: string;
}

@Controller('v1/community')
export class LibraryController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post('communities/:id/library/resources')
  @Operation('Add a library resource', libraryResourceSchema)
  @Rejects('not_a_member', 'permission_denied', 'community_archived')
  async add(@Ctx() context: CallerContext, @Param('id') communityId: string, @Body() body: AddLibraryResourceBody) {
    const { title, file_url: fileUrl } = body;
    const content = { ...DEFAULTS, ...toResourceChanges(body), title, fileUrl };
    return { data: await this.commands.execute(new AddLibraryResource(context, { communityId, content })) };
  }

  @Get('communities/:id/library/resources')
  @Operation('List library resources', libraryResourceSchema, { about: '`file_url` is null below the required level.' })
  @Rejects('not_a_member')
  list(@Ctx() context: CallerContext, @Param('id') communityId: string, @Query() { page, perPage }: WidePageQuery) {
    return this.queries.execute(new ListLibraryResources(context, { communityId, page, perPage }));
  }

  @Get('library/resources/:resource_id')
  @Operation('Retrieve a library resource', libraryResourceSchema)
  async retrieve(@Ctx() context: CallerContext, @Param('resource_id') id: string) {
    return { data: await this.queries.execute(new RetrieveLibraryResource(context, { id })) };
  }

  @Patch('library/resources/:resource_id')
  @Operation('Edit a library resource', libraryResourceSchema)
  @Rejects('permission_denied', 'community_archived')
  async edit(@Ctx() context: CallerContext, @Param('resource_id') id: string, @Body() body: EditLibraryResourceBody) {
    const command = new EditLibraryResource(context, { id, content: toResourceChanges(body) });
    return { data: await this.commands.execute(command) };
  }

  @Delete('library/resources/:resource_id')
  @Operation('Delete a library resource', deletedLibraryResourceSchema)
  @Rejects('permission_denied')
  async delete(@Ctx() context: CallerContext, @Param('resource_id') id: string) {
    return { data: await this.commands.execute(new DeleteLibraryResource(context, { id })) };
  }

  @Post('library/resources/:resource_id/downloads')
  @Operation('Record a download', countedDownloadSchema, {
    about: 'Counts a download by the caller, and returns the address of the file.',
  })
  @Rejects('not_a_member', 'insufficient_level', 'community_archived')
  async download(@Ctx() context: CallerContext, @Param('resource_id') id: string) {
    return { data: await this.commands.execute(new RecordDownload(context, { id })) };
  }
}

const DEFAULTS = { description: null, mimeType: null, sizeBytes: null, requiredLevel: 0 };

/** Maps only the fields that the body contains. */
function toResourceChanges(body: EditLibraryResourceBody): Partial<LibraryResourceContent> {
  const { title, description, file_url: fileUrl, mime_type: mimeType, size_bytes: sizeBytes } = body;
  return omitUndefined({ title, description, fileUrl, mimeType, sizeBytes, requiredLevel: body.required_level });
}
