import { Secrets } from '../../../src/engine/sealing/secrets.js';
import { EventStore } from '../../../src/kernel/event-store.js';
import type { Recorded } from '../../../src/kernel/event.js';
import { happened } from '../../support/jar.js';
import { Desk, eventually } from '../desk.js';

describe('The secret of an endpoint', () => {
  let desk: Desk;
  beforeAll(async () => void (desk = await Desk.open()));
  afterAll(() => desk.close());

  const isGone = (secretId: string) => eventually(async () => ((await desk.service.get(Secrets).read(secretId)) === null ? true : null));
  const eventsOf = async (id: string) => {
    const events: Recorded[] = [];
    for await (const event of desk.service.get(EventStore).readStream(`endpoint-${id}`)) events.push(event);
    return events;
  };
  const secretIdIn = ({ data }: Recorded) => (data as { readonly secretId: string }).secretId;

  it('is destroyed by the rotation that names it as replaced', async () => {
    const { id } = await desk.endpoint('/rotated');
    await desk.rotate(id);
    const [created, rotated] = await eventsOf(id);

    expect(rotated!.data).toMatchObject({ replacedId: secretIdIn(created!) });
    expect(await desk.service.get(Secrets).read(secretIdIn(created!))).toBeNull();
    expect(await desk.service.get(Secrets).read(secretIdIn(rotated!))).toMatch(/^whsec_/);
  });

  it('is destroyed after a rotation that does not name it', async () => {
    const { id } = await desk.endpoint('/earlier');
    const [created] = await eventsOf(id);
    const rotation = { ...happened('rotation', 'SecretRotated', { endpointId: id, secretId: 'sec_next' }), meta: created!.meta };
    await desk.service.get(EventStore).append(`endpoint-${id}`, 0, [rotation]);

    expect(await isGone(secretIdIn(created!))).toBe(true);
  });

  it('is destroyed when its endpoint is deleted', async () => {
    const { id } = await desk.endpoint('/deleted');
    await desk.rotate(id);
    await desk.api.delete(`/v1/webhooks/endpoints/${id}`);

    expect(await isGone(secretIdIn((await eventsOf(id))[1]!))).toBe(true);
  });
});
