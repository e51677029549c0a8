import { setTimeout as delay } from 'node:timers/promises';

export interface RequestRate {
  readonly perSecond: number;
  readonly seconds: number;
  /** Ends the requests early. */
  readonly until?: AbortSignal;
}

/** The time of each request, by the id that it returned. */
export type RequestTimes = ReadonlyMap<string, number>;

/** Sends requests at a constant rate without waiting for earlier responses. */
export async function requestSteadily(
  { perSecond, seconds, until }: RequestRate,
  ask: (i: number) => Promise<string>,
): Promise<RequestTimes> {
  const began = getTime();
  const asked: Promise<[string, number]>[] = [];
  for (let i = 0; i < perSecond * seconds && until?.aborted !== true; i++) {
    const early = began + (i * 1_000) / perSecond - getTime();
    if (early > 0) await delay(early);
    const at = getTime();
    asked.push(ask(i).then((id) => [id, at]));
  }
  return new Map(await Promise.all(asked));
}

/** Returns the milliseconds since 1970, with fractions. */
export function getTime(): number {
  return performance.timeOrigin + performance.now();
}
