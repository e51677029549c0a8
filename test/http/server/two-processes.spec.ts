import { rm } from 'node:fs/promises';
import { ConsistencyTokens } from '../../../src/http/server/consistency-tokens.js';
import { ConsistencyContext } from '../../../src/kernel/context.js';
import { type Api, type ApiResponse, requireData } from '../../support/api.js';
import { createTempFolder, type Service, startService, startServiceOn } from '../../support/service.js';
import { ServiceProcess } from '../../support/service-process.js';

const PRODUCTS = '/v1/commerce/products';
const WRITES = 20;

let dataDir: string;
let process: ServiceProcess;
let service: Service;
let one: Api;
let other: Api;
beforeAll(async () => {
  dataDir = await createTempFolder();
  process = await ServiceProcess.start(dataDir);
  service = await startServiceOn(dataDir);
  [one, other] = [process.createApi(process.firstKey), service.createApi(process.firstKey)];
});
afterAll(async () => {
  await Promise.all([process.stop(), service.close()]);
  await rm(dataDir, { recursive: true, force: true });
});

const create = (api: Api, headers?: Record<string, string>) => api.post(PRODUCTS, { name: 'A course' }, headers);
const newest = async (api: Api, token: string) => api.get(`${PRODUCTS}?per_page=1`, { 'consistency-token': token });
const tokenOf = ({ headers }: ApiResponse) => headers.get('consistency-token')!;

describe('Each of two processes on one store', () => {
  it('includes a write of the other process in a list when the caller sends the token of the write', async () => {
    for (let write = 0; write < WRITES; write++) {
      const [writer, reader] = write % 2 === 0 ? [one, other] : [other, one];
      const written = await create(writer);
      const read = await newest(reader, tokenOf(written));

      expect(requireData(read)[0].id).toBe(requireData(written).id);
      expect(read.headers.get('consistency')).toBeNull();
    }
  });

  it('includes the writes of its own caller without a token', async () => {
    for (const api of [one, other]) {
      const { id } = requireData(await create(api));

      expect(requireData(await api.get(`${PRODUCTS}?per_page=1`))[0].id).toBe(id);
    }
  });

  it('repeats the response of the other process, with a token that covers the write', async () => {
    const headers = { 'idempotency-key': 'told-by-both' };
    const [first, again] = [await create(one, headers), await create(other, headers)];

    expect(again.text).toBe(first.text);
    expect(requireData(await newest(one, tokenOf(again)))[0].id).toBe(requireData(first).id);
  });

  it('ignores a forged token and a token of another store', async () => {
    const written = tokenOf(await create(one));
    const otherBusiness = await startService();
    const foreign = otherBusiness.get(ConsistencyTokens).tokenFor(new ConsistencyContext('z'));
    await otherBusiness.stop();

    for (const token of [
      `${written}x`,
      written.replace(/^./, 'z'),
      written.split('.')[0]!,
      foreign,
      '🦊'.repeat(9).normalize(),
      '',
    ]) {
      const { status, headers } = await newest(other, Buffer.from(token).toString('latin1'));

      expect([status, headers.get('consistency')]).toEqual([200, null]);
    }
  });
});
