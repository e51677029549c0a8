import { rm } from 'node:fs/promises';
import { type Api, type ApiResponse, requireData } from '../../support/api.js';
import { createTempFolder, startServiceOn } from '../../support/service.js';
import { ServiceProcess } from '../../support/service-process.js';

const CRASH_AT = 'after-command-before-answer:1';

let dataDir: string;
beforeEach(async () => {
  dataDir = await createTempFolder();
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** Sends a request that a process records before kill −9, changes the resource, and sends the request again. */
async function sendAroundCrash(
  prepare: (api: Api) => Promise<string>,
  send: (api: Api, id: string) => Promise<ApiResponse>,
  change: (api: Api, id: string) => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const first = await startServiceOn(dataDir);
  const key = await first.createKey(await first.createBusiness());
  const id = await prepare(first.createApi(key));
  await first.close();
  const dying = await ServiceProcess.start(dataDir, { CRASH_AT });
  await expect(send(dying.createApi(key), id)).rejects.toThrow();
  expect(await dying.waitForExit()).toBe('SIGKILL');

  const next = await startServiceOn(dataDir);
  const api = next.createApi(key);
  requireData(await change(api, id));
  const repeated = await send(api, id);
  await next.close();
  return repeated;
}

describe('After kill −9 between the record of a command and its response, the same request', () => {
  it('gets the rotation of a secret, without the secret, although the endpoint is deleted', async () => {
    const { status, body } = await sendAroundCrash(
      async (api) => requireData(await api.post('/v1/webhooks/endpoints', { url: 'https://example.com/' })).id,
      (api, id) =>
        api.post(`/v1/webhooks/endpoints/${id}/secret-rotations`, undefined, { 'idempotency-key': 'rotate' }),
      (api, id) => api.delete(`/v1/webhooks/endpoints/${id}`),
    );
    expect([status, body.data.object, body.data.signing_secret]).toEqual([201, 'webhook_endpoint', undefined]);
  });

  it('gets the cart, without its token, although the discount is deleted', async () => {
    const { status, body } = await sendAroundCrash(
      async (api) => requireData(await api.post('/v1/commerce/discounts', { code: 'SPRING', percent_off: 10 })).id,
      (api) => api.post('/v1/commerce/carts', { discount_code: 'SPRING' }, { 'idempotency-key': 'buy' }),
      (api, id) => api.delete(`/v1/commerce/discounts/${id}`),
    );
    expect([status, body.data.discount.object, body.data.cart_token]).toEqual([201, 'discount', undefined]);
  });
});
