import { Injectable } from '@nestjs/common';
import { Clock, iso, Random } from '../kernel/clock.js';
import type { Context } from '../kernel/context.js';
import { streamOf, type Decider, type Decision } from '../kernel/decider.js';
import type { Fact, NewEvent, Recorded } from '../kernel/event.js';
import { Conflict, EventStore, StoreUnavailable, type Appended } from '../kernel/event-store.js';
import { idOf, uuidV5 } from '../kernel/ids.js';
import type { Position } from '../kernel/position.js';
import { Rejection } from '../kernel/rejection.js';
import { evolved, nothingKnown, type Known } from './known.js';
import { Lanes } from './lanes.js';
import { Recent } from './recent.js';

const MAX_DECISIONS = 5;
const MAX_APPENDS = 4;
const RETRY_BASE_MS = 5;
/** All that is remembered of streams, in characters of their events. */
const REMEMBERED_CHARACTERS = 64_000_000;

/** What became of a command. */
export interface Outcome<S> {
  readonly state: S;
  /** The stream's events up to the command's last one: an answer is rendered from them. Empty where streams are endless. */
  readonly history: readonly Recorded[];
  /** What this run recorded; empty for a silent decision and for a command that was recorded before. */
  readonly recorded: readonly Recorded[];
  /** The command had been recorded by an earlier run. */
  readonly repeated: boolean;
  readonly position: Position;
}

