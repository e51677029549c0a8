// A bare loop that signs and posts with undici, with a given concurrency and without storage.
import { postSigned } from './signed-posts.ts';

type Posts = Readonly<Record<'url' | 'body', string> & Record<'count' | 'concurrency', number>>;

const { url, body: text, count, concurrency } = JSON.parse(process.env.BARE_POSTS!) as Posts;
const body = Buffer.from(text);
const before = process.cpuUsage();
let left = count;

await Promise.all(Array.from({ length: concurrency }, postAll));
const { user, system } = process.cpuUsage(before);
console.log(user + system);

async function postAll(): Promise<void> {
  while (left-- > 0) await postSigned(url, body);
}
