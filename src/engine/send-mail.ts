import { Logger } from '@nestjs/common';
import type { Mail, Mailer } from '../kernel/mailer.js';

const logger = new Logger('mail');

/**
 * Sends the mail of a job. A delayed mail fails the job, which runs again later. A refused one is logged: it is final.
 * @param about the id of what is mailed, for the log
 */
export async function sendMail(mailer: Mailer, mail: Mail, about: string): Promise<void> {
  const result = await mailer.send(mail);
  if (result.status === 'delayed') throw new Error(result.detail);
  if (result.status === 'refused') logger.warn(`The mail of ${about} was refused: ${result.detail}`);
}
