import { Query } from '@nestjs/cqrs';
import type { Context } from '../kernel/context.js';

/** A query of the bus: the context of its request, its parameters `P`, and its result `R`. */
export abstract class ContextQuery<P, R, C extends Context = Context> extends Query<R> {
  constructor(
    readonly context: C,
    readonly params: P,
  ) {
    super();
  }
}
