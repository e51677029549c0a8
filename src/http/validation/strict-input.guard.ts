import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { isKeyed } from '../idempotency/keyed-post.js';
import { rememberPerRoute } from '../server/per-route.js';
import { checkStrictInput } from './strict-input.js';

const acceptsKey = rememberPerRoute((execution) => isKeyed(execution.getHandler()));

/** Checks the input of routes without an idempotency key. On the others, the claim of the key precedes the check. */
@Injectable()
export class StrictInputGuard implements CanActivate {
  canActivate(execution: ExecutionContext): boolean | Promise<boolean> {
    return acceptsKey(execution) || (checkStrictInput(execution)?.then(() => true) ?? true);
  }
}
