import type { Collection, Db, Filter } from 'mongodb';
import { StoreUnavailable } from '../../kernel/event-store.js';
import { Idempotency, type Begun, type Claim, type IdempotencyKey, type KeptClaim, type StoredAnswer } from '../../kernel/idempotency.js';
import { newUuid } from '../../kernel/ids.js';
import { READ_WITHIN } from './connections.js';
import { duplicatesOf, isNew, reach } from './failures.js';
import type { StoreTime } from './server-time.js';
import { UNORDERED } from './upserts.js';

const KEPT_MS = 24 * 3_600_000;
const SWEPT_AT_ONCE = 1_000;
/** The number of attempts to change a claim that other processes change concurrently. */
const MAX_LOOKS = 10;

interface Entry {
  readonly _id: string;
  readonly fingerprint: string;
  readonly commandId: string;
  readonly began: number;
  readonly run: number;
  readonly holder: string | null;
  readonly lease: number;
  readonly answer: StoredAnswer | null;
}

export class MongoIdempotency extends Idempotency {
  private readonly entries: Collection<Entry>;

  constructor(
    db: Db,
    private readonly time: StoreTime,
  ) {
    super();
    this.entries = db.collection('idempotency');
  }

  async begin(key: IdempotencyKey, claim: Claim): Promise<Begun> {
    for (let looks = 0; looks < MAX_LOOKS; looks++) {
      const now = await this.time.now();
      const begun = await reach(() => this.look(firstEntry(key, claim, now), claim, now));
      if (begun !== null) return begun;
    }
    throw new StoreUnavailable('the idempotency key changed during every attempt to claim it', false);
  }

  async finish(key: IdempotencyKey, commandId: string, { status, body }: StoredAnswer): Promise<StoredAnswer> {
    const answer = { status, body };
    const ofCommand = { _id: { $eq: idOf(key) }, commandId: { $eq: commandId } };
    const change = { $set: { answer, holder: null, lease: 0 } };
    const { matchedCount } = await reach(() => this.entries.updateOne({ ...ofCommand, answer: { $eq: null } }, change));
    return matchedCount > 0 ? answer : ((await reach(() => this.entries.findOne(ofCommand)))?.answer ?? answer);
  }

  async forget(key: IdempotencyKey, commandId: string, run: number): Promise<void> {
    await reach(() => this.entries.deleteOne(held(key, commandId, run)));
  }

  async abandon(key: IdempotencyKey, commandId: string, run: number): Promise<void> {
    await reach(() => this.entries.updateOne(held(key, commandId, run), { $set: { holder: null, lease: 0 } }));
  }

  async claims(after: IdempotencyKey | null, limit: number): Promise<KeptClaim[]> {
    const began = { $gt: (await this.time.now()) - KEPT_MS };
    const behind = after === null ? {} : { _id: { $gt: idOf(after) } };
    const options = { sort: { _id: 1 }, limit, batchSize: limit, ...READ_WITHIN } as const;
    return (await reach(() => this.entries.find({ began, ...behind }, options).toArray())).map(keptClaim);
  }

  async restore(claims: readonly KeptClaim[]): Promise<void> {
    if (claims.length > 0) await reach(() => duplicatesOf(() => this.entries.insertMany(claims.map(restored), UNORDERED)));
  }

  /** Deletes claims that are older than a day and not running. Claiming a key does not depend on it. */
  async sweep(): Promise<void> {
    const now = await this.time.now();
    const over = { began: { $lte: now - KEPT_MS }, lease: { $lte: now } };
    const options = { projection: { _id: 1 }, sort: { began: 1 }, limit: SWEPT_AT_ONCE, ...READ_WITHIN } as const;
    for (let swept = SWEPT_AT_ONCE; swept === SWEPT_AT_ONCE;) {
      const rows = await reach(() => this.entries.find(over, options).toArray());
      swept = rows.length;
      if (swept > 0) await reach(() => this.entries.deleteMany({ ...over, _id: { $in: rows.map(({ _id }) => _id) } }));
    }
  }

  /** Returns null when another process changed the claim first. */
  private async look(first: Entry, claim: Claim, now: number): Promise<Begun | null> {
    if (await isNew(() => this.entries.insertOne(first))) return started(first);
    const entry = await this.entries.findOne({ _id: { $eq: first._id } });
    if (entry === null) return null;
    if (isOver(entry, now)) return this.take(entry, first);
    if (entry.fingerprint !== claim.fingerprint) return { status: 'conflict' };
    if (entry.answer !== null) return { status: 'completed', answer: entry.answer };
    if (isRunning(entry, now)) return { status: 'in_progress' };
    return this.take(entry, { ...entry, run: entry.run + 1, holder: claim.holder, lease: now + claim.leaseMs });
  }

  private async take(seen: Entry, next: Entry): Promise<Begun | null> {
    const { matchedCount } = await this.entries.replaceOne(asSeen(seen), next);
    return matchedCount > 0 ? started(next) : null;
  }
}

function firstEntry(key: IdempotencyKey, { fingerprint, leaseMs, holder }: Claim, now: number): Entry {
  return { _id: idOf(key), fingerprint, commandId: newUuid(), began: now, run: 1, holder, lease: now + leaseMs, answer: null };
}

function keptClaim({ _id, fingerprint, commandId, began: at, run, answer }: Entry): KeptClaim {
  const [scope, key] = JSON.parse(_id) as [string, string];
  return { scope, key, fingerprint, commandId, at, run, answer };
}

function restored({ fingerprint, commandId, at: began, run, answer, ...key }: KeptClaim): Entry {
  return { _id: idOf(key), fingerprint, commandId, began, run, holder: null, lease: 0, answer };
}

function idOf({ scope, key }: IdempotencyKey): string {
  return JSON.stringify([scope, key]);
}

function held(key: IdempotencyKey, commandId: string, run: number): Filter<Entry> {
  const ofRun = { _id: { $eq: idOf(key) }, commandId: { $eq: commandId }, run: { $eq: run } };
  return { ...ofRun, holder: { $ne: null }, answer: { $eq: null } };
}

/** Returns a filter for the unchanged claim: every change changes one of these fields. */
function asSeen({ _id, commandId, run, lease, answer }: Entry): Filter<Entry> {
  const unfinished = answer === null ? { answer: { $eq: null } } : {};
  return { _id: { $eq: _id }, commandId: { $eq: commandId }, run: { $eq: run }, lease: { $eq: lease }, ...unfinished };
}

function started({ commandId, began, run }: Entry): Begun {
  return { status: 'started', commandId, at: began, run };
}

function isOver(entry: Entry, now: number): boolean {
  return entry.began + KEPT_MS <= now && !isRunning(entry, now);
}

function isRunning({ holder, lease }: Entry, now: number): boolean {
  return holder !== null && lease > now;
}
