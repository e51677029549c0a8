import type { Collection, Db } from 'mongodb';

const POLL_MS = 75;
const ID = 'jobs';
/** A lost notification only delays the jobs until the next poll of their queue, so it needs no majority. */
const LIGHTLY = { upsert: true, writeConcern: { w: 1 } } as const;

interface BellRow {
  readonly _id: string;
  readonly rings: number;
}

/** Notifies listeners of new jobs: at once in this process, and within about 75 ms in others, which poll a counter. */
export class Doorbell {
  private readonly listeners = new Set<() => void>();
  private readonly bells: Collection<BellRow>;
  private poll: NodeJS.Timeout | undefined;
  private looking = false;
  private telling = false;
  private untold = false;
  /** The number of notifications by other processes at the last poll. */
  private others = -1;
  private own = 0;

  constructor(db: Db) {
    this.bells = db.collection('bells');
  }

  /** Adds a listener; the returned function removes it. */
  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    this.poll ??= setInterval(() => void this.look(), POLL_MS).unref();
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size === 0) this.rest();
    };
  }

  ring(): void {
    this.untold = true;
    void this.tell();
    this.ringHere();
  }

  close(): void {
    this.rest();
    this.listeners.clear();
  }

  private ringHere(): void {
    for (const listener of [...this.listeners]) listener();
  }

  private rest(): void {
    clearInterval(this.poll);
    this.poll = undefined;
  }

  /** Runs one update at a time; notifications during an update share the next one. */
  private async tell(): Promise<void> {
    if (this.telling) return;
    this.telling = true;
    while (this.untold) {
      this.untold = false;
      const told = await this.bells.updateOne({ _id: { $eq: ID } }, { $inc: { rings: 1 } }, LIGHTLY).catch(() => null);
      if (told !== null) this.own++;
    }
    this.telling = false;
  }

  private async look(): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    // After a failed read, the next poll sees the same changes.
    const others = await this.countOthers().catch(() => this.others);
    this.looking = false;
    const heard = others !== this.others;
    this.others = others;
    if (heard) this.ringHere();
  }

  private async countOthers(): Promise<number> {
    const bell = await this.bells.findOne({ _id: { $eq: ID } });
    return (bell?.rings ?? 0) - this.own;
  }
}
