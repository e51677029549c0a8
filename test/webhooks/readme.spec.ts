import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { freePort } from '../support/free-port.js';
import { Desk, eventually, OCCURRENCE } from './desk.js';

const README = new URL('../../src/webhooks/README.md', import.meta.url);
const MOST_LINES = 20;

const receiver = /```js\n([^]*?)```/.exec(readFileSync(README, 'utf8'))![1]!;

describe('The receiver that the README shows', () => {
  let desk: Desk;
  let port: number;
  let running: ChildProcess;
  let said = '';
  let endpointId: string;

  beforeAll(async () => {
    desk = await Desk.open();
    port = await freePort();
    const url = `http://127.0.0.1:${port}/`;
    const endpoint = (await desk.api.post('/v1/webhooks/endpoints', { url, event_types: [OCCURRENCE] })).body.data;
    endpointId = endpoint.id;
    const env = { ...process.env, PORT: String(port), SIGNING_SECRET: endpoint.signing_secret };
    running = spawn(process.execPath, ['--input-type=module', '--eval', receiver], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    running.stdout!.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await eventually(async () => ((await fetch(url).catch(() => null)) === null ? null : true));
  });
  afterAll(async () => {
    running.kill();
    await once(running, 'exit');
    await desk.close();
  });

  it('has at most 20 lines', () => expect(receiver.split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(MOST_LINES));

  it('accepts deliveries of the service and detects duplicates', async () => {
    await desk.occur();
    const [record] = await desk.records(`endpoint_id=${endpointId}&status=success`, ({ length }) => length === 1);
    expect((await desk.replay(record.id)).body.data).toMatchObject({ status: 'success', response_status: 204 });
    await eventually(async () => (said === '' ? null : true));
    expect(said).toBe(`${OCCURRENCE} ${record.event_id}\n`);
  });

  it.each([
    ['without a signature', {}],
    ['with a wrong signature', { 'x-service-signature': `t=${Math.floor(Date.now() / 1_000)},v1=${'0'.repeat(64)}` }],
  ])('refuses a delivery %s', async (_, headers) =>
    expect(
      (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}', headers: headers as Record<string, string> })).status,
    ).toBe(400),
  );

  it('refuses a delivery that is not signed with its secret', async () => {
    await desk.rotate(endpointId);
    expect((await desk.test(endpointId)).body.data).toMatchObject({ status: 'failed', response_status: 400 });
  });
});
