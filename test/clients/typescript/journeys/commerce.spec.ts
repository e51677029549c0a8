import { type Client, createClient, isProblem } from '../../../../clients/typescript/src/index.ts';
import { type Service, startService } from '../../../support/service.js';

describe('A shop that uses the client', () => {
  let service: Service;
  let shop: Client;
  let reviewer: Client;
  beforeAll(async () => {
    service = await startService();
    const apiKey = await service.createKey(await service.createBusiness(), { mode: 'test' });
    shop = createClient({ baseUrl: service.url, apiKey });
    const token = () => service.signToken('reviewer', { reviewer: true });
    reviewer = createClient({ baseUrl: service.url, apiKey: token, mode: 'test' });
  });
  afterAll(() => service.stop());

  it('sells a subscription, refunds a part and changes the plan', async () => {
    const { commerce } = shop;
    const price = { kind: 'subscription', currency: 'EUR' } as const;
    const product = await commerce.products.create({
      name: 'A club',
      plans: [
        { ...price, name: 'Monthly', amount_cents: 4900, interval: 'month' },
        { ...price, name: 'Yearly', amount_cents: 49_000, interval: 'year' },
      ],
    });
    const [, yearly] = product.plans;
    expect((await commerce.products.retrieveAsBuyer(product.id)).purchase_block_reason).toBe('pending_approval');
    expect((await reviewer.commerce.products.approve(product.id)).approval_status).toBe('approved');

    const cart = await commerce.carts.create({ buyer: { email: 'ada@example.com', name: 'Ada' } });
    const buyer = createClient({ baseUrl: service.url, apiKey: cart.cart_token! });
    await buyer.commerce.carts.addLine(cart.id, { product_id: product.id });
    const order = await buyer.commerce.carts.checkOut(cart.id, { payment_method: { token: 'tok_ok' } });
    expect(order.status).toBe('completed');

    const [payment] = await Array.fromAsync(commerce.payments.list({ buyer_email: 'ada@example.com' }));
    const refund = await commerce.refunds.create(payment!.id, { amount_cents: 900 });
    expect(refund.payment.id).toBe(payment!.id);
    const excess: unknown = await commerce.refunds
      .create(payment!.id, { amount_cents: 4001 })
      .catch((error: unknown) => error);
    expect(isProblem(excess, 'refund_amount_exceeds_refundable')).toBe(true);
    expect((await commerce.orders.retrieve(order.id)).refunded_amount_cents).toBe(900);

    const [subscription] = await Array.fromAsync(commerce.subscriptions.list());
    const { pending_change, next_billing_at } = await commerce.subscriptions.changePlan(subscription!.id, {
      plan_id: yearly!.id,
    });
    expect(pending_change?.plan?.id).toBe(yearly!.id);
    await commerce.testClock.set({ now: next_billing_at! });
    expect((await commerce.subscriptions.retrieve(subscription!.id)).plan.id).toBe(yearly!.id);
    expect((await commerce.subscriptions.listChanges(subscription!.id)).data.map(({ status }) => status)).toEqual([
      'applied',
    ]);
  });
});
