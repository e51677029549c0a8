import { CommerceFixture, MONTHLY } from '../../commerce/commerce-fixture.js';
import { type ApiResponse, requireData } from '../../support/api.js';
import { Receiver } from '../../support/receiver.js';
import { type Service, startService } from '../../support/service.js';
import { ReceivedEvents } from '../received-events.js';

const START = '2030-01-31T09:00:00.000Z';
const SECOND_DUE = '2030-02-28T09:00:00.000Z';
const PARTS = { ...MONTHLY, kind: 'installment', amount_cents: 3300, installments_count: 3 };

describe('The publication of installments', () => {
  let service: Service;
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await Receiver.start();
    service = await startService({ WEBHOOK_ENDPOINT_RATE: '1000' });
  });
  afterAll(async () => {
    await receiver.stop();
    await service.stop();
  });

  /** Sells a course in three parts with this payment method, and charges the second part. */
  async function sell(token: string) {
    const shop = await CommerceFixture.createIn(service, 'test');
    const events = await ReceivedEvents.subscribe(shop.api, receiver, `/${token}`, ['installment.*']);
    requireData(await shop.api.put('/v1/commerce/test-clock', { now: START }));
    const cart = await shop.createCart([await shop.createApprovedProduct({ plans: [PARTS] })]);
    const order: ApiResponse['body'] = requireData(await shop.checkOut(cart.id, token));
    requireData(await shop.api.put('/v1/commerce/test-clock', { now: SECOND_DUE }));
    return { shop, events, order, planId: order.line_items[0].id as string };
  }

  it('tells that a part failed, with its payment and its invoice', async () => {
    const { shop, events, order, planId } = await sell('tok_fail_on_renewal');
    const [payment] = (await shop.list('payments')).body.data;
    const { data, changes } = await events.waitForOne('installment.failed', planId);
    expect(data).toMatchObject({
      object: 'installment_plan',
      order: { id: order.id },
      number: 2,
      payment: { id: payment.id },
      invoice: payment.invoice,
      ...(await shop.get(`orders/${order.id}`)).installments,
      failed: 1,
    });
    expect(changes).toBeNull();
  });

  it('tells of the end of a plan after the part that was paid before', async () => {
    const { shop, events, order, planId } = await sell('tok_ok');
    const paid = await events.waitForOne('installment.paid', planId);
    expect(paid.data).toMatchObject({ number: 2, paid: 2, status: 'active' });
    requireData(await shop.api.post(`/v1/commerce/orders/${order.id}/installments/cancellations`));
    const cancelled = await events.waitForOne('installment.cancelled', planId);
    const nothing = { number: null, payment: null, invoice: null, next_due_at: null, remaining_amount_cents: 0 };
    expect(cancelled.data).toMatchObject({ ...nothing, order: { id: order.id }, paid: 2, status: 'cancelled' });
    expect(cancelled.sequence).toBeGreaterThan(paid.sequence);
  });
});
