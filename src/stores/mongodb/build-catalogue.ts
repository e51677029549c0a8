import type { Collection, Db } from 'mongodb';
import { BuildCatalogue, type CatalogueEntry } from '../../kernel/build-catalogue.js';
import { READ_TIMEOUT } from './connections.js';
import { insertIfAbsent, translateOutages } from './failures.js';

interface EntryRow {
  readonly _id: string;
  readonly revision: number;
  readonly value: string;
}

export class MongoBuildCatalogue extends BuildCatalogue {
  private readonly entries: Collection<EntryRow>;

  constructor(db: Db) {
    super();
    this.entries = db.collection('catalogue');
  }

  async listEntries(): Promise<CatalogueEntry[]> {
    const found = await translateOutages(() => this.entries.find({}, { sort: { _id: 1 }, ...READ_TIMEOUT }).toArray());
    return found.map(({ _id, revision, value }) => ({ name: _id, revision, value: JSON.parse(value) as object }));
  }

  compareAndSetEntry(name: string, expected: number, value: object): Promise<boolean> {
    const entry = { revision: expected + 1, value: JSON.stringify(value) };
    return translateOutages(async () => {
      if (expected === 0) return insertIfAbsent(() => this.entries.insertOne({ _id: name, ...entry }));
      const { matchedCount } = await this.entries.updateOne(
        { _id: { $eq: name }, revision: { $eq: expected } },
        { $set: entry },
      );
      return matchedCount > 0;
    });
  }
}
