import type { Mode } from '../../kernel/event.js';
import type { Mail } from '../../kernel/mailer.js';
import { formatTime, renderMail } from '../../mail/render-mail.js';
import { DISABLE_AFTER_DAYS } from '../domain/endpoint-health.js';
import type { EndpointNotice } from '../domain/endpoint-notice.js';

export interface EndpointMail {
  readonly notice: EndpointNotice;
  readonly endpoint: { readonly id: string; readonly url: string; readonly mode: Mode };
  /** The name of the business. */
  readonly business: string;
  readonly to: string;
  readonly isOwner: boolean;
  /** The page of the endpoint in the console. */
  readonly pageUrl: string;
}

interface Message {
  readonly subject: string;
  readonly paragraphs: readonly string[];
}

/**
 * Writes the mail about an endpoint, as plain text and as HTML. Of the URL it names only the host, because the rest may
 * contain a secret.
 */
export function writeEndpointMail(mail: EndpointMail): Omit<Mail, 'key'> {
  const { to, endpoint, business, isOwner, pageUrl } = mail;
  const { subject, paragraphs } = writeMessage(mail);
  const reason = isOwner ? `you own the business ${business}` : 'the endpoint has your address';
  return renderMail({
    to,
    subject: `${endpoint.mode === 'test' ? '[Test] ' : ''}${subject}`,
    paragraphs: ['Hello,', ...paragraphs],
    link: { label: 'Open the endpoint', url: pageUrl },
    end: `You get this mail because ${reason}. There is at most one of its kind in a day.`,
  });
}

function writeMessage(mail: EndpointMail): Message {
  if (mail.notice.kind === 'disabled') return writeDisabling(mail);
  return mail.notice.reason === 'failing' ? writeFailing(mail) : writeMissedRotation(mail);
}

function writeFailing({ notice, endpoint, business }: EndpointMail): Message {
  const host = hostOf(endpoint);
  return {
    subject: `Webhooks of ${business} to ${host} keep failing`,
    paragraphs: [
      describeFailures(notice, endpoint, business),
      `The service still sends new events to it. After ${DISABLE_AFTER_DAYS} days of failures it disables the endpoint.`,
    ],
  };
}

function writeMissedRotation({ notice, endpoint, business }: EndpointMail): Message {
  const host = hostOf(endpoint);
  return {
    subject: `${host} refuses the webhooks of ${business} since their secret was replaced`,
    paragraphs: [
      `The signing secret of the webhook endpoint ${endpoint.id} of ${business} was replaced on ${formatTime(notice.since)}. Since then ${host} has refused ${notice.failures} deliveries, and accepted none.`,
      'Its receiver probably does not know the new secret. The service does not repeat a refused delivery by itself: when the receiver has the secret, replay the deliveries since that time.',
    ],
  };
}

function writeDisabling({ notice, endpoint, business }: EndpointMail): Message {
  return {
    subject: `The webhook endpoint of ${business} at ${hostOf(endpoint)} was disabled`,
    paragraphs: [
      describeFailures(notice, endpoint, business),
      `The service therefore disabled the endpoint on ${formatTime(notice.at)}. It gets no events until it is enabled again. Nothing is lost: a replay job can deliver afterwards what it has missed.`,
    ],
  };
}

function describeFailures(notice: EndpointNotice, endpoint: EndpointMail['endpoint'], business: string): string {
  return `Since ${formatTime(notice.since)}, no delivery to the webhook endpoint ${endpoint.id} of ${business} at ${hostOf(endpoint)} has succeeded: ${notice.failures} attempts have failed.`;
}

function hostOf({ url }: EndpointMail['endpoint']): string {
  return new URL(url).host;
}
