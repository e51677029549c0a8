import { installmentPlanDecider } from '../../../src/commerce/domain/installment-plan.js';
import type {
  InstallmentPlanEvent,
  InstallmentPlanStart,
  InstallmentProgress,
} from '../../../src/commerce/domain/installment-plan-events.js';
import { given } from '../../support/given.js';
import { ada } from './facts.js';

const START = '2026-01-31T09:00:00.000Z';
const SECOND_DUE = '2026-02-28T09:00:00.000Z';
const THIRD_DUE = '2026-03-31T09:00:00.000Z';
const FIRST_RETRY = '2026-03-02T09:00:00.000Z';
const LAST_RETRY = '2026-03-21T09:00:00.000Z';

const start: InstallmentPlanStart = {
  installmentPlanId: 'li_1',
  businessId: 'biz_1',
  orderId: 'ord_1',
  productId: 'prod_1',
  planId: 'plan_1',
  name: 'A course',
  buyer: ada,
  quantity: 1,
  unitAmountCents: 3300,
  amountCents: 3300,
  currency: 'EUR',
  discount: null,
  interval: 'month',
  intervalCount: 1,
  installmentsCount: 3,
  methodToken: 'tok_ok',
  startedAt: START,
};
const started = {
  type: 'InstallmentPlanStarted',
  data: { ...start, anchorDay: 31, nextDueAt: SECOND_DUE, at: START },
} as const;

const installmentPlanId = 'li_1';
const ids = { paymentId: 'pay_1', invoiceId: 'inv_1' };
const anId = (prefix: string) => expect.stringMatching(`^${prefix}_[a-z0-9]{26}$`) as string;

function charged(number = 2, attempt = 1, at = SECOND_DUE): InstallmentPlanEvent {
  const amounts = { amountCents: 3300, discountCents: 0, methodToken: 'tok_ok' };
  return { type: 'InstallmentStarted', data: { installmentPlanId, number, attempt, ...ids, ...amounts, at } };
}

function paid(number: number, nextDueAt: string | null, at = SECOND_DUE): InstallmentPlanEvent {
  const paid = { installmentPlanId, number, ...ids, amountCents: 3300, nextDueAt };
  const status = nextDueAt === null ? 'completed' : 'active';
  return { type: 'InstallmentPaid', data: { ...paid, progress: progress(number, 0, nextDueAt, status), at } };
}

function failed(attempt: number, nextRetryAt: string | null, at = SECOND_DUE, hard = false): InstallmentPlanEvent {
  const failure = { code: 'card_declined', detail: 'No.', hard, firstFailedAt: SECOND_DUE, nextRetryAt };
  const failed = { installmentPlanId, number: 2, attempt, ...ids, ...failure };
  const status = nextRetryAt === null ? 'uncollectible' : 'active';
  return { type: 'InstallmentFailed', data: { ...failed, progress: progress(1, 1, nextRetryAt, status), at } };
}

function progress(
  paid: number,
  failed: number,
  nextDueAt: string | null,
  status: InstallmentProgress['status'],
): InstallmentProgress {
  const remainingCents = status === 'active' ? (3 - paid) * 3300 : 0;
  return { orderId: 'ord_1', count: 3, paid, failed, remainingCents, nextDueAt, status };
}

const charge = { type: 'StartInstallment' } as const;
const record = { type: 'RecordInstallment', ...ids } as const;
const fail = { type: 'FailInstallment', ...ids, code: 'card_declined', detail: 'No.', hard: false } as const;

const FOUR_FAILURES = [
  ['2026-03-02T09:00:00.000Z', SECOND_DUE],
  ['2026-03-07T09:00:00.000Z', '2026-03-02T09:00:00.000Z'],
  ['2026-03-14T09:00:00.000Z', '2026-03-07T09:00:00.000Z'],
  [LAST_RETRY, '2026-03-14T09:00:00.000Z'],
].flatMap(([retry, at], i) => [charged(2, i + 1, at), failed(i + 1, retry!, at)]);

