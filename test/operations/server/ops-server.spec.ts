import { type Service, startService } from '../../support/service.js';

const TOKEN = 'the-token-of-the-operators';

describe('The operations server', () => {
  let service: Service;
  afterEach(() => service.stop());

  const statusOf = async (path: string, authorization?: string) => {
    const answer = await fetch(`${service.running.opsUrl.replace('0.0.0.0', '127.0.0.1')}${path}`, {
      headers: authorization === undefined ? {} : { authorization },
    });
    await answer.arrayBuffer();
    return answer.status;
  };

  it('requires the token for everything except liveness when other machines can reach it', async () => {
    service = await startService({ OPS_HOST: '0.0.0.0', OPS_TOKEN: TOKEN });

    expect(await statusOf('/health/live')).toBe(200);
    for (const path of ['/health/ready', '/metrics', '/nowhere']) {
      expect(await statusOf(path)).toBe(401);
      expect(await statusOf(path, 'Bearer another')).toBe(401);
      expect(await statusOf(path, `Basic ${TOKEN}`)).toBe(401);
    }
    expect(await statusOf('/metrics', `Bearer ${TOKEN}`)).toBe(200);
    expect(await statusOf('/nowhere', `Bearer ${TOKEN}`)).toBe(404);
  });

  it('requires no token on loopback, even when HOST is not loopback', async () => {
    service = await startService({ HOST: '0.0.0.0' });

    expect(service.running.opsUrl).toMatch(/^http:\/\/127\.0\.0\.1:/);
    expect(await statusOf('/metrics')).toBe(200);
  });
});
