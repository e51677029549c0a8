import { Binary, type Collection, type Db, MongoServerError } from 'mongodb';
import { Vault, type VaultEntry } from '../../kernel/vault.js';
import { READ_TIMEOUT } from './connections.js';
import { insertIfAbsent, nullOnDuplicate, translateOutages } from './failures.js';

/** The error code of a server without a replica set for a linearizable read. */
const NOT_A_REPLICA_SET = 123;

interface VaultRow {
  readonly _id: string;
  /** Null after it was destroyed. */
  readonly sealed: Binary | null;
}

export class MongoVault extends Vault {
  private readonly vault: Collection<VaultRow>;

  constructor(db: Db) {
    super();
    this.vault = db.collection('vault');
  }

  async putIfAbsent(id: string, encrypted: Uint8Array): Promise<Uint8Array | null> {
    const kept = await translateOutages(() => this.insertOrRead(id, new Binary(encrypted)));
    return toBytes(kept);
  }

  async get(id: string): Promise<Uint8Array | null> {
    return toBytes(
      await translateOutages(
        async () => (await this.vault.findOne({ _id: { $eq: id } })) ?? (await this.readLinearizable(id)),
      ),
    );
  }

  async replace(id: string, before: Uint8Array, after: Uint8Array): Promise<boolean> {
    const same = { _id: { $eq: id }, sealed: { $eq: new Binary(before) } };
    return (
      (await translateOutages(() => this.vault.updateOne(same, { $set: { sealed: new Binary(after) } }))).matchedCount >
      0
    );
  }

  async destroy(id: string): Promise<void> {
    const change = () => this.vault.updateOne({ _id: { $eq: id } }, { $set: { sealed: null } }, { upsert: true });
    await translateOutages(async () => (await nullOnDuplicate(change)) ?? (await change()));
  }

  async listEntries(after: string, limit: number): Promise<VaultEntry[]> {
    const options = { sort: { _id: 1 }, limit, batchSize: limit, ...READ_TIMEOUT } as const;
    const rows = await translateOutages(() => this.vault.find({ _id: { $gt: after } }, options).toArray());
    return rows.map((row) => ({ id: row._id, encrypted: toBytes(row) }));
  }

  /**
   * Reads with the consent of a majority. A deposed primary returns old data until it learns of the new one: it would
   * report a newer secret as destroyed.
   */
  private async readLinearizable(id: string): Promise<VaultRow | null> {
    try {
      return await this.vault.findOne(
        { _id: { $eq: id } },
        { readConcern: { level: 'linearizable' }, ...READ_TIMEOUT },
      );
    } catch (error) {
      // A single server is its own majority.
      if (error instanceof MongoServerError && error.code === NOT_A_REPLICA_SET) return null;
      throw error;
    }
  }

  /**
   * Inserts, because some servers lose one of several concurrent upserts: a returned key that is not stored would make
   * its data unreadable. The value of another process is read by a write, so that it is on the disks of a majority.
   */
  private async insertOrRead(id: string, sealed: Binary): Promise<VaultRow | null> {
    if (await insertIfAbsent(() => this.vault.insertOne({ _id: id, sealed }))) return { _id: id, sealed };
    return this.vault.findOneAndUpdate({ _id: { $eq: id } }, { $setOnInsert: { sealed } }, { returnDocument: 'after' });
  }
}

function toBytes(row: VaultRow | null): Uint8Array | null {
  return row?.sealed ? Uint8Array.from(row.sealed.value()) : null;
}
