import { Controller, Get } from '@nestjs/common';
import { Access } from '../../http/auth/access.js';
import { Ctx } from '../../http/auth/request-context.js';
import { Operation } from '../../http/openapi/operation.js';
import type { CallerContext } from '../caller.js';
import { Users } from '../users.js';
import { callerSchema } from './me.schema.js';

@Controller('v1/auth/me')
@Access('any')
export class MeController {
  constructor(private readonly users: Users) {}

  @Get()
  @Operation('Retrieve the caller', callerSchema)
  async me(@Ctx() { caller }: CallerContext) {
    const { kind, actor, business, mode, user } = caller;
    return {
      data: {
        object: 'caller',
        actor,
        user: user && { id: user.id, email: user.email ?? (await this.users.get(user.id))?.email ?? null },
        business: business === null ? null : { object: 'business', id: business },
        mode,
        access: kind === 'read_only_key' ? 'read_only' : 'full',
      },
    };
  }
}
