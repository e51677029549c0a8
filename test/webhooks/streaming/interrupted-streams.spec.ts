import { Authenticator } from '../../../src/kernel/authenticator.js';
import { StoreUnavailable } from '../../../src/kernel/event-store.js';
import { Rejection } from '../../../src/kernel/rejection.js';
import { EventMessages } from '../../../src/webhooks/streaming/event-messages.js';
import { type Api, requireData } from '../../support/api.js';
import { EventReader } from '../../support/event-reader.js';
import { eventually } from '../../support/eventually.js';
import { type Service, startService } from '../../support/service.js';

/** The credential of a stream is checked twice a second. */
const CHECKS = 3;

describe('An event stream', () => {
  let service: Service;
  let api: Api;
  let key: string;
  beforeAll(async () => {
    service = await startService();
    key = await service.createKey(await service.createBusiness());
    api = service.createApi(key);
  });
  afterAll(() => service.stop());

  const open = (headers: Record<string, string> = {}) =>
    EventReader.open(`${service.url}/v1/webhooks/events/stream`, { authorization: `Bearer ${key}`, ...headers });
  const publish = async (name: string) => requireData(await api.post('/v1/commerce/products', { name })).id as string;

  /** Lets the check of credentials throw, and returns what ends that. */
  function failChecks(error: Error): { readonly count: () => number; readonly end: () => void } {
    const authenticator = service.get(Authenticator);
    const authenticate = authenticator.authenticate.bind(authenticator);
    let count = 0;
    authenticator.authenticate = () => {
      count++;
      return Promise.reject(error);
    };
    return { count: () => count, end: () => void (authenticator.authenticate = authenticate) };
  }

  it('of a key survives an outage of the store that its credential is checked in', async () => {
    const reader = await open();
    const checks = failChecks(new StoreUnavailable('away', false));
    await eventually(
      async () => checks.count(),
      (count) => count >= CHECKS,
    );
    checks.end();
    const product = await publish('After the outage');
    const [message] = await reader.waitFor(1);
    expect(message!.data.data.id).toBe(product);
    await reader.cut();
  });

  it('ends when its credential is refused', async () => {
    const reader = await open();
    const checks = failChecks(new Rejection('invalid_credentials', 'The key was revoked.'));
    await reader.ended;
    checks.end();
    expect(reader.messages).toEqual([]);
  });

  it('closes when an event cannot be written, and the resumed one has that event and the next', async () => {
    const reader = await open();
    const first = await publish('Before');
    const { id } = (await reader.waitFor(1))[0]!;
    const messages = service.get(EventMessages);
    const write = messages.write.bind(messages);
    messages.write = async () => {
      messages.write = write;
      throw new Error('the message cannot be written');
    };
    const failed = await publish('Fails once');
    await reader.ended;
    const next = await publish('After');

    const resumed = await open({ 'last-event-id': id });
    const received = (await resumed.waitFor(2)).map(({ data }) => data.data.id);
    expect(received).toEqual([failed, next]);
    expect(reader.messages.map(({ data }) => data.data.id)).toEqual([first]);
    await resumed.cut();
  });
});
