import { type ArgumentsHost, Catch, type ExceptionFilter, Injectable, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../../config/config.js';
import type { ApiRequest } from '../auth/request-context.js';
import { ConsistencyHeaders } from '../server/consistency-headers.js';
import { sendProblem } from './problem.js';
import { statusFor } from './problem-codes.js';
import { toRejection } from './rejection-mapping.js';

/** Converts every error of a handler, a guard, a pipe or an interceptor to a problem document. */
@Injectable()
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('edge');

  constructor(
    private readonly config: Config,
    private readonly consistency: ConsistencyHeaders,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest & Partial<ApiRequest>>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const rejection = toRejection(error);
    if (statusFor(rejection.code) >= 500) this.logger.error({ err: error, requestId: request.id }, rejection.code);
    // The handler may have written events before it failed, also when the timeout has already answered the request.
    if (request.context !== undefined) this.consistency.set(request as ApiRequest, reply);
    if (!reply.sent) void sendProblem(request, reply, rejection, this.config.publicUrl);
  }
}
