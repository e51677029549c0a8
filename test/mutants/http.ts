import type { Mutant } from './mutant.ts';

/** Mutants of the HTTP layer. */
export const http: readonly Mutant[] = [
  {
    name: 'the length of an idempotency key is counted in UTF-16 units',
    file: 'http/idempotency/idempotency-key.ts',
    from: 'const codePoints = [...key].length;',
    to: 'const codePoints = key.length;',
    specs: ['http/idempotency/idempotency.spec.ts'],
  },
  {
    name: 'an idempotency key matches a request with another body',
    file: 'http/idempotency/idempotency-key.ts',
    from: 'hasBody ? Buffer.concat([head, request.body.bytes]) : head',
    to: 'head',
    specs: ['http/idempotency/idempotency.spec.ts'],
  },
  {
    name: 'a page has no maximum length',
    file: 'http/validation/paging.ts',
    from: 'return Math.min(this.per_page, this.maximum);',
    to: 'return this.per_page;',
    specs: ['http/validation/list-limits.spec.ts', 'http/validation/queries.spec.ts'],
  },
  {
    name: 'the MAC of a consistency token is not checked',
    file: 'http/server/consistency-tokens.ts',
    from: 'return timingSafeEqual(mac, this.computeMac(position)) ? position : START;',
    to: 'return position;',
    specs: ['http/server/consistency-tokens.spec.ts'],
  },
];
