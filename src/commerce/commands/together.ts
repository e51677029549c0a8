import { Gathered } from '../../engine/gathered.js';
import type { Outcome, Streams } from '../../engine/streams/streams.js';
import type { Context } from '../../kernel/context.js';
import type { Decider } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';
import { uuidV5 } from '../../kernel/ids.js';

/** One thing that a sale wants of a stream which all sales of its business share. */
export interface Wish<T> {
  readonly id: string;
  readonly what: T;
  readonly context: Context;
}

/**
 * Commands of many sales on one stream, recorded by few appends: what is wished for while an append is under way is in the next one.
 * Each event keeps the context of the sale that it belongs to.
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

/** One alone is the sale's own command; several are another. */
function contextOf(wishes: readonly Wish<unknown>[]): Context {
  const [first, ...others] = wishes;
  if (others.length === 0) return first!.context;
  return { ...first!.context, commandId: uuidV5(first!.context.commandId, 'together', ...others.map(({ context }) => context.commandId)) };
}