describe('An installment plan', () => {
  it('starts once, with its second part', () => {
    const command = { type: 'StartInstallmentPlan', start } as const;
    given(installmentPlanDecider).when(command, { now: START }).then(started);
    given(installmentPlanDecider, started).when(command).thenNothing();
  });

  it('is not found before it has started', () => given(installmentPlanDecider).when(charge).thenRejects('not_found'));

  it('charges a due part', () =>
    given(installmentPlanDecider, started)
      .when(charge, { now: SECOND_DUE })
      .then({
        type: 'InstallmentStarted',
        data: { ...charged().data, paymentId: anId('pay'), invoiceId: anId('inv') } as never,
      }));

  it.each<[string, InstallmentPlanEvent[], string]>([
    ['is early', [], START],
    ['is charged already', [charged()], SECOND_DUE],
    ['waits for a retry', [charged(), failed(1, FIRST_RETRY)], SECOND_DUE],
    ['was paid, and the next one is early', [charged(), paid(2, THIRD_DUE)], FIRST_RETRY],
    ['was the last one', [charged(), paid(2, THIRD_DUE), charged(3), paid(3, null, THIRD_DUE)], '2027-01-01'],
    ['was given up', [charged(), failed(1, null)], '2027-01-01'],
  ])('charges no part that %s', (_, history, now) =>
    given(installmentPlanDecider, started, ...history)
      .when(charge, { now })
      .thenNothing(),
  );

  it.each([
    ['before the end of the discount', '2026-03-31T09:00:00.000Z', 1650, 1650],
    ['at the end of the discount', SECOND_DUE, 3300, 0],
  ])('bills a part %s', (_, coveredUntil, amountCents, discountCents) => {
    const discount = { percentOff: 50, duration: 'repeating', coveredUntil } as const;
    const discounted = { ...started, data: { ...started.data, discount } };
    given(installmentPlanDecider, discounted)
      .when(charge, { now: SECOND_DUE })
      .then({ type: 'InstallmentStarted', data: expect.objectContaining({ amountCents, discountCents }) as never });
  });

  it('has no payment for a part of which nothing is due', () => {
    const discount = { percentOff: 100, duration: 'forever', coveredUntil: null } as const;
    given(installmentPlanDecider, { ...started, data: { ...started.data, discount } })
      .when(charge, { now: SECOND_DUE })
      .then({
        type: 'InstallmentStarted',
        data: expect.objectContaining({ amountCents: 0, paymentId: null }) as never,
      });
  });

  it('keeps the anchor day of the later parts, also when a part is paid late', () =>
    given(installmentPlanDecider, started, charged(), failed(1, FIRST_RETRY), charged(2, 2, FIRST_RETRY))
      .when(record, { now: FIRST_RETRY })
      .then(paid(2, THIRD_DUE, FIRST_RETRY)));

  it('ends with its last part', () =>
    given(installmentPlanDecider, started, charged(), paid(2, THIRD_DUE), charged(3, 1, THIRD_DUE))
      .when(record, { now: THIRD_DUE })
      .then(paid(3, null, THIRD_DUE)));

  it('retries a failed charge after 2, 7, 14 and 21 days, and then gives up', () => {
    given(installmentPlanDecider, started, charged()).when(fail, { now: SECOND_DUE }).then(failed(1, FIRST_RETRY));
    given(installmentPlanDecider, started, ...FOUR_FAILURES.slice(0, -1))
      .when(fail, { now: '2026-03-14T09:00:00.000Z' })
      .then(failed(4, LAST_RETRY, '2026-03-14T09:00:00.000Z'));
    given(installmentPlanDecider, started, ...FOUR_FAILURES, charged(2, 5, LAST_RETRY))
      .when(fail, { now: LAST_RETRY })
      .then(failed(5, null, LAST_RETRY));
  });

  it('gives up after a hard decline', () =>
    given(installmentPlanDecider, started, charged())
      .when({ ...fail, hard: true }, { now: SECOND_DUE })
      .then(failed(1, null, SECOND_DUE, true)));

  it('counts what remains with the discount of each part', () => {
    const discount = { percentOff: 50, duration: 'repeating', coveredUntil: THIRD_DUE } as const;
    const remaining = (remainingCents: number) => expect.objectContaining({ remainingCents }) as never;
    given(installmentPlanDecider, { ...started, data: { ...started.data, discount } }, charged())
      .when({ ...fail }, { now: SECOND_DUE })
      .then({
        ...failed(1, FIRST_RETRY),
        data: { ...failed(1, FIRST_RETRY).data, progress: remaining(4950) } as never,
      });
  });

  it('charges a new method, also at once when a caller waits for the retry', () => {
    const change = { type: 'ChangeInstallmentMethod', methodToken: 'tok_new' } as const;
    const changed = {
      type: 'InstallmentMethodChanged',
      data: { installmentPlanId, methodToken: 'tok_new', at: SECOND_DUE },
    } as const;
    const pastDue = [started, charged(), failed(1, FIRST_RETRY)] as const;
    given(installmentPlanDecider, ...pastDue)
      .when(change, { now: SECOND_DUE })
      .then(changed);
    given(installmentPlanDecider, ...pastDue, changed)
      .when(change)
      .thenNothing();
    given(installmentPlanDecider, ...pastDue, changed)
      .when({ ...charge, requested: true }, { now: SECOND_DUE })
      .then({
        type: 'InstallmentStarted',
        data: expect.objectContaining({ attempt: 2, methodToken: 'tok_new', requested: true }) as never,
      });
    given(installmentPlanDecider, started, changed)
      .when({ ...charge, requested: true }, { now: START })
      .thenNothing();
    given(installmentPlanDecider, started, paid(2, THIRD_DUE), paid(3, null))
      .when(change)
      .thenRejects('installments_ended');
  });

  it('keeps its schedule when a requested retry fails, also for ever', () => {
    const requested = { ...charged(2, 2), data: { ...charged(2, 2).data, requested: true } } as InstallmentPlanEvent;
    given(installmentPlanDecider, started, charged(), failed(1, FIRST_RETRY), requested)
      .when({ ...fail, hard: true }, { now: SECOND_DUE })
      .then(failed(2, FIRST_RETRY, SECOND_DUE, true));
    given(installmentPlanDecider, started, charged(), failed(1, FIRST_RETRY), requested, failed(2, FIRST_RETRY))
      .when(charge, { now: FIRST_RETRY })
      .then({ type: 'InstallmentStarted', data: expect.objectContaining({ attempt: 3 }) as never });
    given(
      installmentPlanDecider,
      ...[started, charged(), failed(1, FIRST_RETRY), requested, failed(2, FIRST_RETRY), charged(2, 3, FIRST_RETRY)],
    )
      .when(fail, { now: FIRST_RETRY })
      .then(failed(3, '2026-03-07T09:00:00.000Z', FIRST_RETRY));
  });

  it('ignores a result that is recorded already, or of another charge', () => {
    for (const command of [record, fail]) {
      given(installmentPlanDecider, started).when(command).thenNothing();
      given(installmentPlanDecider, started, charged(), paid(2, THIRD_DUE)).when(command).thenNothing();
      given(installmentPlanDecider, started, charged(), paid(2, null)).when(command).thenNothing();
      given(installmentPlanDecider, started, charged())
        .when({ ...command, paymentId: 'pay_2' })
        .thenNothing();
    }
  });
});

