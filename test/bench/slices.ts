import { generateLoad, type LoadRequest, type LoadResult } from './load-generator.ts';
import type { LoopDelay } from './loop-delay.ts';
import type { MeasuredServer } from './server.ts';

/** The measurement of one server under one kind of request. */
export interface Slice extends LoadResult {
  readonly eventLoopDelayMs: LoopDelay;
  readonly cpuMicrosPerRequest: number;
}

/** Measures a slice. It ends when the server is idle, so work after the responses is included. */
export async function measureSlice(
  server: MeasuredServer,
  credential: string,
  shot: LoadRequest,
  seconds: number,
): Promise<Slice> {
  await server.read();
  const hits = await generateLoad(server.url, credential, shot, seconds);
  const { cpuMicros, eventLoopDelayMs } = await server.read();
  const later = await server.takeCpuMicrosUntilIdle();
  return { ...hits, eventLoopDelayMs, cpuMicrosPerRequest: (cpuMicros + later) / hits.requests };
}
