import type { Answer } from '../../../src/webhooks/domain/answer.js';
import { deliveryIdOf } from '../../../src/webhooks/domain/delivery-id.js';
import { Redeliveries } from '../../../src/webhooks/sending/redeliveries.js';
import { WebhooksHouse } from '../../support/memory/webhooks-house.js';

const FAILED: Answer = { responseStatus: 503, durationMs: 1, retryAfterSeconds: null };
const RETRY_MS = 5_000;

describe('A retry that falls due while a replay job holds its chain', () => {
  it('is sent within a second after the job releases the chain', async () => {
    const house = await WebhooksHouse.of({ WEBHOOK_RETRY_SCHEDULE: '5' });
    await house.start();
    house.answers.unshift(FAILED);
    const endpointId = await house.endpoint();
    const chainId = await house.publish('evt_1', endpointId);
    await house.clock.advance(100);
    const selected = { replayJobId: 'whj_1', endpointId, record: deliveryIdOf(chainId, 1) };
    const redeliveries = house.get(Redeliveries);
    await redeliveries.hold(selected, house.context());
    await house.clock.advance(2 * RETRY_MS);
    expect(house.sent).toEqual([deliveryIdOf(chainId, 1)]);

    await redeliveries.release(selected, house.context());
    await house.clock.advance(1_000);
    expect(house.sent).toEqual([deliveryIdOf(chainId, 1), deliveryIdOf(chainId, 2)]);
    await house.stop();
  });
});
