import { type AddressInfo, createServer } from 'node:net';
import type { Mail, MailResult } from '../../src/kernel/mailer.js';
import { messageIdOf } from '../../src/mail/message.js';
import { SmtpMailer } from '../../src/mail/smtp-mailer.js';
import { MailServer, readHeader } from '../support/mail-server.js';

const from = { name: 'Example Shop', address: 'shop@example.com' };
const mail: Mail = {
  key: 'offer:off_1:1',
  to: 'ada@example.com',
  subject: 'A course\r\nBcc: eve@example.com',
  text: 'Hello Ada.\n.\nBye.',
  html: '<p>Hello Ada.</p>',
};

let server: MailServer;
beforeEach(async () => {
  server = await MailServer.start();
});
afterEach(() => server.stop());

const send = (more: Partial<Mail> = {}) => new SmtpMailer(server.url, from).send({ ...mail, ...more });
const expectNoAddress = (result: MailResult) => expect(JSON.stringify(result)).not.toContain('@');

describe('A mail over SMTP', () => {
  it('arrives with both texts at its recipient', async () => {
    expect(await send()).toEqual({ status: 'sent' });

    const [received] = server.received;
    expect(received!.to).toEqual(['ada@example.com']);
    expect(readHeader(received!, 'From')).toBe('Example Shop <shop@example.com>');
    expect(readHeader(received!, 'To')).toBe('ada@example.com');
    expect(received!.source).toContain('Hello Ada.\r\n.\r\nBye.');
    expect(received!.source).toContain('<p>Hello Ada.</p>');
  });

  it('cannot get further headers by its subject', async () => {
    await send();
    expect(readHeader(server.received[0]!, 'Bcc')).toBeUndefined();
  });

  it.each(['ada@example.com, eve@example.com', 'Ada <eve@example.com>'])('never has two recipients: %s', async (to) => {
    await send({ to });
    expect(server.received.flatMap((received) => received.to)).not.toContain('eve@example.com');
  });

  it('has the same Message-ID when it is sent twice, and another one under another key', async () => {
    await send();
    await send();
    await send({ key: 'offer:off_1:2' });

    const ids = server.received.map((received) => readHeader(received, 'Message-ID'));
    expect(ids).toEqual([messageIdOf(mail.key, from), ids[0], messageIdOf('offer:off_1:2', from)]);
    expect(ids[0]).toMatch(/^<[0-9a-f]{32}@example\.com>$/);
    expect(ids[2]).not.toBe(ids[0]);
  });

  it('is delayed while the server is away, and is sent when it is back', async () => {
    await server.stop();
    const result = await send();
    expect(result).toEqual({ status: 'delayed', detail: 'the mail was not sent: ESOCKET' });

    server = await MailServer.start(server.port);
    expect(await send()).toEqual({ status: 'sent' });
  });

  it('is refused when the server refuses the recipient', async () => {
    server.replies.push({ code: 550, text: '5.1.1 <ada@example.com> is unknown' });
    const result = await send();

    expect(result).toEqual({ status: 'refused', detail: 'the mail server answered 550 5.1.1 to RCPT TO' });
    expectNoAddress(result);
  });

  it('is delayed when the server answers 4xx, and is sent afterwards', async () => {
    server.replies.push({ code: 451, text: 'greylisted, ada@example.com' });
    const result = await send();
    expect(result).toEqual({ status: 'delayed', detail: 'the mail server answered 451 to RCPT TO' });
    expectNoAddress(result);

    expect(await send()).toEqual({ status: 'sent' });
    expect(server.received).toHaveLength(1);
  });

  it('is delayed when the server refuses every mail of this sender', async () => {
    await server.stop();
    server = await MailServer.start(0, {
      onMailFrom: (_: unknown, __: unknown, done: (error: Error) => void) =>
        done(Object.assign(new Error('not permitted'), { responseCode: 550 })),
    });
    expect(await send()).toEqual({ status: 'delayed', detail: 'the mail server answered 550 to MAIL FROM' });
  });

  it('is delayed when the server does not answer in time', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const mailer = new SmtpMailer(`smtp://127.0.0.1:${port}`, from, 50);

    expect(await mailer.send(mail)).toMatchObject({ status: 'delayed' });
    silent.close();
  });

  it('is delayed when the server answers too slowly', async () => {
    await server.stop();
    server = await MailServer.start(0, {
      onData: (stream: NodeJS.ReadableStream, _: unknown, done: () => void) => {
        stream.resume().on('end', () => setTimeout(done, 400).unref());
      },
    });
    expect(await new SmtpMailer(server.url, from, 200).send(mail)).toMatchObject({ status: 'delayed' });
  });

  it('is not sent in clear text to a host that is not on loopback, unless the URL permits it', () => {
    const url = `smtp://another-host:${server.port}`;
    const options = (suffix: string) => new SmtpMailer(url + suffix, from)['transport'].options;

    expect(options('')).toMatchObject({ requireTLS: true, ignoreTLS: false });
    expect(options('?ignoreTLS=true')).toMatchObject({ requireTLS: false, ignoreTLS: true });
    expect(new SmtpMailer(server.url, from)['transport'].options).toMatchObject({ requireTLS: false, ignoreTLS: true });
  });
});
