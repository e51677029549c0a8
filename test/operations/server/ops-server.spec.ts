import { sendRaw } from '../../http/support/raw-http.js';
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

  it('refuses two credentials, and a parameter that is sent twice', async () => {
    service = await startService({ OPS_TOKEN: TOKEN });
    const head = (path: string, ...headers: string[]) =>
      [`GET ${path} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers, '', ''].join('\r\n');
    const credential = `Authorization: Bearer ${TOKEN}`;
    const send = async (path: string, ...headers: string[]) => {
      const { status, body } = await sendRaw(service.running.opsUrl, head(path, ...headers));
      return [status, /"code":"(\w+)"/.exec(body)?.[1] ?? null];
    };

    expect(await send('/ops/jobs', credential)).toEqual([200, null]);
    expect(await send('/ops/jobs', credential, 'Authorization: Bearer another')).toEqual([400, 'bad_request']);
    for (const path of ['/ops/jobs?limit=1&limit=2', '/ops/dead-letters?limit=1&limit=1'])
      expect(await send(path, credential)).toEqual([400, 'invalid_parameter']);
  });

  it('requires no token on loopback, even when HOST is not loopback', async () => {
    service = await startService({ HOST: '0.0.0.0' });

    expect(service.running.opsUrl).toMatch(/^http:\/\/127\.0\.0\.1:/);
    expect(await statusOf('/metrics')).toBe(200);
  });
});
