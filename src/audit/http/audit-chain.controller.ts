import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Ctx } from '../../http/auth/request-context.js';
import { Operation } from '../../http/openapi/operation.js';
import type { CallerContext } from '../../kernel/caller.js';
import { auditChainSchema, RetrieveAuditChain } from '../queries/audit-chain.queries.js';

@Controller('v1/audit/chain')
export class AuditChainController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Operation('Retrieve the chain', auditChainSchema, {
    about:
      'Shows the head of the hash chain of the business, the newest 100 signed checkpoints, and the public key that verifies them. The chain includes the events of both modes.',
  })
  async retrieve(@Ctx() context: CallerContext) {
    return { data: await this.queries.execute(new RetrieveAuditChain(context, {})) };
  }
}
