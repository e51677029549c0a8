import { Injectable, Optional } from '@nestjs/common';
import { Clock, Random, toIso } from '../../kernel/clock.js';
import type { Context } from '../../kernel/context.js';
import { passCrashPoint } from '../../kernel/crash-points.js';
import { type Decider, type DecisionContext, streamOf } from '../../kernel/decider.js';
import type { Fact, NewEvent, RecordedEvent } from '../../kernel/event.js';
import {
  type AppendResult,
  Conflict,
  EventStore,
  type ReadStreamOptions,
  StoreUnavailable,
} from '../../kernel/event-store.js';
import { idOf } from '../../kernel/ids.js';
import type { Position } from '../../kernel/position.js';
import { type Projection, renderOrNull, requireDocument } from '../../kernel/projection.js';
import { Rejection } from '../../kernel/rejection.js';
import { KeyedMutex } from '../keyed-mutex.js';
import { Baselines } from './baselines.js';
import { type CommandRun, toNewEvents, toRecorded } from './new-events.js';
import { StreamCache } from './stream-cache.js';
import { applyEvents, findLastRevision, type StreamSnapshot } from './stream-snapshot.js';

const MAX_DECISIONS = 5;
const MAX_APPENDS = 4;
/** Time after which no append is retried: the caller waits for an answer. */
const RETRY_TIMEOUT_MS = 5_000;
const RETRY_BASE_MS = 5;
/** Maximum delay between two reads of events that are not visible yet. */
const MAX_POLL_MS = 250;

/** The outcome of a command. */
export interface Outcome<S> {
  readonly state: S;
  /** Loads the stream's events up to the command's last one. */
  readonly loadHistory: () => Promise<readonly RecordedEvent[]>;
  /** Renders the document after the command: the answer to a write. */
  readonly render: <D extends object>(projection: Projection<D>, id: string) => Promise<D>;
  /** Events that this run recorded; empty for a silent decision and for a command that was recorded before. */
  readonly recorded: readonly RecordedEvent[];
  /** An earlier run has recorded the command. */
  readonly repeated: boolean;
  readonly position: Position;
}

