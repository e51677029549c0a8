import type { Collection, Db, Filter } from 'mongodb';
import { StoreUnavailable } from '../../kernel/event-store.js';
import {
  type ClaimRequest,
  type ClaimResult,
  Idempotency,
  type IdempotencyKey,
  type StoredClaim,
  type StoredResponse,
} from '../../kernel/idempotency.js';
import { newUuid } from '../../kernel/ids.js';
import { LEASE_CLOCK_MARGIN_MS } from '../../kernel/leases.js';
import { READ_TIMEOUT } from './connections.js';
import { findDuplicates, insertIfAbsent, translateOutages } from './failures.js';
import type { StoreTime } from './server-time.js';
import { UNORDERED } from './upserts.js';

const RETENTION_MS = 24 * 3_600_000;
const SWEEP_BATCH = 1_000;
/** The number of attempts to change a claim that other processes change concurrently. */
const MAX_ATTEMPTS = 10;

interface ClaimRow {
  readonly _id: string;
  readonly fingerprint: string;
  readonly commandId: string;
  readonly began: number;
  readonly run: number;
  readonly holder: string | null;
  readonly lease: number;
  readonly answer: StoredResponse | null;
}

export class MongoIdempotency extends Idempotency {
  private readonly rows: Collection<ClaimRow>;

  constructor(
    db: Db,
    private readonly time: StoreTime,
  ) {
    super();
    this.rows = db.collection('idempotency');
  }

  async claim(key: IdempotencyKey, claim: ClaimRequest): Promise<ClaimResult> {
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
      const now = await this.time.now();
      const result = await translateOutages(() => this.tryClaim(createRow(key, claim, now), claim, now));
      if (result !== null) return result;
    }
    throw new StoreUnavailable('the idempotency key changed during every attempt to claim it', false);
  }

  async complete(key: IdempotencyKey, commandId: string, { status, body }: StoredResponse): Promise<StoredResponse> {
    const answer = { status, body };
    const ofCommand = { _id: { $eq: rowIdOf(key) }, commandId: { $eq: commandId } };
    const change = { $set: { answer, holder: null, lease: 0 } };
    const { matchedCount } = await translateOutages(() =>
      this.rows.updateOne({ ...ofCommand, answer: { $eq: null } }, change),
    );
    return matchedCount > 0 ? answer : ((await translateOutages(() => this.rows.findOne(ofCommand)))?.answer ?? answer);
  }

  async release(key: IdempotencyKey, commandId: string, run: number): Promise<void> {
    await translateOutages(() => this.rows.deleteOne(toHeldFilter(key, commandId, run)));
  }

  async suspend(key: IdempotencyKey, commandId: string, run: number): Promise<void> {
    await translateOutages(() =>
      this.rows.updateOne(toHeldFilter(key, commandId, run), { $set: { holder: null, lease: 0 } }),
    );
  }

  async listClaims(after: IdempotencyKey | null, limit: number): Promise<StoredClaim[]> {
    const began = { $gt: (await this.time.now()) - RETENTION_MS };
    const beyond = after === null ? {} : { _id: { $gt: rowIdOf(after) } };
    const options = { sort: { _id: 1 }, limit, batchSize: limit, ...READ_TIMEOUT } as const;
    return (await translateOutages(() => this.rows.find({ began, ...beyond }, options).toArray())).map(toStoredClaim);
  }

  async restore(claims: readonly StoredClaim[]): Promise<void> {
    if (claims.length > 0)
      await translateOutages(() => findDuplicates(() => this.rows.insertMany(claims.map(toRow), UNORDERED)));
  }

  /** Deletes claims that are older than a day and not running. Claiming a key does not depend on it. */
  async sweep(): Promise<void> {
    const now = await this.time.now();
    const hasEnded = { $or: [{ lease: { $lte: now } }, { lease: { $gt: now + LEASE_CLOCK_MARGIN_MS } }] };
    const over = { began: { $lte: now - RETENTION_MS }, ...hasEnded };
    const options = { projection: { _id: 1 }, sort: { began: 1 }, limit: SWEEP_BATCH, ...READ_TIMEOUT } as const;
    for (let swept = SWEEP_BATCH; swept === SWEEP_BATCH;) {
      const rows = await translateOutages(() => this.rows.find(over, options).toArray());
      swept = rows.length;
      if (swept > 0)
        await translateOutages(() => this.rows.deleteMany({ ...over, _id: { $in: rows.map(({ _id }) => _id) } }));
    }
  }

  /** Returns null when another process changed the claim first. */
  private async tryClaim(first: ClaimRow, claim: ClaimRequest, now: number): Promise<ClaimResult | null> {
    if (await insertIfAbsent(() => this.rows.insertOne(first))) return toStarted(first);
    const entry = await this.rows.findOne({ _id: { $eq: first._id } });
    if (entry === null) return null;
    if (isExpired(entry, now)) return this.replaceRow(entry, first);
    if (entry.fingerprint !== claim.fingerprint) return { status: 'conflict' };
    if (entry.answer !== null) return { status: 'completed', response: entry.answer };
    if (isRunning(entry, now)) return { status: 'in_progress' };
    return this.replaceRow(entry, { ...entry, run: entry.run + 1, holder: claim.holder, lease: now + claim.leaseMs });
  }

  private async replaceRow(seen: ClaimRow, next: ClaimRow): Promise<ClaimResult | null> {
    const { matchedCount } = await this.rows.replaceOne(toUnchangedFilter(seen), next);
    return matchedCount > 0 ? toStarted(next) : null;
  }
}

