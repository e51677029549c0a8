import { PersonalFields } from '../../../src/engine/encryption/personal-fields.js';
import { ReadModelReader } from '../../../src/engine/read-models/read-model-reader.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import type { RecordedOf } from '../../../src/kernel/event.js';
import { type JobDetails, Jobs } from '../../../src/kernel/jobs.js';
import { endpointDecider } from '../../../src/webhooks/domain/endpoint.js';
import type { NoticedEvent } from '../../../src/webhooks/domain/endpoint-notice.js';
import { MailEndpointNotices } from '../../../src/webhooks/processes/mail-endpoint-notices.js';
import { endpointHealth } from '../../../src/webhooks/projections/endpoint-health.js';
import { requireData } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { forgetAddress } from '../../support/forget.js';
import { MailServer, readHeader, type ReceivedMail } from '../../support/mail-server.js';
import { Receiver } from '../../support/receiver.js';
import { respondWith } from '../../support/receiver-responses.js';
import { type Service, startService } from '../../support/service.js';
import { seedFailures } from '../seed-failures.js';
import { PUBLISHED_TYPE, WebhookFixture } from '../webhook-fixture.js';

const DAY_HOURS = 24;
const OWNER = 'owner@example.com';
const ONCALL = 'oncall@example.com';
const WARNING = 'Webhooks of A business to 127.0.0.1:PORT keep failing';
const DISABLING = 'The webhook endpoint of A business at 127.0.0.1:PORT was disabled';

let server: MailServer;
let service: Service;
let fixture: WebhookFixture;
beforeAll(async () => {
  server = await MailServer.start();
  service = await startService({
    SMTP_URL: server.url,
    MAIL_FROM: 'Hooks <hooks@example.com>',
    PUBLIC_URL: 'https://hooks.example.com',
    WEBHOOK_RETRY_SCHEDULE: '3600',
    WEBHOOK_BREAKER_WAITS: '0.1',
  });
  fixture = await WebhookFixture.addBusiness(service, await Receiver.start());
  await signIn(OWNER);
});
afterAll(async () => {
  await fixture.close();
  await server.stop();
});
beforeEach(() => server.received.splice(0));

/** Signs the owner of the business in with this address. */
async function signIn(email: string): Promise<void> {
  requireData(await service.createApi(await service.signToken('owner', { email })).get('/v1/auth/me'));
}

async function createEndpoint(path: string, body: object = {}): Promise<string> {
  fixture.receiver.setResponses(path, respondWith(500));
  return (await fixture.createEndpoint(path, { event_types: [PUBLISHED_TYPE], ...body })).id;
}

/** Records a failure of four days ago, after one of five days ago: the endpoint is warned about. */
async function warn(id: string): Promise<void> {
  await seedFailures(fixture, id, { hours: 5 * DAY_HOURS + 1, times: 1 });
  await seedFailures(fixture, id, { hours: 4 * DAY_HOURS, times: 1 });
}

/** Records failures until the endpoint is disabled. */
async function disable(id: string, of = fixture): Promise<void> {
  await seedFailures(of, id, { hours: 5 * DAY_HOURS + 1, times: 20 });
  // With fewer failures, the last one is a reason to warn.
  const readHealth = async () => (await service.get(ReadModelReader).getExisting(endpointHealth, [id])).get(id);
  await eventually(readHealth, (health) => health?.retryable_failures === 20);
  await seedFailures(of, id, { hours: 0, times: 1 });
}

const mailsAbout = (id: string) => server.received.filter((mail) => readBody(mail).includes(id));
const waitForMails = (id: string, count: number) =>
  eventually(
    async () => mailsAbout(id),
    ({ length }) => length >= count,
  );

/** Waits until no mail of the queue waits or is sent. */
const waitForEmptyQueue = () =>
  eventually(
    () => listJobs(),
    ({ length }) => length === 0,
  );
const listJobs = (): Promise<JobDetails[]> => service.get(Jobs).list({ queue: 'endpoint-mails', limit: 100 });

const readBody = ({ source }: ReceivedMail) => source.replaceAll('=\r\n', '').replaceAll('=3D', '=');
const readSubject = (mail: ReceivedMail) => readHeader(mail, 'Subject')?.replace(/127.0.0.1:\d+/, '127.0.0.1:PORT');
const summarize = (mails: readonly ReceivedMail[]) => mails.map((mail) => [mail.to[0], readSubject(mail)]).sort();

