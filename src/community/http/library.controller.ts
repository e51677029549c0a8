import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { Ctx } from '../../http/auth/request-context.js';
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

class LibraryResourceBody {
  @IsOptional()
  @IsString()
  @MaxLength(5_000)
  description?: string | null;

  @IsOptional()
  @IsIdentifier(255)
  mime_type?: string | null;

  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  size_bytes?: number | null;

  @OptionalNotNull()
  @IsInt()
  @Min(0)
  @Max(MAX_LEVEL)
  required_level?: number;
}

class AddLibraryResourceBody extends LibraryResourceBody {
  @IsName(MAX_TITLE)
  title!: string;

  @IsHttpsUrl()
  file_url!: string;
}

class EditLibraryResourceBody extends LibraryResourceBody {
  @OptionalNotNull()
  @IsName(MAX_TITLE)
  title?: string;

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

  /** Lists the resources of a library, newest first. `file_url` is null below the required level. */
  @Get('communities/:id/library/resources')
  @Operation('List library resources', libraryResourceSchema)
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

  /** Records a download and returns the address of the file. */
  @Post('library/resources/:resource_id/downloads')
  @Operation('Record a download', countedDownloadSchema)
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
