import type { Collection, Db } from 'mongodb';
import type { Clock } from '../../kernel/clock.js';
import { nullOnDuplicate, translateOutages } from './failures.js';

const MEASURE_INTERVAL_MS = 30_000;
/** A slower response gives a too inaccurate time. */
const MAX_ROUND_TRIP_MS = 250;
const MAX_ATTEMPTS = 3;
const ID = 'now';

/** The time of the store in milliseconds since 1970, by which leases and their ends are measured. */
export interface StoreTime {
  now(): Promise<number>;
}

interface ClockRow {
  readonly _id: string;
  readonly time: Date;
}

interface Measurement {
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
  private measured: Measurement | undefined;
  private measuring: Promise<Measurement> | undefined;

  constructor(
    db: Db,
    private readonly clock: Clock,
  ) {
    this.clocks = db.collection('clock');
  }

  async now(): Promise<number> {
    const { server, at } = this.findRecent() ?? (await this.measure());
    return server + Math.floor(this.clock.monotonic() - at);
  }

  private findRecent(): Measurement | undefined {
    return this.measured && this.clock.monotonic() - this.measured.at < MEASURE_INTERVAL_MS ? this.measured : undefined;
  }

  /** Measures the time; concurrent callers share one measurement. */
  private async measure(): Promise<Measurement> {
    this.measuring ??= this.measureAccurately().finally(() => (this.measuring = undefined));
    this.measured = await this.measuring;
    return this.measured;
  }

  private async measureAccurately(): Promise<Measurement> {
    for (let tries = 1; ; tries++) {
      const asked = this.clock.monotonic();
      const server = await this.readServerTime();
      const at = this.clock.monotonic();
      if (at - asked <= MAX_ROUND_TRIP_MS || tries === MAX_ATTEMPTS) return { server, at };
    }
  }

  /**
   * Writes and reads the server's time. Another process may insert the document at the same moment; the second
   * attempt then updates it.
   */
  private async readServerTime(): Promise<number> {
    const write = () =>
      this.clocks.findOneAndUpdate(
        { _id: { $eq: ID } },
        { $currentDate: { time: true } },
        { upsert: true, returnDocument: 'after', writeConcern: { w: 1 } },
      );
    const row = await translateOutages(async () => (await nullOnDuplicate(write)) ?? (await write()));
    return row!.time.getTime();
  }
}
