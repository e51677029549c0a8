import { Progress, type Context } from '../kernel/context.js';
import type { Actor } from '../kernel/event.js';
import { newUuid } from '../kernel/ids.js';

/** Creates the context of an action of the service itself, without a business and without a request. */
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

/** Creates the context of an action of an operator on the command line. */
export function operatorContext(at: number): Context {
  return identityContext(at, undefined, { type: 'system', id: 'operator' });
}
