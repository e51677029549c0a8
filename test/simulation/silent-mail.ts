import { BusinessOwnership } from '../../src/kernel/business-ownership.js';
import { Mailer, type MailResult } from '../../src/kernel/mailer.js';

/** Mails nothing. */
export class SilentMailer extends Mailer {
  async send(): Promise<MailResult> {
    return { status: 'sent' };
  }
}

/** The businesses of the simulation have no owner who gets mails. */
export class NoOwnership extends BusinessOwnership {
  async isOwner(): Promise<boolean> {
    return false;
  }

  async findOwner(): Promise<string | null> {
    return null;
  }
}
