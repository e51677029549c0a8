import { CommandLine } from '../../support/command-line.js';
import { findFreePort } from '../../support/free-port.js';
import { type Service, startService } from '../../support/service.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const open = (environment: Readonly<Record<string, string>>) =>
  new CommandLine(service.dataDir, environment).run('console open --json');

describe('ops console open', () => {
  it('prints a link with a token that the service accepts', async () => {
    const { exitCode, out, err } = await open({ PUBLIC_URL: service.url });
    const { url } = JSON.parse(out) as { readonly url: string };
    const token = new URLSearchParams(new URL(url).hash.slice(1)).get('token')!;

    expect([exitCode, err, url.startsWith(`${service.url}/console/#`)]).toEqual([0, '', true]);
    expect((await service.createApi(token).get('/v1/auth/me')).status).toBe(200);
  });

  it('prints the public address when only the local one can be reached', async () => {
    const publicUrl = `http://127.0.0.1:${await findFreePort()}`;
    const { exitCode, out } = await open({ PUBLIC_URL: publicUrl, PORT: new URL(service.url).port });

    expect([exitCode, JSON.parse(out).url.startsWith(`${publicUrl}/console/#`)]).toEqual([0, true]);
  });

  it('says that no service answers, and prints no link', async () => {
    const port = String(await findFreePort());
    const { exitCode, out, err } = await open({ PORT: port });

    expect([exitCode, out]).toEqual([1, '']);
    expect(err).toContain(`http://127.0.0.1:${port} cannot be reached: ECONNREFUSED: start the service`);
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  it('says that the service belongs to another DATA_DIR, and prints no link', async () => {
    const other = await startService();
    const { exitCode, out, err } = await open({ PUBLIC_URL: other.url, PORT: new URL(other.url).port });
    await other.stop();

    expect([exitCode, out]).toEqual([1, '']);
    expect(err).toMatch(/the service responded with 401: .*: start the service with the same DATA_DIR/);
  });
});
