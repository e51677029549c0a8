import type { AnyBulkWriteOperation, Collection, Db } from 'mongodb';
import { reportAndIgnore } from '../../kernel/background-errors.js';
import { toIso } from '../../kernel/clock.js';
import { newUuid } from '../../kernel/ids.js';
import { translateOutages } from './failures.js';
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

interface PartOpening {
  readonly part: string;
  readonly token: string;
  /** Milliseconds since 1970, in the store's time. */
  readonly at: number;
  writes: number;
  wasUsed: boolean;
  /** A write failed and may still be applied: the part stays open until this opening expires. */
  isUncertain: boolean;
}

export function isOpen({ openers = [] }: PartRow, now: number): boolean {
  return openers.some((token) => token >= toExpiry(now));
}

/** The parts that this process has open. A part stays open between writes, so that not every write has to open it. */
export class PartOpenings {
  readonly parts: Collection<PartRow>;
  private readonly all = new Set<PartOpening>();
  private readonly latest = new Map<string, PartOpening>();

  constructor(
    db: Db,
    private readonly time: StoreTime,
  ) {
    this.parts = db.collection('sizes.parts');
  }

  async runOpened<T>(parts: readonly string[], write: () => Promise<T>): Promise<T> {
    const at = await this.time.now();
    const openings = parts.map((part) => this.findReusable(part, at) ?? createOpening(part, at));
    for (const opening of openings) startWrite(opening);
    try {
      await this.add(openings.filter((opening) => !this.all.has(opening)));
      const written = await write();
      for (const opening of openings) opening.writes--;
      // The write has succeeded: the next `settle` repeats a failed close.
      await this.closeLate(openings).catch(reportAndIgnore({ kind: 'loop', name: 'sizes of lists' }));
      return written;
    } catch (error) {
      for (const opening of openings) {
        opening.writes--;
        opening.isUncertain = true;
      }
      throw error;
    }
  }

  /** Closes the openings that were not used since the last call. */
  async closeUnused(): Promise<void> {
    const unused = [...this.all].filter(({ wasUsed }) => !wasUsed);
    for (const opening of this.all) opening.wasUsed = opening.writes > 0;
    await this.close(unused);
  }

  discard(isDropped: (part: string) => boolean): void {
    for (const opening of this.all) if (isDropped(opening.part)) this.remove(opening);
  }

  private findReusable(part: string, now: number): PartOpening | undefined {
    const latest = this.latest.get(part);
    return latest && now - latest.at < REUSED_MS ? latest : undefined;
  }

  private async add(openings: readonly PartOpening[]): Promise<void> {
    await translateOutages(() =>
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
  private async closeLate(openings: readonly PartOpening[]): Promise<void> {
    const now = await this.time.now();
    await this.close(openings.filter(({ at }) => now - at > EXPIRES_MS / 2));
  }

  private async close(openings: readonly PartOpening[]): Promise<void> {
    const unused = openings.filter(({ writes }) => writes === 0);
    if (unused.length === 0) return;
    for (const opening of unused) this.retire(opening);
    const expired = toExpiry(await this.time.now());
    const closings = unused
      .filter(({ isUncertain }) => !isUncertain)
      .flatMap((opening) => toCloseUpdates(opening, expired));
    if (closings.length > 0) await translateOutages(() => this.parts.bulkWrite(closings, UNORDERED));
    for (const opening of unused) this.all.delete(opening);
  }

  private remove(opening: PartOpening): void {
    this.retire(opening);
    this.all.delete(opening);
  }

  private retire(opening: PartOpening): void {
    if (this.latest.get(opening.part) === opening) this.latest.delete(opening.part);
  }
}

function createOpening(part: string, at: number): PartOpening {
  return { part, token: `${toIso(at)} ${newUuid()}`, at, writes: 0, wasUsed: true, isUncertain: false };
}

function startWrite(opening: PartOpening): void {
  opening.writes++;
  opening.wasUsed = true;
}

/** Returns the updates that close an opening and remove the expired openings of other writers. */
function toCloseUpdates({ part, token }: PartOpening, expired: string): AnyBulkWriteOperation<PartRow>[] {
  const filter = { _id: { $eq: part } };
  return [
    { updateOne: { filter, update: { $pull: { openers: token }, $set: { version: newUuid() } } } },
    { updateOne: { filter, update: { $pull: { openers: { $lt: expired } } } } },
  ];
}

function toExpiry(now: number): string {
  return toIso(now - EXPIRES_MS);
}
