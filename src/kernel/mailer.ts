export interface Mail {
  /** Identifies the sending: a mail with the same key is the same mail. */
  readonly key: string;
  /** One e-mail address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * The result of a sending. `refused` is final: the server will never accept the mail. After `delayed` the same mail can
 * be sent again. A detail never contains the address.
 */
export type MailResult =
  | { readonly status: 'sent' }
  | { readonly status: 'refused'; readonly detail: string }
  | { readonly status: 'delayed'; readonly detail: string };

/** Sends mails, each once per key where the transport permits it. Expected failures are results, not errors. */
export abstract class Mailer {
  abstract send(mail: Mail): Promise<MailResult>;
}
