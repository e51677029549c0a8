import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../identity/caller.js';
import type { Context } from '../kernel/context.js';

/** The context of one request. `business`, `mode` and `actor` are the caller's. */
export interface RequestContext extends Context {
  readonly caller: Caller;
}

/** A request on its way through the edge: the guard gives it its context, the idempotency key may put the first run's command into it. */
export interface EdgeRequest extends FastifyRequest {
  context: RequestContext;
}

export const Ctx = createParamDecorator((_: unknown, execution: ExecutionContext) => requestOf(execution).context);

export function requestOf(execution: ExecutionContext): EdgeRequest {
  return execution.switchToHttp().getRequest<EdgeRequest>();
}