/** Returns the latest warning or disabling of the endpoint. */
async function findNoticed(id: string): Promise<RecordedOf<NoticedEvent>> {
  const isNoticed = ({ type }: { type: string }) => type === 'EndpointWarned' || type === 'EndpointDisabled';
  const history = await eventually(
    () => service.get(Streams).loadHistory(endpointDecider, id),
    (events) => events.some(isNoticed),
  );
  return history.findLast(isNoticed) as RecordedOf<NoticedEvent>;
}

/** Runs the job of the latest notice again, as a retry does, or the next run after a crash. */
async function runAgain(endpointId: string, recipient = 'owner'): Promise<void> {
  const { id: eventId } = await findNoticed(endpointId);
  await service.get(MailEndpointNotices).run({ data: { endpointId, eventId, recipient } });
}

/** Creates an endpoint whose disabling has been mailed. */
async function createMailed(path: string, body: object = {}): Promise<string> {
  const id = await createEndpoint(path, body);
  await disable(id);
  await waitForMails(id, 1);
  await waitForEmptyQueue();
  server.received.splice(0);
  return id;
}

describe('An endpoint that fails for five days', () => {
  it('causes one warning and one mail of its disabling, which link to its page', async () => {
    const id = await createEndpoint('/five-days?token=t0p');
    await warn(id);
    const [warning] = await waitForMails(id, 1);
    await seedFailures(fixture, id, { hours: 2 * DAY_HOURS, times: 18 });
    await fixture.publish('A secret course');
    const [, disabling] = await waitForMails(id, 2);
    await waitForEmptyQueue();

    expect(summarize(mailsAbout(id))).toEqual([
      [OWNER, DISABLING],
      [OWNER, WARNING],
    ]);
    const page = `https://hooks.example.com/console/webhooks/endpoints/${id}#business=${fixture.business.id}&mode=live`;
    for (const mail of [warning!, disabling!]) {
      const body = readBody(mail);
      expect(body).toContain(`Open the endpoint: ${page}`);
      expect(body).toContain(`<a href="${page.replace('&', '&amp;')}">Open the endpoint</a>`);
      expect(body).toContain('You get this mail because you own the business A business.');
      for (const hidden of ['t0p', 'five-days', 'A secret course']) expect(body).not.toContain(hidden);
    }
    expect(readBody(disabling!)).toContain('It gets no events until it is enabled again.');
  });

  it('causes no second warning within a day', async () => {
    const id = await createEndpoint('/twice');
    await warn(id);
    await waitForMails(id, 1);
    await seedFailures(fixture, id, { hours: 2 * DAY_HOURS - 2, times: 1 });
    await eventually(
      () => findNoticed(id),
      ({ data }) => 'warning' in data && data.warning.days === 3,
    );
    await waitForEmptyQueue();
    expect(summarize(mailsAbout(id))).toEqual([[OWNER, WARNING]]);
  });

  it('reaches each address of the endpoint, and an owner among them once', async () => {
    const id = await createEndpoint('/named', { notification_emails: [ONCALL, 'ben@example.com', OWNER] });
    await disable(id);
    await waitForMails(id, 3);
    await waitForEmptyQueue();
    expect(summarize(mailsAbout(id))).toEqual([
      ['ben@example.com', DISABLING],
      [ONCALL, DISABLING],
      [OWNER, DISABLING],
    ]);
    const [oncall] = mailsAbout(id).filter(({ to }) => to[0] === ONCALL);
    expect(readBody(oncall!)).toContain('You get this mail because the endpoint has your address.');
  });

  it('has a mark in test mode, and links to test mode', async () => {
    const key = await service.createKey(fixture.business, { mode: 'test' });
    fixture.receiver.setResponses('/in-test', respondWith(500));
    const body = { url: fixture.receiver.url('/in-test'), event_types: [PUBLISHED_TYPE] };
    const { id } = requireData(await service.createApi(key).post('/v1/webhooks/endpoints', body));
    await disable(id);
    const [mail] = await waitForMails(id, 1);
    expect(readSubject(mail!)).toBe(`[Test] ${DISABLING}`);
    expect(readBody(mail!)).toContain(`#business=${fixture.business.id}&mode=test`);
  });
});

describe('A receiver that has missed a rotation', () => {
  it('causes a warning that says so', async () => {
    fixture.receiver.setResponses('/rotated', respondWith(401));
    const { id } = await fixture.createEndpoint('/rotated', { event_types: [PUBLISHED_TYPE] });
    await fixture.rotateSecret(id);
    for (let i = 0; i < 5; i++) await fixture.publish();
    const [mail] = await waitForMails(id, 1);
    expect(readSubject(mail!)).toBe(
      '127.0.0.1:PORT refuses the webhooks of A business since their secret was replaced',
    );
    expect(readBody(mail!)).toContain('Its receiver probably does not know the new secret.');
  });
});

