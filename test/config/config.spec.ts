import { generateKeyPairSync } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, readConfig } from '../../src/config/config.js';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'config-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const read = (env: Record<string, string> = {}) => readConfig({ DATA_DIR: directory, ...env });

function mistakes(env: Record<string, string>): readonly string[] {
  try {
    read(env);
  } catch (error) {
    return (error as ConfigError).mistakes;
  }
  throw new Error('the configuration was accepted');
}

describe('The configuration', () => {
  it('gives one address a tenth of the connections, or the given number', () => {
    expect(read().config.addressConnectionLimit).toBe(200);
    expect(read({ CONNECTION_LIMIT: '15' }).config.addressConnectionLimit).toBe(2);
    expect(read({ CONNECTION_LIMIT_PER_ADDRESS: '7' }).config.addressConnectionLimit).toBe(7);
  });

  it('has a default for every variable', () => {
    const { config, warnings } = read();

    expect(warnings).toEqual([]);
    expect(config).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      opsPort: 3001,
      opsHost: '127.0.0.1',
      role: 'all',
      productReview: 'manual',
      logLevel: 'info',
    });
    expect(config.publicUrl).toBe('http://127.0.0.1:3000');
    expect(config.webhooks).toEqual({
      allowCidrs: [],
      allowHttp: false,
      breakerWaits: [60, 120, 180, 240, 300],
      dnsServers: [],
      retrySchedule: [5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400],
      endpointLimit: 20,
      replayRate: 10,
      timeoutMs: 15000,
      endpointConcurrency: 10,
      endpointRate: 50,
      hostConcurrency: 100,
      hostRate: 500,
    });
    expect(config.rateLimit).toEqual({ perSecond: 100, burst: 200 });
  });

  it.each([
    [{ PORT: '3001' }, 3002],
    [{ PORT: '65535' }, 65534],
    [{ PORT: '0' }, 0],
    [{ PORT: '3001', OPS_PORT: '9000' }, 9000],
  ])('puts the operations port beside the port, unless it is set: %j', (env, expected) => {
    expect(read(env as Record<string, string>).config.opsPort).toBe(expected);
  });

  it('serves the mode of the key of Stripe, and warns of what it leaves out', () => {
    const secret = { STRIPE_WEBHOOK_SECRET: 'whsec_1' };
    expect(read().config.stripe).toBeNull();
    const { config, warnings } = read({ STRIPE_SECRET_KEY: 'sk_live_1', ...secret });
    expect([config.stripe, warnings]).toEqual([
      { secretKey: 'sk_live_1', mode: 'live', webhookSecret: 'whsec_1', apiBase: null, timeoutMs: 8_000 },
      [],
    ]);
    expect(read({ STRIPE_SECRET_KEY: 'rk_test_1' }).warnings).toEqual([
      'sales in live mode are declined, because the key of Stripe is a test key (STRIPE_SECRET_KEY)',
      'late outcomes of payments are polled, and disputes and reversals are not seen (STRIPE_WEBHOOK_SECRET)',
    ]);
  });

  it('refuses a key of another kind and an event secret without a key, and hides both', () => {
    expect(mistakes({ STRIPE_SECRET_KEY: 'pk_live_1' })).toEqual([
      'STRIPE_SECRET_KEY is (hidden): expected a secret key of Stripe, sk_live_… or sk_test_…, for example STRIPE_SECRET_KEY=sk_live_…',
    ]);
    expect(mistakes({ STRIPE_WEBHOOK_SECRET: 'whsec_1' })).toEqual([
      'STRIPE_SECRET_KEY is not set: expected a secret key of Stripe, sk_live_… or sk_test_…, because STRIPE_WEBHOOK_SECRET is set, for example STRIPE_SECRET_KEY=sk_live_…',
    ]);
  });

  it('warns of development keys and plain-HTTP keys where others can reach the service', () => {
    expect(read({ HOST: '0.0.0.0' }).warnings).toEqual([
      'session tokens are checked with the development keys of DATA_DIR, and HOST=0.0.0.0 is not loopback (SESSION_JWKS)',
    ]);
    const session = { SESSION_ISSUER: 'https://login.example.com/', SESSION_AUDIENCE: 'https://api.example.com' };
    expect(read({ SESSION_JWKS: 'http://login.example.com/keys', ...session }).warnings).toEqual([
      'the keys of session tokens are fetched over plain HTTP (SESSION_JWKS)',
    ]);
    expect(read({ HOST: '::1', OPS_HOST: '0.0.0.0' }).warnings).toEqual([]);
  });

  it('uses the given values and treats an empty text as missing', () => {
    const { config } = read({
      PORT: '0',
      PUBLIC_URL: 'https://api.example.com/',
      INVITE_URL: 'https://www.example.com/welcome/',
      WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8, ::1/128',
      ROLE: '',
    });

    expect(config).toMatchObject({
      port: 0,
      publicUrl: 'https://api.example.com',
      inviteUrl: 'https://www.example.com/welcome',
      role: 'all',
    });
    expect(config.webhooks.allowCidrs).toEqual(['127.0.0.0/8', '::1/128']);
  });

  it('reports all mistakes together, each with name, value, expectation and example', () => {
    expect(mistakes({ PORT: '70000', ROLE: 'chief', WEBHOOK_ALLOW_HTTP: 'yes' })).toEqual([
      'PORT is "70000": expected a port, 0 to 65535, for example PORT=3000',
      'ROLE is "chief": expected all, api, projector or dispatcher, for example ROLE=all',
      'WEBHOOK_ALLOW_HTTP is "yes": expected true or false, for example WEBHOOK_ALLOW_HTTP=false',
    ]);
  });

  it.each<Record<string, string>>([
    { EVENT_STORE: 'sqlite' },
    { MONGODB_URL: 'mongodb://localhost/db' },
    { MONGODB_URL: 'localhost:27017' },
    { WEBHOOK_ALLOW_CIDRS: '127.0.0.1' },
    { WEBHOOK_RETRY_SCHEDULE: '5,x' },
    { RATE_LIMIT: '-1' },
    { PUBLIC_URL: 'ftp://example.com' },
    { SESSION_JWKS: '/no/such/file' },
    { LOG_LEVEL: 'loud' },
    { CRASH_AT: 'somewhere' },
    { CRASH_AT: 'before-append:0' },
  ])('refuses %j', (env) => expect(mistakes(env)).toHaveLength(1));

  it('hides the value of a secret', () => {
    const [mistake] = mistakes({ MASTER_KEY: 'c2hvcnQ=' });

    expect(mistake).toMatch(/^MASTER_KEY is \(hidden\): expected 32 bytes in base64/);
  });

  it('requires the issuer and the audience for an external key set', () => {
    expect(mistakes({ SESSION_JWKS: 'https://login.example.com/jwks' }).map((line) => line.split(' ')[0])).toEqual([
      'SESSION_ISSUER',
      'SESSION_AUDIENCE',
    ]);
  });

  it('warns of allowed private networks and plain HTTP for webhooks', () =>
    expect(read({ WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', WEBHOOK_ALLOW_HTTP: 'true' }).warnings).toEqual([
      expect.stringContaining('127.0.0.0/8'),
      expect.stringContaining('plain HTTP'),
    ]));

  it('hides a URL that may contain a password', () =>
    expect(() => read({ MONGODB_URL: 'mongodb://u:pw@x/db' })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('pw') }) as Error,
    ));

  it('reads a crash point for tests and has none by default', () => {
    expect(read().config.crashAt).toBeNull();
    expect(read({ CRASH_AT: 'before-append:3' }).config.crashAt).toEqual({ point: 'before-append', hit: 3 });
    expect(read({ CRASH_AT: 'mid-export' }).config.crashAt).toEqual({ point: 'mid-export', hit: 1 });
  });

  it('warns about a misspelled variable name', () => {
    expect(read({ WEBHOOK_TIMEOUT: '1', UNRELATED_THING: '1' }).warnings).toEqual([
      'WEBHOOK_TIMEOUT is not a variable of this service; did you mean WEBHOOK_TIMEOUT_MS?',
    ]);
  });
});

