import { SystemClock } from '../../../src/kernel/clock.js';
import { AddressPolicy } from '../../../src/webhooks/delivery/address-policy.js';
import { Destinations } from '../../../src/webhooks/delivery/destinations.js';
import type { Envelope } from '../../../src/webhooks/delivery/envelope.js';
import { HostLimiter } from '../../../src/webhooks/delivery/host-limiter.js';
import { NameResolver } from '../../../src/webhooks/delivery/name-resolver.js';
import { Sender, type SendResult } from '../../../src/webhooks/delivery/sender.js';
import { readTestConfig } from '../test-config.js';

export interface TestSender {
  readonly post: (
    url: string,
    envelope: Pick<Envelope, 'body' | 'headers'>,
    timeoutMs: number,
    isNewConnection?: boolean,
  ) => Promise<SendResult>;
}

/** Creates a sender that may call receivers on this machine without TLS. */
export async function createTestSender(
  environment: Record<string, string> = { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' },
): Promise<TestSender> {
  const config = await readTestConfig({ WEBHOOK_ALLOW_HTTP: 'true', ...environment });
  const clock = new SystemClock();
  const policy = new AddressPolicy(config, new NameResolver(config, clock));
  const sender = new Sender(config, clock);
  const destinations = new Destinations(policy, new HostLimiter(config, clock), clock, config);
  return {
    post: async (url, envelope, timeoutMs, isNewConnection = false) =>
      sender.post(await destinations.acquireExtra(url), envelope, { timeoutMs, isNewConnection }),
  };
}
