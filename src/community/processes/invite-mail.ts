import type { Mail } from '../../kernel/mailer.js';
import { formatTime, renderMail } from '../../mail/render-mail.js';
import type { KnownInvite } from '../domain/invite.js';

export interface InviteMail {
  readonly invite: Pick<KnownInvite, 'role' | 'message' | 'expiresAt'>;
  readonly community: string;
  readonly to: string;
  readonly acceptUrl: string;
}

/** Writes the mail that invites an address to a community, as plain text and as HTML. */
export function writeInviteMail({ invite, community, to, acceptUrl }: InviteMail): Omit<Mail, 'key'> {
  const { role, message, expiresAt } = invite;
  const summary = `You are invited to the community ${community}${role === 'moderator' ? ' as a moderator' : ''}.`;
  return renderMail({
    to,
    subject: `You are invited to ${community}`,
    paragraphs: ['Hello,', summary, ...(message === null ? [] : [message])],
    link: { label: 'Accept the invite', url: acceptUrl },
    end: `The invite expires on ${formatTime(expiresAt)}.`,
  });
}
