import type { FastifyInstance } from 'fastify';
import type { Clock } from '../kernel/clock.js';
import type { EdgeSettings } from './parser-errors.js';
import { refuse } from './problem.js';
import { rejection } from './refusals.js';

/** Each call of a store has its own time and fails soon; this is for requests that make many slow ones. */
export const ANSWER_MS = 11_000;

/**
 * Whoever asks hears in time that the outcome is not known. The work goes on to its end and keeps its claim until then: the same request
 * is told that the first is still running, and afterwards what came of it.
 */
export function answerInTime(server: FastifyInstance, { publicUrl }: EdgeSettings, clock: Clock): void {
  // From here on nothing is awaited of the caller.
  server.addHook('preValidation', (request, reply, done) => {
    const answered = new AbortController();
    reply.raw.once('close', () => answered.abort('answered'));
    void clock.sleep(ANSWER_MS, answered.signal).then(() => {
      if (!answered.signal.aborted && !reply.sent) void refuse(request, reply, rejection('service_unavailable'), publicUrl());
    });
    done();
  });
}
