import { setTimeout as delay } from 'node:timers/promises';
import type { Arrivals } from '../deliveries/arrivals.ts';
import { bodyOf } from '../deliveries/arrived.ts';
import type { MeasuredService } from '../deliveries/measured-service.ts';
import { askSteadily, now } from '../deliveries/steadily.ts';

const EVENTS_PER_SECOND = 20;
const WARMING_MS = 5_000;
const LONGEST_SECONDS = 600;
/** The time for the last events to arrive. */
const COMING_MS = 2_000;
/** The margins of a restart: before it for unanswered requests, and after it until the new process is warm. */
const BESIDE_MS = 5_000;

/** A time in which the service was down. */
export interface Absence {
  readonly from: number;
  readonly to: number;
}

/** Causes events for several endpoints at a constant rate and measures the time from each request to each arrival. */
export class LiveTraffic {
  private readonly service: MeasuredService;
  private readonly arrivals: Arrivals;

  constructor(service: MeasuredService, arrivals: Arrivals) {
    this.service = service;
    this.arrivals = arrivals;
  }

  /**
   * Sends traffic to a warm service during other work. @returns the lags of all requests sent while the service was up
   */
  async during(work: () => Promise<readonly Absence[]>): Promise<number[]> {
    await this.arrivals.forget();
    const over = new AbortController();
    const pace = { perSecond: EVENTS_PER_SECOND, seconds: LONGEST_SECONDS, until: over.signal };
    const asking = askSteadily(pace, () => this.service.occur().catch(() => 'nothing'));
    await delay(WARMING_MS);
    const warm = now();
    const absences = await work();
    over.abort();
    const asked = await asking;
    await delay(COMING_MS);
    const isCounted = (at: number) => at >= warm && !absences.some(({ from, to }) => at > from - BESIDE_MS && at < to + BESIDE_MS);
    return this.lags(new Map([...asked].filter(([, at]) => isCounted(at))));
  }

  private async lags(asked: ReadonlyMap<string, number>): Promise<number[]> {
    const arrived = await this.arrivals.first(0);
    return arrived.flatMap((arrival) => {
      const at = asked.get(bodyOf(arrival).data.id);
      return at === undefined ? [] : [arrival.at - at];
    });
  }
}
