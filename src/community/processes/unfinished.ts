import { causedBy, type Context } from '../../kernel/context.js';
import type { Recorded } from '../../kernel/event.js';

/** The context of the command that recorded the event, as its steps had it: who finishes it runs the same steps. */
export function unfinished(event: Recorded, process: string): Context {
  const { actor, commandId, causationId } = event.meta;
  return { ...causedBy(event, process), actor, commandId, causationId };
}
