import { Readable } from 'node:stream';
import { Body, Controller, Delete, Get, Param, Query, StreamableFile } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ArrayMaxSize, IsArray, IsIn, IsOptional, IsString, Length } from 'class-validator';
import { ListPage, Retrieve } from '../../engine/read-models/queries.js';
import { Ctx } from '../../http/auth/request-context.js';
import { KeyedPost } from '../../http/idempotency/keyed-post.js';
import { Describe } from '../../http/openapi/describe.js';
import { Operation, Rejects } from '../../http/openapi/operation.js';
import { IsDateOrTime, parseDateRange } from '../../http/validation/date-range.js';
import { PageQuery } from '../../http/validation/paging.js';
import { IsDeclared, OptionalNotNull } from '../../http/validation/validators.js';
import type { CallerContext } from '../../kernel/caller.js';
import { resource } from '../../kernel/schema.js';
import { DeleteExport, RequestExport } from '../commands/audit-export.commands.js';
import { EXPORT_FORMATS, type ExportFormatName } from '../domain/audit-export.js';
import { listAuditedTypes } from '../domain/resource-namings.js';
import { auditExports, auditExportSchema } from '../projections/audit-exports.js';
import { DownloadExport } from '../queries/audit-export.queries.js';

const MAX_TYPES = 100;
const MAX_RESOURCE_CHARACTERS = 200;
const MEDIA_TYPES: Readonly<Record<ExportFormatName, string>> = {
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
};

class CreateAuditExportBody {
  @Describe('The format of the file: complete (`ndjson`, the default), or flat for spreadsheets (`csv`).')
  @OptionalNotNull()
  @IsIn(EXPORT_FORMATS)
  format?: ExportFormatName;

  @Describe('The start of the time range of the exported events (inclusive); null for no start.')
  @IsOptional()
  @IsDateOrTime()
  recorded_from?: string | null;

  @Describe(
    'The end of the time range of the exported events (inclusive); null for no end. A date means the end of that day (UTC).',
  )
  @IsOptional()
  @IsDateOrTime()
  recorded_to?: string | null;

  @Describe('The types of the exported events; an empty list means every type, and is the default.')
  @OptionalNotNull()
  @IsArray()
  @ArrayMaxSize(MAX_TYPES)
  @IsDeclared(listAuditedTypes, { each: true })
  types?: string[];

  @Describe(
    'The id of the resource whose events are exported; null for all resources.',
    'prod_01kg9p6je0grr0rycz01afc5br',
  )
  @IsOptional()
  @IsString()
  @Length(1, MAX_RESOURCE_CHARACTERS)
  resource?: string | null;
}

const fileSchema = { ...resource('AuditExportFile', {}), schema: { type: 'string', examples: ['chain_start,0'] } };

@Controller('v1/audit/exports')
export class AuditExportsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @KeyedPost()
  @Operation('Create an export', auditExportSchema, {
    about:
      'Its file also holds the hashes of the events that the filter leaves out, so that the manifest proves that the file is complete and in order. Personal fields stay encrypted. A repeated request for the same events returns the export that exists while nothing else is recorded.',
  })
  async create(@Ctx() context: CallerContext, @Body() body: CreateAuditExportBody) {
    return { data: await this.commands.execute(new RequestExport(context, toRequest(body))) };
  }

  @Get()
  @Operation('List exports', auditExportSchema)
  list(@Ctx() context: CallerContext, @Query() paging: PageQuery) {
    return this.queries.execute(new ListPage(auditExports, context, paging));
  }

  @Get(':id')
  @Operation('Retrieve an export', auditExportSchema)
  async retrieve(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.queries.execute(new Retrieve(auditExports, context, id)) };
  }

  @Delete(':id')
  @Operation('Delete an export', auditExportSchema, {
    about: 'Deletes its file too, or stops an export that runs. Returns the export as it was before.',
  })
  async delete(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.commands.execute(new DeleteExport(context, { id })) };
  }

  @Get(':id/file')
  @Operation('Download an export', fileSchema, {
    mediaTypes: ['application/x-ndjson', 'text/csv'],
    about:
      'The file is removed 30 days after the request, or earlier to make room for the files of newer exports: a business has 1 GiB.',
  })
  @Rejects('export_not_completed', 'export_failed')
  async download(@Ctx() context: CallerContext, @Param('id') id: string) {
    const { format, bytes, text } = await this.queries.execute(new DownloadExport(context, { id }));
    return new StreamableFile(Readable.from(text, { objectMode: false }), {
      type: MEDIA_TYPES[format],
      disposition: `attachment; filename="${id}.${format}"`,
      length: bytes,
    });
  }
}

function toRequest({ format = 'ndjson', recorded_from, recorded_to, types = [], resource: id }: CreateAuditExportBody) {
  const names = ['recorded_from', 'recorded_to'] as const;
  const range = parseDateRange(recorded_from ?? undefined, recorded_to ?? undefined, names);
  const { from = null, to = null } = range ?? {};
  return { format, recordedFrom: from, recordedTo: to, types: [...new Set(types)], resource: id ?? null };
}
