import { Injectable } from '@nestjs/common';
import type { Context } from '../../kernel/context.js';
import type { Decider } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';
import type { Projection } from '../../kernel/projection.js';
import { Streams } from '../streams/streams.js';
import { ReadModelReader } from './read-model-reader.js';

type Identified = object & { readonly id: string };

/** Changes streams whose documents have `counts`, which come from the read model. */
@Injectable()
export class CountedStreams {
  constructor(
    private readonly streams: Streams,
    private readonly reader: ReadModelReader,
  ) {}

  /** Executes a command and renders the document of the stream. */
  async change<S, C, E extends Fact, D extends Identified>(
    decider: Decider<S, C, E>,
    projection: Projection<D>,
    id: string,
    command: C,
    context: Context,
  ): Promise<D> {
    const outcome = await this.streams.execute(decider, id, command, context);
    return this.addCounts(projection, await outcome.render(projection, id), context);
  }

  /** Returns the rendered document with its current counts. */
  async addCounts<D extends Identified>(projection: Projection<D>, rendered: D, context: Context): Promise<D> {
    const found = (await this.reader.get(projection, rendered.id, context.consistency)) ?? rendered;
    const { counts = [] } = projection;
    return { ...rendered, ...Object.fromEntries(counts.map((name) => [name, found[name as keyof D]])) };
  }
}