function createRow(key: IdempotencyKey, { fingerprint, leaseMs, holder }: ClaimRequest, now: number): ClaimRow {
  return {
    _id: rowIdOf(key),
    fingerprint,
    commandId: newUuid(),
    began: now,
    run: 1,
    holder,
    lease: now + leaseMs,
    answer: null,
  };
}

function toStoredClaim({ _id, fingerprint, commandId, began: at, run, answer }: ClaimRow): StoredClaim {
  const [scope, key] = JSON.parse(_id) as [string, string];
  return { scope, key, fingerprint, commandId, at, run, response: answer };
}

function toRow({ fingerprint, commandId, at: began, run, response: answer, ...key }: StoredClaim): ClaimRow {
  return { _id: rowIdOf(key), fingerprint, commandId, began, run, holder: null, lease: 0, answer };
}

function rowIdOf({ scope, key }: IdempotencyKey): string {
  return JSON.stringify([scope, key]);
}

function toHeldFilter(key: IdempotencyKey, commandId: string, run: number): Filter<ClaimRow> {
  const ofRun = { _id: { $eq: rowIdOf(key) }, commandId: { $eq: commandId }, run: { $eq: run } };
  return { ...ofRun, holder: { $ne: null }, answer: { $eq: null } };
}

/** Returns a filter for the unchanged claim: every change changes one of these fields. */
function toUnchangedFilter({ _id, commandId, run, lease, answer }: ClaimRow): Filter<ClaimRow> {
  const unfinished = answer === null ? { answer: { $eq: null } } : {};
  return { _id: { $eq: _id }, commandId: { $eq: commandId }, run: { $eq: run }, lease: { $eq: lease }, ...unfinished };
}

function toStarted({ commandId, began, run }: ClaimRow): ClaimResult {
  return { status: 'started', commandId, at: began, run };
}

function isExpired(entry: ClaimRow, now: number): boolean {
  return entry.began + RETENTION_MS <= now && !isRunning(entry, now);
}

/** A lease that ends later was taken while the clock was ahead: it has ended. */
function isRunning({ holder, lease }: ClaimRow, now: number): boolean {
  return holder !== null && lease > now && lease <= now + LEASE_CLOCK_MARGIN_MS;
}
