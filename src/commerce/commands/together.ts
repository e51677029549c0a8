import { Gathered } from '../../engine/gathered.js';
import type { Outcome, Streams } from '../../engine/streams/streams.js';
import type { Context } from '../../kernel/context.js';
import type { Decider } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';
import { uuidV5 } from '../../kernel/ids.js';

/** The request of one sale to a stream that all sales of its business share. */
export interface Wish<T> {
  readonly id: string;
  readonly what: T;
  readonly context: Context;
}

/**
 * Batches the commands of many sales on one stream into few appends: requests that arrive during an append go into the
 * next one. Each event keeps the context of its own sale.
 */
export function together<S, C, E extends Fact, T>(
  streams: Streams,
  decider: Decider<S, C, E>,
  commandOf: (wishes: readonly T[]) => C,
  idOf: (event: E) => string,
): Gathered<Wish<T>, Outcome<S>> {
  return new Gathered(async (stream, wishes) => {
    const contexts = new Map(wishes.map(({ id, context }) => [id, context]));
    const command = commandOf(wishes.map(({ what }) => what));
    const outcome = await streams.execute(decider, stream, command, contextOf(wishes), (event) => contexts.get(idOf(event))!);
    for (const { context } of wishes) context.progress.wrote(outcome.position);
    return outcome;
  });
}

/** Returns the context of a single item, or a context with a command id derived from all items. */
function contextOf(wishes: readonly Wish<unknown>[]): Context {
  const [first, ...others] = wishes;
  if (others.length === 0) return first!.context;
  return { ...first!.context, commandId: uuidV5(first!.context.commandId, 'together', ...others.map(({ context }) => context.commandId)) };
}