describe('A cancelled installment plan', () => {
  const cancel = { type: 'CancelInstallmentPlan' } as const;
  const cancelled = (openInvoiceId: string | null, failed = 0): InstallmentPlanEvent => ({
    type: 'InstallmentPlanCancelled',
    data: { installmentPlanId, openInvoiceId, progress: progress(1, failed, null, 'cancelled'), at: SECOND_DUE },
  });

  it('has ended at once, without an invoice that is open', () =>
    given(installmentPlanDecider, started).when(cancel, { now: SECOND_DUE }).then(cancelled(null)));

  it('names the unpaid invoice of a part that failed', () =>
    given(installmentPlanDecider, started, charged(), failed(1, FIRST_RETRY))
      .when(cancel, { now: SECOND_DUE })
      .then(cancelled(anId('inv'), 1)));

  it('lets a charge stand whose result is unknown', () => {
    given(installmentPlanDecider, started, charged()).when(cancel, { now: SECOND_DUE }).then(cancelled(null));
    given(installmentPlanDecider, started, charged(), cancelled(null)).when(fail).thenNothing();
  });

  it.each([
    [2, [charged(2)]],
    [3, [charged(2), paid(2, THIRD_DUE), charged(3)]],
  ])('counts part %i, whose charge succeeds after the end, once', (number, charges) => {
    const data = { installmentPlanId, number, ...ids, amountCents: 3300, nextDueAt: null };
    const late = { ...data, progress: progress(number, 0, null, 'cancelled'), at: THIRD_DUE };
    const paidLate: InstallmentPlanEvent = { type: 'InstallmentPaid', data: late };
    const history = [started, ...charges, cancelled(null)];
    given(installmentPlanDecider, ...history)
      .when({ ...record, paymentId: 'pay_2' })
      .thenNothing();
    given(installmentPlanDecider, ...history)
      .when(record, { now: THIRD_DUE })
      .then(paidLate);
    for (const command of [record, charge, cancel])
      given(installmentPlanDecider, ...history, paidLate)
        .when(command, { now: LAST_RETRY })
        .thenNothing();
  });

  it('charges nothing more, and is cancelled once', () => {
    for (const command of [charge, cancel])
      given(installmentPlanDecider, started, cancelled(null)).when(command, { now: LAST_RETRY }).thenNothing();
  });

  it('must not be paid already', () =>
    given(installmentPlanDecider, started, paid(2, THIRD_DUE), paid(3, null))
      .when(cancel)
      .thenRejects('installments_ended'));
});
