import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSignatureHeaders, generateSecret } from '../../src/webhooks/delivery/signature.js';

const DOCUMENT = join(import.meta.dirname, '../../docs/api.md');
const BODY = '{"id":"evt_1"}';
const SECRET = generateSecret();

/** Runs the checker of the document for each set of headers. */
async function check(cases: readonly object[]): Promise<boolean[]> {
  const [, code] = /```js\n([^`]*export function isGenuine[^`]*(?:`[^`]+`[^`]*)*?)```/.exec(
    await readFile(DOCUMENT, 'utf8'),
  )!;
  const program = `${code}
    const [cases, body, secret] = JSON.parse(process.env.CASES);
    console.log(JSON.stringify(cases.map((headers) => isGenuine(headers, Buffer.from(body), secret))));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
    env: { ...process.env, CASES: JSON.stringify([cases, BODY, SECRET]) },
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as boolean[];
}

function sign(seconds = Math.floor(Date.now() / 1_000)): Record<string, string> {
  const headers = createSignatureHeaders(SECRET, { eventId: 'evt_1', seconds, body: Buffer.from(BODY) });
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

describe('The signature check in the document of the API', () => {
  it('accepts a genuine request', async () => expect(await check([sign()])).toEqual([true]));

  it('refuses requests without or with malformed headers, without an error', async () => {
    const genuine = sign();
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
    const missing = names.map((name) => ({ ...genuine, [name]: undefined }));
    const given = ['', 'abc', 'é'.repeat(47), `v1,${'é'.repeat(44)}`, `v1,${'A'.repeat(43)}=`, 'NaN', '1e400', '-1'];
    const malformed = names.flatMap((name) => given.map((value) => ({ ...genuine, [name]: value })));
    const cases = [{}, ...missing, ...malformed, sign(1_000_000_000)];
    expect(await check(cases)).toEqual(cases.map(() => false));
  });
});
