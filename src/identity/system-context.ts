import { ConsistencyContext, type Context } from '../kernel/context.js';
import type { Actor } from '../kernel/event.js';
import { newUuid } from '../kernel/ids.js';

/** Creates the context of an action of the service itself, without a business and without a request. */
export function createSystemContext(
  at: number,
  commandId: string = newUuid(),
  actor: Actor = { type: 'system', id: 'identity' },
): Context {
  return {
    commandId,
    at,
    correlationId: commandId,
    causationId: commandId,
    actor,
    business: null,
    mode: 'live',
    requestId: null,
    consistency: new ConsistencyContext(),
  };
}

/** Creates the context of an action of an operator on the command line. */
export function createOperatorContext(at: number): Context {
  return createSystemContext(at, undefined, { type: 'system', id: 'operator' });
}
