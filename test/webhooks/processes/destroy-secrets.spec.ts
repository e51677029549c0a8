import { Secrets } from '../../../src/engine/encryption/secrets.js';
import type { RecordedEvent } from '../../../src/kernel/event.js';
import { EventStore } from '../../../src/kernel/event-store.js';
import { createEvent } from '../../support/jar.js';
import { waitFor, WebhookFixture } from '../webhook-fixture.js';

describe('The secret of an endpoint', () => {
  let fixture: WebhookFixture;
  beforeAll(async () => void (fixture = await WebhookFixture.start()));
  afterAll(() => fixture.close());

  const isDestroyed = (secretId: string) =>
    waitFor(async () => ((await fixture.service.get(Secrets).read(secretId)) === null ? true : null));
  const readEvents = async (id: string) => {
    const events: RecordedEvent[] = [];
    for await (const event of fixture.service.get(EventStore).readStream(`endpoint-${id}`)) events.push(event);
    return events;
  };
  const findSecretIdIn = ({ data }: RecordedEvent) => (data as { readonly secretId: string }).secretId;

  it('is destroyed by the rotation that names it as replaced', async () => {
    const { id } = await fixture.createEndpoint('/rotated');
    await fixture.rotateSecret(id);
    const [created, rotated] = await readEvents(id);

    expect(rotated!.data).toMatchObject({ replacedId: findSecretIdIn(created!) });
    expect(await fixture.service.get(Secrets).read(findSecretIdIn(created!))).toBeNull();
    expect(await fixture.service.get(Secrets).read(findSecretIdIn(rotated!))).toMatch(/^whsec_/);
  });

  it('is destroyed after a rotation that does not name it', async () => {
    const { id } = await fixture.createEndpoint('/earlier');
    const [created] = await readEvents(id);
    const rotation = {
      ...createEvent('rotation', 'SecretRotated', { endpointId: id, secretId: 'sec_next' }),
      meta: created!.meta,
    };
    await fixture.service.get(EventStore).append(`endpoint-${id}`, 0, [rotation]);

    expect(await isDestroyed(findSecretIdIn(created!))).toBe(true);
  });

  it('is destroyed when its endpoint is deleted', async () => {
    const { id } = await fixture.createEndpoint('/deleted');
    await fixture.rotateSecret(id);
    await fixture.api.delete(`/v1/webhooks/endpoints/${id}`);

    expect(await isDestroyed(findSecretIdIn((await readEvents(id))[1]!))).toBe(true);
  });
});
