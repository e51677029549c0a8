import { KeyedBatcher } from '../../engine/keyed-batcher.js';
import type { Outcome } from '../../engine/streams/outcome.js';
import type { Streams } from '../../engine/streams/streams.js';
import type { Context } from '../../kernel/context.js';
import type { Decider } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';
import { uuidV5 } from '../../kernel/ids.js';

/** The request of one sale to a stream that all sales of its business share. */
export interface BatchItem<T> {
  readonly id: string;
  readonly payload: T;
  readonly context: Context;
}

/**
 * Batches the commands of many sales on one stream into few appends: requests that arrive during an append go into the
 * next one. Each event keeps the context of its own sale.
 */
export function batchCommands<S, C, E extends Fact, T>(
  streams: Streams,
  decider: Decider<S, C, E>,
  toCommand: (payloads: readonly T[]) => C,
  toItemId: (event: E) => string,
): KeyedBatcher<BatchItem<T>, Outcome<S>> {
  return new KeyedBatcher(async (stream, items) => {
    const contexts = new Map(items.map(({ id, context }) => [id, context]));
    const command = toCommand(items.map(({ payload }) => payload));
    const outcome = await streams.execute(decider, stream, command, toBatchContext(items), (event) =>
      contexts.get(toItemId(event))!,
    );
    for (const { context } of items) context.consistency.recordWrite(outcome.position);
    return outcome;
  });
}

/** Returns the context of a single item, or a context with a command id derived from all items. */
function toBatchContext(items: readonly BatchItem<unknown>[]): Context {
  const [first, ...others] = items;
  if (others.length === 0) return first!.context;
  return {
    ...first!.context,
    commandId: uuidV5(first!.context.commandId, 'together', ...others.map(({ context }) => context.commandId)),
  };
}
