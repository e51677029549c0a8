import { execFile, spawnSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { requireData } from '../support/api.js';
import { type ReceivedRequest, Receiver } from '../support/receiver.js';
import { createTempFolder, type Service, startService } from '../support/service.js';

const GUIDE = join(import.meta.dirname, '../../docs/guides/webhooks.md');
const CASES = 'cases.tsv';
const TIMEOUT_MS = 120_000;

interface Language {
  /** The word after the fence of its code in the guide. */
  readonly name: string;
  /** The program that the language needs. */
  readonly program: string;
  /** The arguments with which the program checks the cases. */
  readonly words: readonly string[];
  /** Returns the files: the code of the guide, and a program that prints true or false for each case. */
  readonly files: (code: string) => Readonly<Record<string, string>>;
}

/** Each case is a line: the body in base64, the header, the secret, and the time in seconds. */
const LANGUAGES: readonly Language[] = [
  {
    name: 'ts',
    program: process.execPath,
    words: ['main.ts'],
    files: (code) => ({
      'signature.ts': code,
      'main.ts': `import { readFileSync } from 'node:fs';
import { isGenuine } from './signature.ts';
for (const line of readFileSync('${CASES}', 'utf8').trim().split('\\n')) {
  const [body, header, secret, now] = line.split('\\t');
  console.log(isGenuine(Buffer.from(body, 'base64'), header, secret, Number(now)));
}
`,
    }),
  },
  {
    name: 'python',
    program: 'python3',
    words: ['main.py'],
    files: (code) => ({
      'signature.py': code,
      'main.py': `import base64
from signature import is_genuine
for line in open("${CASES}").read().strip().split("\\n"):
    body, header, secret, now = line.split("\\t")
    print(str(is_genuine(base64.b64decode(body), header, secret, float(now))).lower())
`,
    }),
  },
  {
    name: 'go',
    program: 'go',
    words: ['run', 'signature.go', 'main.go'],
    files: (code) => ({
      'signature.go': code.replace('package webhook', 'package main'),
      'main.go': `package main

import ("encoding/base64"; "fmt"; "os"; "strconv"; "strings"; "time")

func main() {
	text, _ := os.ReadFile("${CASES}")
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\\n") {
		fields := strings.Split(line, "\\t")
		body, _ := base64.StdEncoding.DecodeString(fields[0])
		now, _ := strconv.ParseInt(fields[3], 10, 64)
		fmt.Println(IsGenuine(body, fields[1], fields[2], time.Unix(now, 0)))
	}
}
`,
    }),
  },
  {
    name: 'java',
    program: 'java',
    words: ['Main.java'],
    files: (code) => ({
      'Main.java': `${code
        .split('\n')
        .filter((line) => line.startsWith('import '))
        .join('\n')}
import java.nio.file.*;
import java.util.Base64;

class Main {
  public static void main(String[] words) throws Exception {
    for (String line : Files.readAllLines(Path.of("${CASES}"))) {
      String[] fields = line.split("\\t");
      Instant now = Instant.ofEpochSecond(Long.parseLong(fields[3]));
      System.out.println(Signature.isGenuine(Base64.getDecoder().decode(fields[0]), fields[1], fields[2], now));
    }
  }
}
${code
  .split('\n')
  .filter((line) => !line.startsWith('import '))
  .join('\n')}
`,
    }),
  },
];

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

const isMissing = ({ program }: Language) => spawnSync('which', [program]).status !== 0;

describe('The code that checks signatures in the guide', () => {
  it.each(LANGUAGES.filter((language) => !isMissing(language)))(
    'accepts only a genuine request of the service: $name',
    async ({ name, program, words, files }) => {
      const [, code] = new RegExp(`\`\`\`${name}\\n([^]*?)\`\`\``).exec(await readFile(GUIDE, 'utf8'))!;
      const cwd = join(folder, name);
      await mkdir(cwd);
      const cases = listCases();
      const written = { ...files(code!), [CASES]: cases.map(([, fields]) => fields.join('\t')).join('\n') };
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
