import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Caller, CallerContext } from '../../kernel/caller.js';

/**
 * A request with its context. The guard sets the context; a repeated idempotency key replaces the command id with the
 * first one.
 */
export interface ApiRequest extends FastifyRequest {
  context: CallerContext;
}

export const Ctx = createParamDecorator((_: unknown, execution: ExecutionContext) => getApiRequest(execution).context);

/** Returns the key under which the requests of a credential are counted. */
export function toCallerKey({ kind, actor }: Caller): string {
  return `${kind}:${actor.id}`;
}

export function getApiRequest(execution: ExecutionContext): ApiRequest {
  return execution.switchToHttp().getRequest<ApiRequest>();
}
