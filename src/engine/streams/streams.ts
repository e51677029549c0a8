import { Injectable, Optional } from '@nestjs/common';
import { BusinessClock } from '../../kernel/business-clock.js';
import { Clock, Random } from '../../kernel/clock.js';
import type { Context } from '../../kernel/context.js';
import { type Decider, streamOf } from '../../kernel/decider.js';
import type { Fact, RecordedEvent } from '../../kernel/event.js';
import { EventStore, type ReadStreamOptions } from '../../kernel/event-store.js';
import type { Projection } from '../../kernel/projection.js';
import { trace } from '../../kernel/tracing.js';
import { KeyedMutex } from '../keyed-mutex.js';
import { Baselines } from './baselines.js';
import { CommandExecution } from './command-execution.js';
import { describeCommand } from './describe-command.js';
import { findRepeatedOutcome, type Outcome } from './outcome.js';
import { StreamCache } from './stream-cache.js';

/** A command, or a function that makes the checks before it and returns it. `F` are the facts that it gets. */
export type CheckedCommand<C, F extends readonly unknown[] = []> = C | ((...facts: F) => Promise<C>);

export function isCheck<C, F extends readonly unknown[]>(
  command: CheckedCommand<C, F>,
): command is (...facts: F) => Promise<C> {
  return typeof command === 'function';
}

/** Executes commands on streams, and reads streams with all events acknowledged so far. */
@Injectable()
export class Streams {
  private readonly cache: StreamCache;
  private readonly mutex = new KeyedMutex();

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly random: Random,
    @Optional() baselines?: Baselines,
    @Optional() private readonly businessClock?: BusinessClock,
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

  /**
   * Loads the document that a fact belongs to, as it was after the append of the fact. No reader sees a state between
   * two events of one append.
   */
  async loadDocumentAfter<D extends object>(
    fact: RecordedEvent,
    projection: Projection<D>,
    id: string,
  ): Promise<D | null> {
    return this.cache.loadDocumentAt(projection, id, fact.stream, await this.cache.findAppendEnd(fact));
  }

  /**
   * Loads the document that a fact belongs to, as it was before the append of the fact; null when it did not exist.
   * Asked first, it costs the document after the append no event that was read before.
   */
  async loadDocumentBefore<D extends object>(
    fact: RecordedEvent,
    projection: Projection<D>,
    id: string,
  ): Promise<D | null> {
    const start = await this.cache.findAppendStart(fact);
    return start === 0 ? null : this.cache.loadDocumentAt(projection, id, fact.stream, start - 1);
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
   * @param command the command, or a function that checks what the command depends on and returns it. The check of a
   * resumed command runs only if no earlier run has recorded it: what it depends on may have changed since.
   * @param contextFor the context of each event, when one command acts for several callers
   * @throws Rejection of the check or the decider, or `concurrent_update` after 5 decisions; StoreUnavailable when the
   * outcome is unknown
   */
  async execute<S, C, E extends Fact>(
    decider: Decider<S, C, E>,
    id: string,
    command: CheckedCommand<C>,
    context: Context,
    contextFor: (event: E) => Context = () => context,
  ): Promise<Outcome<S>> {
    const stream = streamOf(decider, id);
    const { store, cache, clock, random, businessClock = null } = this;
    const isChecked = isCheck(command);
    const before =
      isChecked && context.resumed ? await findRepeatedOutcome(cache, { decider, stream }, context.commandId) : null;
    if (before !== null) return recordPosition(before, context);

    const checked = isChecked ? await command() : command;
    const run = { decider, stream, command: checked, context, contextFor, runNonce: random.next().toString(36) };
    const execution = new CommandExecution(run, { store, cache, clock, random, businessClock });
    const outcome = await trace(
      () => describeCommand(run),
      () => this.mutex.run(stream, () => execution.execute()),
    );
    return recordPosition(outcome, context);
  }
}

function recordPosition<S>(outcome: Outcome<S>, { consistency }: Context): Outcome<S> {
  consistency.recordWrite(outcome.position);
  return outcome;
}
