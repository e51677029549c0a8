import type { ExpectedRevision, StreamFilter } from '../../../src/kernel/event-store.js';
import { type Position, START } from '../../../src/kernel/position.js';
import { createEvent, pickIds } from '../../contracts/events.js';
import type { SeededRandom } from '../../support/clock.js';
import { createTimeoutError, createUnavailableError } from '../../support/eventstoredb/messages.js';
import { retryWhileUnavailable, type ServerFixture } from '../../support/eventstoredb/server-fixture.js';

const STREAMS = 20;
const LARGEST_APPEND = 60;
const LARGEST_PAGE = 200;
/** Faults are drawn per event, because a busy machine reads fewer and larger pages. */
const EVENTS_PER_CRASH = 500;
const EVENTS_PER_CUT = 1_000;

export class FaultPlan {
  cuts = 0;

  constructor(private readonly random: SeededRandom) {}

  happens(probability: number): boolean {
    return this.random.next() < probability;
  }

  drawUpTo(count: number): number {
    return 1 + Math.floor(this.random.next() * count);
  }

  cutConnections({ proxy }: ServerFixture): void {
    this.cuts++;
    proxy.resetConnections();
  }
}

/** Appends to several streams, and repeats what may not have arrived. */
export class Writer {
  lostResponses = 0;

  constructor(
    private readonly fixture: ServerFixture,
    private readonly faults: FaultPlan,
  ) {}

  /** The ids of what it has written. */
  async write(count: number): Promise<ReadonlySet<string>> {
    const store = this.fixture.openStore();
    const revisions = new Map<string, ExpectedRevision>();
    const given = new Set<string>();
    while (given.size < count) {
      const stream = `${this.faults.happens(0.5) ? 'jar' : 'box'}-${this.faults.drawUpTo(STREAMS)}`;
      const batch = Array.from({ length: Math.min(this.faults.drawUpTo(LARGEST_APPEND), count - given.size) }, () =>
        createEvent(),
      );
      this.disturb();
      const expected = revisions.get(stream) ?? 'none';
      revisions.set(stream, (await retryWhileUnavailable(() => store.append(stream, expected, batch))).revision);
      for (const { id } of batch) given.add(id);
    }
    return given;
  }

  private disturb(): void {
    if (this.faults.happens(0.1)) this.fixture.server.log.appendSystemEvent();
    if (this.faults.happens(0.05)) this.faults.cutConnections(this.fixture);
    if (!this.faults.happens(0.12)) return;
    this.lostResponses++;
    const [refusal, isWritten] = [
      this.faults.happens(0.5) ? createUnavailableError() : createTimeoutError(),
      this.faults.happens(0.7),
    ];
    this.fixture.server.appendFaults.push((write) => {
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
    private readonly fixture: ServerFixture,
    private readonly faults: FaultPlan,
    private readonly filter: StreamFilter | undefined,
  ) {}

  async consume(count: number): Promise<void> {
    for (; this.seen.length < count; this.crashes++) await this.runUntilCrash(count);
  }

  /** With a client of its own, from its checkpoint to a crash or to the end. */
  private async runUntilCrash(count: number): Promise<void> {
    const options = {
      after: this.checkpoint,
      max: this.faults.drawUpTo(LARGEST_PAGE),
      ...(this.filter && { filter: this.filter }),
    };
    for await (const page of this.fixture.openStore().follow(options, AbortSignal.timeout(100_000))) {
      const { length } = page.events;
      if (this.faults.happens(length / EVENTS_PER_CRASH)) return;
      this.seen.push(...pickIds(page.events));
      this.checkpoint = page.next;
      if (this.seen.length >= count || this.faults.happens(length / EVENTS_PER_CRASH)) return;
      if (this.faults.happens(length / EVENTS_PER_CUT)) this.faults.cutConnections(this.fixture);
    }
  }
}
