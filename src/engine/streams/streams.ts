import { Injectable, Optional } from '@nestjs/common';
import { Clock, iso, Random } from '../../kernel/clock.js';
import type { Context } from '../../kernel/context.js';
import { crashPoint } from '../../kernel/crash-points.js';
import { streamOf, type Decider, type Decision } from '../../kernel/decider.js';
import type { Fact, NewEvent, Recorded } from '../../kernel/event.js';
import { Conflict, EventStore, StoreUnavailable, type Appended, type ReadStreamOptions } from '../../kernel/event-store.js';
import { idOf } from '../../kernel/ids.js';
import type { Position } from '../../kernel/position.js';
import { documentIn, there, type Projection } from '../../kernel/projection.js';
import { Rejection } from '../../kernel/rejection.js';
import { Baselines } from './baselines.js';
import { evolved, lastRevisionOf, type Known } from './known.js';
import { Lanes } from './lanes.js';
import { Memory } from './memory.js';
import { asRecorded, newEvents, type Run } from './new-events.js';

const MAX_DECISIONS = 5;
const MAX_APPENDS = 4;
/** Time after which no append is retried: the caller waits for an answer. */
const REPEAT_MS = 5_000;
const RETRY_BASE_MS = 5;
/** Maximum delay between two reads of events that are not visible yet. */
const LONGEST_LOOK_MS = 250;

/** The outcome of a command. */
export interface Outcome<S> {
  readonly state: S;
  /** Loads the stream's events up to the command's last one. */
  readonly history: () => Promise<readonly Recorded[]>;
  /** Renders the document after the command: the answer to a write. */
  readonly render: <D extends object>(projection: Projection<D>, id: string) => Promise<D>;
  /** Events that this run recorded; empty for a silent decision and for a command that was recorded before. */
  readonly recorded: readonly Recorded[];
  /** An earlier run has recorded the command. */
  readonly repeated: boolean;
  readonly position: Position;
}

