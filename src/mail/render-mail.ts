import { escapeHtml } from '../kernel/html.js';
import type { Mail } from '../kernel/mailer.js';

/** The readable parts of a mail with one link. */
export interface MailContent {
  readonly to: string;
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly link: { readonly label: string; readonly url: string };
  readonly end: string;
}

/** Renders a mail as plain text and as HTML. */
export function renderMail({ to, subject, paragraphs, link: { label, url }, end }: MailContent): Omit<Mail, 'key'> {
  const [first, last] = [paragraphs.map(toParagraph).join('\n'), toParagraph(end)];
  const link = `<p><a href="${escapeHtml(url)}">${escapeHtml(label)}</a></p>`;
  return {
    to,
    subject,
    text: `${[...paragraphs, `${label}: ${url}`, end].join('\n\n')}\n`,
    html: `<!doctype html>\n<html lang="en">\n<body>\n${first}\n${link}\n${last}\n</body>\n</html>\n`,
  };
}

function toParagraph(text: string): string {
  return `<p>${escapeHtml(text).replaceAll(/\r?\n/g, '<br>')}</p>`;
}

/** Formats a time for readers, in UTC: 1 January 2026 at 12:00 UTC. */
export function formatTime(iso: string): string {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return `${format.format(new Date(iso))} UTC`;
}
