import type { Collection, Db } from 'mongodb';

const POLL_MS = 75;
const ID = 'jobs';
/** A ring that is lost with its server is heard of by the next look at the queue: nobody waits for a majority. */
const LIGHTLY = { upsert: true, writeConcern: { w: 1 } } as const;

interface BellRow {
  readonly _id: string;
  readonly rings: number;
}

/** Rings when jobs have been put: at once for this process, and within some 75 ms for any other, which looks at the count of rings. */
export class Doorbell {
  private readonly listeners = new Set<() => void>();
  private readonly bells: Collection<BellRow>;
  private poll: NodeJS.Timeout | undefined;
  private looking = false;
  private telling = false;
  private untold = false;
  /** How often other processes have rung, as last seen. */
  private others = -1;
  private own = 0;

  constructor(db: Db) {
    this.bells = db.collection('bells');
  }

  /** The returned function ends it. */
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

  /** One at a time; what is rung meanwhile shares the next. */
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
    // What cannot be read now is looked at again by the next one.
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
