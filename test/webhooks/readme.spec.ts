import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { findFreePort } from '../support/free-port.js';
import { PUBLISHED_TYPE, waitFor, WebhookFixture } from './webhook-fixture.js';

const README = new URL('../../README.md', import.meta.url);
const MAX_LINES = 20;

const receiver = /^```js\n([^]*?)^```/m.exec(readFileSync(README, 'utf8'))![1]!;

describe('The receiver that the README shows', () => {
  let fixture: WebhookFixture;
  let port: number;
  let running: ChildProcess;
  let output = '';
  let endpointId: string;

  beforeAll(async () => {
    fixture = await WebhookFixture.start();
    port = await findFreePort();
    const url = `http://127.0.0.1:${port}/`;
    const endpoint = (await fixture.api.post('/v1/webhooks/endpoints', { url, event_types: [PUBLISHED_TYPE] })).body
      .data;
    endpointId = endpoint.id;
    const env = { ...process.env, PORT: String(port), SIGNING_SECRET: endpoint.signing_secret };
    running = spawn(process.execPath, ['--input-type=module', '--eval', receiver], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    running.stdout!.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await waitFor(async () => ((await fetch(url).catch(() => null)) === null ? null : true));
  });
  afterAll(async () => {
    running.kill();
    await once(running, 'exit');
    await fixture.close();
  });

  it('has at most 20 lines', () =>
    expect(receiver.split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(MAX_LINES));

  it('accepts deliveries of the service and detects duplicates', async () => {
    await fixture.publish();
    const [record] = await fixture.waitForRecords(
      `endpoint_id=${endpointId}&status=success`,
      ({ length }) => length === 1,
    );
    expect((await fixture.replayDelivery(record.id)).body.data).toMatchObject({
      status: 'success',
      response_status: 204,
    });
    await waitFor(async () => (output === '' ? null : true));
    expect(output).toBe(`${PUBLISHED_TYPE} ${record.event_id}\n`);
  });

  it.each([
    ['without a signature', {}],
    ['with a wrong signature', { 'x-service-signature': `t=${Math.floor(Date.now() / 1_000)},v1=${'0'.repeat(64)}` }],
  ])('refuses a delivery %s', async (_, headers) =>
    expect(
      (
        await fetch(`http://127.0.0.1:${port}/`, {
          method: 'POST',
          body: '{}',
          headers: headers as Record<string, string>,
        })
      ).status,
    ).toBe(400),
  );

  it('refuses a delivery that is not signed with its secret', async () => {
    await fixture.rotateSecret(endpointId);
    expect((await fixture.sendTestEvent(endpointId)).body.data).toMatchObject({
      status: 'failed',
      response_status: 400,
    });
  });
});
