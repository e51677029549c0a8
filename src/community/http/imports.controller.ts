import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsOptional, ValidateNested } from 'class-validator';
import { Ctx } from '../../http/auth/request-context.js';
import { Describe } from '../../http/openapi/describe.js';
import { Operation, Rejects } from '../../http/openapi/operation.js';
import type { CallerContext } from '../../kernel/caller.js';
import { ImportMembers } from '../commands/import.commands.js';
import { memberImportSchema } from '../projections/member-imports.js';
import { RetrieveImport } from '../queries/import.queries.js';
import { AnyValue } from './any-value.validator.js';

const MAX_ROWS = 500;

/** The values are checked row by row, because an invalid row fails alone. */
class ImportRowBody {
  @Describe('The e-mail address of the member, of at most 254 characters.')
  @IsOptional()
  @AnyValue({ examples: ['ada@example.com'] })
  email?: unknown;

  @Describe(
    'The lowest level of the member, from 1 to 100, regardless of the points; without it, 1 for a new member and no change for a known one.',
  )
  @IsOptional()
  @AnyValue({ examples: [1] })
  level?: unknown;

  @Describe('The role `moderator` or `member`; without it, `member` for a new member and no change for a known one.')
  @IsOptional()
  @AnyValue({ examples: ['member'] })
  role?: unknown;

  @Describe(
    'The points that the person had in another system, from 0 to 1000000. They are paid once in a community, with the source `import` and `balance`; those of a pending member are kept until the member joins.',
  )
  @IsOptional()
  @AnyValue({ examples: [1200] })
  points?: unknown;
}

class ImportMembersBody {
  @Describe('The rows to import, in order; an invalid row fails alone.')
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_ROWS)
  @ValidateNested({ each: true })
  @Type(() => ImportRowBody)
  members!: ImportRowBody[];
}

@Controller('v1/community/communities/:id/members')
export class ImportsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post('import')
  @HttpCode(200)
  @Operation('Import members', memberImportSchema, {
    about: 'Adds or changes one member for each row, and returns the result of each row. An invalid row fails alone.',
  })
  @Rejects('not_a_member', 'permission_denied', 'community_archived')
  async import(@Ctx() context: CallerContext, @Param('id') communityId: string, @Body() body: ImportMembersBody) {
    return { data: await this.commands.execute(new ImportMembers(context, { communityId, rows: body.members })) };
  }

  @Get('imports/:import_id')
  @Operation('Retrieve a member import', memberImportSchema)
  @Rejects('not_a_member', 'permission_denied')
  async retrieve(
    @Ctx() context: CallerContext,
    @Param('id') communityId: string,
    @Param('import_id') importId: string,
  ) {
    return { data: await this.queries.execute(new RetrieveImport(context, { communityId, importId })) };
  }
}
