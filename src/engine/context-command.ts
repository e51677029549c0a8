import { Command } from '@nestjs/cqrs';
import type { Context } from '../kernel/context.js';

/** A command of the bus: the context of its request, its parameters `P`, and its result `R`. */
export abstract class ContextCommand<P, R, C extends Context = Context> extends Command<R> {
  constructor(
    readonly context: C,
    readonly params: P,
  ) {
    super();
  }
}
