import { CommerceFixture } from '../../commerce/commerce-fixture.js';
import { requireData } from '../../support/api.js';
import { Receiver } from '../../support/receiver.js';
import { BEGINNING } from '../backfill-fixture.js';

describe('A backfill of the events of a person who was forgotten', () => {
  it('sends them without the personal data', async () => {
    const [shop, receiver] = [await CommerceFixture.start(), await Receiver.start()];
    const course = await shop.createApprovedProduct();
    const { buyer } = await shop.createOrder([course], { buyer: { email: 'ann@example.com', name: 'Ann Example' } });
    requireData(await shop.api.delete(`/v1/commerce/buyers/${buyer.id}/personal-data`));

    const endpoint = { url: receiver.url('/past'), event_types: ['cart.order.completed'] };
    const { id: endpoint_id } = requireData(await shop.api.post('/v1/webhooks/endpoints', endpoint));
    const job = { scope: 'never_planned', endpoint_id, created_from: BEGINNING };
    requireData(await shop.api.post('/v1/webhooks/replay-jobs', job));
    const [request] = await receiver.waitForRequests('/past', 1);
    expect(request!.body).not.toContain('ann@example.com');
    expect(request!.body).not.toContain('Ann Example');
    expect(JSON.parse(request!.body)).toMatchObject({ type: 'cart.order.completed', data: { buyer: { email: null } } });

    await receiver.stop();
    await shop.service.stop();
  });
});
