import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { type ApiResponses, isSentAsIs } from './api-responses.js';

type Reply = FastifyAdapter['reply'];

/**
 * Sends the results of handlers through `ApiResponses`. An interceptor could serialize them too, but it would
 * cost every read a chain of observables.
 */
export class ApiAdapter extends FastifyAdapter {
  private responses: ApiResponses | null = null;

  sendThrough(responses: ApiResponses): void {
    this.responses = responses;
  }

  /** A string, bytes and a file are sent as they are. */
  override reply(...[response, result, status]: Parameters<Reply>): ReturnType<Reply> {
    const reply = response as FastifyReply;
    // Nest waits for the promise: an error of the serialization becomes a problem document too.
    if (!isSentAsIs(result)) return this.responses!.send(result, reply) as unknown as ReturnType<Reply>;
    this.responses!.setHeaders(reply);
    return super.reply(response, result, status);
  }
}
