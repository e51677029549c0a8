import fc from 'fast-check';
import { scaleRuns, seeds } from '../contracts/seed.js';
import { findMoneyErrors } from '../support/invariants/money.js';
import { type Crash, MoneyFixture, type MoneyStep } from './money-fixture.js';

const TOKENS = [
  'tok_ok',
  'tok_ok',
  'tok_refund_declined',
  'tok_pending',
  'tok_timeout',
  'tok_declined',
  'tok_disputed',
];

const index = fc.nat(5);
const share = fc.constantFrom(0.01, 0.3, 0.5, 0.97, 1);
const step: fc.Arbitrary<MoneyStep> = fc.oneof(
  fc.record({ do: fc.constant('sell' as const), token: fc.constantFrom(...TOKENS) }),
  fc.record({ do: fc.constant('refund' as const), payment: index, share, retry: fc.boolean() }),
  fc.record({ do: fc.constant('refund' as const), payment: index, share, retry: fc.boolean() }),
  fc.record({ do: fc.constant('reverse' as const), refund: index }),
  fc.record({
    do: fc.constant('dispute' as const),
    payment: index,
    share: fc.constantFrom(0.3, 1, 1.1),
    status: fc.constantFrom('open' as const, 'open' as const, 'won' as const, 'lost' as const),
    feeCents: fc.constantFrom(0, 1500),
  }),
  fc.record({
    do: fc.constant('decide' as const),
    dispute: index,
    outcome: fc.constantFrom('won' as const, 'lost' as const),
  }),
  fc.record({ do: fc.constant('pay out' as const), share }),
  fc.record({ do: fc.constant('run timers' as const) }),
);
const crash: fc.Arbitrary<Crash | null> = fc.option(fc.record({ append: fc.nat(7), recorded: fc.boolean() }));
const history = fc.array(fc.tuple(fc.array(step, { minLength: 1, maxLength: 3 }), crash), { maxLength: 12 });

/** Seeds that failed once. */
const FAILED_SEEDS = [518764865];

describe('Money', () => {
  it.each([...seeds, ...FAILED_SEEDS])(
    'is conserved in every history of sales, refunds, disputes and payouts, with crashes (seed %i)',
    async (seed) => {
      await fc.assert(
        fc.asyncProperty(history, async (rounds) => {
          const fixture = new MoneyFixture();
          for (const [steps, crashed] of [[[{ do: 'sell', token: 'tok_ok' }], null] as const, ...rounds])
            await fixture.run(steps, crashed);
          await fixture.recover();

          expect(findMoneyErrors(fixture.shop.store.log)).toEqual([]);
        }),
        { seed, numRuns: scaleRuns(150) },
      );
    },
  );
});
