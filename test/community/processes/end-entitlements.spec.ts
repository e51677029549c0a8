import { Disputes } from '../../../src/commerce/commands/disputes.steps.js';
import { Renewals } from '../../../src/commerce/commands/renewals.steps.js';
import { createSystemContext } from '../../../src/identity/system-context.js';
import { Checkpoints } from '../../../src/kernel/checkpoints.js';
import { DAY_MS, toIso } from '../../../src/kernel/clock.js';
import { EventStore } from '../../../src/kernel/event-store.js';
import { START } from '../../../src/kernel/position.js';
import type { Service } from '../../support/service.js';
import { signIn, toProblem } from '../community-users.js';
import {
  expectRemoval,
  joinPaid,
  ONE_TIME,
  type PaidCommunityFixture,
  startPaidCommunities,
} from '../paid-community-fixture.js';

const GRANTS = 'reactor:grant-entitlements';
const ENDS = 'reactor:end-entitlements';

describe('The end of entitlements', () => {
  let paid: PaidCommunityFixture;
  let upgraded: Service;
  beforeEach(async () => {
    paid = await startPaidCommunities();
  });
  afterEach(async () => {
    await upgraded.close();
    await paid.service.stop();
  });

  const createCommunity = async (plan?: object) => {
    const product = await paid.createProduct(plan);
    const path = await paid.createPaid(product);
    const enter = async (name: string) => {
      const order = await paid.buy(name, product);
      expect(await joinPaid(await signIn(paid.service, name), path)).toBe(201);
      return order;
    };
    return { path, enter };
  };

  /** Starts the reactor on a store whose earlier release had only the other one, which has passed the whole log. */
  const upgradeAfter = async (work: (earlier: Service) => Promise<void>) => {
    await paid.service.close();
    const earlier = await paid.service.startAnother({ ROLE: 'api' });
    await work(earlier);
    await earlier.get(Checkpoints).advanceCheckpoints({ [GRANTS]: await earlier.get(EventStore).readHead() });
    await earlier.get(Checkpoints).rewindCheckpoints([ENDS], START);
    await earlier.close();
    upgraded = await paid.service.startAnother();
  };

  const loseDispute = async (service: Service, { payments: [payment] }: { payments: { id: string }[] }) => {
    const paymentId = payment!.id;
    const terms = { gatewayReference: `du_${paymentId}`, amountCents: 900, currency: 'EUR', reason: 'fraudulent' };
    const report = { ...terms, status: 'lost', feeCents: 0, evidenceDueAt: null } as const;
    const command = { type: 'RecordDispute', report } as const;
    await service.get(Disputes).execute(paymentId, command, createSystemContext(Date.now()));
  };

  const expectMember = async (name: string, path: string) =>
    expect((await (await signIn(upgraded, name)).get(`${path}/members`)).status).toBe(200);

  it('begins with the oldest event: an upgrade ends the access of what was refunded before it', async () => {
    const { path, enter } = await createCommunity(ONE_TIME);
    const refunded = await enter('ann');
    await enter('bob');

    await upgradeAfter(async (earlier) => {
      const key = earlier.createApi(await earlier.createKey(paid.business));
      expect((await key.post(`/v1/commerce/payments/${refunded.payments[0].id}/refunds`)).status).toBe(201);
    });

    const ann = await signIn(upgraded, 'ann');
    await expectRemoval(ann, path);
    expect(toProblem(await ann.post(`${path}/join`))).toMatchObject({ status: 403, code: 'purchase_required' });
    await expectMember('bob', path);
  });

  it('leaves an access for which a renewal was paid after a lost dispute', async () => {
    const { path, enter } = await createCommunity();
    const [renewed, lost] = [await enter('lou'), await enter('ann')];

    await upgradeAfter(async (earlier) => {
      for (const order of [renewed, lost]) await loseDispute(earlier, order);
      const now = toIso(Date.now() + 40 * DAY_MS);
      const context = { ...createSystemContext(Date.now()), business: paid.business.id, now };
      await earlier.get(Renewals).run(renewed.line_items[0].subscription.id, context);
    });

    await expectRemoval(await signIn(upgraded, 'ann'), path);
    await expectMember('lou', path);
  });
});
