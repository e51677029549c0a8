import { BuildCatalogue, type CatalogueEntry } from '../../kernel/build-catalogue.js';
import type { CommitQueue } from './commit-queue.js';
import type { Reader } from './reader.js';

interface EntryRow extends Omit<CatalogueEntry, 'value'> {
  readonly value: string;
}

export class EmbeddedBuildCatalogue extends BuildCatalogue {
  /** The entries of the last read by their text: they rarely change and are read twice a second. */
  private parsed: ReadonlyMap<string, object> = new Map();

  constructor(
    private readonly queue: CommitQueue,
    private readonly reader: Reader,
  ) {
    super();
  }

  async listEntries(): Promise<CatalogueEntry[]> {
    const rows = await this.reader.read((sql) =>
      sql.all<EntryRow>('select name, revision, value from catalogue order by name'),
    );
    const parsed = new Map(rows.map(({ value }) => [value, this.parsed.get(value) ?? (JSON.parse(value) as object)]));
    this.parsed = parsed;
    return rows.map(({ name, revision, value }) => ({ name, revision, value: parsed.get(value)! }));
  }

  compareAndSetEntry(name: string, expected: number, value: object): Promise<boolean> {
    return this.queue.run('compareAndSetEntry', name, expected, JSON.stringify(value));
  }
}
