import type { Collection, Db } from 'mongodb';
import { NewerStore } from '../newer-store.js';
import type { StorageFormat } from '../ports.js';
import { nullOnDuplicate, translateOutages } from './failures.js';

/** Raised with every change of the stored data that older code would misread or damage. Older code then stops. */
const FORMAT = 5;
const ID = 'store';

interface FormatRow {
  readonly _id: string;
  readonly format: number;
}

/** The storage format of the newest code that has run on the database; 0 when no code with this check has run on it. */
export class MongoFormat implements StorageFormat {
  readonly supported = FORMAT;
  private readonly rows: Collection<FormatRow>;

  constructor(db: Db) {
    this.rows = db.collection('format');
  }

  async read(): Promise<number> {
    return (await translateOutages(() => this.rows.findOne({ _id: { $eq: ID } })))?.format ?? 0;
  }

  /** Raises the stored format to the format of this code. @throws NewerStore, StoreUnavailable */
  async raise(): Promise<void> {
    const write = () =>
      this.rows.findOneAndUpdate(
        { _id: { $eq: ID } },
        { $max: { format: FORMAT } },
        { upsert: true, returnDocument: 'after' },
      );
    const row = await translateOutages(async () => (await nullOnDuplicate(write)) ?? (await write()));
    if (row!.format > FORMAT) throw new NewerStore(row!.format);
  }
}