describe('The configuration of external stores', () => {
  const KEY = Buffer.alloc(32, 1).toString('base64');
  const REAL = {
    EVENT_STORE: 'esdb://admin:changeit@a:2113,b:2113',
    MONGODB_URL: 'mongodb+srv://u:pw@documents/service',
    MASTER_KEY: KEY,
    KEY_PEPPER: KEY,
    SESSION_JWKS: 'https://login.example.com/jwks',
    SESSION_ISSUER: 'i',
    SESSION_AUDIENCE: 'a',
  };
  const without = (...names: string[]) =>
    Object.fromEntries(Object.entries(REAL).filter(([name]) => !names.includes(name)));
  const named = (env: Record<string, string>) => mistakes(env).map((line) => line.split(' ')[0]);

  it('reads their addresses and uses the embedded store without them', () => {
    expect(read(REAL).config.stores).toEqual({ eventStore: REAL.EVENT_STORE, mongodb: REAL.MONGODB_URL });
    expect(read().config.stores).toEqual({ file: join(directory, 'store.sqlite') });
  });

  it.each([
    [['MONGODB_URL']],
    [['MASTER_KEY', 'KEY_PEPPER']],
    [['SESSION_JWKS', 'SESSION_ISSUER', 'SESSION_AUDIENCE'], ['SESSION_JWKS']],
    [['EVENT_STORE']],
  ])('requires %j', (names, missed = names) => expect(named(without(...names))).toEqual(missed));

  it('refuses one external store without the other', () => {
    expect(mistakes({ ...REAL, EVENT_STORE: 'embedded' })).toEqual([
      expect.stringMatching(/^EVENT_STORE is "embedded": expected esdb:\/\/ .*, because MONGODB_URL is set/),
    ]);
  });

  it('reports both invalid addresses and the missing file', () => {
    const wrong = {
      EVENT_STORE: 'esdb://u:pw@a:x1?nodePreference=x',
      MONGODB_URL: 'mongodb://u:pw@b/service?tls=true&tlsCAFile=/nowhere',
    };

    expect(mistakes({ ...REAL, ...wrong })).toEqual([
      expect.stringMatching(/^EVENT_STORE is \(hidden\): .*each host has to be host:port.*; nodePreference has to be/),
      expect.stringMatching(/^MONGODB_URL is \(hidden\): .*tlsCAFile names a file that cannot be read \(ENOENT\)/),
    ]);
    expect(mistakes({ ...REAL, MONGODB_URL: 'mongodb://b/service?pace=slow' })).toEqual([
      expect.stringMatching(/^MONGODB_URL .*pace/),
    ]);
  });

  it.each([
    ['esdb://admin:changeit@a:2113?tls=false', 'credentials are not sent with tls=false'],
    ['esdb://a:2113', 'a user and a password are needed, or tls=false'],
    ['esdb+discover://admin:changeit@a:2113?pace=slow', 'there is no option "pace"'],
    ['esdb://admin:change@it@a', 'percent-encoded'],
  ])('refuses the address %s', (EVENT_STORE, reason) => {
    const [mistake, ...others] = mistakes({ ...REAL, EVENT_STORE });

    expect(others).toEqual([]);
    expect(mistake).toMatch(/^EVENT_STORE is \(hidden\): expected an address that can be used/);
    expect(mistake).toContain(reason);
    expect(mistake).not.toContain('change');
  });
});

