// What signing and posting cost by themselves: so many at once with undici, and nothing kept.
import { Agent, request } from 'undici';
import { importBuilt } from '../built.ts';

const {
  url,
  body: text,
  count,
  atOnce,
} = JSON.parse(process.env.BARE_POSTS!) as Record<'url' | 'body', string> & Record<'count' | 'atOnce', number>;
const { signatureHeaders } =
  await importBuilt<typeof import('../../../src/webhooks/sending/signature.js')>('webhooks/sending/signature.js');

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const dispatcher = new Agent();
const body = Buffer.from(text);
const before = process.cpuUsage();
let left = count;

await Promise.all(Array.from({ length: atOnce }, postAll));
const { user, system } = process.cpuUsage(before);
console.log(user + system);

async function postAll(): Promise<void> {
  while (left-- > 0) {
    const signed = signatureHeaders(SECRET, { eventId: 'evt_1', seconds: Math.floor(Date.now() / 1_000), body });
    const headers = { 'content-type': 'application/json', ...signed };
    const response = await request(url, { method: 'POST', dispatcher, body, headers });
    await response.body.dump();
  }
}