/** Runs commands against streams: load, decide, append, and again after a conflict. */
@Injectable()
export class Streams {
  private readonly cache: StreamCache;
  private readonly mutex = new KeyedMutex();

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly random: Random,
    @Optional() baselines?: Baselines,
  ) {
    this.cache = new StreamCache(store, clock, baselines ?? null);
  }

  /** Loads the state with all events acknowledged so far. */
  async loadState<S, C, E extends Fact>(decider: Decider<S, C, E>, id: string): Promise<S> {
    return (await this.cache.load(decider, streamOf(decider, id))).state;
  }

  async loadHistory<S, C, E extends Fact>(decider: Decider<S, C, E>, id: string): Promise<readonly RecordedEvent[]> {
    const stream = streamOf(decider, id);
    return this.cache.loadEvents(stream, await this.cache.load(decider, stream));
  }

  /** Loads the document with all events acknowledged so far; null when it does not exist. */
  async loadDocument<S, C, E extends Fact, D extends object>(
    decider: Decider<S, C, E>,
    id: string,
    projection: Projection<D>,
  ): Promise<D | null> {
    const stream = streamOf(decider, id);
    const { revision } = await this.cache.load(decider, stream);
    return this.cache.loadDocumentAt(projection, id, stream, revision);
  }

  /** Loads the document that a fact belongs to, as it was when the fact was recorded. */
  loadDocumentAt<D extends object>(
    { stream, revision }: RecordedEvent,
    projection: Projection<D>,
    id: string,
  ): Promise<D | null> {
    return this.cache.loadDocumentAt(projection, id, stream, revision);
  }

  /** Reads events from the newest one on; the caller decides how far. */
  readBackwards(
    decider: { readonly category: string },
    id: string,
    options: Omit<ReadStreamOptions, 'backwards'>,
  ): AsyncIterable<RecordedEvent> {
    return this.store.readStream(streamOf(decider, id), { ...options, backwards: true });
  }

  /**
   * Executes a command once per command id.
   * @param contextFor the context of each event, when one command acts for several callers
   * @throws Rejection of the decider, or `concurrent_update` after 5 decisions; StoreUnavailable when the outcome is
   * unknown
   */
  async execute<S, C, E extends Fact>(
    decider: Decider<S, C, E>,
    id: string,
    command: C,
    context: Context,
    contextFor: (event: E) => Context = () => context,
  ): Promise<Outcome<S>> {
    const stream = streamOf(decider, id);
    const run = { decider, stream, command, context, contextFor, runNonce: this.random.next().toString(36) };
    const outcome = await this.mutex.run(stream, () => this.decideAndAppend(run));
    context.consistency.recordWrite(outcome.position);
    return outcome;
  }

  /** Decides first on the cached state: it is usually current, and the append detects when it is not. */
  private async decideAndAppend<S, C, E extends Fact>(run: CommandRun<S, C, E>): Promise<Outcome<S>> {
    const { decider, stream, command, context } = run;
    const cached = await this.tryCached(run);
    if (cached !== null && !(cached instanceof Conflict)) return cached;

    let conflict = cached;
    for (let decisions = cached === null ? 1 : 2; ; decisions++) {
      const snapshot = await this.loadPastConflict(decider, stream, conflict);
      const before = findLastRevision(snapshot, context.commandId);
      if (before !== undefined) return this.createRepeatedOutcome(run, snapshot, before);

      const decision = this.createDecisionContext(context);
      const facts = decider.decide(command, snapshot.state, decision);
      if (facts.length === 0) return this.createOutcome(run, snapshot, { recorded: [], repeated: false });

      const outcome = await this.record(run, snapshot, toNewEvents(facts, run, decision.now));
      if (!(outcome instanceof Conflict)) return outcome;
      conflict = outcome;
      if (decisions === MAX_DECISIONS)
        throw new Rejection('concurrent_update', 'The resource was changed at the same time. Try again.');
      await this.clock.sleep(this.retryDelay(decisions));
    }
  }

  /**
   * Decides on the cached state. Returns null when the stream has to be read first: only an append is decided on cached
   * state; a refused, silent or repeated command is decided on the stream.
   */
  private async tryCached<S, C, E extends Fact>(run: CommandRun<S, C, E>): Promise<Outcome<S> | Conflict | null> {
    const { decider, stream, command, context } = run;
    const snapshot = this.cache.get(decider, stream);
    if (snapshot.stale || findLastRevision(snapshot, context.commandId) !== undefined) return null;

    const decision = this.createDecisionContext(context);
    const facts = decideOrNothing(() => decider.decide(command, snapshot.state, decision));
    return facts.length === 0 ? null : this.record(run, snapshot, toNewEvents(facts, run, decision.now));
  }

  /**
   * Loads the stream up to the event that caused the conflict. A store may count an append that is not visible yet,
   * perhaps of an earlier run of this command. No decision is made before that event can be read.
   */
  private async loadPastConflict<S, C, E extends Fact>(
    decider: Decider<S, C, E>,
    stream: string,
    conflict: Conflict | null,
  ): Promise<StreamSnapshot<S>> {
    const began = this.clock.monotonic();
    for (let loads = 1; ; loads++) {
      const snapshot = await this.cache.load(decider, stream);
      if (conflict === null || conflict.actual === 'none' || snapshot.revision >= conflict.actual) return snapshot;
      if (this.clock.monotonic() - began >= RETRY_TIMEOUT_MS)
        throw new StoreUnavailable(`${stream}: revision ${conflict.actual} cannot be read yet`, true, {
          cause: conflict,
        });
      await this.clock.sleep(Math.min(MAX_POLL_MS, this.retryDelay(loads)));
    }
  }

  private createDecisionContext(context: Context): DecisionContext {
    let drawn = 0;
    return {
      now: toIso(this.clock.now()),
      createId: (prefix) => idOf(prefix, context.at, context.commandId, drawn++),
    };
  }

  /** Appends the events. Returns a Conflict when the stream has changed: then no event was written. */
  private async record<S, C, E extends Fact>(
    run: CommandRun<S, C, E>,
    snapshot: StreamSnapshot<S>,
    events: readonly NewEvent[],
  ): Promise<Outcome<S> | Conflict> {
    try {
      passCrashPoint('before-append');
      const appended = await this.append(run.stream, snapshot.revision, events);
      passCrashPoint('after-append-before-answer');
      return this.applyAppended(run, snapshot, events, appended);
    } catch (error) {
      if (error instanceof Conflict) return error;
      throw error;
    }
  }

  /** Retries the identical append while its outcome is unknown: the store recognises it. */
  private async append(stream: string, revision: number, events: readonly NewEvent[]): Promise<AppendResult> {
    const began = this.clock.monotonic();
    let maybeWritten = false;
    for (let appends = 1; ; appends++) {
      try {
        return await this.store.append(stream, revision < 0 ? 'none' : revision, events);
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        // An unknown outcome stays unknown, even if a later try never reached the store.
        maybeWritten ||= error.maybeWritten;
        if (appends === MAX_APPENDS || this.clock.monotonic() - began >= RETRY_TIMEOUT_MS)
          throw new StoreUnavailable(error.message, maybeWritten, { cause: error });
        await this.clock.sleep(this.retryDelay(appends));
      }
    }
  }

  private applyAppended<S, C, E extends Fact>(
    run: CommandRun<S, C, E>,
    snapshot: StreamSnapshot<S>,
    events: readonly NewEvent[],
    appended: AppendResult,
  ): Outcome<S> {
    const recorded = toRecorded(events, run.stream, appended);
    const next = applyEvents(run.decider, snapshot, recorded);
    // When only the position of the last event is exact, the next caller reads the stream.
    const isExact = events.length === 1 || appended.positions !== undefined;
    if (isExact) this.cache.update(run.decider, run.stream, next, snapshot);
    else this.cache.set(run.stream, { ...snapshot, stale: true });
    return this.createOutcome(run, next, { recorded, repeated: false });
  }

  /** Returns the outcome at the time of the command; for an unbounded stream, the current one. */
  private async createRepeatedOutcome<S, C, E extends Fact>(
    run: CommandRun<S, C, E>,
    snapshot: StreamSnapshot<S>,
    lastRevision: number,
  ): Promise<Outcome<S>> {
    const { decider, stream } = run;
    const snapshotThen = decider.unbounded
      ? snapshot
      : await this.cache.rewindTo(decider, stream, snapshot, lastRevision);
    return this.createOutcome(run, snapshotThen, { recorded: [], repeated: true });
  }

  /** @param snapshot the stream after the command */
  private createOutcome<S, C, E extends Fact>(
    { stream }: CommandRun<S, C, E>,
    snapshot: StreamSnapshot<S>,
    did: Pick<Outcome<S>, 'recorded' | 'repeated'>,
  ): Outcome<S> {
    const { state, position, revision, events } = snapshot;
    const loadDocument = <D extends object>(projection: Projection<D>, id: string) =>
      events === null
        ? this.cache.loadDocumentAt(projection, id, stream, revision)
        : renderOrNull(projection, id, events);
    return {
      state,
      position,
      loadHistory: () => this.cache.loadEvents(stream, snapshot),
      render: async (projection, id) => requireDocument(projection, id, await loadDocument(projection, id)),
      ...did,
    };
  }

  /** Returns a delay with more jitter than a store's backoff, so that colliding writers do not collide again. */
  private retryDelay(tries: number): number {
    return RETRY_BASE_MS * 2 ** tries * (0.5 + this.random.next());
  }
}

function decideOrNothing<E>(decide: () => readonly E[]): readonly E[] {
  try {
    return decide();
  } catch {
    return [];
  }
}
