import { DEAD_LETTERS } from '../../src/engine/projecting/dead-letters.js';
import type { SkipEvent } from '../../src/engine/projecting/skips.js';
import type { Clock } from '../../src/kernel/clock.js';
import type { RecordedOf } from '../../src/kernel/event.js';
import type { Position } from '../../src/kernel/position.js';
import type { Projection } from '../../src/kernel/projection.js';
import type { CatalogueEntry, Row } from '../../src/kernel/read-models.js';
import { MemoryReadModels, type Lease } from '../support/memory/read-models.js';
import type { MemoryEventStore } from '../support/memory/event-store.js';
import { Ledger } from './ledger.js';

export interface Copied {
  readonly collections: ReadonlyMap<string, Map<string, Row>>;
  readonly checkpoints: ReadonlyMap<string, Position>;
  readonly leases: ReadonlyMap<string, Lease>;
  readonly entries: ReadonlyMap<string, CatalogueEntry>;
}

/** Read models that check, whenever a checkpoint moves, that the documents contain all events up to it. */
export class WatchedReadModels extends MemoryReadModels {
  /** The violations found, a sentence each. */
  readonly breaches: string[] = [];
  private readonly ledgers = new Map<string, Ledger>();

  constructor(
    clock: Clock,
    private readonly events: MemoryEventStore,
    private readonly projections: () => readonly Projection<object>[],
  ) {
    super(clock);
  }

  override async advance(checkpoints: Readonly<Record<string, Position>>): Promise<void> {
    const before = await Promise.all(Object.keys(checkpoints).map(async (name) => [name, await this.checkpoint(name)] as const));
    await super.advance(checkpoints);
    for (const [name, position] of before) this.breaches.push(...(await this.look(name, position)));
  }

  /** Checks I5 for one checkpoint. */
  private async look(name: string, before: Position): Promise<string[]> {
    const now = await this.checkpoint(name);
    if (now < before) return [`the checkpoint of ${name} went back from ${before} to ${now}`];
    const ledger = this.ledgerOf(name);
    if (ledger === null) return [];
    const due = ledger.upTo(now, this.events.log);
    const rows = new Map((await this.load(name, [...due.keys()])).map(({ id, position }) => [id, position]));
    const missing = [...due].filter(([id, position]) => (rows.get(id) ?? '') < position);
    const setAside = await this.setAside(name, missing);
    return missing
      .filter(([id]) => !setAside.has(id))
      .map(([id, position]) => `the checkpoint of ${name} is at ${now}but ${id} lacks the event at ${position}`);
  }

  /** Returns the documents for which one of these events is or was a dead letter, and those with a skipped event. */
  private async setAside(name: string, events: readonly (readonly [id: string, position: Position])[]): Promise<ReadonlySet<string>> {
    if (events.length === 0) return new Set();
    const letters = new Map(events.map(([id, position]) => [`${name}:${id}:${position}`, id]));
    const rows = await this.load(DEAD_LETTERS, [...letters.keys()]);
    const skips = (this.events.log as readonly RecordedOf<SkipEvent>[]).filter(({ type }) => type === 'EventSkipped');
    const skipped = skips.filter(({ data }) => name.startsWith(`${data.projection}@`)).map(({ data }) => data.document!);
    return new Set([...rows.map(({ id }) => letters.get(id)!), ...skipped]);
  }

  /** Copies all data, as a backup does. */
  copied(): Copied {
    const { collections, checkpoints, leases, entries } = this;
    return structuredClone({ collections, checkpoints, leases, entries });
  }

  /** Restores the data of a copy. */
  bringBack(copy: Copied): void {
    const { collections, checkpoints, leases, entries } = structuredClone(copy);
    refill(this.collections, collections);
    refill(this.checkpoints, checkpoints);
    refill(this.leases, leases);
    refill(this.entries, entries);
    this.ledgers.clear();
  }

  /** Returns every row of every build of a projection. */
  rowsOf(collection: string): (Row & { readonly build: string })[] {
    return [...this.collections]
      .filter(([name]) => name.startsWith(`${collection}#`))
      .flatMap(([build, rows]) => [...rows.values()].map((row) => ({ ...row, build })));
  }

  /** Returns the reference fold of a checkpoint's build; null for a reactor's checkpoint. */
  private ledgerOf(name: string): Ledger | null {
    const kept = this.ledgers.get(name);
    if (kept !== undefined) return kept;
    const projection = this.projections().find((one) => name.split('#')[0] === `${one.name}@${one.version}`);
    if (projection === undefined) return null;
    const ledger = new Ledger(projection);
    this.ledgers.set(name, ledger);
    return ledger;
  }
}

function refill<V>(map: Map<string, V>, values: ReadonlyMap<string, V>): void {
  map.clear();
  for (const [key, value] of values) map.set(key, value);
}
