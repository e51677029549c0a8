import type { Collection, Db } from 'mongodb';
import type { Clock } from '../../kernel/clock.js';
import { reach, unlessDuplicate } from './failures.js';

const MEASURED_EVERY_MS = 30_000;
/** A slower response gives a too inaccurate time. */
const PROMPT_MS = 250;
const MAX_TRIES = 3;
const ID = 'now';

/** The time of the store in milliseconds since 1970, by which leases and their ends are measured. */
export interface StoreTime {
  now(): Promise<number>;
}

interface ClockRow {
  readonly _id: string;
  readonly time: Date;
}

interface Measured {
  readonly server: number;
  readonly at: number;
}

/**
 * Estimates the time of the server that stores the leases: its time at the last measurement, plus the time that has
 * passed in this process since. The estimate may lag by the duration of a response, but never runs ahead, so no lease
 * is taken over early.
 */
export class ServerTime implements StoreTime {
  private readonly clocks: Collection<ClockRow>;
  private measured: Measured | undefined;
  private measuring: Promise<Measured> | undefined;

  constructor(
    db: Db,
    private readonly clock: Clock,
  ) {
    this.clocks = db.collection('clock');
  }

  async now(): Promise<number> {
    const { server, at } = this.recent() ?? (await this.measure());
    return server + Math.floor(this.clock.monotonic() - at);
  }

  private recent(): Measured | undefined {
    return this.measured && this.clock.monotonic() - this.measured.at < MEASURED_EVERY_MS ? this.measured : undefined;
  }

  /** Measures the time; concurrent callers share one measurement. */
  private async measure(): Promise<Measured> {
    this.measuring ??= this.promptly().finally(() => (this.measuring = undefined));
    this.measured = await this.measuring;
    return this.measured;
  }

  private async promptly(): Promise<Measured> {
    for (let tries = 1; ; tries++) {
      const asked = this.clock.monotonic();
      const server = await this.ask();
      const at = this.clock.monotonic();
      if (at - asked <= PROMPT_MS || tries === MAX_TRIES) return { server, at };
    }
  }

  /**
   * Writes and reads the server's time. Another process may insert the document at the same moment; the second
   * attempt then updates it.
   */
  private async ask(): Promise<number> {
    const write = () =>
      this.clocks.findOneAndUpdate(
        { _id: { $eq: ID } },
        { $currentDate: { time: true } },
        { upsert: true, returnDocument: 'after', writeConcern: { w: 1 } },
      );
    const row = await reach(async () => (await unlessDuplicate(write)) ?? (await write()));
    return row!.time.getTime();
  }
}
