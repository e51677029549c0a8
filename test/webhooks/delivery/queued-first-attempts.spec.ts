import type { AttemptResult } from '../../../src/webhooks/domain/attempt-result.js';
import { WebhooksProcess } from '../../support/memory/webhooks-process.js';

const OK: AttemptResult = { responseStatus: 200, durationMs: 1, retryAfterSeconds: null };

describe('A first attempt that waits for a slot', () => {
  it('is recorded as missed when its endpoint is disabled during the wait', async () => {
    const cluster = await WebhooksProcess.create({ WEBHOOK_ENDPOINT_CONCURRENCY: '1' });
    const { promise: firstAnswer, resolve: answer } = Promise.withResolvers<AttemptResult>();
    cluster.results.unshift(firstAnswer);
    const endpointId = await cluster.createEndpoint();
    await cluster.startDelivery('chain-1', endpointId);
    const second = cluster.startDelivery('chain-2', endpointId);
    await cluster.setStatus(endpointId, 'disabled');
    answer(OK);
    await cluster.clock.advance(50);
    await second;

    expect(cluster.sent).toHaveLength(1);
    expect(await cluster.loadDeliveryChain('chain-2')).toMatchObject({ status: 'missed' });
  });

  it('is sent when its endpoint is still enabled', async () => {
    const cluster = await WebhooksProcess.create({ WEBHOOK_ENDPOINT_CONCURRENCY: '1' });
    const { promise: firstAnswer, resolve: answer } = Promise.withResolvers<AttemptResult>();
    cluster.results.unshift(firstAnswer);
    const endpointId = await cluster.createEndpoint();
    await cluster.startDelivery('chain-1', endpointId);
    const second = cluster.startDelivery('chain-2', endpointId);
    await cluster.clock.advance(10);
    expect(cluster.sent).toHaveLength(1);
    answer(OK);
    await cluster.clock.advance(50);
    await second;

    expect(cluster.sent).toHaveLength(2);
    expect(await cluster.loadDeliveryChain('chain-2')).toMatchObject({ status: 'ended', succeeded: true });
  });
});

describe('A first attempt whose endpoint gets another URL after its planning', () => {
  const NEW_URL = 'https://moved.example.com/hook';

  it('is sent to that URL', async () => {
    const cluster = await WebhooksProcess.create();
    const endpointId = await cluster.createEndpoint();
    await cluster.edit(endpointId, { url: NEW_URL });
    await cluster.startDelivery('chain-1', endpointId);
    await cluster.clock.advance(50);

    expect(cluster.sentTo).toEqual([NEW_URL]);
  });
});
