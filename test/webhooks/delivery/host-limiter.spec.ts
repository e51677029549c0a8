import { HostLimiter } from '../../../src/webhooks/delivery/host-limiter.js';
import { ManualClock } from '../../support/clock.js';
import { readTestConfig } from '../test-config.js';

const NEVER = { hasPassed: false };
const ADDRESS = '93.184.215.14';

async function createLimiter(environment: Record<string, string>) {
  const clock = new ManualClock();
  return { clock, hosts: new HostLimiter(await readTestConfig(environment), clock) };
}

describe('The host limiter', () => {
  it('limits the concurrent attempts, and allows the next when one has ended', async () => {
    const { hosts: targets, clock } = await createLimiter({ WEBHOOK_HOST_CONCURRENCY: '2' });
    const first = await targets.acquire('a.example.com', [ADDRESS], NEVER);
    await targets.acquire('a.example.com', [ADDRESS], NEVER);
    const third = targets.acquire('a.example.com', [ADDRESS], NEVER);
    first!.release();
    await clock.advance(20);
    expect(await third).toHaveProperty('release');
  });

  it('limits a host also by its address, under all its names', async () => {
    const { hosts: targets, clock } = await createLimiter({ WEBHOOK_HOST_CONCURRENCY: '1' });
    await targets.acquire('a.example.com', [ADDRESS], NEVER);
    const other = targets.acquire('b.example.com', [ADDRESS], NEVER);
    await clock.advance(2_020);
    expect(await other).toBeNull();
    expect(await targets.acquire('b.example.com', ['93.184.215.15'], NEVER)).toHaveProperty('release');
  });

  it('limits the attempts per second', async () => {
    const { hosts: targets, clock } = await createLimiter({ WEBHOOK_HOST_RATE: '2' });
    for (let i = 0; i < 2; i++) (await targets.acquire('a.example.com', [], NEVER))!.release();
    let acquired = false;
    const third = targets.acquire('a.example.com', [], NEVER).then((slot) => (acquired = slot !== null));
    await clock.advance(980);
    expect(acquired).toBe(false);
    await clock.advance(40);
    await third;
    expect(acquired).toBe(true);
  });

  it('applies no limit when the configuration disables it', async () => {
    const { hosts: targets } = await createLimiter({ WEBHOOK_HOST_CONCURRENCY: '0', WEBHOOK_HOST_RATE: '0' });
    for (let i = 0; i < 1_000; i++) expect(await targets.acquire('a.example.com', [], NEVER)).not.toBeNull();
  });
});
