import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { RAW_CASES } from '../../support/raw-answers.js';
import { RawReceiver } from '../../support/raw-receiver.js';
import { createTestSender, type TestSender } from './test-sender.js';

const TIMEOUT_MS = 10_000;
/** A body that needs several reads. */
const BODY = Buffer.alloc(200_000, 'x');
const ENVELOPE = { body: BODY, headers: { 'Content-Type': 'application/json' } };
/** Ends an endless body; the status is known before. */
const CURL_OPTIONS = ['-s', '-o', '/dev/null', '-w', '%{http_code}', '-m', '2', '-H', 'Expect:', '--data-binary', '@-'];
const CURL = spawnSync('curl', ['--version']).error === undefined ? null : 'curl is not installed';

/** Returns the status that curl reports, 0 for none. */
async function postWithCurl(url: string): Promise<number> {
  const running = promisify(execFile)('curl', [...CURL_OPTIONS, url]);
  running.child.stdin!.on('error', () => undefined).end(BODY);
  const { stdout } = await running.catch((error: { readonly stdout: string }) => error);
  return Number(stdout);
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

describe('A receiver whose response has', () => {
  let sender: TestSender;
  beforeAll(async () => void (sender = await createTestSender()));

  it.each(RAW_CASES.map((one) => [one.name, one] as const))('%s', async (_, answer) => {
    const receiver = await RawReceiver.start(answer);
    const result = await sender.post(receiver.url, ENVELOPE, TIMEOUT_MS);
    expect('failure' in result ? 0 : result.responseStatus).toBe(answer.status);
    await receiver.stop();
  });
});

(CURL === null ? describe : describe.skip)(
  `Where curl sees a success${CURL === null ? '' : ` (skipped: ${CURL})`}`,
  () => {
    it.each(RAW_CASES.map((one) => [one.name, one] as const))('the sender sees it too: %s', async (_, answer) => {
      const receiver = await RawReceiver.start(answer);
      const seen = await postWithCurl(receiver.url);
      if (isSuccess(seen)) expect(answer.status).toBe(seen);
      await receiver.stop();
    });
  },
);
