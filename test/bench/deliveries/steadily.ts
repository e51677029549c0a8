import { setTimeout as delay } from 'node:timers/promises';

export interface Pace {
  readonly perSecond: number;
  readonly seconds: number;
  /** It may end sooner. */
  readonly until?: AbortSignal;
}

/** What was asked for at some time, by what came of it. */
export type Asked = ReadonlyMap<string, number>;

/** Each at its time, whatever has become of the ones before. */
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

/** Milliseconds since 1970, with fractions. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}
