import { rm } from 'node:fs/promises';
import { createTempFolder } from '../../support/service.js';
import { ServiceProcess } from '../../support/service-process.js';

const LOUD = /^warning: the payments of live mode are SIMULATED/m;

describe('A service whose payments in live mode are simulated', () => {
  it.each([
    ['says so at its start', {}, true],
    ['does not exist with a live key of Stripe', { STRIPE_SECRET_KEY: 'sk_live_1' }, false],
    ['does not exist with a test key of Stripe, which declines them', { STRIPE_SECRET_KEY: 'sk_test_1' }, false],
  ])('%s', async (_, environment, isLoud) => {
    const folder = await createTempFolder();
    const service = await ServiceProcess.start(folder, environment);
    await service.stop();
    await rm(folder, { recursive: true });

    expect(LOUD.test(service.output)).toBe(isLoud);
  });
});
