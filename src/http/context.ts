import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Caller, CallerContext } from '../identity/caller.js';

/** A request on its way through the edge: the guard gives it its context, the idempotency key may put the first run's command into it. */
export interface EdgeRequest extends FastifyRequest {
  context: CallerContext;
}

export const Ctx = createParamDecorator((_: unknown, execution: ExecutionContext) => requestOf(execution).context);

/** One name for all requests of a credential. */
export function nameOf({ kind, actor }: Caller): string {
  return `${kind}:${actor.id}`;
}

export function requestOf(execution: ExecutionContext): EdgeRequest {
  return execution.switchToHttp().getRequest<EdgeRequest>();
}
