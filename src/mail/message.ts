import { createHash } from 'node:crypto';
import type { SendMailOptions } from 'nodemailer';
import type { Mail } from '../kernel/mailer.js';

const ID_CHARACTERS = 32;

export interface Sender {
  readonly name: string;
  readonly address: string;
}

/**
 * Creates the message of a mail. Its Message-ID depends only on the key, so that mail servers and readers recognise a
 * mail that was sent twice.
 */
export function createMessage({ key, to, subject, text, html }: Mail, from: Sender): SendMailOptions {
  return {
    messageId: messageIdOf(key, from),
    from,
    // An object, because nodemailer would parse a text as a list of addresses.
    to: { name: '', address: to },
    subject,
    text,
    html,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

export function messageIdOf(key: string, { address }: Sender): string {
  const digest = createHash('sha256').update(key).digest('hex').slice(0, ID_CHARACTERS);
  return `<${digest}@${address.slice(address.lastIndexOf('@') + 1)}>`;
}
