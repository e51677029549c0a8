import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../kernel/clock.js';
import { sendProblem } from '../problems/problem.js';
import { createRejection } from '../problems/rejection-mapping.js';
import type { HttpSettings } from './ingress.js';

/** Each store call has its own timeout. This limit is for requests that make many slow calls. */
export const RESPONSE_TIMEOUT_MS = 11_000;

interface OpenRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly deadline: number;
}

/**
 * Answers 503 when the outcome of a request is unknown after `RESPONSE_TIMEOUT_MS`. The handler continues and keeps
 * its claim: a repeated request gets `idempotency_key_in_progress` until the handler ends, and then its response.
 */
export function registerRequestTimeout(server: FastifyInstance, { publicUrl }: HttpSettings, clock: Clock): void {
  // All requests have the same timeout, so they are in the order of their deadlines, and one timer serves all of them.
  const open = new Set<OpenRequest>();
  const closing = new AbortController();
  let isWatching = false;
  const watch = async () => {
    isWatching = true;
    for (let first = peek(open); first !== undefined && !closing.signal.aborted; first = peek(open)) {
      await clock.sleep(first.deadline - clock.monotonic(), closing.signal);
      if (!closing.signal.aborted && open.delete(first) && !first.reply.sent)
        void sendProblem(first.request, first.reply, createRejection('service_unavailable'), publicUrl());
    }
    isWatching = false;
  };
  // From here on the service does not wait for the caller.
  server.addHook('preValidation', (request, reply, done) => {
    const entry = { request, reply, deadline: clock.monotonic() + RESPONSE_TIMEOUT_MS };
    open.add(entry);
    reply.raw.once('close', () => open.delete(entry));
    if (!isWatching) void watch();
    done();
  });
  server.addHook('onClose', (_, done) => {
    closing.abort();
    done();
  });
}

function peek<T>(set: ReadonlySet<T>): T | undefined {
  return set.values().next().value;
}
