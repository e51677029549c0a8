import { execFile, spawnSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { requireData } from '../support/api.js';
import { readGuideCode } from '../support/guide-code.js';
import { type ReceivedRequest, Receiver } from '../support/receiver.js';
import { createTempFolder, type Service, startService } from '../support/service.js';
import { CASES, type Language, LANGUAGES } from './signature-languages.js';

const TIMEOUT_MS = 120_000;

let service: Service;
let receiver: Receiver;
let folder: string;
let secret: string;
let received: ReceivedRequest;
beforeAll(async () => {
  receiver = await Receiver.start();
  service = await startService();
  folder = await createTempFolder();
  const api = service.createApi(await service.createKey(await service.createBusiness()));
  const body = { url: receiver.url('/hooks'), event_types: ['*'] };
  const endpoint = requireData(await api.post('/v1/webhooks/endpoints', body));
  secret = endpoint.signing_secret as string;
  const test = { event_type: 'cart.order.completed' };
  await api.post(`/v1/webhooks/endpoints/${endpoint.id}/test-events`, test, { 'idempotency-key': 'a test' });
  received = receiver.requestsFor('/hooks')[0]!;
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The cases by what the check must answer. */
function listCases(): readonly (readonly [expected: boolean, fields: readonly unknown[]])[] {
  const { body, headers } = received;
  const header = headers['x-service-signature'] as string;
  const signedAt = Number(/t=(\d+)/.exec(header)![1]);
  const toFields = (changes: { body?: string; header?: string; secret?: string; now?: number }) => {
    const all = { body, header, secret, now: signedAt, ...changes };
    return [Buffer.from(all.body).toString('base64'), all.header, all.secret, all.now];
  };
  return [
    [true, toFields({})],
    [true, toFields({ now: signedAt + 300 })],
    [false, toFields({ now: signedAt + 301 })],
    [false, toFields({ now: signedAt - 301 })],
    [false, toFields({ body: `${body} ` })],
    [false, toFields({ secret: 'whsec_another' })],
    [false, toFields({ header: header.replace(/t=\d+/, `t=${signedAt + 1}`) })],
    [false, toFields({ header: 'v1=nonsense' })],
    [false, toFields({ header: header.toUpperCase() })],
  ];
}

const isMissing = ({ program, needs = program }: Language) => spawnSync('which', [program, needs]).status !== 0;

describe('The code that checks signatures in the guide', () => {
  it.each(LANGUAGES.filter((language) => !isMissing(language)))(
    'accepts only a genuine request of the service: $name',
    async ({ name, program, words, files }) => {
      const code = await readGuideCode('verify-webhooks', name);
      const cwd = join(folder, name);
      await mkdir(cwd);
      const cases = listCases();
      const written = { ...files(code), [CASES]: cases.map(([, fields]) => `${fields.join('\t')}\n`).join('') };
      for (const [file, text] of Object.entries(written)) await writeFile(join(cwd, file), text);

      const { stdout } = await promisify(execFile)(program, words, { cwd });
      expect(stdout.trim().split('\n')).toEqual(cases.map(([expected]) => String(expected)));
    },
    TIMEOUT_MS,
  );

  it('names the languages that are missing here', () => {
    const missing = LANGUAGES.filter(isMissing).map(({ name }) => name);
    if (missing.length > 0) console.warn(`Skipped, because their programs are missing: ${missing.join(', ')}`);
    expect(missing.length).toBeLessThan(LANGUAGES.length);
  });
});
