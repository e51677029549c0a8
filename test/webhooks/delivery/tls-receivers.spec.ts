import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates, type TlsOptions } from 'node:tls';
import { DnsServer } from '../../support/dns-server.js';
import { RAW_CASES, type RawCase } from '../../support/raw-answers.js';
import { RawReceiver } from '../../support/raw-receiver.js';
import { createTestSender, type TestSender } from './test-sender.js';

const FILES = join(import.meta.dirname, '../../support/eventstoredb');
const [cert, key] = ['server.crt', 'server.key'].map((name) => readFileSync(join(FILES, name), 'utf8'));
const TLS = { cert, key };
const TIMEOUT_MS = 10_000;
const ENVELOPE = { body: Buffer.alloc(20_000, 'x'), headers: { 'Content-Type': 'application/json' } };
const OK: RawCase = {
  name: 'a 200',
  status: 200,
  send: (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'),
};

describe('A receiver with TLS', () => {
  const trusted = getCACertificates('default');
  let sender: TestSender;
  let names: DnsServer;
  beforeAll(async () => {
    setDefaultCACertificates([...trusted, cert!]);
    names = await DnsServer.start({ 'other.example.com': [['127.0.0.1']] });
    sender = await createTestSender({ WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', WEBHOOK_DNS_SERVERS: names.address });
  });
  afterAll(async () => {
    setDefaultCACertificates(trusted);
    await names.stop();
  });

  async function post(options: TlsOptions, answer: RawCase = OK, host = '127.0.0.1') {
    const receiver = await RawReceiver.start(answer, options);
    const result = await sender.post(receiver.url.replace('127.0.0.1', host), ENVELOPE, TIMEOUT_MS);
    await receiver.stop();
    return { result, connections: receiver.connections };
  }

  // How much of a broken response arrives depends on the records of TLS.
  it.each(RAW_CASES.filter(({ name }) => !/^an? (end|reset) after/.test(name)).map((one) => [one.name, one] as const))(
    'is understood when its response has %s',
    async (_, answer) => {
      const { result } = await post(TLS, answer);
      expect('failure' in result ? 0 : result.responseStatus).toBe(answer.status);
    },
  );

  it('is called by its name', async () => {
    const called: string[] = [];
    const options = {
      ...TLS,
      SNICallback: (name: string, done: (error: null) => void) => (called.push(name), done(null)),
    };
    expect((await post(options, OK, 'localhost')).result).toMatchObject({ responseStatus: 200 });
    expect(called).toEqual(['localhost']);
  });

  it('that speaks only HTTP/2 causes a TLS failure', async () => {
    const { result } = await post({ ...TLS, ALPNProtocols: ['h2'] });
    expect(result).toMatchObject({ failure: 'tls_failure', durationMs: null });
  });

  it('keeps its connection for the next request', async () => {
    const receiver = await RawReceiver.start(OK, TLS);
    for (let i = 0; i < 3; i++)
      expect(await sender.post(receiver.url, ENVELOPE, TIMEOUT_MS)).toMatchObject({ responseStatus: 200 });
    expect([receiver.connections, receiver.requests.length]).toEqual([1, 3]);
    await receiver.stop();
  });

  it.each([
    [
      'asks for a client certificate in TLS 1.3',
      { minVersion: 'TLSv1.3' },
      'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
    ],
    ['asks for a client certificate in TLS 1.2', { maxVersion: 'TLSv1.2' }, 'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE'],
  ] as const)('that %s causes a TLS failure', async (_, version, errorCode) => {
    const { result } = await post({ ...TLS, ...version, requestCert: true, rejectUnauthorized: true, ca: cert });
    expect(result).toMatchObject({ failure: 'tls_failure', durationMs: null, errorCode });
  });

  it('whose certificate has another name causes a TLS failure', async () => {
    const { result } = await post(TLS, OK, 'other.example.com');
    expect(result).toMatchObject({ failure: 'tls_failure', errorCode: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  });

  it('whose certificate nobody trusts causes a TLS failure', async () => {
    setDefaultCACertificates(trusted);
    const { result } = await post(TLS);
    setDefaultCACertificates([...trusted, cert!]);
    expect(result).toMatchObject({ failure: 'tls_failure', errorCode: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  });
});
