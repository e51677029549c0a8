import { extractCategory } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';
import type { TracedWork } from '../../kernel/tracing.js';
import { type CommandRun, getCommandName } from './new-events.js';

export function describeCommand<S, C, E extends Fact>({ command, stream, context }: CommandRun<S, C, E>): TracedWork {
  const { commandId: id, correlationId, causationId, mode, actor } = context;
  const attributes = { 'stream.category': extractCategory(stream), mode, 'actor.type': actor.type };
  return { name: `command ${getCommandName(command)}`, kind: 'internal', id, correlationId, causationId, attributes };
}
