import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import type { JobHandler, Reactor } from '../../engine/registry.js';
import { sendMail } from '../../engine/send-mail.js';
import { Streams } from '../../engine/streams/streams.js';
import { businessDecider } from '../../identity/domain/business.js';
import { Clock, DAY_MS } from '../../kernel/clock.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { type Job, Jobs } from '../../kernel/jobs.js';
import { Mailer } from '../../kernel/mailer.js';
import { declareQueue } from '../../kernel/queue.js';
import { endpointDecider, type EndpointEvent, type KnownEndpoint } from '../domain/endpoint.js';
import { type EndpointNotice, findDueNotice, type NoticedEvent, toNotice } from '../domain/endpoint-notice.js';
import { endpointHealth } from '../projections/endpoint-health.js';
import { writeEndpointMail } from './endpoint-mail.js';
import { NoticeRecipients, OWNER } from './notice-recipients.js';

/** The first start of a release that sends these mails reads the whole log: old events cause no mail. */
const MAX_AGE_MS = 7 * DAY_MS;

interface Sending {
  readonly endpointId: string;
  /** The id of the event that causes the mail. */
  readonly eventId: string;
  /** `owner`, or the hash of an address of the endpoint. */
  readonly recipient: string;
}

/**
 * Informs the owner of a business, and the addresses of an endpoint, that the endpoint keeps failing or was disabled for
 * that. Each recipient has a job of its own, so that a failure of one mail does not repeat another. A crash after a
 * sending repeats it, with the same Message-ID: a second mail does less harm than none.
 */
@Injectable()
export class MailEndpointNotices implements Reactor<NoticedEvent>, JobHandler<Sending> {
  readonly name = 'mail-endpoint-notices';
  readonly types = typesOf<NoticedEvent>({ EndpointWarned: true, EndpointDisabled: true });
  readonly queue = declareQueue<Sending>({ name: 'endpoint-mails' });
  readonly needs = [endpointHealth];
  readonly concurrency = 2;

  constructor(
    private readonly streams: Streams,
    private readonly reader: ReadModelReader,
    private readonly jobs: Jobs,
    private readonly recipients: NoticeRecipients,
    private readonly mailer: Mailer,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  async react(event: RecordedOf<NoticedEvent>): Promise<void> {
    const { id: eventId, data, meta } = event;
    if (toNotice(event) === null || this.clock.now() - Date.parse(meta.at) > MAX_AGE_MS) return;
    const endpoint = await this.findEndpoint(data.endpointId);
    if (endpoint === null) return;
    const hashes = endpoint.settings.notificationEmails.map(({ hash }) => hash);
    const jobs = [OWNER, ...hashes].map((recipient) =>
      this.queue.createJob({
        key: `endpoint-mail:${eventId}:${recipient}`,
        due: meta.at,
        data: { endpointId: endpoint.id, eventId, recipient },
      }),
    );
    await this.jobs.enqueue(jobs);
  }

  /** Leaves out the mail of a notice that no longer holds, and that of a recipient who has no address any more. */
  async run({ data: { endpointId, eventId, recipient } }: Pick<Job<Sending>, 'data'>): Promise<void> {
    const history = (await this.streams.loadHistory(
      endpointDecider,
      endpointId,
    )) as readonly RecordedOf<EndpointEvent>[];
    const notice = findDueNotice(history, eventId);
    const endpoint = await this.findEndpoint(endpointId);
    if (notice === null || endpoint === null || (await this.hasRecovered(endpointId, notice))) return;
    const to = await this.recipients.findAddress(endpoint, recipient);
    if (to === null) return;

    const mail = writeEndpointMail({
      notice,
      endpoint: { id: endpointId, url: endpoint.settings.url, mode: endpoint.mode },
      business: await this.loadBusinessName(endpoint),
      to,
      isOwner: recipient === OWNER,
      pageUrl: this.pageUrlOf(endpoint),
    });
    await sendMail(this.mailer, { key: `endpoint:${eventId}:${recipient}`, ...mail }, endpointId);
  }

  private async findEndpoint(id: string): Promise<KnownEndpoint | null> {
    const endpoint = await this.streams.loadState(endpointDecider, id);
    return endpointDecider.isKnown(endpoint) ? endpoint : null;
  }

  /** A mail that was delayed does not warn of an endpoint that has received something since. */
  private async hasRecovered(endpointId: string, { kind, at }: EndpointNotice): Promise<boolean> {
    if (kind === 'disabled') return false;
    const health = (await this.reader.getExisting(endpointHealth, [endpointId])).get(endpointId);
    return (health?.last_success_at ?? '') > at;
  }

  private async loadBusinessName({ business }: KnownEndpoint): Promise<string> {
    const found = await this.streams.loadState(businessDecider, business);
    if (found.status === 'unknown') throw new Error(`The business ${business} is unknown`);
    return found.name;
  }

  /** The fragment says which business and which mode the console has to show. */
  private pageUrlOf({ id, business, mode }: KnownEndpoint): string {
    const place = new URLSearchParams({ business, mode });
    return `${this.config.publicUrl}/console/webhooks/endpoints/${id}#${place.toString()}`;
  }
}
