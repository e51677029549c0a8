import { Injectable } from '@nestjs/common';
import type { Context } from '../../kernel/context.js';
import type { Fact } from '../../kernel/event.js';
import { type OwnedDecider, ownState } from '../../kernel/ownership.js';
import type { Projection } from '../../kernel/projection.js';
import { Rejection } from '../../kernel/rejection.js';
import type { Outcome } from './outcome.js';
import { type CheckedCommand, isCheck, Streams } from './streams.js';

/** Streams of the caller's business. A stream of another business or mode is treated as an unknown one. */
@Injectable()
export class OwnedStreams {
  constructor(private readonly streams: Streams) {}

  /** @throws Rejection the 404 of an unknown id */
  async require<S, C, E extends Fact, K extends S>(
    decider: OwnedDecider<S, C, E, K>,
    id: string,
    context: Context,
  ): Promise<K> {
    const found = await this.find(decider, id, context);
    if (found === null) throw Rejection.notFound();
    return found;
  }

  async find<S, C, E extends Fact, K extends S>(
    decider: OwnedDecider<S, C, E, K>,
    id: string,
    context: Context,
  ): Promise<K | null> {
    return ownState(decider, await this.streams.loadState(decider, id), context);
  }

  /**
   * Executes a command on a stream of the caller, and renders the document.
   * @param command the command, or a function that makes further checks of the stream's state and returns it
   * @throws Rejection the 404 of an unknown id
   */
  async edit<S, C, E extends Fact, K extends S, D extends object>(
    decider: OwnedDecider<S, C, E, K>,
    projection: Projection<D>,
    id: string,
    command: CheckedCommand<C, [state: K]>,
    context: Context,
  ): Promise<D> {
    return (await this.execute(decider, id, command, context)).render(projection, id);
  }

  /**
   * Executes a command on a stream of the caller.
   * @throws Rejection the 404 of an unknown id
   */
  execute<S, C, E extends Fact, K extends S>(
    decider: OwnedDecider<S, C, E, K>,
    id: string,
    command: CheckedCommand<C, [state: K]>,
    context: Context,
  ): Promise<Outcome<S>> {
    const check = async () => {
      const state = await this.require(decider, id, context);
      return isCheck(command) ? command(state) : command;
    };
    return this.streams.execute(decider, id, check, context);
  }
}
