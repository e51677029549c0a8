import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Access } from '../../http/auth/access.js';
import { Ctx } from '../../http/auth/request-context.js';
import { Operation } from '../../http/openapi/operation.js';
import type { CallerContext } from '../../kernel/caller.js';
import { callerSchema, RetrieveCaller } from '../queries/caller.queries.js';

@Controller('v1/auth/me')
@Access('any')
export class MeController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Operation('Retrieve the caller', callerSchema, { about: 'Says who the credential belongs to and what it may do.' })
  async me(@Ctx() context: CallerContext) {
    return { data: await this.queries.execute(new RetrieveCaller(context, null)) };
  }
}
