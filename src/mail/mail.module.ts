import { join } from 'node:path';
import { Global, Module } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Mailer } from '../kernel/mailer.js';
import { OutboxMailer } from './outbox-mailer.js';
import { SmtpMailer } from './smtp-mailer.js';

/** Provides the mailer: SMTP, or files in DATA_DIR without SMTP_URL. */
@Global()
@Module({
  providers: [{ provide: Mailer, useFactory: createMailer, inject: [Config] }],
  exports: [Mailer],
})
export class MailModule {}

function createMailer({ mail: { smtpUrl, from }, dataDir }: Config): Mailer {
  return smtpUrl === null ? new OutboxMailer(join(dataDir, 'outbox'), from) : new SmtpMailer(smtpUrl, from);
}
