import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../kernel/clock.js';
import { sendProblem } from '../problems/problem.js';
import { createRejection } from '../problems/rejection-mapping.js';
import type { HttpSettings } from './ingress.js';

/** Each store call has its own timeout. This limit is for requests that make many slow calls. */
export const RESPONSE_TIMEOUT_MS = 11_000;

/**
 * Answers 503 when the outcome of a request is unknown after `RESPONSE_TIMEOUT_MS`. The handler continues and keeps
 * its claim: a repeated request gets `idempotency_key_in_progress` until the handler ends, and then its response.
 */
export function registerRequestTimeout(server: FastifyInstance, { publicUrl }: HttpSettings, clock: Clock): void {
  // From here on the service does not wait for the caller.
  server.addHook('preValidation', (request, reply, done) => {
    const answered = new AbortController();
    reply.raw.once('close', () => answered.abort('answered'));
    void clock.sleep(RESPONSE_TIMEOUT_MS, answered.signal).then(() => {
      if (!answered.signal.aborted && !reply.sent)
        void sendProblem(request, reply, createRejection('service_unavailable'), publicUrl());
    });
    done();
  });
}
