import { Catch, Injectable, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../config.js';
import { statusOf } from './codes.js';
import { refuse } from './problem.js';
import { refusalOf } from './refusals.js';

/** Converts every error of a handler, a guard, a pipe or an interceptor to a problem document. */
@Injectable()
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('edge');

  constructor(private readonly config: Config) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const refusal = refusalOf(error);
    if (statusOf(refusal.code) >= 500) this.logger.error({ err: error, requestId: request.id }, refusal.code);
    if (!reply.sent) void refuse(request, reply, refusal, this.config.publicUrl);
  }
}
