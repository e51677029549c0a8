import { DEAD_LETTERS } from '../../src/engine/projections/dead-letters.js';
import type { SkipEvent } from '../../src/engine/projections/skips.js';
import type { CatalogueEntry } from '../../src/kernel/build-catalogue.js';
import type { Clock } from '../../src/kernel/clock.js';
import type { RecordedOf } from '../../src/kernel/event.js';
import type { Position } from '../../src/kernel/position.js';
import type { Projection } from '../../src/kernel/projection.js';
import type { Row } from '../../src/kernel/read-models.js';
import type { MemoryEventStore } from '../support/memory/event-store.js';
import { type MemoryLease, MemoryReadModels } from '../support/memory/read-models.js';
import { ReferenceFold } from './reference-fold.js';

export interface ReadModelsCopy {
  readonly collections: ReadonlyMap<string, Map<string, Row>>;
  readonly checkpoints: ReadonlyMap<string, Position>;
  readonly leases: ReadonlyMap<string, MemoryLease>;
  readonly entries: ReadonlyMap<string, CatalogueEntry>;
}

/** Read models that check, whenever a checkpoint moves, that the documents contain all events up to it. */
export class CheckedReadModels extends MemoryReadModels {
  /** The violations found, a sentence each. */
  readonly violations: string[] = [];
  private readonly referenceFolds = new Map<string, ReferenceFold>();

  constructor(
    clock: Clock,
    private readonly events: MemoryEventStore,
    private readonly projections: () => readonly Projection<object>[],
  ) {
    super(clock);
  }

  override async advanceCheckpoints(checkpoints: Readonly<Record<string, Position>>): Promise<void> {
    const before = await Promise.all(
      Object.keys(checkpoints).map(async (name) => [name, await this.readCheckpoint(name)] as const),
    );
    await super.advanceCheckpoints(checkpoints);
    for (const [name, position] of before) this.violations.push(...(await this.check(name, position)));
  }

  /** Checks I5 for one checkpoint. */
  private async check(name: string, before: Position): Promise<string[]> {
    const now = await this.readCheckpoint(name);
    if (now < before) return [`the checkpoint of ${name} went back from ${before} to ${now}`];
    const ledger = this.getReferenceFold(name);
    if (ledger === null) return [];
    const due = ledger.advanceTo(now, this.events.log);
    const rows = new Map((await this.load(name, [...due.keys()])).map(({ id, position }) => [id, position]));
    const missing = [...due].filter(([id, position]) => (rows.get(id) ?? '') < position);
    const setAside = await this.findSetAside(name, missing);
    return missing
      .filter(([id]) => !setAside.has(id))
      .map(([id, position]) => `the checkpoint of ${name} is at ${now}but ${id} lacks the event at ${position}`);
  }

  /** Returns the documents for which one of these events is or was a dead letter, and those with a skipped event. */
  private async findSetAside(
    name: string,
    events: readonly (readonly [id: string, position: Position])[],
  ): Promise<ReadonlySet<string>> {
    if (events.length === 0) return new Set();
    const rows = [...(this.collections.get(DEAD_LETTERS)?.values() ?? [])];
    const deadLetters = events.filter(([id, position]) =>
      rows.some((row) => isBetween(readFirstPosition(row, `${name}:${id}:`), position, row.position)),
    );
    const skips = (this.events.log as readonly RecordedOf<SkipEvent>[]).filter(({ type }) => type === 'EventSkipped');
    const skipped = skips
      .filter(({ data }) => name.startsWith(`${data.projection}@`))
      .map(({ data }) => data.document!);
    return new Set([...deadLetters.map(([id]) => id), ...skipped]);
  }

  /** Extends every lease, as its holder does while time passes. */
  extendLeases(ms: number): void {
    for (const [name, lease] of this.leases)
      if (lease.holder !== null) this.leases.set(name, { ...lease, ends: lease.ends + ms });
  }

  /** Copies all data, as a backup does. */
  copy(): ReadModelsCopy {
    const { collections, checkpoints, leases, entries } = this;
    return structuredClone({ collections, checkpoints, leases, entries });
  }

  /** Restores the data of a copy. */
  restoreCopy(copy: ReadModelsCopy): void {
    const { collections, checkpoints, leases, entries } = structuredClone(copy);
    refill(this.collections, collections);
    refill(this.checkpoints, checkpoints);
    refill(this.leases, leases);
    refill(this.entries, entries);
    this.referenceFolds.clear();
  }

  /** Returns every row of every build of a projection. */
  getBuildRows(collection: string): (Row & { readonly build: string })[] {
    return [...this.collections]
      .filter(([name]) => name.startsWith(`${collection}#`))
      .flatMap(([build, rows]) => [...rows.values()].map((row) => ({ ...row, build })));
  }

  /** Returns the reference fold of a checkpoint's build; null for a reactor's checkpoint. */
  private getReferenceFold(name: string): ReferenceFold | null {
    const kept = this.referenceFolds.get(name);
    if (kept !== undefined) return kept;
    const projection = this.projections().find((one) => name.split('#')[0] === `${one.name}@${one.version}`);
    if (projection === undefined) return null;
    const ledger = new ReferenceFold(projection);
    this.referenceFolds.set(name, ledger);
    return ledger;
  }
}

/** Returns the position in the id of a dead letter of this document: a tombstone has no document to read it from. */
function readFirstPosition({ id }: Row, prefix: string): Position | null {
  return id.startsWith(prefix) ? id.slice(prefix.length) : null;
}

function isBetween(first: Position | null, position: Position, last: Position): boolean {
  return first !== null && first <= position && position <= last;
}

function refill<V>(map: Map<string, V>, values: ReadonlyMap<string, V>): void {
  map.clear();
  for (const [key, value] of values) map.set(key, value);
}
