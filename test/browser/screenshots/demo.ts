import { requireData } from '../../support/api.ts';
import { findFreePort } from '../../support/free-port.ts';
import { runOps, signSessionToken } from '../../support/ops.ts';
import { Receiver } from '../../support/receiver.ts';
import { respondWith } from '../../support/receiver-responses.ts';
import { ServiceProcess } from '../../support/service-process.ts';

const SEED = ['seed', '--demo', '--days', '60', '--last-day', '2026-11-24'];
const OPS_TOKEN = 'the-token-of-the-operators-0123456789';
const COURSES = ['Drawing', 'Pottery', 'Gardening', 'Bookbinding', 'Weaving', 'Woodwork'];

/** A running service with the demo store, and with deliveries of today to an endpoint that failed once. */
export interface Demo {
  readonly url: string;
  readonly opsUrl: string;
  readonly opsToken: string;
  /** A session token of the owner. */
  readonly token: string;
  stop(): Promise<void>;
}

export async function startDemo(dataDir: string): Promise<Demo> {
  const { seeded } = await runOps<{ seeded: { business: { id: string } } }>(dataDir, ...SEED);
  const opsPort = await findFreePort();
  const [service, receiver] = await Promise.all([
    ServiceProcess.start(dataDir, { OPS_PORT: String(opsPort), OPS_TOKEN }),
    Receiver.start(),
  ]);
  const token = await signSessionToken(dataDir, 'owner', 'owner@example.com');
  await createDeliveries(service, receiver, token, seeded.business.id);
  return {
    url: service.url,
    opsUrl: `http://127.0.0.1:${opsPort}`,
    opsToken: OPS_TOKEN,
    token,
    stop: async () => {
      await service.stop();
      await receiver.stop();
    },
  };
}

async function createDeliveries(
  service: ServiceProcess,
  receiver: Receiver,
  token: string,
  businessId: string,
): Promise<void> {
  const owner = service.createApi(token).withHeaders({ 'x-service-business-id': businessId, 'x-service-mode': 'test' });
  receiver.setResponses('/hooks', respondWith(400, {}, '{"error":"Unknown product"}'), respondWith(200, {}, 'ok'));
  requireData(await owner.post('/v1/webhooks/endpoints', { url: receiver.url('/hooks'), description: 'Shop' }));
  for (const [index, name] of COURSES.entries()) {
    requireData(await owner.post('/v1/commerce/products', { name }));
    await receiver.waitForRequests('/hooks', index + 1);
  }
}
