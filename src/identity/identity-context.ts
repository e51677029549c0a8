import { Progress, type Context } from '../kernel/context.js';
import type { Actor } from '../kernel/event.js';
import { newUuid } from '../kernel/ids.js';

/** The context of what the service itself does about who is who: for no business, and caused by no request of its own. */
export function identityContext(at: number, commandId: string = newUuid(), actor: Actor = { type: 'system', id: 'identity' }): Context {
  return {
    commandId,
    at,
    correlationId: commandId,
    causationId: commandId,
    actor,
    business: null,
    mode: 'live',
    requestId: null,
    progress: new Progress(),
  };
}
