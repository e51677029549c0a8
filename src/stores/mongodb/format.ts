import type { Collection, Db } from 'mongodb';
import type { Format } from '../ports.js';
import { NewerStore } from '../newer-store.js';
import { reach, unlessDuplicate } from './failures.js';

/** Raised with every change of what is stored here that older code misreads or breaks. Older code then stops. */
const FORMAT = 3;
const ID = 'store';

interface FormatRow {
  readonly _id: string;
  readonly format: number;
}

/** The mark of the newest code that has run on the database. Without one, none has that knew of marks. */
export class MongoFormat implements Format {
  readonly known = FORMAT;
  private readonly marks: Collection<FormatRow>;

  constructor(db: Db) {
    this.marks = db.collection('format');
  }

  async read(): Promise<number> {
    return (await reach(() => this.marks.findOne({ _id: { $eq: ID } })))?.format ?? 0;
  }

  /** From now on the store has at least this code's format. @throws NewerStore, StoreUnavailable */
  async raise(): Promise<void> {
    const write = () =>
      this.marks.findOneAndUpdate({ _id: { $eq: ID } }, { $max: { format: FORMAT } }, { upsert: true, returnDocument: 'after' });
    const row = await reach(async () => (await unlessDuplicate(write)) ?? (await write()));
    if (row!.format > FORMAT) throw new NewerStore(row!.format);
  }
}
