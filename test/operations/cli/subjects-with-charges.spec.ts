import type { INestApplicationContext, Type } from '@nestjs/common';
import { OpenSales } from '../../../src/commerce/commands/buyer-sales.steps.js';
import { ReadModelReader } from '../../../src/engine/read-models/read-model-reader.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import { EventStore } from '../../../src/kernel/event-store.js';
import { AdminCommands } from '../../../src/operations/cli/admin-commands.js';
import { CommerceFixture, MONTHLY, ONCE } from '../../commerce/commerce-fixture.js';
import { requireData } from '../../support/api.js';
import { CommandLine } from '../../support/command-line.js';

const START = '2030-01-31T09:00:00.000Z';
const LATER = '2030-06-30T09:00:00.000Z';
const PARTS = { ...MONTHLY, kind: 'installment', amount_cents: 3300, installments_count: 3 };
const FORGET = 'subjects forget --email ann@example.com';

let main: CommerceFixture;
let ops: CommandLine;
beforeAll(async () => {
  main = await CommerceFixture.start();
  ops = new CommandLine(main.service.dataDir);
});
afterAll(() => main.service.stop());

/** Sells a plan in a business with a test clock. */
async function sell(plan: object, email: string, token = 'tok_ok') {
  const shop = await CommerceFixture.createIn(main.service, 'test');
  requireData(await shop.api.put('/v1/commerce/test-clock', { now: START }));
  const product = await shop.createApprovedProduct({ plans: [plan] });
  const cart = await shop.createCart([product], { buyer: { email, name: null } });
  const order = requireData(await shop.checkOut(cart.id, token));
  const advance = async () => requireData(await shop.api.put('/v1/commerce/test-clock', { now: LATER }));
  return { shop, order, advance };
}

describe('subjects forget, for a person who may still be charged', () => {
  it('is refused, and names the charges in all businesses', async () => {
    const sales = [await sell(MONTHLY, 'Ann@example.com'), await sell(PARTS, 'ann@example.com')];
    const pending = await sell(ONCE, 'ann@example.com', 'tok_pending');
    const { exitCode, err } = await ops.run(FORGET);

    expect(exitCode).toBe(1);
    for (const name of [
      sales[0]!.order.line_items[0].subscription.id,
      sales[1]!.order.id,
      pending.order.payments[0].id,
      '--end-charges',
    ])
      expect(err).toContain(name);
    expect(await sales[0]!.shop.get(`orders/${sales[0]!.order.id}`)).toMatchObject({
      buyer: { email: 'Ann@example.com' },
    });
  });

  it('ends the open carts and offers in all businesses', async () => {
    const shops = [await CommerceFixture.createIn(main.service), await CommerceFixture.createIn(main.service, 'test')];
    const buyer = { email: 'eve@example.com' };
    const open = [];
    for (const shop of shops) {
      const product = await shop.createApprovedProduct();
      const body = { product_id: product.id, amount_cents: 900, buyer, send: true };
      const offer = requireData(await shop.api.post('/v1/commerce/offers', body));
      const cart = requireData(await shop.api.post('/v1/commerce/carts', {}));
      requireData(await shop.addLine(cart.id, { product_id: product.id }));
      requireData(await shop.api.patch(`/v1/commerce/carts/${cart.id}`, { buyer }));
      open.push({ shop, offer, cart });
    }
    const { exitCode, err } = await ops.run('subjects forget --email eve@example.com');

    expect([exitCode, err]).toEqual([0, '']);
    for (const { shop, offer, cart } of open) {
      expect(await shop.readUntil(`offers/${offer.id}`, ({ status }) => status !== 'sent')).toMatchObject({
        status: 'cancelled',
      });
      expect(await shop.checkOut(cart.id)).toMatchObject({ status: 422, body: { code: 'cart_not_open' } });
    }
  });

  it('ends the charges first, when the operator asks for it', async () => {
    const sales = [await sell(MONTHLY, 'bob@example.com'), await sell(PARTS, 'bob@example.com')];
    const pending = await sell(MONTHLY, 'bob@example.com', 'tok_timeout');
    const { exitCode, err } = await ops.run('subjects forget --email bob@example.com --end-charges');

    expect([exitCode, err]).toEqual([0, '']);
    for (const { shop, advance } of [...sales, pending]) {
      await advance();
      const payments = (await shop.list('payments')).body.data;
      expect(payments.map(({ kind }: { kind: string }) => kind)).toEqual(['initial']);
    }
    expect(await pending.shop.get(`orders/${pending.order.id}`)).toMatchObject({ status: 'failed' });
  });

  it('forgets a person who came back again, with the new charges', async () => {
    const forget = 'subjects forget --email gus@example.com';
    const shops = [];
    for (const time of [1, 2]) {
      const { shop, order, advance } = await sell(MONTHLY, 'gus@example.com');
      const refused = await ops.run(forget);
      expect(refused).toMatchObject({ exitCode: 1, err: expect.stringContaining(order.line_items[0].subscription.id) });
      expect([time, await ops.runForDocument(`${forget} --end-charges`)]).toMatchObject([
        time,
        { forgotten: { now: true } },
      ]);
      await shop.readUntil(`orders/${order.id}`, ({ buyer }) => buyer.erased === true);
      shops.push({ shop, advance });
    }
    expect(await ops.runForDocument(forget)).toMatchObject({ forgotten: { now: false } });
    for (const { shop, advance } of shops) {
      await advance();
      expect((await shop.list('payments')).body.data).toHaveLength(1);
    }
  });

  it('leaves other persons alone', async () => {
    const { shop, order, advance } = await sell(MONTHLY, 'carl@example.com');
    await sell(ONCE, 'carla@example.com');
    const { exitCode } = await ops.run('subjects forget --email carla@example.com --end-charges');

    expect(exitCode).toBe(0);
    await advance();
    expect(await shop.get(`subscriptions/${order.line_items[0].subscription.id}`)).toMatchObject({ status: 'active' });
  });
});

