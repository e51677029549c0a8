import type { Clock } from '../../src/kernel/clock.js';
import type { Position } from '../../src/kernel/position.js';
import type { Projection } from '../../src/kernel/projection.js';
import { MemoryReadModels } from '../support/memory/read-models.js';
import type { MemoryEventStore } from '../support/memory/event-store.js';
import { Ledger } from './ledger.js';

/** Read models that look, whenever a checkpoint moves, whether everything up to there is in the documents. */
export class WatchedReadModels extends MemoryReadModels {
  /** What was found, one sentence each. */
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

  /** I5. */
  private async look(name: string, before: Position): Promise<string[]> {
    const now = await this.checkpoint(name);
    if (now < before) return [`the checkpoint of ${name} went back from ${before} to ${now}`];
    const ledger = this.ledgerOf(name);
    if (ledger === null) return [];
    const due = ledger.upTo(now, this.events.log);
    const rows = new Map((await this.load(name, [...due.keys()])).map(({ id, position }) => [id, position]));
    return [...due]
      .filter(([id, position]) => (rows.get(id) ?? '') < position)
      .map(([id, position]) => `the checkpoint of ${name} is at ${now}, and ${id} has not seen ${position}`);
  }

  /** Null for a reactor's. */
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
