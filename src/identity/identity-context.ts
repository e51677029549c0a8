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

/** The context of what an operator does from the command line. */
export function operatorContext(at: number): Context {
  return identityContext(at, undefined, { type: 'system', id: 'operator' });
}
