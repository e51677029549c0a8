import { setTimeout as delay } from 'node:timers/promises';
import type { Api, Reply } from '../support/api.js';

const WRITES_PER_SECOND = 200;
/** The load generator sends no more requests than this to a slow service. */
const MOST_UNDERWAY = 100;
const READERS = 2;

/**
 * A load generator in the background: writes at a constant rate and reads without pause. It records failures and the
 * duration of each write.
 */
export class Bystanders {
  /** Reads and writes with an unexpected response. */
  readonly failures: string[] = [];
  private readonly closing = new AbortController();
  private readonly tasks: Promise<void>[] = [];
  private durations: number[] = [];
  private underway = 0;
  private asked = 0;

  constructor(
    private readonly api: Api,
    private readonly writes: { readonly path: string; readonly body: (n: number) => object },
    private readonly reads: readonly string[],
  ) {}

  begin(): void {
    this.tasks.push(this.write(), ...Array.from({ length: READERS }, (_, i) => this.read(i)));
  }

  /** Stops the load; resolves after the last response. */
  async end(): Promise<void> {
    this.closing.abort();
    await Promise.all(this.tasks);
    while (this.underway > 0) await delay(10);
  }

  /** Returns the number of writes since the previous call and their 99th percentile in milliseconds. */
  measured(): { readonly writes: number; readonly p99: number } {
    const sorted = this.durations.sort((a, b) => a - b);
    this.durations = [];
    return { writes: sorted.length, p99: Math.round(sorted[Math.floor(sorted.length * 0.99)] ?? 0) };
  }

  private async write(): Promise<void> {
    const began = performance.now();
    while (!this.closing.signal.aborted) {
      const due = ((performance.now() - began) / 1_000) * WRITES_PER_SECOND;
      for (; this.asked < due && this.underway < MOST_UNDERWAY; this.asked++) void this.writeOne(this.asked);
      this.asked = Math.max(this.asked, Math.floor(due));
      await delay(1_000 / WRITES_PER_SECOND);
    }
  }

  private async writeOne(n: number): Promise<void> {
    const began = performance.now();
    this.underway++;
    await this.ask(() => this.api.post(this.writes.path, this.writes.body(n)), `POST ${this.writes.path}`, 201);
    this.durations.push(performance.now() - began);
    this.underway--;
  }

  private async read(first: number): Promise<void> {
    for (let i = first; !this.closing.signal.aborted; i++) {
      const path = this.reads[i % this.reads.length]!;
      await this.ask(() => this.api.get(path), `GET ${path}`, 200);
    }
  }

  private async ask(send: () => Promise<Reply>, what: string, expected: number): Promise<void> {
    const told = await send().then(
      ({ status, text }) => (status === expected ? null : `${status} ${text}`),
      (error: unknown) => String(error),
    );
    if (told !== null) this.failures.push(`${what}: ${told}`);
  }
}
