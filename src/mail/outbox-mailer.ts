import { randomBytes } from 'node:crypto';
import { link, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import { createFolder } from '../kernel/create-folder.js';
import { type Mail, Mailer, type MailResult } from '../kernel/mailer.js';
import { createMessage, type Sender } from './message.js';

const OWNER_ONLY_FILE_MODE = 0o600;

/** Writes each mail to a file, for development: the folder is the outbox, and nothing leaves it. */
export class OutboxMailer extends Mailer {
  private readonly logger = new Logger('mail');
  private readonly transport = createTransport({ streamTransport: true, buffer: true });

  constructor(
    private readonly folder: string,
    private readonly from: Sender,
  ) {
    super();
  }

  async send(mail: Mail): Promise<MailResult> {
    const { message } = await this.transport.sendMail(createMessage(mail, this.from));
    const name = `${encodeURIComponent(mail.key)}.eml`;
    createFolder(this.folder);
    await createFile(join(this.folder, name), message as Buffer);
    this.logger.log(`Without SMTP_URL the mail was written to outbox/${name}`);
    return { status: 'sent' };
  }
}

/** Creates the file with its whole content. A file that exists stays as it is. */
async function createFile(path: string, content: Buffer): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  const file = await open(draft, 'wx', OWNER_ONLY_FILE_MODE);
  try {
    await file.writeFile(content);
    await file.sync();
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await file.close();
    await unlink(draft);
  }
}
