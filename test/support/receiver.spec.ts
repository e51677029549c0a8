import { Receiver } from './receiver.js';
import { redirect, repeat, reset, respondWith, sendGzipBomb } from './receiver-responses.js';

describe('The webhook receiver of the tests', () => {
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await Receiver.start();
  });
  afterEach(() => receiver.stop());

  it('stores the exact bytes and responds with 200 without a script', async () => {
    const answer = await fetch(receiver.url('/hook'), { method: 'POST', body: '{"é":1}', headers: { 'x-a': 'b' } });

    expect(answer.status).toBe(200);
    expect(receiver.requestsFor('/hook')).toMatchObject([{ method: 'POST', body: '{"é":1}', headers: { 'x-a': 'b' } }]);
  });

  it('responds by its script and repeats the last response', async () => {
    receiver.setResponses('/hook', ...repeat(2, respondWith(500)), redirect('/elsewhere'));

    const seen = [];
    for (let i = 0; i < 4; i++) seen.push((await fetch(receiver.url('/hook'), { redirect: 'manual' })).status);

    expect(seen).toEqual([500, 500, 302, 302]);
  });

  it('resets a connection', async () => {
    receiver.setResponses('/hook', reset());

    await expect(fetch(receiver.url('/hook'))).rejects.toThrow('fetch failed');
    expect(receiver.requestsFor('/hook')).toHaveLength(1);
  });

  it('sends a small response that inflates to a large one', async () => {
    receiver.setResponses('/hook', sendGzipBomb(1_000_000));

    const answer = await fetch(receiver.url('/hook'));

    expect(Number(answer.headers.get('content-length'))).toBeLessThan(2_000);
    expect((await answer.arrayBuffer()).byteLength).toBe(1_000_000);
  });

  it('waits for a request that arrives later', async () => {
    const waiting = receiver.waitForRequests('/hook', 2);
    await fetch(receiver.url('/hook'));
    await fetch(receiver.url('/hook'));

    expect(await waiting).toHaveLength(2);
  });
});
