import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';

/** The mean delay over `SAMPLE_INTERVAL_MS`, so that a cold start or one long task sheds no load. */
const MAX_EVENT_LOOP_DELAY_MS = 1_000;
const SAMPLE_INTERVAL_MS = 5_000;

/** Measures the delay of the event loop. The ingress rejects requests while the delay is too long. */
export async function measureLoad(server: FastifyInstance): Promise<void> {
  await server.register(underPressure, {
    maxEventLoopDelay: MAX_EVENT_LOOP_DELAY_MS,
    sampleInterval: SAMPLE_INTERVAL_MS,
  });
}
