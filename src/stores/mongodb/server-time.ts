import type { Collection, Db } from 'mongodb';
import type { Clock } from '../../kernel/clock.js';
import { reach, unlessDuplicate } from './failures.js';

const MEASURED_EVERY_MS = 30_000;
/** An answer that took longer says too little about the time at which it arrived. */
const PROMPT_MS = 250;
const MAX_TRIES = 3;
const ID = 'now';

/** The store's own time, in milliseconds since 1970: what leases and their ends are measured by. */
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
 * The time of the server that keeps the leases: what it wrote down when it was last asked, and what has gone by here since. It is behind
 * by the way of an answer, and never ahead: who is late takes over no lease too early, and gets a shorter one.
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

  /** Whoever asks meanwhile waits for the same answer. */
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

  /** Another process may write the first one at the same moment; the one that is there then is changed. */
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
