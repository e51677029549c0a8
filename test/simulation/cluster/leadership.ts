import type { NewEvent } from '../../../src/kernel/event.js';
import {
  type AppendResult,
  Conflict,
  type ExpectedRevision,
  StoreUnavailable,
} from '../../../src/kernel/event-store.js';
import { type Position, START } from '../../../src/kernel/position.js';
import type { MemoryEventStore } from '../../support/memory/event-store.js';
import type { SimulationRandom } from '../seeded-random.js';
import type { Timeline } from '../timeline.js';
import type { RunTrace } from '../trace.js';

/** The longest time for which a deposed leader answers reads. */
const MAX_DEPOSED_MS = 4_000;
/** The highest number of acknowledged events that a deposed leader lacks. */
const MAX_LACKING_EVENTS = 12;
const CONNECTED_PROBABILITY = 0.6;
const UNAWARE_PROBABILITY = 0.5;

/** A deposed leader and its shorter log. */
interface DeposedLeader {
  readonly end: Position;
  /** The time at which its connections are closed. */
  readonly until: number;
  /** Whether it does not know the new leader yet: it then accepts appends, loses them and answers none. */
  readonly isUnaware: boolean;
}

/** An append that only the leader has: clients cannot read it, but it counts for expected revisions. */
interface PreparedAppend {
  readonly stream: string;
  readonly revision: number;
  readonly events: readonly NewEvent[];
}

/** Tracks the leading node and the node to which each process is connected. */
export class Leadership {
  /** The deposed leader to which a process is connected; absent for a process connected to the leader. */
  private readonly deposed = new Map<string, DeposedLeader>();
  private prepared: PreparedAppend[] | null = null;

  constructor(
    private readonly log: MemoryEventStore,
    private readonly timeline: Timeline,
    private readonly random: SimulationRandom,
    private readonly trace: RunTrace,
  ) {}

  /**
   * Changes the leader. Some processes stay connected for a while to the deposed leader, which lacks the last events.
   */
  changeLeader(processes: readonly string[]): void {
    const end = this.log.log.at(-1 - this.random.integer(0, MAX_LACKING_EVENTS))?.position ?? START;
    const until = this.timeline.now + this.random.between(50, MAX_DEPOSED_MS);
    const led = processes.filter(() => this.random.chance(CONNECTED_PROBABILITY));
    const believes = this.random.chance(UNAWARE_PROBABILITY);
    for (const process of led) this.deposed.set(process, { end, until, isUnaware: believes });
    this.trace.log(`another node leads; ${led.join(', ')} read up to ${end} until ${until.toFixed(0)}`);
  }

  /** Stops acknowledgements for a while. Appends during this time are committed or truncated later. */
  loseMajority(ms: number): void {
    if (this.prepared !== null) return;
    this.trace.log(`the majority is lost for ${ms.toFixed(0)} ms`);
    this.prepared = [];
    this.timeline.after(ms, () => void this.recover());
  }

  /** Returns the end of the log on the process's node; null on the leader. */
  findEndFor(process: string): Position | null {
    const old = this.deposed.get(process);
    if (old !== undefined && old.until > this.timeline.now) return old.end;
    this.deposed.delete(process);
    return null;
  }

  /** Whether the process's node accepts an append and loses it. */
  losesAppendsOf(process: string): boolean {
    return this.findEndFor(process) !== null && this.deposed.get(process)!.isUnaware;
  }

  /** Connects the process to the leader. */
  connectToLeader(process: string): void {
    this.deposed.delete(process);
  }

  /** Resolves when the process's connection to a deposed leader is closed. */
  waitForDrop(process: string): Promise<void> {
    const left = (this.deposed.get(process)?.until ?? 0) - this.timeline.now;
    return new Promise((resolve) => this.timeline.after(left, resolve));
  }

  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult> {
    if (this.prepared === null) return this.log.append(stream, expected, events);
    const own = this.prepared.findLast((one) => one.stream === stream);
    const isSame = own?.events.some(({ id }) => id === events[0]!.id) ?? false;
    if (own !== undefined && !isSame && expected !== own.revision) throw new Conflict(stream, expected, own.revision);
    if (!isSame) await this.prepare(stream, expected, events);
    throw new StoreUnavailable('commit phase timeout', true);
  }

  /** @throws StoreUnavailable when nothing can be acknowledged */
  async getAcknowledged(): Promise<Position> {
    if (this.prepared !== null) throw new StoreUnavailable('commit phase timeout', false);
    return this.log.readHead();
  }

  /** Ends all faults: every process is connected to the leader, which has its majority. */
  async end(): Promise<void> {
    this.deposed.clear();
    await this.recover();
  }

  private async prepare(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<void> {
    const last = this.log.log.findLast((event) => event.stream === stream)?.revision ?? 'none';
    const before = this.prepared!.findLast((one) => one.stream === stream)?.revision ?? last;
    if (before !== expected) throw new Conflict(stream, expected, before);
    const revision = (expected === 'none' ? -1 : expected) + events.length;
    this.prepared!.push({ stream, revision, events: structuredClone(events) });
  }

  /** Commits a random prefix of the prepared appends, in order, and truncates the rest. */
  private async recover(): Promise<void> {
    const prepared = this.prepared ?? [];
    this.prepared = null;
    const committed = prepared.slice(0, this.random.integer(0, prepared.length));
    this.trace.log(`the majority is restored: ${committed.length} of ${prepared.length} appends are committed`);
    for (const { stream, revision, events } of committed) {
      const expected = revision - events.length;
      await this.log.append(stream, expected < 0 ? 'none' : expected, events);
    }
  }
}
