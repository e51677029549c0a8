import { Controller, Get } from '@nestjs/common';
import { Access } from '../../http/access.js';
import { Ctx } from '../../http/context.js';
import { Operation } from '../../http/openapi/operation.js';
import type { CallerContext } from '../caller.js';
import { Users } from '../users.js';
import { caller } from './me.shape.js';

@Controller('v1/auth/me')
@Access('any')
export class MeController {
  constructor(private readonly users: Users) {}

  @Get()
  @Operation('Retrieve the caller', caller)
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
