import type { AnyBulkWriteOperation, Collection, Db } from 'mongodb';
import { iso } from '../../kernel/clock.js';
import { newUuid } from '../../kernel/ids.js';
import { reach } from './failures.js';
import type { StoreTime } from './server-time.js';
import { UNORDERED, upsertEach } from './upserts.js';

/**
 * A writer that has not closed a part after this time counts as dead. Far longer than any write, process pause or
 * outage.
 */
const EXPIRES_MS = 3_600_000;
/** An older opening is not used for another write, so that each write has most of the hour to end. */
const REUSED_MS = 600_000;

/** A part of a collection. Both fields are missing when nothing was written since an older format. */
export interface PartRow {
  readonly _id: string;
  /** Changes when the part is opened or closed. */
  readonly version?: string;
  /** The openings of writers that may be writing to the part: the store's time in ISO 8601, and an id. */
  readonly openers?: readonly string[];
}

interface Opening {
  readonly part: string;
  readonly token: string;
  /** Milliseconds since 1970, in the store's time. */
  readonly at: number;
  /** The number of running writes. */
  writes: number;
  wasUsed: boolean;
  /** A write failed and may still be applied: the part stays open until this opening expires. */
  isDoubtful: boolean;
}

export function isOpen({ openers = [] }: PartRow, now: number): boolean {
  return openers.some((token) => token >= expiredAt(now));
}

/** The parts that this process has open. A part stays open between writes, so that not every write has to open it. */
export class Openings {
  readonly parts: Collection<PartRow>;
  private readonly all = new Set<Opening>();
  private readonly latest = new Map<string, Opening>();

  constructor(
    db: Db,
    private readonly time: StoreTime,
  ) {
    this.parts = db.collection('sizes.parts');
  }

  /** Runs the write with these parts open. */
  async during<T>(parts: readonly string[], write: () => Promise<T>): Promise<T> {
    const at = await this.time.now();
    const openings = parts.map((part) => this.reusable(part, at) ?? newOpening(part, at));
    for (const opening of openings) begin(opening);
    try {
      await this.add(openings.filter((opening) => !this.all.has(opening)));
      const written = await write();
      for (const opening of openings) opening.writes--;
      // The write has succeeded: the next `settle` repeats a failed close.
      await this.closeLate(openings).catch(() => undefined);
      return written;
    } catch (error) {
      for (const opening of openings) Object.assign(opening, { writes: opening.writes - 1, isDoubtful: true });
      throw error;
    }
  }

  /** Closes the openings that were not used since the last call. */
  async settle(): Promise<void> {
    const unused = [...this.all].filter(({ wasUsed }) => !wasUsed);
    for (const opening of this.all) opening.wasUsed = opening.writes > 0;
    await this.close(unused);
  }

  forget(isGone: (part: string) => boolean): void {
    for (const opening of this.all) if (isGone(opening.part)) this.remove(opening);
  }

  private reusable(part: string, now: number): Opening | undefined {
    const latest = this.latest.get(part);
    return latest && now - latest.at < REUSED_MS ? latest : undefined;
  }

  private async add(openings: readonly Opening[]): Promise<void> {
    await reach(() =>
      upsertEach(this.parts, openings, ({ part, token }, upsert) => ({
        updateOne: {
          filter: { _id: { $eq: part } },
          update: { $addToSet: { openers: token }, $set: { version: newUuid() } },
          upsert,
        },
      })),
    );
    for (const opening of openings) {
      this.all.add(opening);
      this.latest.set(opening.part, opening);
    }
  }

  /** A write may outlast its openings. Closing them makes sizes stale that were counted during the write. */
  private async closeLate(openings: readonly Opening[]): Promise<void> {
    const now = await this.time.now();
    await this.close(openings.filter(({ at }) => now - at > EXPIRES_MS / 2));
  }

  private async close(openings: readonly Opening[]): Promise<void> {
    const unused = openings.filter(({ writes }) => writes === 0);
    if (unused.length === 0) return;
    for (const opening of unused) this.retire(opening);
    const expired = expiredAt(await this.time.now());
    const closings = unused.filter(({ isDoubtful }) => !isDoubtful).flatMap((opening) => closing(opening, expired));
    if (closings.length > 0) await reach(() => this.parts.bulkWrite(closings, UNORDERED));
    for (const opening of unused) this.all.delete(opening);
  }

  private remove(opening: Opening): void {
    this.retire(opening);
    this.all.delete(opening);
  }

  private retire(opening: Opening): void {
    if (this.latest.get(opening.part) === opening) this.latest.delete(opening.part);
  }
}

function newOpening(part: string, at: number): Opening {
  return { part, token: `${iso(at)} ${newUuid()}`, at, writes: 0, wasUsed: true, isDoubtful: false };
}

function begin(opening: Opening): void {
  opening.writes++;
  opening.wasUsed = true;
}

/** Returns the updates that close an opening and remove the expired openings of other writers. */
function closing({ part, token }: Opening, expired: string): AnyBulkWriteOperation<PartRow>[] {
  const filter = { _id: { $eq: part } };
  return [
    { updateOne: { filter, update: { $pull: { openers: token }, $set: { version: newUuid() } } } },
    { updateOne: { filter, update: { $pull: { openers: { $lt: expired } } } } },
  ];
}

function expiredAt(now: number): string {
  return iso(now - EXPIRES_MS);
}
