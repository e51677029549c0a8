import { setTimeout as delay } from 'node:timers/promises';
import type { Api, ApiResponse } from '../support/api.js';

const WRITES_PER_SECOND = 200;
/** The load generator sends no more requests than this to a slow service. */
const MAX_IN_FLIGHT = 100;
const READERS = 2;

/**
 * A load generator in the background: writes at a constant rate and reads without pause. It records failures and the
 * duration of each write.
 */
export class BackgroundLoad {
  /** Reads and writes with an unexpected response. */
  readonly failures: string[] = [];
  private readonly closing = new AbortController();
  private readonly tasks: Promise<void>[] = [];
  private durations: number[] = [];
  private inFlight = 0;
  private requested = 0;

  constructor(
    private readonly api: Api,
    private readonly writes: { readonly path: string; readonly body: (n: number) => object },
    private readonly reads: readonly string[],
  ) {}

  start(): void {
    this.tasks.push(this.writeSteadily(), ...Array.from({ length: READERS }, (_, i) => this.readRepeatedly(i)));
  }

  /** Stops the load; resolves after the last response. */
  async stop(): Promise<void> {
    this.closing.abort();
    await Promise.all(this.tasks);
    while (this.inFlight > 0) await delay(10);
  }

  /** Returns the number of writes since the previous call and their 99th percentile in milliseconds. */
  takeMeasurement(): { readonly writes: number; readonly p99: number } {
    const sorted = this.durations.sort((a, b) => a - b);
    this.durations = [];
    return { writes: sorted.length, p99: Math.round(sorted[Math.floor(sorted.length * 0.99)] ?? 0) };
  }

  private async writeSteadily(): Promise<void> {
    const began = performance.now();
    while (!this.closing.signal.aborted) {
      const due = ((performance.now() - began) / 1_000) * WRITES_PER_SECOND;
      for (; this.requested < due && this.inFlight < MAX_IN_FLIGHT; this.requested++)
        void this.writeOne(this.requested);
      this.requested = Math.max(this.requested, Math.floor(due));
      await delay(1_000 / WRITES_PER_SECOND);
    }
  }

  private async writeOne(n: number): Promise<void> {
    const began = performance.now();
    this.inFlight++;
    await this.request(() => this.api.post(this.writes.path, this.writes.body(n)), `POST ${this.writes.path}`, 201);
    this.durations.push(performance.now() - began);
    this.inFlight--;
  }

  private async readRepeatedly(first: number): Promise<void> {
    for (let i = first; !this.closing.signal.aborted; i++) {
      const path = this.reads[i % this.reads.length]!;
      await this.request(() => this.api.get(path), `GET ${path}`, 200);
    }
  }

  private async request(send: () => Promise<ApiResponse>, what: string, expected: number): Promise<void> {
    const failure = await send().then(
      ({ status, text }) => (status === expected ? null : `${status} ${text}`),
      (error: unknown) => String(error),
    );
    if (failure !== null) this.failures.push(`${what}: ${failure}`);
  }
}
