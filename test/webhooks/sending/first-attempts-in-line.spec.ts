import type { Answer } from '../../../src/webhooks/domain/answer.js';
import { WebhooksHouse } from '../../support/memory/webhooks-house.js';

const OK: Answer = { responseStatus: 200, durationMs: 1, retryAfterSeconds: null };

describe('A first attempt that waits for a slot', () => {
  it('is recorded as missed when its endpoint is disabled during the wait', async () => {
    const house = await WebhooksHouse.of({ WEBHOOK_ENDPOINT_CONCURRENCY: '1' });
    const { promise: firstAnswer, resolve: answer } = Promise.withResolvers<Answer>();
    house.answers.unshift(firstAnswer);
    const endpointId = await house.endpoint();
    await house.begin('chain-1', endpointId);
    const second = house.begin('chain-2', endpointId);
    await house.turn(endpointId, 'disabled');
    answer(OK);
    await house.clock.advance(50);
    await second;

    expect(house.sent).toHaveLength(1);
    expect(await house.chain('chain-2')).toMatchObject({ status: 'missed' });
  });

  it('is sent when its endpoint is still enabled', async () => {
    const house = await WebhooksHouse.of({ WEBHOOK_ENDPOINT_CONCURRENCY: '1' });
    const { promise: firstAnswer, resolve: answer } = Promise.withResolvers<Answer>();
    house.answers.unshift(firstAnswer);
    const endpointId = await house.endpoint();
    await house.begin('chain-1', endpointId);
    const second = house.begin('chain-2', endpointId);
    await house.clock.advance(10);
    expect(house.sent).toHaveLength(1);
    answer(OK);
    await house.clock.advance(50);
    await second;

    expect(house.sent).toHaveLength(2);
    expect(await house.chain('chain-2')).toMatchObject({ status: 'ended', succeeded: true });
  });
});
