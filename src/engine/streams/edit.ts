import { Command, CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '../../kernel/context.js';
import type { Fact } from '../../kernel/event.js';
import type { OwnedDecider } from '../../kernel/ownership.js';
import type { Projection } from '../../kernel/projection.js';
import { OwnedStreams } from './owned-streams.js';

type AnyEdit = Edit<unknown, object, Fact, unknown, object>;

/** Executes a command on a resource of the caller's business that needs no further facts, and returns the document. */
export class Edit<S, C, E extends Fact, K extends S, D extends object> extends Command<D> {
  constructor(
    readonly decider: OwnedDecider<S, C, E, K>,
    readonly projection: Projection<D>,
    readonly context: Context,
    readonly id: string,
    readonly command: C,
  ) {
    super();
  }
}

@CommandHandler(Edit)
export class EditHandler implements ICommandHandler<AnyEdit> {
  constructor(private readonly streams: OwnedStreams) {}

  execute({ decider, projection, id, command, context }: AnyEdit): Promise<object> {
    return this.streams.edit(decider, projection, id, command, context);
  }
}
