import { fire, type Hits, type Shot } from './cannon.ts';
import type { LoopDelay } from './loop-delay.ts';
import type { MeasuredServer } from './server.ts';

/** One server under one kind of request for a while. */
export interface Slice extends Hits {
  readonly eventLoopDelayMs: LoopDelay;
  readonly cpuMicrosPerRequest: number;
}

/** What a request leaves behind is counted as its own: the slice is over when the server has come to rest. */
export async function sliceOf(server: MeasuredServer, credential: string, shot: Shot, seconds: number): Promise<Slice> {
  await server.read();
  const hits = await fire(server.url, credential, shot, seconds);
  const { cpuMicros, eventLoopDelayMs } = await server.read();
  const later = await server.cpuMicrosUntilRest();
  return { ...hits, eventLoopDelayMs, cpuMicrosPerRequest: (cpuMicros + later) / hits.requests };
}