/** Runs commands against streams: load, decide, append, and again when somebody else was faster. */
@Injectable()
export class Streams {
  private readonly known = new Recent<string, Known<unknown>>(REMEMBERED_CHARACTERS, ({ characters }) => characters);
  private readonly lanes = new Lanes();

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly random: Random,
  ) {}

  /** The noun as everything acknowledged so far tells it. */
  async state<S, C, E extends Fact>(decider: Decider<S, C, E>, id: string): Promise<S> {
    return (await this.load(decider, streamOf(decider, id))).state;
  }

  async history<S, C, E extends Fact>(decider: Decider<S, C, E>, id: string): Promise<readonly Recorded[]> {
    const stream = streamOf(decider, id);
    return this.eventsOf(stream, await this.load(decider, stream));
  }

  /**
   * Once per command id, whatever happens in between.
   * @throws Rejection the decider's own, or `concurrent_update` after 5 decisions; StoreUnavailable when the outcome is not known
   */
  async execute<S, C, E extends Fact>(decider: Decider<S, C, E>, id: string, command: C, context: Context): Promise<Outcome<S>> {
    const stream = streamOf(decider, id);
    const outcome = await this.lanes.run(stream, () => this.decideAndAppend(decider, stream, command, context));
    context.progress.wrote(outcome.position);
    return outcome;
  }

  private async decideAndAppend<S, C, E extends Fact>(
    decider: Decider<S, C, E>,
    stream: string,
    command: C,
    context: Context,
  ): Promise<Outcome<S>> {
    const run = this.random.next().toString(36);
    for (let decisions = 1; ; decisions++) {
      const known = await this.load(decider, stream);
      const before = known.commands.get(context.commandId);
      if (before !== undefined) return this.repeated(decider, stream, known, before);

      const facts = decider.decide(command, known.state, this.decision(context));
      if (facts.length === 0) return this.unchanged(decider, stream, known, false);

      const events = facts.map((fact, i) =>
        this.event(fact, versionOf(decider, fact), command, context, uuidV5(context.commandId, run, i)),
      );
      try {
        const appended = await this.append(stream, known.revision, events);
        return await this.appended(decider, stream, known, events, appended);
      } catch (error) {
        if (!(error instanceof Conflict)) throw error;
        if (decisions === MAX_DECISIONS) throw new Rejection('concurrent_update', 'The resource was changed at the same time. Try again.');
        await this.clock.sleep(this.spread(decisions));
      }
    }
  }

  private decision(context: Context): Decision {
    let drawn = 0;
    return {
      now: iso(this.clock.now()),
      id: (prefix) => idOf(prefix, context.at, context.commandId, drawn++),
    };
  }

  private event(fact: Fact, v: number, command: unknown, context: Context, id: string): NewEvent {
    const { commandId, correlationId, causationId, actor, business, mode, requestId } = context;
    const at = iso(this.clock.now());
    return {
      id,
      type: fact.type,
      // As it will be read: what JSON leaves out is not in the answer to the write either.
      data: JSON.parse(JSON.stringify(fact.data)) as object,
      meta: { at, command: nameOf(command), commandId, correlationId, causationId, actor, business, mode, requestId, v },
    };
  }

  /** Repeats the identical append while its outcome is unknown: the store recognises it. */
  private async append(stream: string, revision: number, events: readonly NewEvent[]): Promise<Appended> {
    let maybeWritten = false;
    for (let appends = 1; ; appends++) {
      try {
        return await this.store.append(stream, revision < 0 ? 'none' : revision, events);
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        // Once unknown, it stays so, whatever a later try that never got there says.
        maybeWritten ||= error.maybeWritten;
        if (appends === MAX_APPENDS) throw new StoreUnavailable(error.message, maybeWritten, { cause: error });
        await this.clock.sleep(this.spread(appends));
      }
    }
  }

  private async appended<S, C, E extends Fact>(
    decider: Decider<S, C, E>,
    stream: string,
    known: Known<S>,
    events: readonly NewEvent[],
    { revision, position }: Appended,
  ): Promise<Outcome<S>> {
    const first = revision - events.length + 1;
    // Events of one append lie side by side in the log, so for merging with other streams the last one's position serves them all.
    const recorded = events.map((event, i): Recorded => ({ ...event, stream, revision: first + i, position }));
    const next = evolved(decider, known, recorded);
    // Of several events only the last one's position is exact; whoever loads the stream next reads what the log says.
    if (events.length === 1) this.known.set(stream, next);
    return { state: next.state, history: decider.endless ? [] : await this.eventsOf(stream, next), recorded, repeated: false, position };
  }

  private async repeated<S, C, E extends Fact>(
    decider: Decider<S, C, E>,
    stream: string,
    known: Known<S>,
    lastRevision: number,
  ): Promise<Outcome<S>> {
    if (decider.endless) return this.unchanged(decider, stream, known, true);
    const history = (await this.eventsOf(stream, known)).slice(0, lastRevision + 1);
    const state = history.reduce((current, event) => decider.evolve(current, event as unknown as E), decider.initial);
    return { state, history, recorded: [], repeated: true, position: history.at(-1)!.position };
  }

  private async unchanged<S, C, E extends Fact>(
    decider: Decider<S, C, E>,
    stream: string,
    known: Known<S>,
    repeated: boolean,
  ): Promise<Outcome<S>> {
    const history = decider.endless ? [] : await this.eventsOf(stream, known);
    return { state: known.state, history, recorded: [], repeated, position: known.position };
  }

  private async load<S, C, E extends Fact>(decider: Decider<S, C, E>, stream: string): Promise<Known<S>> {
    const baseline = (this.known.get(stream) as Known<S> | undefined) ?? nothingKnown(decider);
    const news: Recorded[] = [];
    for await (const event of this.store.readStream(stream, { from: baseline.revision + 1 })) news.push(event);
    if (news.length === 0) return baseline;

    const known = evolved(decider, baseline, news);
    this.known.set(stream, known);
    return known;
  }

  private async eventsOf(stream: string, known: Known<unknown>): Promise<readonly Recorded[]> {
    if (known.events !== null) return known.events;
    const events: Recorded[] = [];
    for await (const event of this.store.readStream(stream, { limit: known.revision + 1 })) events.push(event);
    return events;
  }

  /** Wider than a store's backoff: those who collided must not meet again. */
  private spread(tries: number): number {
    return RETRY_BASE_MS * 2 ** tries * (0.5 + this.random.next());
  }
}

function versionOf<E extends Fact>(
  { versions }: { readonly versions?: Partial<Readonly<Record<E['type'], number>>> },
  { type }: E,
): number {
  return versions?.[type as E['type']] ?? 1;
}

function nameOf(command: unknown): string {
  const { type } = command as { readonly type?: unknown };
  return typeof type === 'string' ? type : 'unknown';
}
