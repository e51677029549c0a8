import { createTransport } from 'nodemailer';
import { isLoopback } from '../config/loopback.js';
import { type Mail, Mailer, type MailResult } from '../kernel/mailer.js';
import { createMessage, type Sender } from './message.js';

/** Maximum duration of one sending, from the connection to the response of the server. */
const TIMEOUT_MS = 30_000;
/** The commands whose permanent refusal concerns this mail; other refusals concern the server or its configuration. */
const MAIL_COMMANDS = ['RCPT TO', 'DATA'];
/** Matches the enhanced status code of a response, such as 5.1.1. */
const ENHANCED_STATUS = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/;

interface SmtpError extends Error {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

/** Sends each mail over its own connection. */
export class SmtpMailer extends Mailer {
  private readonly transport;

  constructor(
    url: string,
    private readonly from: Sender,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {
    super();
    const timeouts = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs };
    this.transport = createTransport({ url, ...toTlsOptions(new URL(url)), ...timeouts });
  }

  async send(mail: Mail): Promise<MailResult> {
    try {
      const message = createMessage(mail, this.from);
      await this.transport.sendMail({ ...message, signal: AbortSignal.timeout(this.timeoutMs) });
      return { status: 'sent' };
    } catch (error) {
      return toResult(error as SmtpError);
    }
  }
}

/** On loopback nothing is encrypted. Elsewhere a mail is never sent in clear text, unless the URL has `ignoreTLS=true`. */
function toTlsOptions({ hostname, searchParams }: URL): { ignoreTLS: boolean; requireTLS: boolean } {
  const ignoreTLS = isLoopback(hostname.replace(/^\[|\]$/g, '')) || searchParams.get('ignoreTLS') === 'true';
  return { ignoreTLS, requireTLS: !ignoreTLS };
}

/** The text of a response may contain the address, so only its codes are in the detail. */
function toResult({ code = 'unknown error', command, responseCode, response = '' }: SmtpError): MailResult {
  if (responseCode === undefined) return { status: 'delayed', detail: `the mail was not sent: ${code}` };
  const enhanced = ENHANCED_STATUS.exec(response)?.[1];
  const answer = `the mail server answered ${[responseCode, enhanced].filter(Boolean).join(' ')} to ${command}`;
  const isFinal = responseCode >= 500 && MAIL_COMMANDS.includes(command ?? '');
  return { status: isFinal ? 'refused' : 'delayed', detail: answer };
}
