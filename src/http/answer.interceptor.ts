import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { finalize, mergeMap, type Observable } from 'rxjs';
import { Personal } from '../engine/sealing/personal.js';
import { START } from '../kernel/position.js';
import { isRead } from './access.js';
import { shown } from './answer.js';
import { Consistency } from './consistency.js';
import { requestOf, type EdgeRequest } from './context.js';

/**
 * Serializes responses: removes hidden fields, opens sealed fields, and sets the consistency headers. A string is sent
 * as it is.
 */
@Injectable()
export class AnswerInterceptor implements NestInterceptor {
  constructor(
    private readonly personal: Personal,
    private readonly consistency: Consistency,
  ) {}

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = requestOf(execution);
    const reply = execution.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      mergeMap((result) => (typeof result === 'string' ? [result] : this.written(result, reply))),
      finalize(() => this.remember(request, reply)),
    );
  }

  private async written(result: unknown, reply: FastifyReply): Promise<string> {
    const { status, body, secrets } = shown(result, reply.statusCode);
    const opened = await this.personal.open(body);
    void reply.status(status).header('content-type', 'application/json; charset=utf-8');
    return JSON.stringify({
      ...opened,
      data: Object.keys(secrets).length === 0 ? opened.data : { ...(opened.data as object), ...secrets },
    });
  }

  private remember({ method, context }: EdgeRequest, reply: FastifyReply): void {
    const { caller, progress } = context;
    if (progress.stale) void reply.header('consistency', 'stale');
    if (isRead(method) || progress.position === START) return;
    this.consistency.wrote(caller, progress);
    void reply.header('consistency-token', this.consistency.tokenOf(progress));
  }
}
