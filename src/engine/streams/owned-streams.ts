import { Injectable } from '@nestjs/common';
import type { Context } from '../../kernel/context.js';
import type { Fact } from '../../kernel/event.js';
import { type OwnedDecider, ownState } from '../../kernel/ownership.js';
import type { Projection } from '../../kernel/projection.js';
import { Rejection } from '../../kernel/rejection.js';
import { Streams } from './streams.js';

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
   * @throws Rejection the 404 of an unknown id
   */
  async edit<S, C, E extends Fact, K extends S, D extends object>(
    decider: OwnedDecider<S, C, E, K>,
    projection: Projection<D>,
    id: string,
    command: C,
    context: Context,
  ): Promise<D> {
    await this.require(decider, id, context);
    const outcome = await this.streams.execute(decider, id, command, context);
    return outcome.render(projection, id);
  }
}
