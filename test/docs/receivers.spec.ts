import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSignatureHeaders, generateSecret } from '../../src/webhooks/delivery/signature.js';
import { openSocket } from '../http/support/raw-http.js';
import { eventually } from '../support/eventually.js';
import { findFreePort } from '../support/free-port.js';
import { createTempFolder } from '../support/service.js';

const ROOT = join(import.meta.dirname, '../..');
const BODY = Buffer.from('{"id":"evt_1","type":"product.approved"}');
const SECRET = generateSecret();
const RECEIVER = /```js\n([^`]*createServer\([^]*?)```/;

let folder: string;
beforeAll(async () => (folder = await createTempFolder()));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Starts the receiver of a document. Calls of it that come before it listens are refused. */
async function startReceiver(document: string) {
  const [, code] = RECEIVER.exec(await readFile(join(ROOT, document), 'utf8'))!;
  const file = join(folder, 'receiver.mjs');
  await writeFile(file, code!);
  const port = await findFreePort();
  const env = { ...process.env, PORT: String(port), SIGNING_SECRET: SECRET };
  const receiver = spawn(process.execPath, [file], { env, stdio: 'ignore' });
  return { url: `http://127.0.0.1:${port}`, receiver };
}

function sign(): Readonly<Record<string, string>> {
  return {
    ...createSignatureHeaders(SECRET, { eventId: 'evt_1', seconds: Math.floor(Date.now() / 1_000), body: BODY }),
  };
}

/** Returns the status of the response; 0 without a response. */
function post(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  return fetch(url, { method: 'POST', headers, body: BODY }).then(
    ({ status }) => status,
    () => 0,
  );
}

/** Sends a part of a request and ends the connection. */
async function hangUp(url: string): Promise<void> {
  const socket = openSocket(url);
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{');
  await once(socket, 'connect');
  socket.destroy();
}

describe.each(['README.md', 'docs/guides/quick-start.md'])('The receiver in %s', (document) => {
  it('accepts genuine webhooks, and goes on after forged requests and clients that hang up', async () => {
    const { url, receiver } = await startReceiver(document);
    await eventually(
      () => post(url, sign()),
      (status) => status === 204,
    );

    for (const headers of [{}, { ...sign(), 'X-Service-Signature': 't=1,v1=é' }])
      expect(await post(url, headers)).toBe(400);
    for (let time = 0; time < 3; time++) await hangUp(url);
    expect([await post(url, {}), await post(url, sign())]).toEqual([400, 204]);
    expect(receiver.exitCode).toBeNull();
    receiver.kill();
    await once(receiver, 'exit');
  });
});
