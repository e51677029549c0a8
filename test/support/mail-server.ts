import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { closeAfterSpec } from './cleanups.js';

/** The reply to a recipient: a code of SMTP, or null to accept it. */
type SmtpReply = { readonly code: number; readonly text: string } | null;

export interface ReceivedMail {
  readonly to: readonly string[];
  readonly source: string;
}

/** A mail server on loopback that keeps the mails it accepts. */
export class MailServer {
  readonly received: ReceivedMail[] = [];
  /** The replies to the next recipients, in order. */
  readonly replies: SmtpReply[] = [];
  private readonly cleanup = closeAfterSpec(() => this.stop());

  private constructor(
    private readonly server: SMTPServer,
    readonly port: number,
  ) {}

  /** @param options further options of smtp-server */
  static async start(port = 0, options: object = {}): Promise<MailServer> {
    const server = new SMTPServer({
      authOptional: true,
      logger: false,
      onRcptTo: (_, __, done) => {
        const reply = started.replies.shift() ?? null;
        done(reply && Object.assign(new Error(reply.text), { responseCode: reply.code }));
      },
      onData: (stream, { envelope }, done) => {
        void text(stream).then((source) => {
          started.received.push({ to: envelope.rcptTo.map(({ address }) => address), source });
          done();
        });
      },
      ...options,
    });
    server.on('error', () => undefined);
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const started = new MailServer(server, (server.server.address() as AddressInfo).port);
    return started;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  async stop(): Promise<void> {
    this.cleanup.cancel();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}

/** Returns the value of a header of a mail. */
export function readHeader({ source }: ReceivedMail, name: string): string | undefined {
  return new RegExp(`^${name}: (.*)$`, 'im').exec(source.replaceAll(/\r\n[ \t]/g, ' '))?.[1]?.trim();
}
