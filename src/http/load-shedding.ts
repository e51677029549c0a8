import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';

/** The mean of some seconds, so that no cold start and no long turn sheds anything: whoever is let in beyond it waits for many. */
const LATE_MS = 1_000;
const SAMPLE_MS = 5_000;

/** Measures how late the event loop is; the entrance asks, and refuses. */
export async function measureLoad(server: FastifyInstance): Promise<void> {
  await server.register(underPressure, { maxEventLoopDelay: LATE_MS, sampleInterval: SAMPLE_MS });
}
