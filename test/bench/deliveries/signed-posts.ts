import { Agent, request } from 'undici';
import { importBuilt } from '../built.ts';

const { createSignatureHeaders } = await importBuilt<typeof import('../../../src/webhooks/delivery/signature.js')>(
  'webhooks/delivery/signature.js',
);

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const dispatcher = new Agent();

/** Signs and posts a body. @returns the status of the response */
export async function postSigned(url: string, body: Buffer, signal?: AbortSignal): Promise<number> {
  const signed = createSignatureHeaders(SECRET, { eventId: 'evt_1', seconds: Math.floor(Date.now() / 1_000), body });
  const headers = { 'content-type': 'application/json', ...signed };
  const response = await request(url, { method: 'POST', dispatcher, body, headers, ...(signal && { signal }) });
  await response.body.dump();
  return response.statusCode;
}
