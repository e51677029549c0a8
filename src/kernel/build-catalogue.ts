/**
 * The record of a projection's builds. It is changed as a whole, and only by a writer that has read its last
 * revision.
 */
export interface CatalogueEntry {
  /** `products@1`. */
  readonly name: string;
  /** Starts at 1 and grows by one with every change. */
  readonly revision: number;
  readonly value: object;
}

/** The builds of all projections, an entry for each version. Reads and writes are as durable as those of `ReadModels`. */
export abstract class BuildCatalogue {
  /** Lists every entry, ordered by name. */
  abstract listEntries(): Promise<CatalogueEntry[]>;
  /** Replaces one entry if its revision is `expected` (0: if it is missing). False otherwise. */
  abstract compareAndSetEntry(name: string, expected: number, value: object): Promise<boolean>;
}
