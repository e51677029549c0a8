import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { START } from '../../kernel/position.js';
import { isRead } from '../auth/access.js';
import type { ApiRequest } from '../auth/request-context.js';
import { ConsistencyTokens } from './consistency-tokens.js';

/** Sets the consistency headers of a response when the handler has ended, with a result or with an error. */
@Injectable()
export class ConsistencyHeaders {
  constructor(private readonly tokens: ConsistencyTokens) {}

  set({ method, context }: ApiRequest, reply: FastifyReply): void {
    const { caller, consistency } = context;
    if (consistency.isStale) void reply.header('consistency', 'stale');
    if (isRead(method) || consistency.position === START) return;
    this.tokens.recordWrite(caller, consistency);
    void reply.header('consistency-token', this.tokens.tokenFor(consistency));
  }
}
