import type { Claim, Idempotency, IdempotencyKey, KeptClaim } from '../../src/kernel/idempotency.js';
import { newUuid } from '../../src/kernel/ids.js';
import { contract } from './contract.js';
import { eachOpened, type Open } from './opened.js';

const ANSWER = { status: 201, body: '{"data":{"id":"ord_1"}}' };
const LEASE_MS = 1_000;
const DAY_MS = 24 * 3_600_000;

export function idempotencyContract(name: string, open: Open<Idempotency>): void {
  contract(`Idempotency keys on ${name}`, () => {
    const opened = eachOpened(open);
    const claim: Claim = { fingerprint: 'POST /v1/orders 1', leaseMs: LEASE_MS, holder: 'one' };
    const otherRequest: Claim = { ...claim, fingerprint: 'POST /v1/orders 2' };
    let key: IdempotencyKey;
    beforeEach(() => {
      key = { scope: newUuid(), key: 'é 😀' };
    });

    it('starts the first request with a command id and the time', async () => {
      const begun = await begin(claim);

      expect(begun).toEqual({
        status: 'started',
        commandId: expect.any(String) as string,
        at: expect.any(Number) as number,
        run: 1,
      });
      expect(Math.abs(begun.at - opened.now())).toBeLessThan(LEASE_MS);
    });

    it('separates scopes and keys', async () => {
      const first = await begin(claim);

      for (const other of [
        { ...key, scope: `${key.scope}x` },
        { ...key, key: 'other' },
      ]) {
        const begun = await opened.store.begin(other, claim);
        expect(begun).toMatchObject({ status: 'started', run: 1 });
        expect(begun).not.toMatchObject({ commandId: first.commandId });
      }
    });

    it('reports a running request as in progress, and a different request as a conflict', async () => {
      await begin(claim);

      expect(await opened.store.begin(key, { ...claim, holder: 'two' })).toEqual({ status: 'in_progress' });
      expect(await opened.store.begin(key, otherRequest)).toEqual({ status: 'conflict' });
    });

    it('lets exactly one of several concurrent requests start', async () => {
      const begun = await Promise.all(Array.from({ length: 8 }, (_, i) => opened.store.begin(key, { ...claim, holder: `${i}` })));

      expect(begun.filter(({ status }) => status === 'started')).toHaveLength(1);
      expect(begun.filter(({ status }) => status === 'in_progress')).toHaveLength(7);
    });

    it('returns the stored response of a completed request, even after it is opened again', async () => {
      const { commandId } = await begin(claim);
      await opened.store.finish(key, commandId, ANSWER);
      const store = await opened.reopen();

      expect(await store.begin(key, claim)).toEqual({ status: 'completed', answer: ANSWER });
      expect(await store.begin(key, otherRequest)).toEqual({ status: 'conflict' });
    });

    it('starts a rejected request again', async () => {
      const first = await begin(claim);
      await opened.store.forget(key, first.commandId, first.run);
      const second = await opened.store.begin(key, otherRequest);

      expect(second).toMatchObject({ status: 'started', run: 1 });
      expect(second).not.toMatchObject({ commandId: first.commandId });
    });

    it('resumes an unknown outcome under the same command id and time, once', async () => {
      const first = await begin(claim);
      await opened.pass(LEASE_MS + 1);

      expect(await opened.store.begin(key, otherRequest)).toEqual({ status: 'conflict' });
      expect(await opened.store.begin(key, claim)).toEqual({ ...first, run: 2 });
      expect(await opened.store.begin(key, claim)).toEqual({ status: 'in_progress' });
    });

    it('resumes a suspended request at once', async () => {
      const first = await begin(claim);
      await opened.store.abandon(key, first.commandId, first.run);

      expect(await opened.store.begin(key, otherRequest)).toEqual({ status: 'conflict' });
      expect(await opened.store.begin(key, claim)).toEqual({ ...first, run: 2 });
    });

    it('completes a resumed run', async () => {
      const { commandId, run } = await begin(claim);
      await opened.store.abandon(key, commandId, run);
      await begin(claim);
      await opened.store.finish(key, commandId, ANSWER);

      expect(await opened.store.begin(key, claim)).toEqual({ status: 'completed', answer: ANSWER });
    });

    it('keeps the claim of the resumed run when an earlier run is rejected or suspended late', async () => {
      const stale = await begin(claim);
      await opened.pass(LEASE_MS + 1);
      const resumed = await begin(claim);
      await opened.store.forget(key, stale.commandId, stale.run);
      await opened.store.abandon(key, stale.commandId, stale.run);

      expect(await opened.store.begin(key, claim)).toEqual({ status: 'in_progress' });
      await opened.store.forget(key, resumed.commandId, resumed.run);
      expect(await begin(claim)).toMatchObject({ run: 1 });
    });

    it('stores the response of any run of the command', async () => {
      const stale = await begin(claim);
      await opened.pass(LEASE_MS + 1);
      const resumed = await begin(claim);
      await opened.store.finish(key, stale.commandId, ANSWER);
      await opened.store.forget(key, resumed.commandId, resumed.run);

      expect(await opened.store.begin(key, claim)).toEqual({ status: 'completed', answer: ANSWER });
    });

    it('keeps the first response of a command, and returns it to a run that completes later with another', async () => {
      const stale = await begin(claim);
      await opened.pass(LEASE_MS + 1);
      await begin(claim);
      const later = { status: 201, body: '{"data":{"status":"pending"}}' };

      expect(await opened.store.finish(key, stale.commandId, ANSWER)).toEqual(ANSWER);
      expect(await opened.store.finish(key, stale.commandId, later)).toEqual(ANSWER);
      expect(await opened.store.begin(key, claim)).toEqual({ status: 'completed', answer: ANSWER });
    });

    it('keeps the claim of a suspended run', async () => {
      const first = await begin(claim);
      await opened.store.abandon(key, first.commandId, first.run);
      await opened.store.forget(key, first.commandId, first.run);

      expect(await opened.store.begin(key, otherRequest)).toEqual({ status: 'conflict' });
      expect(await begin(claim)).toEqual({ ...first, run: 2 });
    });

    it('ignores a run that has lost the claim', async () => {
      const first = await begin(claim);
      await opened.store.forget(key, first.commandId, first.run);
      const second = await begin(claim);
      await opened.store.forget(key, first.commandId, first.run);
      await opened.store.abandon(key, first.commandId, first.run);
      await opened.store.finish(key, first.commandId, ANSWER);

      expect(await opened.store.begin(key, claim)).toEqual({ status: 'in_progress' });
      await opened.store.finish(key, second.commandId, ANSWER);
      expect(await opened.store.begin(key, claim)).toEqual({ status: 'completed', answer: ANSWER });
    });

    it('never frees a completed key', async () => {
      const { commandId, run } = await begin(claim);
      await opened.store.finish(key, commandId, ANSWER);
      await opened.store.forget(key, commandId, run);
      await opened.store.abandon(key, commandId, run);

      expect(await opened.store.begin(key, claim)).toEqual({ status: 'completed', answer: ANSWER });
    });

    it('keeps a response for 24 hours from the first run, and starts the request again after that', async () => {
      const first = await begin(claim);
      await opened.pass(LEASE_MS / 2);
      await opened.store.finish(key, first.commandId, ANSWER);

      await opened.pass(first.at + DAY_MS - 1_000 - opened.now());
      expect(await opened.store.begin(key, claim)).toMatchObject({ status: 'completed' });
      await opened.pass(1_000);
      const later = await opened.store.begin(key, otherRequest);
      expect(later).toMatchObject({ status: 'started', run: 1 });
      expect(later).not.toMatchObject({ commandId: first.commandId });
    });

    it('lists the claims of the last 24 hours page by page, with and without a response', async () => {
      const { commandId, at } = await begin(claim);
      await opened.store.finish(key, commandId, ANSWER);
      const open = await opened.store.begin({ ...key, key: 'open' }, claim);
      const kept = await listed();

      expect(kept).toHaveLength(2);
      expect(kept).toContainEqual({ ...key, fingerprint: claim.fingerprint, commandId, at, run: 1, answer: ANSWER });
      expect(kept).toContainEqual(
        expect.objectContaining({ key: 'open', answer: null, commandId: (open as { commandId: string }).commandId }),
      );
      await opened.pass(at + DAY_MS - opened.now());
      expect(await listed()).not.toContainEqual(expect.objectContaining({ commandId }));
    });

    it('restores claims with their responses, or with their command, run and age', async () => {
      const at = opened.now() - DAY_MS + 10_000;
      const restored: KeptClaim = { ...key, fingerprint: claim.fingerprint, commandId: newUuid(), at, run: 2, answer: null };
      await opened.store.restore([restored, { ...restored, key: 'answered', answer: ANSWER }]);

      expect(await opened.store.begin({ ...key, key: 'answered' }, claim)).toEqual({ status: 'completed', answer: ANSWER });
      expect(await opened.store.begin(key, otherRequest)).toEqual({ status: 'conflict' });
      expect(await begin(claim)).toEqual({ status: 'started', commandId: restored.commandId, at, run: 3 });
      await opened.pass(10_000);
      expect(await opened.store.begin({ ...key, key: 'answered' }, otherRequest)).toMatchObject({ status: 'started', run: 1 });
    });

    it('does not restore a claim over an existing key', async () => {
      const { commandId, at } = await begin(claim);
      await opened.store.restore([{ ...key, fingerprint: 'another', commandId: newUuid(), at, run: 7, answer: ANSWER }]);
      await opened.store.finish(key, commandId, ANSWER);

      expect(await opened.store.begin(key, claim)).toEqual({ status: 'completed', answer: ANSWER });
    });

    /** Lists the claims of this test one by one. */
    async function listed(): Promise<KeptClaim[]> {
      const all: KeptClaim[] = [];
      for (let page = await opened.store.claims(null, 1); page.length > 0; page = await opened.store.claims(all.at(-1)!, 1))
        all.push(...page);
      return all.filter(({ scope }) => scope === key.scope);
    }

    async function begin(one: Claim) {
      const begun = await opened.store.begin(key, one);
      if (begun.status !== 'started') throw new Error(`expected to start, and it is ${begun.status}`);
      return begun;
    }
  });
}
