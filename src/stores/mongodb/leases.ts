import type { Collection, Db } from 'mongodb';
import { LEASE_CLOCK_MARGIN_MS, Leases } from '../../kernel/leases.js';
import { nullOnDuplicate, translateOutages } from './failures.js';
import type { StoreTime } from './server-time.js';

interface LeaseRow {
  readonly _id: string;
  readonly holder: string | null;
  readonly token: number;
  /** Milliseconds since 1970; 0 after a release. */
  readonly ends: number;
}

export class MongoLeases extends Leases {
  private readonly leases: Collection<LeaseRow>;

  constructor(
    db: Db,
    private readonly time: StoreTime,
  ) {
    super();
    this.leases = db.collection('leases');
  }

  async acquireLease(name: string, holder: string, ttlMs: number): Promise<number | null> {
    const now = await this.time.now();
    return translateOutages(async () => {
      const kept = await this.renewLease(name, holder, now + ttlMs);
      if (kept !== null) return kept;
      // Most attempts fail because another holder has the lease: a read costs less than a failed upsert.
      const latest = now + ttlMs + LEASE_CLOCK_MARGIN_MS;
      const isHeld = await this.isHeldByOther(name, now, latest);
      return isHeld ? null : this.takeLease(name, holder, { now, ends: now + ttlMs, latest });
    });
  }

  async releaseLease(name: string, holder: string): Promise<void> {
    const givenUp = { $set: { holder: null, ends: 0 } };
    await translateOutages(() => this.leases.updateOne({ _id: { $eq: name }, holder: { $eq: holder } }, givenUp));
  }

  private async renewLease(name: string, holder: string, ends: number): Promise<number | null> {
    const held = { _id: { $eq: name }, holder: { $eq: holder } };
    const kept = await this.leases.findOneAndUpdate(held, { $set: { ends } }, { returnDocument: 'after' });
    return kept?.token ?? null;
  }

  private async isHeldByOther(name: string, now: number, latest: number): Promise<boolean> {
    return (await this.leases.findOne({ _id: { $eq: name }, ends: { $gt: now, $lte: latest } })) !== null;
  }

  /**
   * Takes a free lease. Of several concurrent attempts exactly one succeeds.
   * @param latest the latest end of a lease that was taken by the right time
   */
  private async takeLease(
    name: string,
    holder: string,
    { now, ends, latest }: { readonly now: number; readonly ends: number; readonly latest: number },
  ): Promise<number | null> {
    const free = { _id: { $eq: name }, $or: [{ ends: { $lte: now } }, { ends: { $gt: latest } }] };
    const change = { $set: { holder, ends }, $inc: { token: 1 } };
    const taken = await nullOnDuplicate(() =>
      this.leases.findOneAndUpdate(free, change, { upsert: true, returnDocument: 'after' }),
    );
    return taken?.token ?? null;
  }
}
