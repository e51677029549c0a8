import type { InstallmentPlanEvent } from '../../../src/commerce/domain/installment-plan-events.js';
import { ConsistencyContext } from '../../../src/kernel/context.js';
import type { RecordedOf } from '../../../src/kernel/event.js';
import { createContext } from '../../support/jar.js';
import { crashAfter, crashAt, crashBefore, succeed } from '../../support/memory/crashes.js';
import { CheckoutFixture } from '../checkout-fixture.js';
import { clubPlan } from '../domain/facts.js';

type InstallmentFailed = RecordedOf<Extract<InstallmentPlanEvent, { type: 'InstallmentFailed' }>>;

const STARTED = ['InstallmentStarted', 'InvoiceIssued', 'InvoiceNumberAssigned', 'PaymentStarted'];
const PAID = [...STARTED, 'InstallmentPaid', 'InvoicePaid', 'PaymentSucceeded', 'SaleCredited'].sort();
const UNSETTLED = [...PAID, 'PaymentUnsettled'].sort();
const DECLINED = [...STARTED, 'InstallmentFailed', 'PaymentFailed'].sort();
const hardDecline = { status: 'declined', code: 'lost_card', detail: 'Lost.', hard: true, method: null } as const;

const crashes = (
  [
    ['tok_ok', PAID],
    ['tok_fail_on_renewal', DECLINED],
    ['tok_timeout', UNSETTLED],
  ] as const
).flatMap(([token, types]) =>
  types.flatMap((_, i) => [
    { token, types, nth: i + 1, fault: crashBefore, moment: 'before' },
    { token, types, nth: i + 1, fault: crashAfter, moment: 'after' },
  ]),
);

/** An order whose second line is paid in three parts. */
async function order(token: string): Promise<CheckoutFixture> {
  const fixture = new CheckoutFixture({ ...clubPlan, kind: 'installment', installmentsCount: 3 });
  const sale = await fixture.checkOut(token);
  await fixture.startProcess().checkout.run(sale, createContext('checkout ord_1'));
  if (token === 'tok_timeout') await fixture.runTimer('settlement');
  return fixture;
}

/** Runs the timers of the second part in the order in which they start, as after a restart. */
async function runTimers(fixture: CheckoutFixture): Promise<void> {
  await fixture.runTimer('installment');
  await settle(fixture);
}

/** Runs the timer of the unsettled payment, if any. */
async function settle(fixture: CheckoutFixture): Promise<void> {
  const settlement = fixture.findTimers('settlement').at(-1);
  if (settlement !== undefined)
    await fixture.startProcess().timers.run(settlement, settlement.due, new ConsistencyContext());
}

describe('An installment that a crash interrupted', () => {
  it.each(crashes)(
    'is charged once with $token after a crash $moment append $nth',
    async ({ token, types, nth, fault }) => {
      const fixture = await order(token);
      const [earlier, charged] = [fixture.store.log.length, fixture.gateway.charged.length];
      fixture.store.faults.push(...crashAt(nth, fault));
      await runTimers(fixture).catch(() => undefined);
      fixture.store.faults.length = 0;

      for (let run = 0; run < 2; run++) await runTimers(fixture);

      const recorded = fixture.store.log.slice(earlier).map(({ type }) => type);
      expect(recorded.sort()).toEqual(types);
      expect(new Set(fixture.gateway.charged.slice(charged)).size).toBe(1);
      expect(fixture.gateway.charged.at(-1)).toMatch(new RegExp(`^renewal:pay_[a-z0-9]{26}:${token}$`));
    },
  );

  it('has its invoice written off by the event of the last failed charge', async () => {
    const fixture = await order('tok_timeout');
    fixture.gateway.laterResult = hardDecline;
    await fixture.runTimer('installment');
    // The result of the charge and the failure of the part are recorded; the end of the invoice is not.
    fixture.store.faults.push(succeed, succeed, crashBefore);
    await settle(fixture).catch(() => undefined);
    fixture.store.faults.length = 0;
    const failed = fixture.findEvent('InstallmentFailed') as InstallmentFailed;
    expect(fixture.store.log.at(-1)).toBe(failed);

    for (let run = 0; run < 2; run++) await fixture.startProcess().writeOffs.react(failed);

    const recorded = fixture.store.log.slice(fixture.store.log.indexOf(failed) + 1).map(({ type }) => type);
    expect(recorded).toEqual(['InvoiceMarkedUncollectible']);
  });
});