describe('subjects forget, during which a checkout completes', () => {
  /** Runs a checkout after the search for charges, before the erasure is recorded. */
  class LateSales extends OpenSales {
    checkOut = () => Promise.resolve();

    override async end(...request: Parameters<OpenSales['end']>) {
      await this.checkOut();
      return super.end(...request);
    }
  }

  it('ends the subscription and the installments that it has started', async () => {
    const shop = await CommerceFixture.createIn(main.service);
    const products = [
      await shop.createApprovedProduct({ plans: [MONTHLY] }),
      await shop.createApprovedProduct({ plans: [PARTS] }),
    ];
    const cart = await shop.createCart(products, { buyer: { email: 'fin@example.com', name: null } });
    const get = main.service.get.bind(main.service);
    const sales = new LateSales(get(EventStore), get(ReadModelReader), get(Streams));
    let order = { id: '' };
    sales.checkOut = async () => {
      order = requireData(await shop.checkOut(cart.id));
    };
    const service = { get: (token: Type) => (token === OpenSales ? sales : get(token)) };
    const admin = new AdminCommands(service as unknown as INestApplicationContext);
    expect(await admin.forgetAddress('fin@example.com', false)).toMatchObject({ now: true });

    const { line_items } = await shop.get(`orders/${order.id}`);
    const subscription = await shop.readUntil(
      `subscriptions/${line_items[0].subscription.id}`,
      ({ status }) => status === 'cancelled',
    );
    expect(subscription).toMatchObject({ cancellation_reason: 'buyer_forgotten' });
    const { installments } = await shop.readUntil(
      `orders/${order.id}`,
      ({ installments }) => installments.status !== 'active',
    );
    expect(installments).toMatchObject({ paid: 1, status: 'cancelled' });
  });
});
