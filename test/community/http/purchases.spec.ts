import { Disputes } from '../../../src/commerce/commands/disputes.steps.js';
import { Installments } from '../../../src/commerce/commands/installments.steps.js';
import { Refunds } from '../../../src/commerce/commands/refunds.steps.js';
import { installmentPlanDecider } from '../../../src/commerce/domain/installment-plan.js';
import { paymentDecider } from '../../../src/commerce/domain/payment.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import { createSystemContext } from '../../../src/identity/system-context.js';
import { UserLinks } from '../../../src/identity/user-links.js';
import { DAY_MS, toIso } from '../../../src/kernel/clock.js';
import { type Api, requireData } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import type { Service } from '../../support/service.js';
import { createCommunity, emailFor, signIn, toProblem } from '../community-users.js';
import {
  expectRemoval,
  INSTALLMENTS,
  joinPaid,
  ONE_TIME,
  type PaidCommunityFixture,
  startPaidCommunities,
} from '../paid-community-fixture.js';

const DISPUTE = { amountCents: 2500, currency: 'EUR', reason: 'fraudulent', feeCents: 0, evidenceDueAt: null };

describe('The members of a paid community', () => {
  let paid: PaidCommunityFixture;
  let service: Service;
  beforeAll(async () => {
    paid = await startPaidCommunities();
    ({ service } = paid);
  });
  afterAll(() => service.stop());

  const settleDispute = (paymentId: string, status: 'won' | 'lost') => {
    const report = { ...DISPUTE, gatewayReference: `du_${paymentId}`, status };
    const command = { type: 'RecordDispute', report } as const;
    return service.get(Disputes).execute(paymentId, command, createSystemContext(Date.now()));
  };
  const enter = async (name: string, plan?: object) => {
    const product = await paid.createProduct(plan);
    const path = await paid.createPaid(product);
    const buyer = await signIn(service, name);
    const order = await paid.buy(name, product);
    expect(await joinPaid(buyer, path)).toBe(201);
    return { product, path, buyer, order, subscription: order.line_items[0].subscription?.id as string };
  };
  const userIdOf = async (api: Api) => (await api.get('/v1/auth/me')).body.data.user.id as string;
  const expectOutside = async (buyer: Api, path: string) => {
    await expectRemoval(buyer, path);
    expect(toProblem(await buyer.post(`${path}/join`))).toMatchObject({ status: 403, code: 'purchase_required' });
  };
  const expectInside = async (buyer: Api, path: string) =>
    expect((await buyer.get(`${path}/members`)).status).toBe(200);

  it('enter it with a live order, and leave it when the subscription ends', async () => {
    const { buyer, path, subscription } = await enter('bea');

    await paid.cancel(subscription);

    await expectOutside(buyer, path);
  });

  it('leave it when the subscription to an earlier product of the community ends', async () => {
    const { buyer, path, subscription } = await enter('cleo');
    await paid.key.patch(path, { product_id: await paid.createProduct() });

    await paid.cancel(subscription);

    await expectRemoval(buyer, path);
  });

  it('stay as long as one product of the community, also an earlier one, entitles them', async () => {
    const [earlier, current] = [await paid.createProduct(), await paid.createProduct()];
    const [path, other] = [await paid.createPaid(earlier), await paid.createPaid(current)];
    const buyer = await signIn(service, 'dora');
    const kept = await paid.buy('dora', earlier);
    const ended = await paid.buy('dora', current);
    expect([await joinPaid(buyer, path), await joinPaid(buyer, other)]).toEqual([201, 201]);
    await paid.key.patch(path, { product_id: current });

    await paid.cancel(ended.line_items[0].subscription.id);
    await expectRemoval(buyer, other);
    await expectInside(buyer, path);

    await paid.cancel(kept.line_items[0].subscription.id);
    await expectRemoval(buyer, path);
  });

  describe('whose address has changed', () => {
    const signInAs = async (subject: string, name: string) => {
      const api = service.createApi(await service.signToken(subject, { email: emailFor(name) }));
      await api.get('/v1/auth/me');
      return api;
    };

    it('enter it with what they bought before, and a later user of the address does not', async () => {
      const product = await paid.createProduct(ONE_TIME);
      const path = await paid.createPaid(product);
      await signInAs('mover', 'desk');
      const order = await paid.buy('desk', product);
      const mover = await signInAs('mover', 'home');
      const successor = await signInAs('successor', 'desk');

      expect(await joinPaid(mover, path)).toBe(201);
      expect(toProblem(await successor.post(`${path}/join`))).toMatchObject({ code: 'purchase_required' });

      await paid.refund(order);
      await expectOutside(mover, path);
    });

    it('enter it with what was bought for their address before they signed in, first', async () => {
      const product = await paid.createProduct(ONE_TIME);
      const path = await paid.createPaid(product);
      await paid.buy('gift', product);
      await signInAs('first', 'gift');
      const first = await signInAs('first', 'new-home');
      const second = await signInAs('second', 'gift');

      expect(await joinPaid(first, path)).toBe(201);
      expect(toProblem(await second.post(`${path}/join`))).toMatchObject({ code: 'purchase_required' });
      await paid.buy('gift', product);
      expect(await joinPaid(second, path)).toBe(201);
    });
  });

  it('enter it with what another user bought who was then linked to them', async () => {
    const product = await paid.createProduct(ONE_TIME);
    const path = await paid.createPaid(product);
    const linked = await signIn(service, 'lena');
    const order = await paid.buy('lena', product);
    const kept = service.createApi(await service.signToken('lena-again', { email: emailFor('lena') }));
    const [from, to] = [await userIdOf(linked), await userIdOf(kept)];
    expect(toProblem(await kept.post(`${path}/join`))).toMatchObject({ code: 'purchase_required' });

    await service.get(UserLinks).link(from, to, () => createSystemContext(Date.now()));
    expect(await joinPaid(kept, path)).toBe(201);

    await paid.refund(order);
    await expectOutside(kept, path);
  });

  describe('whose purchase is paid back', () => {
    it('leave it after the full refund of an order, in one part or in several', async () => {
      const [whole, parts] = [await enter('ann', ONE_TIME), await enter('abe', ONE_TIME)];

      await paid.refund(whole.order);
      await paid.refund(parts.order, { amount_cents: 2000 });
      await expectInside(parts.buyer, parts.path);
      await paid.refund(parts.order, { amount_cents: 500 });

      await expectOutside(whole.buyer, whole.path);
      await expectOutside(parts.buyer, parts.path);
    });

    it('keep it after a partial refund', async () => {
      const [partial, full] = [await enter('pat', ONE_TIME), await enter('fay', ONE_TIME)];

      await paid.refund(partial.order, { amount_cents: 2499 });
      await paid.refund(full.order);

      await expectRemoval(full.buyer, full.path);
      await expectInside(partial.buyer, partial.path);
    });

    it('keep it while another order entitles them, and enter it again with a new one', async () => {
      const { buyer, path, product, order } = await enter('ned', ONE_TIME);
      const second = await paid.buy('ned', product);
      await paid.refund(order);
      await paid.refund(second);
      await expectOutside(buyer, path);

      await paid.buy('ned', product);

      expect(await joinPaid(buyer, path)).toBe(201);
      await expectInside(buyer, path);
    });

    it('keep the membership that began before the purchase', async () => {
      const product = await paid.createProduct(ONE_TIME);
      const path = await paid.createPaid(product);
      const [guest, other] = [await signIn(service, 'gus'), await signIn(service, 'olaf')];
      await Promise.all([guest, other].map((api) => api.get('/v1/auth/me')));
      await paid.key.post(`${path}/members/import`, { members: [{ email: 'gus@example.com' }] });
      const orders = [await paid.buy('gus', product), await paid.buy('olaf', product)];
      expect(await joinPaid(other, path)).toBe(201);

      for (const order of orders) await paid.refund(order);

      await expectRemoval(other, path);
      await expectInside(guest, path);
    });

    it('keep the membership with which an import or an invite brought them back', async () => {
      const [imported, invited] = [await enter('iris', ONE_TIME), await enter('ivan', ONE_TIME)];
      const witness = await enter('iggy', ONE_TIME);
      for (const { buyer, path } of [imported, invited])
        await paid.key.delete(`${path}/members/${await userIdOf(buyer)}`);
      await paid.key.post(`${imported.path}/members/import`, { members: [{ email: emailFor('iris') }] });
      const invite = requireData(await paid.key.post(`${invited.path}/invites`, { email: emailFor('ivan') }));
      expect((await invited.buyer.post(`/v1/community/invites/${invite.id}/accept`)).status).toBe(200);

      for (const { order } of [imported, invited, witness]) await paid.refund(order);

      await expectRemoval(witness.buyer, witness.path);
      for (const { buyer, path } of [imported, invited]) await expectInside(buyer, path);
    });

    it('keep the membership of a community that was free when they joined it, or is free now', async () => {
      const [earlier, now] = [await signIn(service, 'fred'), await enter('fran', ONE_TIME)];
      const [product, witness] = [await paid.createProduct(ONE_TIME), await enter('finn', ONE_TIME)];
      const { id } = await createCommunity(paid.key, { name: 'Beginners' });
      const path = `/v1/community/communities/${id}`;
      expect((await earlier.post(`${path}/join`)).status).toBe(201);
      requireData(await paid.key.patch(path, { tier: 'paid', product_id: product }));
      requireData(await paid.key.patch(now.path, { tier: 'free', product_id: null }));
      const bought = await paid.buy('fred', product);

      for (const order of [bought, now.order, witness.order]) await paid.refund(order);

      await expectRemoval(witness.buyer, witness.path);
      await expectInside(earlier, path);
      await expectInside(now.buyer, now.path);
    });

    it('enter it again when the last part is paid after the end of the installments', async () => {
      const { buyer, path, order } = await enter('lea', { ...INSTALLMENTS, installments_count: 2 });
      const planId = order.line_items[0].id as string;
      const method = { type: 'ChangeInstallmentMethod', methodToken: 'tok_pending' } as const;
      const context = () => ({ ...createSystemContext(Date.now()), business: paid.business.id });
      await service.get(Streams).execute(installmentPlanDecider, planId, method, context());
      const due = { ...context(), now: toIso(Date.now() + 40 * DAY_MS) };
      const payment = await service.get(Installments).run(planId, due);
      expect(payment).toMatchObject({ status: 'unsettled' });
      requireData(await paid.key.post(`/v1/commerce/orders/${order.id}/installments/cancellations`));
      await expectOutside(buyer, path);

      const { paymentId } = (payment as { charge: { paymentId: string } }).charge;
      const card = { type: 'card', brand: 'visa', last4: '4242' } as const;
      const result = { status: 'succeeded', reference: 'sim_1', method: card } as const;
      const settle = { type: 'SettlePayment', result } as const;
      const { state } = await service.get(Streams).execute(paymentDecider, paymentId, settle, due);
      await service.get(Installments).finishPayment(state, due);
      expect(await joinPaid(buyer, path)).toBe(201);
      await expectInside(buyer, path);
    });

    it('keep an active subscription, and lose a cancelling one', async () => {
      const [refundedFirst, cancelledFirst] = [await enter('sue'), await enter('sam')];

      await paid.refund(refundedFirst.order);
      await paid.cancel(cancelledFirst.subscription, 'at_period_end');
      await paid.refund(cancelledFirst.order);
      await expectOutside(cancelledFirst.buyer, cancelledFirst.path);
      await expectInside(refundedFirst.buyer, refundedFirst.path);

      await paid.cancel(refundedFirst.subscription, 'at_period_end');
      await expectOutside(refundedFirst.buyer, refundedFirst.path);

      await paid.key.post(`/v1/commerce/subscriptions/${refundedFirst.subscription}/uncancel`);
      expect(await joinPaid(refundedFirst.buyer, refundedFirst.path)).toBe(201);
    });

    it('keep a cancelling subscription that is not refunded', async () => {
      const [kept, refunded] = [await enter('kit'), await enter('rex')];

      for (const { subscription } of [kept, refunded]) await paid.cancel(subscription, 'at_period_end');
      await paid.refund(refunded.order);

      await expectRemoval(refunded.buyer, refunded.path);
      await expectInside(kept.buyer, kept.path);
    });

    it('leave it with a lost dispute, and not with one that is won', async () => {
      const [lost, won] = [await enter('lou', ONE_TIME), await enter('wim', ONE_TIME)];

      await settleDispute(won.order.payments[0].id, 'won');
      await settleDispute(lost.order.payments[0].id, 'lost');

      await expectOutside(lost.buyer, lost.path);
      await expectInside(won.buyer, won.path);
    });

    it('stay outside after a lost dispute when a refund of a part fails later', async () => {
      const { buyer, path, order } = await enter('rob', ONE_TIME);
      const paymentId = order.payments[0].id as string;
      const { id } = requireData(
        await paid.key.post(`/v1/commerce/payments/${paymentId}/refunds`, { amount_cents: 1 }),
      );
      await settleDispute(paymentId, 'lost');
      await expectOutside(buyer, path);

      const failure = { code: 'expired_card', detail: 'The card has expired.' };
      await service.get(Refunds).reverse(paymentId, id, failure, createSystemContext(Date.now()));
      await enter('rob-witness', ONE_TIME);
      await expectOutside(buyer, path);
    });

    it.each([
      ['a product', 'ada-once', ONE_TIME],
      ['installments', 'ada-parts', INSTALLMENTS],
      ['a subscription', 'ada-monthly', undefined],
    ])('may enter again when an appeal wins the lost dispute of %s', async (_, name, plan) => {
      const { buyer, path, order } = await enter(name, plan);
      const paymentId = order.payments[0].id as string;
      await settleDispute(paymentId, 'lost');
      await expectOutside(buyer, path);

      await settleDispute(paymentId, 'won');
      expect(await joinPaid(buyer, path)).toBe(201);
    });

    it('leave it when their installments are cancelled', async () => {
      const { buyer, path, order } = await enter('ivy', INSTALLMENTS);

      await paid.key.post(`/v1/commerce/orders/${order.id}/installments/cancellations`);

      await expectOutside(buyer, path);
    });

    it('keep it when the product is archived', async () => {
      const [archived, refunded] = [await enter('ari', ONE_TIME), await enter('ron', ONE_TIME)];

      await paid.key.patch(`/v1/commerce/products/${archived.product}`, { status: 'inactive' });
      await paid.refund(refunded.order);

      await expectRemoval(refunded.buyer, refunded.path);
      await expectInside(archived.buyer, archived.path);
    });

    it('leave it when their ban ends', async () => {
      const { buyer, path, order } = await enter('una', ONE_TIME);
      const other = await enter('una-paying', ONE_TIME);
      const setStatus = async (status: string) => {
        for (const { buyer: api, path: entered } of [{ buyer, path }, other])
          requireData(await paid.key.patch(`${entered}/members/${await userIdOf(api)}`, { status }));
      };
      await setStatus('banned');
      const witness = await enter('una-witness', ONE_TIME);
      await paid.refund(order);
      await paid.refund(witness.order);
      await expectRemoval(witness.buyer, witness.path);

      await setStatus('active');

      await expectOutside(buyer, path);
      await expectInside(other.buyer, other.path);
    });

    it.each([
      ['a role', 'max', (member: string) => paid.key.patch(member, { role: 'moderator' })],
      ['a level', 'lia', (member: string) => paid.key.patch(member, { level: 4 })],
      ['the expert badge', 'bel', (member: string) => paid.key.put(`${member}/expert-badge`)],
    ])('leave it also when they got %s', async (_, name, give) => {
      const { buyer, path, order } = await enter(name, ONE_TIME);
      requireData(await give(`${path}/members/${await userIdOf(buyer)}`));
      await paid.refund(order);
      await expectOutside(buyer, path);
    });

    it('keep it as the owner, and leave it when another one is the owner', async () => {
      const [{ buyer, path, order }, witness] = [await enter('oda', ONE_TIME), await enter('oda-witness', ONE_TIME)];
      const { owner } = requireData(await paid.key.get(path));
      requireData(await paid.key.post(`${path}/transfer`, { user_id: await userIdOf(buyer) }));
      await paid.refund(order);
      await paid.refund(witness.order);
      await expectRemoval(witness.buyer, witness.path);
      await expectInside(buyer, path);

      requireData(await buyer.post(`${path}/transfer`, { user_id: owner.id }));
      await expectOutside(buyer, path);
    });

    it('keep it when it ends while the community is free, also when it is paid again', async () => {
      const [{ buyer, path, order, product }, witness] = [
        await enter('fio', ONE_TIME),
        await enter('fio-witness', ONE_TIME),
      ];
      requireData(await paid.key.patch(path, { tier: 'free', product_id: null }));
      await paid.refund(order);
      await paid.refund(witness.order);
      await expectRemoval(witness.buyer, witness.path);
      requireData(await paid.key.patch(path, { tier: 'paid', product_id: product }));
      await expectInside(buyer, path);

      requireData(await buyer.post(`${path}/leave`));
      expect(await buyer.post(`${path}/join`)).toMatchObject({ status: 403, body: { code: 'purchase_required' } });
    });

    it('leave it when it ends after the community was free for a time', async () => {
      const { buyer, path, order, product } = await enter('gia', ONE_TIME);
      requireData(await paid.key.patch(path, { tier: 'free', product_id: null }));
      requireData(await paid.key.patch(path, { tier: 'paid', product_id: product }));
      await expectInside(buyer, path);
      await paid.refund(order);
      await expectOutside(buyer, path);
    });

    it('lose what they bought after they had been removed', async () => {
      const { buyer, path, order, product } = await enter('mia', ONE_TIME);
      await paid.key.delete(`${path}/members/${await userIdOf(buyer)}`);
      await paid.refund(order);
      const again = await paid.buy('mia', product);
      await eventually(
        () => buyer.post(`${path}/join`),
        ({ status }) => status === 201,
      );

      await paid.refund(again);

      await expectOutside(buyer, path);
    });
  });
});
