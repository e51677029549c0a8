import type { ReadModelReader } from '../../../src/engine/read-models/read-model-reader.js';
import type { Streams } from '../../../src/engine/streams/streams.js';
import { NO_HISTORY } from '../../../src/webhooks/domain/endpoint-health.js';
import { MonitorEndpointHealth } from '../../../src/webhooks/processes/monitor-endpoint-health.js';
import { createAttempt, failed, NOW } from '../facts.js';
import { recordedFrom } from '../recorded-from.js';

/** The health of an endpoint that has failed for so long that its next failure disables it. */
const HOPELESS = { ...NO_HISTORY, failing_since: '2026-01-01T00:00:00.000Z', retryable_failures: 100 };

type Failure = Parameters<MonitorEndpointHealth['react']>[0];

it.each([
  ['a test event', true, []],
  ['an event', false, ['DisableFailingEndpoint']],
])('the failure of %s leads to these commands of an endpoint that has failed for long', async (_, test, expected) => {
  const commands: string[] = [];
  const execute = async (_decider: unknown, _id: string, { type }: { type: string }) => void commands.push(type);
  const reader = { requirePosition: async () => {}, get: async () => HOPELESS };
  const monitor = new MonitorEndpointHealth({ execute } as unknown as Streams, reader as unknown as ReadModelReader);
  const failure = recordedFrom(failed(createAttempt(1), { reason: 'server_error' }), NOW);
  await monitor.react({ ...failure, data: { ...failure.data, test } } as Failure);

  expect(commands).toEqual(expected);
});