/** Runs commands against streams: load, decide, append, and again after a conflict. */
@Injectable()
export class Streams {
  private readonly memory: Memory;
  private readonly lanes = new Lanes();

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly random: Random,
    @Optional() baselines?: Baselines,
  ) {
    this.memory = new Memory(store, clock, baselines ?? null);
  }

  /** Loads the state with all events acknowledged so far. */
  async state<S, C, E extends Fact>(decider: Decider<S, C, E>, id: string): Promise<S> {
    return (await this.memory.load(decider, streamOf(decider, id))).state;
  }

  async history<S, C, E extends Fact>(decider: Decider<S, C, E>, id: string): Promise<readonly Recorded[]> {
    const stream = streamOf(decider, id);
    return this.memory.eventsOf(stream, await this.memory.load(decider, stream));
  }

  /** Loads the document with all events acknowledged so far; null when it does not exist. */
  async document<S, C, E extends Fact, D extends object>(
    decider: Decider<S, C, E>,
    id: string,
    projection: Projection<D>,
  ): Promise<D | null> {
    const stream = streamOf(decider, id);
    const { revision } = await this.memory.load(decider, stream);
    return this.memory.documentAt(projection, id, stream, revision);
  }

  /** Loads the document that a fact belongs to, as it was when the fact was recorded. */
  documentAt<D extends object>({ stream, revision }: Recorded, projection: Projection<D>, id: string): Promise<D | null> {
    return this.memory.documentAt(projection, id, stream, revision);
  }

  /** Reads events from the newest one on; the caller decides how far. */
  backwards(decider: { readonly category: string }, id: string, piece: Omit<ReadStreamOptions, 'backwards'>): AsyncIterable<Recorded> {
    return this.store.readStream(streamOf(decider, id), { ...piece, backwards: true });
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
    contextOf: (event: E) => Context = () => context,
  ): Promise<Outcome<S>> {
    const stream = streamOf(decider, id);
    const run = { decider, stream, command, context, contextOf, lot: this.random.next().toString(36) };
    const outcome = await this.lanes.run(stream, () => this.decideAndAppend(run));
    context.progress.wrote(outcome.position);
    return outcome;
  }

  /** Decides first on the cached state: it is usually current, and the append detects when it is not. */
  private async decideAndAppend<S, C, E extends Fact>(run: Run<S, C, E>): Promise<Outcome<S>> {
    const { decider, stream, command, context } = run;
    const quick = await this.quick(run);
    if (quick !== null && !(quick instanceof Conflict)) return quick;

    let conflict = quick;
    for (let decisions = quick === null ? 1 : 2; ; decisions++) {
      const known = await this.loadBeyond(decider, stream, conflict);
      const before = lastRevisionOf(known, context.commandId);
      if (before !== undefined) return this.repeated(run, known, before);

      const decision = this.decision(context);
      const facts = decider.decide(command, known.state, decision);
      if (facts.length === 0) return this.outcome(run, known, { recorded: [], repeated: false });

      const outcome = await this.record(run, known, newEvents(facts, run, decision.now));
      if (!(outcome instanceof Conflict)) return outcome;
      conflict = outcome;
      if (decisions === MAX_DECISIONS) throw new Rejection('concurrent_update', 'The resource was changed at the same time. Try again.');
      await this.clock.sleep(this.spread(decisions));
    }
  }

  /**
   * Decides on the cached state. Returns null when the stream has to be read first: only an append is decided on cached
   * state; a refused, silent or repeated command is decided on the stream.
   */
  private async quick<S, C, E extends Fact>(run: Run<S, C, E>): Promise<Outcome<S> | Conflict | null> {
    const { decider, stream, command, context } = run;
    const known = this.memory.of(decider, stream);
    if (known.behind || lastRevisionOf(known, context.commandId) !== undefined) return null;

    const decision = this.decision(context);
    const facts = factsOrNone(() => decider.decide(command, known.state, decision));
    return facts.length === 0 ? null : this.record(run, known, newEvents(facts, run, decision.now));
  }

  /**
   * Loads the stream up to the event that caused the conflict. A store may count an append that is not visible yet,
   * perhaps of an earlier run of this command. No decision is made before that event can be read.
   */
  private async loadBeyond<S, C, E extends Fact>(decider: Decider<S, C, E>, stream: string, conflict: Conflict | null): Promise<Known<S>> {
    const began = this.clock.monotonic();
    for (let loads = 1; ; loads++) {
      const known = await this.memory.load(decider, stream);
      if (conflict === null || conflict.actual === 'none' || known.revision >= conflict.actual) return known;
      if (this.clock.monotonic() - began >= REPEAT_MS)
        throw new StoreUnavailable(`${stream}: revision ${conflict.actual} cannot be read yet`, true, { cause: conflict });
      await this.clock.sleep(Math.min(LONGEST_LOOK_MS, this.spread(loads)));
    }
  }

  private decision(context: Context): Decision {
    let drawn = 0;
    return {
      now: iso(this.clock.now()),
      id: (prefix) => idOf(prefix, context.at, context.commandId, drawn++),
    };
  }

  /** Appends the events. Returns a Conflict when the stream has changed: then no event was written. */
  private async record<S, C, E extends Fact>(
    run: Run<S, C, E>,
    known: Known<S>,
    events: readonly NewEvent[],
  ): Promise<Outcome<S> | Conflict> {
    try {
      crashPoint('before-append');
      const appended = await this.append(run.stream, known.revision, events);
      crashPoint('after-append-before-answer');
      return this.appended(run, known, events, appended);
    } catch (error) {
      if (error instanceof Conflict) return error;
      throw error;
    }
  }

  /** Retries the identical append while its outcome is unknown: the store recognises it. */
  private async append(stream: string, revision: number, events: readonly NewEvent[]): Promise<Appended> {
    const began = this.clock.monotonic();
    let maybeWritten = false;
    for (let appends = 1; ; appends++) {
      try {
        return await this.store.append(stream, revision < 0 ? 'none' : revision, events);
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        // An unknown outcome stays unknown, even if a later try never reached the store.
        maybeWritten ||= error.maybeWritten;
        if (appends === MAX_APPENDS || this.clock.monotonic() - began >= REPEAT_MS)
          throw new StoreUnavailable(error.message, maybeWritten, { cause: error });
        await this.clock.sleep(this.spread(appends));
      }
    }
  }

  private appended<S, C, E extends Fact>(run: Run<S, C, E>, known: Known<S>, events: readonly NewEvent[], appended: Appended): Outcome<S> {
    const recorded = asRecorded(events, run.stream, appended);
    const next = evolved(run.decider, known, recorded);
    // When only the position of the last event is exact, the next caller reads the stream.
    const isExact = events.length === 1 || appended.positions !== undefined;
    if (isExact) this.memory.keepNews(run.decider, run.stream, next, known);
    else this.memory.keep(run.stream, { ...known, behind: true });
    return this.outcome(run, next, { recorded, repeated: false });
  }

  /** Returns the outcome at the time of the command; for an unbounded stream, the current one. */
  private async repeated<S, C, E extends Fact>(run: Run<S, C, E>, known: Known<S>, lastRevision: number): Promise<Outcome<S>> {
    const { decider, stream } = run;
    const then = decider.endless ? known : await this.memory.upTo(decider, stream, known, lastRevision);
    return this.outcome(run, then, { recorded: [], repeated: true });
  }

  /** @param snapshot the stream after the command */
  private outcome<S, C, E extends Fact>(
    { stream }: Run<S, C, E>,
    known: Known<S>,
    did: Pick<Outcome<S>, 'recorded' | 'repeated'>,
  ): Outcome<S> {
    const { state, position, revision, events } = known;
    const documentOf = <D extends object>(projection: Projection<D>, id: string) =>
      events === null ? this.memory.documentAt(projection, id, stream, revision) : documentIn(projection, id, events);
    return {
      state,
      position,
      history: () => this.memory.eventsOf(stream, known),
      render: async (projection, id) => there(projection, id, await documentOf(projection, id)),
      ...did,
    };
  }

  /** Returns a delay with more jitter than a store's backoff, so that colliding writers do not collide again. */
  private spread(tries: number): number {
    return RETRY_BASE_MS * 2 ** tries * (0.5 + this.random.next());
  }
}

function factsOrNone<E>(decide: () => readonly E[]): readonly E[] {
  try {
    return decide();
  } catch {
    return [];
  }
}
