import { applyDecorators, Post, SetMetadata, UseInterceptors } from '@nestjs/common';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';

const KEYED = 'edge:keyed';

/**
 * A POST that accepts an idempotency key. Only these routes have an interceptor, because Nest runs each request of a
 * route with one through a chain of observables.
 */
export const KeyedPost = (path?: string) =>
  applyDecorators(Post(path), SetMetadata(KEYED, true), UseInterceptors(IdempotencyInterceptor));

export function isKeyed(handler: object): boolean {
  return Reflect.getMetadata(KEYED, handler) === true;
}
