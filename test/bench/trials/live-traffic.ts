import { setTimeout as delay } from 'node:timers/promises';
import type { Arrivals } from '../deliveries/arrivals.ts';
import { parseBody } from '../deliveries/first-arrivals.ts';
import type { MeasuredService } from '../deliveries/measured-service.ts';
import { getTime, requestSteadily } from '../deliveries/steady-requests.ts';

const EVENTS_PER_SECOND = 20;
const WARMING_MS = 5_000;
const MAX_SECONDS = 600;
/** The time for the last events to arrive. */
const ARRIVAL_MS = 2_000;
/** The margins of a restart: before it for unanswered requests, and after it until the new process is warm. */
const MARGIN_MS = 5_000;

/** A time in which the service was down. */
export interface Outage {
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
  async runDuring(work: () => Promise<readonly Outage[]>): Promise<number[]> {
    await this.arrivals.forget();
    const over = new AbortController();
    const pace = { perSecond: EVENTS_PER_SECOND, seconds: MAX_SECONDS, until: over.signal };
    const requests = requestSteadily(pace, () => this.service.causeEvent().catch(() => 'nothing'));
    await delay(WARMING_MS);
    const warm = getTime();
    const absences = await work();
    over.abort();
    const asked = await requests;
    await delay(ARRIVAL_MS);
    const isCounted = (at: number) =>
      at >= warm && !absences.some(({ from, to }) => at > from - MARGIN_MS && at < to + MARGIN_MS);
    return this.measureLags(new Map([...asked].filter(([, at]) => isCounted(at))));
  }

  private async measureLags(asked: ReadonlyMap<string, number>): Promise<number[]> {
    const arrived = await this.arrivals.waitForFirst(0);
    return arrived.flatMap((arrival) => {
      const at = asked.get(parseBody(arrival).data.id);
      return at === undefined ? [] : [arrival.at - at];
    });
  }
}
