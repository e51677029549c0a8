import fc from 'fast-check';
import type { FindQuery, Where } from '../../src/kernel/read-models.js';
import { order } from './documents.js';

export const LIVE: Where = { 'business.id': 'biz_1', _mode: 'live' };

const times = fc.nat(60).map((n) => order(n).created_at);

const wheres: fc.Arbitrary<Where> = fc.oneof(
  fc.constantFrom<Where>(
    {},
    LIVE,
    { paid: true },
    { closed_at: null },
    { 'business.id': 'biz_0', status: 'paid' },
    { nothing: 'x' },
  ),
  fc.record({
    'business.id': fc.constantFrom('biz_0', 'biz_1'),
    status: fc.constantFrom({ in: ['open', 'void'] }, { in: [] }),
  }),
  fc.record({ _mode: fc.constant('live'), created_at: fc.record({ from: times, to: times }, { requiredKeys: [] }) }),
  fc.record({ amount_cents: fc.record({ from: fc.nat(6_000), to: fc.nat(6_000) }, { requiredKeys: [] }) }),
  fc.constantFrom<Where>({ closed_at: { in: [null, '2026-02-04'] } }, { closed_at: { from: '2026-02-04' } }),
);

const orderings = fc.oneof(
  fc.record({
    orderBy: fc.constant('created_at'),
    after: fc.option(fc.record({ value: times, id: fc.constant('ord_030') }), { nil: undefined }),
  }),
  fc.record({
    orderBy: fc.constant('closed_at'),
    after: fc.option(
      fc.record({ value: fc.constantFrom(null, '2026-02-04'), id: fc.constantFrom('ord_010', 'ord_030') }),
      {
        nil: undefined,
      },
    ),
  }),
);

/** Examples of list queries. */
export const FIND_QUERIES: fc.Arbitrary<FindQuery> = fc
  .record({
    where: wheres,
    ordering: orderings,
    ascending: fc.boolean(),
    offset: fc.nat(20),
    limit: fc.integer({ min: 1, max: 30 }),
  })
  .map(({ where, ordering: { orderBy, after }, ascending, offset, limit }) =>
    after === undefined ? { where, orderBy, ascending, offset, limit } : { where, orderBy, ascending, limit, after },
  );