describe('The secrets generated into the data directory', () => {
  it('places secrets in a folder that only its owner can read', () => {
    const folder = join(directory, 'new');

    expect(read({ DATA_DIR: folder }).config.masterKey).toHaveLength(32);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('creates files that only the owner can read and keeps them at the next start', () => {
    const [first, second] = [read().config, read().config];

    expect(readdirSync(directory).sort()).toEqual(['master.key', 'ops.token', 'pepper.key', 'session-key.json']);
    for (const name of readdirSync(directory)) expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
    expect(first.masterKey).toHaveLength(32);
    expect([second.masterKey, second.keyPepper, second.opsToken, second.session]).toEqual([
      first.masterKey,
      first.keyPepper,
      first.opsToken,
      first.session,
    ]);
  });

  it('generates only the secrets that the configuration lacks', () => {
    const key = Buffer.alloc(32, 1).toString('base64');
    const jwks = join(directory, 'keys.json');
    writeFileSync(jwks, '{"keys":[]}');
    const session = { SESSION_JWKS: jwks, SESSION_ISSUER: 'i', SESSION_AUDIENCE: 'a' };
    read({ MASTER_KEY: key, KEY_PEPPER: key, OPS_TOKEN: 'a-token-of-operators', ...session });

    expect(readdirSync(directory)).toEqual(['keys.json']);
    expect(readFileSync(jwks, 'utf8')).toBe('{"keys":[]}');
  });
});

describe('A secret in a file of the data directory', () => {
  const FILES = ['master.key', 'pepper.key', 'ops.token', 'session-key.json'];

  it.each(FILES.flatMap((name) => ['', ' \n', 'YQ==', '!!!!'].map((text) => [name, text] as const)))(
    '%s with the content %j is refused in one line that names the file',
    (name, text) => {
      writeFileSync(join(directory, name), text);

      expect(mistakes({})).toEqual([expect.stringContaining(`${join(directory, name)} `)]);
      expect(mistakes({})[0]).toMatch(text.trim() === '' ? 'is empty' : 'has another content');
      if (text.trim() !== '') expect(mistakes({})[0]).not.toContain(text);
      expect(readFileSync(join(directory, name), 'utf8')).toBe(text);
    },
  );

  it('is reported with all others', () => {
    for (const name of FILES) writeFileSync(join(directory, name), '');

    expect(mistakes({})).toHaveLength(4);
  });

  it('is refused when the key is of another kind, or has no private part', () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    for (const key of [publicKey, privateKey]) {
      writeFileSync(join(directory, 'session-key.json'), JSON.stringify(key.export({ format: 'jwk' })));
      expect(mistakes({})).toEqual([expect.stringContaining('session-key.json has another content')]);
    }
  });

  it.each(['', 'no JSON', 'null', '[]', '{}', '{"keys":{}}', '{"keys":[1]}'])(
    'is refused as the public keys of an identity provider with the content %j',
    (text) => {
      const SESSION_JWKS = join(directory, 'keys.json');
      writeFileSync(SESSION_JWKS, text);
      const session = { SESSION_ISSUER: 'i', SESSION_AUDIENCE: 'a' };

      expect(mistakes({ SESSION_JWKS, ...session })).toEqual([expect.stringContaining('SESSION_JWKS is "')]);
      expect(mistakes({ SESSION_JWKS: directory, ...session })).toHaveLength(1);
    },
  );

  it('is one line when a folder is in its place', () => {
    mkdirSync(join(directory, 'master.key'));

    expect(mistakes({})).toEqual([expect.stringMatching(/^EISDIR: .*: remove this folder and put the file there/)]);
  });

  it('is generated again beside the draft of a killed process, which is removed', () => {
    const draft = join(directory, 'master.key.0123456789ab');
    writeFileSync(draft, '');
    utimesSync(draft, new Date('2026-01-01'), new Date('2026-01-01'));
    read();

    expect(readdirSync(directory).sort()).toEqual([...FILES].sort());
  });
});

describe('A credential in a variable', () => {
  it.each([
    ['OPS_TOKEN', ''],
    ['OPS_TOKEN', '  '],
    ['MASTER_KEY', ''],
    ['KEY_PEPPER', ' '],
    ['STRIPE_SECRET_KEY', ''],
  ])('%s is refused when its text is %j', (name, text) =>
    expect(mistakes({ [name]: text })).toEqual([expect.stringMatching(new RegExp(`^${name} is empty: expected `))]),
  );

  it.each(['a', 'two words of a token'])('refuses the token %j and does not show it', (OPS_TOKEN) =>
    expect(mistakes({ OPS_TOKEN })).toEqual([
      expect.stringMatching(/^OPS_TOKEN is \(hidden\): expected a token of at least 12 characters/),
    ]),
  );
});

describe('The configuration of mail', () => {
  it('is an outbox without a mail server', () =>
    expect(read().config.mail).toEqual({ smtpUrl: null, from: { name: '', address: 'no-reply@localhost' } }));

  it.each([
    ['shop@example.com', { name: '', address: 'shop@example.com' }],
    ['Example Shop <shop@example.com>', { name: 'Example Shop', address: 'shop@example.com' }],
    ['"Example Shop" <shop@example.com>', { name: 'Example Shop', address: 'shop@example.com' }],
  ])('reads the sender %s', (MAIL_FROM, from) => {
    const SMTP_URL = 'smtps://user:password@mail.example.com';
    expect(read({ SMTP_URL, MAIL_FROM }).config.mail).toEqual({ smtpUrl: SMTP_URL, from });
  });

  it.each<Record<string, string>>([
    { SMTP_URL: 'http://user:password@mail', MAIL_FROM: 'shop@example.com' },
    { SMTP_URL: 'smtp:', MAIL_FROM: 'shop@example.com' },
    { SMTP_URL: 'smtp://mail' },
    { MAIL_FROM: 'Example Shop' },
    { MAIL_FROM: 'a@example.com, b@example.com' },
  ])('refuses %j, and shows no password', (env) =>
    expect(mistakes(env)).toEqual([expect.not.stringContaining(':password@')]),
  );
});
