import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConsoleLogger, Logger } from '@nestjs/common';
import { OutboxMailer } from '../../src/mail/outbox-mailer.js';

const from = { name: '', address: 'no-reply@localhost' };
const mail = {
  key: 'offer:off_1:1',
  to: 'ada@example.com',
  subject: 'An offer',
  text: 'Hello.',
  html: '<p>Hello.</p>',
};

let folder: string;
let logged: unknown[];
beforeEach(async () => {
  logged = [];
  const ignore = () => undefined;
  Logger.overrideLogger({ log: (message) => logged.push(message), error: ignore, warn: ignore });
  folder = join(await mkdtemp(join(tmpdir(), 'outbox-')), 'outbox');
});
afterEach(async () => {
  Logger.overrideLogger(new ConsoleLogger());
  await rm(join(folder, '..'), { recursive: true });
});

describe('A mail without a mail server', () => {
  it('is written to one file of its owner, also when it is sent several times at once', async () => {
    const mailer = new OutboxMailer(folder, from);
    const results = await Promise.all([mail, mail, { ...mail, key: 'offer:off_1:2' }].map((each) => mailer.send(each)));

    expect(results).toEqual(Array.from({ length: 3 }, () => ({ status: 'sent' })));
    expect((await readdir(folder)).sort()).toEqual(['offer%3Aoff_1%3A1.eml', 'offer%3Aoff_1%3A2.eml']);
    const path = join(folder, 'offer%3Aoff_1%3A1.eml');
    expect(await readFile(path, 'utf8')).toMatch(/^From: no-reply@localhost\r\nTo: ada@example.com\r\n/);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('is logged in one line without the address', async () => {
    await new OutboxMailer(folder, from).send(mail);

    expect(logged).toEqual(['Without SMTP_URL the mail was written to outbox/offer%3Aoff_1%3A1.eml']);
  });
});
