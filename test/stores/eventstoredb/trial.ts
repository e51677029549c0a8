import type { Expected, Filter } from '../../../src/kernel/event-store.js';
import { START, type Position } from '../../../src/kernel/position.js';
import { event, ids } from '../../contracts/events.js';
import type { SeededRandom } from '../../support/clock.js';
import { patiently, type House } from '../../support/eventstoredb/house.js';
import { timeout, unavailable } from '../../support/eventstoredb/messages.js';

const STREAMS = 20;
const LARGEST_APPEND = 60;
const LARGEST_PAGE = 200;

export class Luck {
  cuts = 0;

  constructor(private readonly random: SeededRandom) {}

  strikes(probability: number): boolean {
    return this.random.next() < probability;
  }

  upTo(count: number): number {
    return 1 + Math.floor(this.random.next() * count);
  }

  cut({ relay }: House): void {
    this.cuts++;
    relay.cut();
  }
}

/** Appends to several streams, and repeats what may not have arrived. */
export class Writer {
  lostAnswers = 0;

  constructor(
    private readonly house: House,
    private readonly luck: Luck,
  ) {}

  /** The ids of what it has written. */
  async write(count: number): Promise<ReadonlySet<string>> {
    const store = this.house.store();
    const revisions = new Map<string, Expected>();
    const given = new Set<string>();
    while (given.size < count) {
      const stream = `${this.luck.strikes(0.5) ? 'jar' : 'box'}-${this.luck.upTo(STREAMS)}`;
      const batch = Array.from({ length: Math.min(this.luck.upTo(LARGEST_APPEND), count - given.size) }, () => event());
      this.disturb();
      const expected = revisions.get(stream) ?? 'none';
      revisions.set(stream, (await patiently(() => store.append(stream, expected, batch))).revision);
      for (const { id } of batch) given.add(id);
    }
    return given;
  }

  private disturb(): void {
    if (this.luck.strikes(0.1)) this.house.server.log.appendSystemEvent();
    if (this.luck.strikes(0.01)) this.luck.cut(this.house);
    if (!this.luck.strikes(0.05)) return;
    this.lostAnswers++;
    const [refusal, isWritten] = [this.luck.strikes(0.5) ? unavailable() : timeout(), this.luck.strikes(0.7)];
    this.house.server.appendFaults.push((write) => {
      if (isWritten) void write();
      throw refusal;
    });
  }
}

/**
 * Applies each page and keeps its end with it in one step, as a database does; and begins there again after a crash.
 */
export class Consumer {
  readonly seen: string[] = [];
  crashes = 0;
  private checkpoint: Position = START;

  constructor(
    private readonly house: House,
    private readonly luck: Luck,
    private readonly filter: Filter | undefined,
  ) {}

  async consume(count: number): Promise<void> {
    for (; this.seen.length < count; this.crashes++) await this.live(count);
  }

  /** With a client of its own, from its checkpoint to a crash or to the end. */
  private async live(count: number): Promise<void> {
    const options = { after: this.checkpoint, max: this.luck.upTo(LARGEST_PAGE), ...(this.filter && { filter: this.filter }) };
    for await (const page of this.house.store().follow(options, AbortSignal.timeout(100_000))) {
      if (this.luck.strikes(0.01)) return;
      this.seen.push(...ids(page.events));
      this.checkpoint = page.next;
      if (this.seen.length >= count || this.luck.strikes(0.01)) return;
      if (this.luck.strikes(0.02)) this.luck.cut(this.house);
    }
  }
}
