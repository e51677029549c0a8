import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { requireData } from '../../support/api.js';
import { runOps, signSessionToken } from '../../support/ops.js';
import { createTempFolder } from '../../support/service.js';
import { ServiceProcess } from '../../support/service-process.js';

const keyed = (name: string) => ({ 'idempotency-key': name });

let dataDir: string;
let service: ServiceProcess;
beforeAll(async () => {
  dataDir = await createTempFolder();
  service = await ServiceProcess.start(dataDir, { LOG_LEVEL: 'trace' });
});
afterAll(async () => {
  if (service.isRunning) await service.kill9();
  await rm(dataDir, { recursive: true, force: true });
});

/** Creates one secret of every kind, and returns their plaintexts. */
async function createSecrets(): Promise<string[]> {
  const seller = service.createApi(service.firstKey);
  const endpoint = requireData(
    await seller.post('/v1/webhooks/endpoints', { url: 'http://127.0.0.1:9/' }, keyed('endpoint')),
  );
  const rotated = await seller.post(
    `/v1/webhooks/endpoints/${endpoint.id}/secret-rotations`,
    undefined,
    keyed('rotation'),
  );
  const cart = requireData(await seller.post('/v1/commerce/carts', {}, keyed('cart')));
  const business = requireData(await seller.get('/v1/auth/me')).business.id as string;
  const issued = await runOps<{ secret: string }>(
    dataDir,
    ...`keys create --business ${business} --mode live --access full`.split(' '),
  );
  const session = await signSessionToken(dataDir, 'owner', 'owner@example.com');
  const owner = service.createApi(session).withHeaders({ 'x-service-business-id': business });
  const made = requireData(
    await owner.post('/v1/auth/api-keys', { name: 'A key', mode: 'test', access: 'full' }, keyed('key')),
  );
  const messages = [
    endpoint.signing_secret,
    requireData(rotated).signing_secret,
    cart.cart_token,
    issued.secret,
    made.secret,
  ];
  return [service.firstKey, session, ...messages];
}

/** Reads every file of the store, including the write-ahead logs of an open store. */
async function readFiles(folder: string): Promise<Map<string, Buffer>> {
  const names = await readdir(folder);
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)));
}

/** Returns the plaintext of the secret, and the bytes that it encodes. */
function toForms(secret: string): (string | Buffer)[] {
  const [, encoded] = /^whsec_(.+)$/.exec(secret) ?? [];
  return encoded === undefined ? [secret] : [secret, encoded, Buffer.from(encoded, 'base64')];
}

describe('A secret', () => {
  it('is in no file and no line of the log at any log level, except the first key, which is printed once', async () => {
    const secrets = await createSecrets();
    const open = await readFiles(dataDir);
    const printed = service.output;
    await service.stop();
    const closed = await readFiles(dataDir);

    expect([...open.keys()].some((name) => name.endsWith('-wal'))).toBe(true);
    expect(printed).toContain('"request_id"');
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(20);
      for (const [name, bytes] of [...open, ...closed])
        expect([name, secret.slice(0, 12), toForms(secret).some((form) => bytes.includes(form))]).toEqual([
          name,
          secret.slice(0, 12),
          false,
        ]);
      if (secret !== service.firstKey) expect(service.output).not.toContain(secret);
    }
  });
});