describe('The mail about an endpoint', () => {
  it('goes to the current address of the owner', async () => {
    const id = await createMailed('/moved');
    await signIn('moved@example.com');
    await runAgain(id);
    await signIn(OWNER);
    expect(server.received.map(({ to }) => to)).toEqual([['moved@example.com']]);
  });

  it('is the same mail when a crash repeats it', async () => {
    const id = await createEndpoint('/crashed');
    await disable(id);
    await waitForMails(id, 1);
    await runAgain(id);
    const [first, second] = mailsAbout(id);
    expect(readHeader(second!, 'Message-ID')).toBe(readHeader(first!, 'Message-ID'));
  });

  it('is sent again after the server delayed it, and given up when the server refuses it', async () => {
    const id = await createMailed('/delayed');
    server.replies.push({ code: 451, text: 'later' });
    await expect(runAgain(id)).rejects.toThrow('the mail server answered 451 to RCPT TO');
    server.replies.push({ code: 550, text: 'never' });
    await runAgain(id);
    expect(server.received).toEqual([]);
  });

  it('waits in a job without an address while the server is away', async () => {
    const id = await createEndpoint('/away', { notification_emails: ['away@example.com'] });
    server.replies.push({ code: 421, text: 'away' }, { code: 421, text: 'away' });
    await disable(id);
    const jobs = await eventually(listJobs, (found) => found.filter(({ failures }) => failures > 0).length > 0);
    expect(JSON.stringify(jobs)).not.toContain('@');
    await waitForMails(id, 2);
    await waitForEmptyQueue();
  });

  it.each([
    ['enabled again', (id: string) => fixture.editEndpoint(id, { status: 'enabled' })],
    ['deleted', (id: string) => fixture.api.delete(`/v1/webhooks/endpoints/${id}`)],
  ])('is not sent when the endpoint was %s before', async (how, change) => {
    const id = await createMailed(`/ended-${how.length}`);
    requireData(await change(id));
    await runAgain(id);
    expect(server.received).toEqual([]);
  });

  it('does not warn of an endpoint that has received something since', async () => {
    const id = await createEndpoint('/recovered');
    await warn(id);
    await waitForMails(id, 1);
    await waitForEmptyQueue();
    server.received.splice(0);
    fixture.receiver.setResponses('/recovered', respondWith(200));
    await fixture.publish();
    await eventually(
      async () => requireData(await fixture.api.get(`/v1/webhooks/endpoints/${id}`)),
      ({ last_success_at }) => last_success_at !== null,
    );
    await runAgain(id);
    expect(server.received).toEqual([]);
  });

  it('is not sent to an address that was removed, or whose person was forgotten', async () => {
    const id = await createMailed('/removed', { notification_emails: [ONCALL, 'dora@example.com'] });
    const personal = service.get(PersonalFields);
    await fixture.editEndpoint(id, { notification_emails: ['dora@example.com'] });
    await runAgain(id, personal.hash(ONCALL));
    await runAgain(id, personal.hash('dora@example.com'));
    expect(server.received.map(({ to }) => to)).toEqual([['dora@example.com']]);

    await forgetAddress(service, 'dora@example.com');
    await runAgain(id, personal.hash('dora@example.com'));
    expect(server.received).toHaveLength(1);
  });

  it('is not made of an event that is older than a week', async () => {
    const id = await createMailed('/old');
    const event = await findNoticed(id);
    const react = (days: number) => {
      const at = new Date(Date.now() - days * 86_400_000).toISOString();
      return service.get(MailEndpointNotices).react({ ...event, meta: { ...event.meta, at } });
    };
    await react(8);
    expect(await listJobs()).toEqual([]);
    await react(6);
    await waitForMails(id, 1);
  });

  it('reaches the addresses of the endpoint when the owner has none', async () => {
    const own = await WebhookFixture.addBusiness(service, fixture.receiver, 'nobody');
    fixture.receiver.setResponses('/ownerless', respondWith(500));
    const { id } = await own.createEndpoint('/ownerless', { notification_emails: [ONCALL] });
    await disable(id, own);
    await waitForMails(id, 1);
    await waitForEmptyQueue();
    expect(mailsAbout(id).map(({ to }) => to)).toEqual([[ONCALL]]);
  });
});
