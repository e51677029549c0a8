import { fire, type Hits, type Shot } from './cannon.ts';
import type { LoopDelay } from './loop-delay.ts';
import type { MeasuredServer } from './server.ts';

/** The measurement of one server under one kind of request. */
export interface Slice extends Hits {
  readonly eventLoopDelayMs: LoopDelay;
  readonly cpuMicrosPerRequest: number;
}

/** Measures a slice. It ends when the server is idle, so work after the responses is included. */
export async function sliceOf(server: MeasuredServer, credential: string, shot: Shot, seconds: number): Promise<Slice> {
  await server.read();
  const hits = await fire(server.url, credential, shot, seconds);
  const { cpuMicros, eventLoopDelayMs } = await server.read();
  const later = await server.cpuMicrosUntilRest();
  return { ...hits, eventLoopDelayMs, cpuMicrosPerRequest: (cpuMicros + later) / hits.requests };
}
