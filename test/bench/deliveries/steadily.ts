import { setTimeout as delay } from 'node:timers/promises';

export interface Pace {
  readonly perSecond: number;
  readonly seconds: number;
  /** Ends the requests early. */
  readonly until?: AbortSignal;
}

/** The time of each request, by the id that it returned. */
export type Asked = ReadonlyMap<string, number>;

/** Sends requests at a constant rate without waiting for earlier responses. */
export async function askSteadily({ perSecond, seconds, until }: Pace, ask: (i: number) => Promise<string>): Promise<Asked> {
  const began = now();
  const asked: Promise<[string, number]>[] = [];
  for (let i = 0; i < perSecond * seconds && until?.aborted !== true; i++) {
    const early = began + (i * 1_000) / perSecond - now();
    if (early > 0) await delay(early);
    const at = now();
    asked.push(ask(i).then((id) => [id, at]));
  }
  return new Map(await Promise.all(asked));
}

/** Returns the milliseconds since 1970, with fractions. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}
