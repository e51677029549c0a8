import type { BusinessClock } from '../../kernel/business-clock.js';
import { type Clock, type Random, toIso } from '../../kernel/clock.js';
import { passCrashPoint } from '../../kernel/crash-points.js';
import type { Fact, NewEvent } from '../../kernel/event.js';
import { type AppendResult, Conflict, type EventStore, StoreUnavailable } from '../../kernel/event-store.js';
import { idOf } from '../../kernel/ids.js';
import { Rejection } from '../../kernel/rejection.js';
import { type CommandRun, toNewEvents, toRecorded } from './new-events.js';
import { createOutcome, createRepeatedOutcome, type Outcome } from './outcome.js';
import type { StreamCache } from './stream-cache.js';
import { applyEvents, findLastRevision, type StreamSnapshot } from './stream-snapshot.js';

const MAX_DECISIONS = 5;
const MAX_APPENDS = 4;
/** Time after which no append is retried: the caller waits for an answer. */
const RETRY_TIMEOUT_MS = 5_000;
const RETRY_BASE_MS = 5;
/** Maximum delay between two reads of events that are not visible yet. */
const MAX_POLL_MS = 250;

interface ExecutionTools {
  /** Null: every decision is made by real time. */
  readonly businessClock: BusinessClock | null;
  readonly store: EventStore;
  readonly cache: StreamCache;
  readonly clock: Clock;
  readonly random: Random;
}

/** Executes one command on its stream: load, decide, append, and again after a conflict. */
export class CommandExecution<S, C, E extends Fact> {
  /** The time of a decision by the clock of a business; null for a decision by real time. */
  private businessTime: string | null = null;

  constructor(
    private readonly run: CommandRun<S, C, E>,
    private readonly tools: ExecutionTools,
  ) {}

  /** Decides first on the cached state: it is usually current, and the append detects when it is not. */
  async execute(): Promise<Outcome<S>> {
    if (this.run.decider.clock === 'business') this.businessTime = await this.readBusinessTime();
    const cached = await this.tryCached();
    if (cached !== null && !(cached instanceof Conflict)) return cached;

    const { stream, context } = this.run;
    let conflict = cached;
    for (let decisions = cached === null ? 1 : 2; ; decisions++) {
      const snapshot = await this.loadPastConflict(conflict);
      const before = findLastRevision(snapshot, context.commandId);
      if (before !== undefined) return createRepeatedOutcome(this.tools.cache, this.run, snapshot, before);

      const events = this.decide(snapshot.state);
      if (events.length === 0)
        return createOutcome(this.tools.cache, stream, snapshot, { recorded: [], repeated: false });

      const outcome = await this.record(snapshot, events);
      if (!(outcome instanceof Conflict)) return outcome;
      conflict = outcome;
      if (decisions === MAX_DECISIONS)
        throw new Rejection('concurrent_update', 'The resource was changed at the same time. Try again.');
      await this.waitToRetry(decisions);
    }
  }

  /**
   * Decides on the cached state. Returns null when the stream has to be read first: only an append is decided on cached
   * state; a refused, silent or repeated command is decided on the stream.
   */
  private async tryCached(): Promise<Outcome<S> | Conflict | null> {
    const { decider, stream, context } = this.run;
    const snapshot = this.tools.cache.get(decider, stream);
    if (snapshot.stale || findLastRevision(snapshot, context.commandId) !== undefined) return null;

    const events = this.decideOrNothing(snapshot.state);
    return events.length === 0 ? null : this.record(snapshot, events);
  }

  private decideOrNothing(state: S): readonly NewEvent[] {
    try {
      return this.decide(state);
    } catch {
      return [];
    }
  }

  private decide(state: S): readonly NewEvent[] {
    const { decider, command, context } = this.run;
    const recordedAt = toIso(this.tools.clock.now());
    const now = this.businessTime ?? recordedAt;
    let drawn = 0;
    const createId = (prefix: string) => idOf(prefix, context.at, context.commandId, drawn++);
    return toNewEvents(decider.decide(command, state, { now, createId }), this.run, recordedAt);
  }

  private async readBusinessTime(): Promise<string | null> {
    const { context } = this.run;
    if (context.mode === 'live' || context.now !== undefined) return context.now ?? null;
    return (await this.tools.businessClock?.now(context)) ?? null;
  }

  /**
   * Loads the stream up to the event that caused the conflict. A store may count an append that is not visible yet,
   * perhaps of an earlier run of this command. No decision is made before that event can be read.
   */
  private async loadPastConflict(conflict: Conflict | null): Promise<StreamSnapshot<S>> {
    const { decider, stream } = this.run;
    const { cache, clock } = this.tools;
    const began = clock.monotonic();
    for (let loads = 1; ; loads++) {
      const snapshot = await cache.load(decider, stream);
      if (conflict === null || conflict.actual === 'none' || snapshot.revision >= conflict.actual) return snapshot;
      if (clock.monotonic() - began >= RETRY_TIMEOUT_MS)
        throw new StoreUnavailable(`${stream}: revision ${conflict.actual} cannot be read yet`, true, {
          cause: conflict,
        });
      await this.waitToRetry(loads, MAX_POLL_MS);
    }
  }

  /** Appends the events. Returns a Conflict when the stream has changed: then no event was written. */
  private async record(snapshot: StreamSnapshot<S>, events: readonly NewEvent[]): Promise<Outcome<S> | Conflict> {
    try {
      passCrashPoint('before-append');
      const appended = await this.append(snapshot.revision, events);
      passCrashPoint('after-append-before-answer');
      return this.applyAppended(snapshot, events, appended);
    } catch (error) {
      if (error instanceof Conflict) return error;
      throw error;
    }
  }

  /** Retries the identical append while its outcome is unknown: the store recognises it. */
  private async append(revision: number, events: readonly NewEvent[]): Promise<AppendResult> {
    const { store, clock } = this.tools;
    const began = clock.monotonic();
    let maybeWritten = false;
    for (let appends = 1; ; appends++) {
      try {
        return await store.append(this.run.stream, revision < 0 ? 'none' : revision, events);
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        // An unknown outcome stays unknown, even if a later try never reached the store.
        maybeWritten ||= error.maybeWritten;
        if (appends === MAX_APPENDS || clock.monotonic() - began >= RETRY_TIMEOUT_MS)
          throw new StoreUnavailable(error.message, maybeWritten, { cause: error });
        await this.waitToRetry(appends);
      }
    }
  }

  private applyAppended(snapshot: StreamSnapshot<S>, events: readonly NewEvent[], appended: AppendResult): Outcome<S> {
    const { decider, stream } = this.run;
    const recorded = toRecorded(events, stream, appended);
    const next = applyEvents(decider, snapshot, recorded);
    // When only the position of the last event is exact, the next caller reads the stream.
    const isExact = events.length === 1 || appended.positions !== undefined;
    if (isExact) this.tools.cache.update(decider, stream, next, snapshot);
    else this.tools.cache.set(stream, { ...snapshot, stale: true });
    return createOutcome(this.tools.cache, stream, next, { recorded, repeated: false });
  }

  /** The delay has more jitter than a store's backoff, so that colliding writers do not collide again. */
  private waitToRetry(tries: number, maxMs = Infinity): Promise<void> {
    const { clock, random } = this.tools;
    return clock.sleep(Math.min(maxMs, RETRY_BASE_MS * 2 ** tries * (0.5 + random.next())));
  }
}
