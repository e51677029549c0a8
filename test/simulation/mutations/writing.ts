import { CommandExecution } from '../../../src/engine/streams/command-execution.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import type { Context } from '../../../src/kernel/context.js';
import { streamOf } from '../../../src/kernel/decider.js';
import type { NewEvent } from '../../../src/kernel/event.js';
import { Conflict, StoreUnavailable } from '../../../src/kernel/event-store.js';
import { uuidV5 } from '../../../src/kernel/ids.js';
import { combine, type Mutation, replaceMethod } from './mutation.js';

export const commandMutations: readonly Mutation[] = [
  {
    name: 'a command with an unknown outcome runs again with another id',
    foundAt: 16,
    insert: () => combine(reportUnknownOutcomes(), replaceMethod(Streams, 'execute', retryWithNewId)),
  },
  {
    name: 'after a conflict the same decision is appended without a new fold',
    foundAt: 1,
    insert: () =>
      replaceMethod(
        CommandExecution,
        'append',
        async ({ run, tools }, append, revision: number, events: readonly NewEvent[]) => {
          try {
            return await append(revision, events);
          } catch (error) {
            if (!(error instanceof Conflict)) throw error;
            return tools.store.append(run.stream, error.actual, events);
          }
        },
      ),
  },
  {
    name: 'each retry of an internal command has a new command id',
    foundAt: 5,
    insert: () =>
      replaceMethod(Streams, 'execute', (streams, execute, decider, id, command, context: Context) => {
        const isOwn = context.actor.type === 'system';
        const commandId = isOwn ? uuidV5(context.commandId, streams.random.next() as number) : context.commandId;
        return execute(decider, id, command, { ...context, commandId });
      }),
  },
  {
    name: 'a cached stream is trusted without a read',
    foundAt: 12,
    insert: () =>
      replaceMethod(
        Streams,
        'loadState',
        async ({ cache }, loadState, decider: { readonly category: string }, id: string) => {
          const known = cache.get(decider, streamOf(decider, id));
          return known.revision < 0 ? loadState(decider, id) : known.state;
        },
      ),
  },
  {
    name: 'an attempt is sent before its start is recorded',
    foundAt: 10,
    insert: () =>
      replaceMethod(CommandExecution, 'append', (_, append, revision: number, events: readonly NewEvent[]) => {
        const recording = append(revision, events) as Promise<unknown>;
        if (!events.some(({ type }) => type === 'AttemptStarted')) return recording;
        recording.catch(() => undefined);
        return Promise.resolve({ revision: revision + events.length, position: '' });
      }),
  },
];

/** Limits each append to one try. */
function reportUnknownOutcomes(): () => void {
  return replaceMethod(CommandExecution, 'append', ({ run, tools }, _, revision: number, events: readonly NewEvent[]) =>
    tools.store.append(run.stream, revision < 0 ? 'none' : revision, events),
  );
}

async function retryWithNewId(
  _: unknown,
  execute: (...args: unknown[]) => Promise<unknown>,
  ...[decider, id, command, context]: unknown[]
): Promise<unknown> {
  try {
    return await execute(decider, id, command, context);
  } catch (error) {
    if (!(error instanceof StoreUnavailable) || !error.maybeWritten) throw error;
    const { commandId } = context as Context;
    return execute(decider, id, command, { ...(context as Context), commandId: uuidV5(commandId, 'again') });
  }
}
