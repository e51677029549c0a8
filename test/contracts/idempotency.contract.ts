import type { ClaimRequest, Idempotency, IdempotencyKey, StoredClaim } from '../../src/kernel/idempotency.js';
import { newUuid } from '../../src/kernel/ids.js';
import { describeContract } from './contract.js';
import { eachOpenStore, type OpenStoreFunction } from './open-store.js';

const RESPONSE = { status: 201, body: '{"data":{"id":"ord_1"}}' };
const LEASE_MS = 1_000;
const DAY_MS = 24 * 3_600_000;

export function describeIdempotency(name: string, open: OpenStoreFunction<Idempotency>): void {
  describeContract(`Idempotency keys on ${name}`, () => {
    const opened = eachOpenStore(open);
    const claim: ClaimRequest = { fingerprint: 'POST /v1/orders 1', leaseMs: LEASE_MS, holder: 'one' };
    const otherRequest: ClaimRequest = { ...claim, fingerprint: 'POST /v1/orders 2' };
    let key: IdempotencyKey;
    beforeEach(() => {
      key = { scope: newUuid(), key: 'é 😀' };
    });

    it('starts the first request with a command id and the time', async () => {
      const claimed = await begin(claim);

      expect(claimed).toEqual({
        status: 'started',
        commandId: expect.any(String) as string,
        at: expect.any(Number) as number,
        run: 1,
      });
      expect(Math.abs(claimed.at - opened.now())).toBeLessThan(LEASE_MS);
    });

    it('separates scopes and keys', async () => {
      const first = await begin(claim);

      for (const other of [
        { ...key, scope: `${key.scope}x` },
        { ...key, key: 'other' },
      ]) {
        const claimed = await opened.store.claim(other, claim);
        expect(claimed).toMatchObject({ status: 'started', run: 1 });
        expect(claimed).not.toMatchObject({ commandId: first.commandId });
      }
    });

    it('reports a running request as in progress, and a different request as a conflict', async () => {
      await begin(claim);

      expect(await opened.store.claim(key, { ...claim, holder: 'two' })).toEqual({ status: 'in_progress' });
      expect(await opened.store.claim(key, otherRequest)).toEqual({ status: 'conflict' });
    });

    it('lets exactly one of several concurrent requests start', async () => {
      const claimed = await Promise.all(
        Array.from({ length: 8 }, (_, i) => opened.store.claim(key, { ...claim, holder: `${i}` })),
      );

      expect(claimed.filter(({ status }) => status === 'started')).toHaveLength(1);
      expect(claimed.filter(({ status }) => status === 'in_progress')).toHaveLength(7);
    });

    it('returns the stored response of a completed request, even after it is opened again', async () => {
      const { commandId } = await begin(claim);
      await opened.store.complete(key, commandId, RESPONSE);
      const store = await opened.reopen();

      expect(await store.claim(key, claim)).toEqual({ status: 'completed', response: RESPONSE });
      expect(await store.claim(key, otherRequest)).toEqual({ status: 'conflict' });
    });

    it('starts a rejected request again', async () => {
      const first = await begin(claim);
      await opened.store.release(key, first.commandId, first.run);
      const second = await opened.store.claim(key, otherRequest);

      expect(second).toMatchObject({ status: 'started', run: 1 });
      expect(second).not.toMatchObject({ commandId: first.commandId });
    });

    it('resumes an unknown outcome under the same command id and time, once', async () => {
      const first = await begin(claim);
      await opened.advanceTime(LEASE_MS + 1);

      expect(await opened.store.claim(key, otherRequest)).toEqual({ status: 'conflict' });
      expect(await opened.store.claim(key, claim)).toEqual({ ...first, run: 2 });
      expect(await opened.store.claim(key, claim)).toEqual({ status: 'in_progress' });
    });

    it('resumes a suspended request at once', async () => {
      const first = await begin(claim);
      await opened.store.suspend(key, first.commandId, first.run);

      expect(await opened.store.claim(key, otherRequest)).toEqual({ status: 'conflict' });
      expect(await opened.store.claim(key, claim)).toEqual({ ...first, run: 2 });
    });

    it('completes a resumed run', async () => {
      const { commandId, run } = await begin(claim);
      await opened.store.suspend(key, commandId, run);
      await begin(claim);
      await opened.store.complete(key, commandId, RESPONSE);

      expect(await opened.store.claim(key, claim)).toEqual({ status: 'completed', response: RESPONSE });
    });

    it('keeps the claim of the resumed run when an earlier run is rejected or suspended late', async () => {
      const stale = await begin(claim);
      await opened.advanceTime(LEASE_MS + 1);
      const resumed = await begin(claim);
      await opened.store.release(key, stale.commandId, stale.run);
      await opened.store.suspend(key, stale.commandId, stale.run);

      expect(await opened.store.claim(key, claim)).toEqual({ status: 'in_progress' });
      await opened.store.release(key, resumed.commandId, resumed.run);
      expect(await begin(claim)).toMatchObject({ run: 1 });
    });

    it('stores the response of any run of the command', async () => {
      const stale = await begin(claim);
      await opened.advanceTime(LEASE_MS + 1);
      const resumed = await begin(claim);
      await opened.store.complete(key, stale.commandId, RESPONSE);
      await opened.store.release(key, resumed.commandId, resumed.run);

      expect(await opened.store.claim(key, claim)).toEqual({ status: 'completed', response: RESPONSE });
    });

    it('keeps the first response of a command, and returns it to a run that completes later with another', async () => {
      const stale = await begin(claim);
      await opened.advanceTime(LEASE_MS + 1);
      await begin(claim);
      const later = { status: 201, body: '{"data":{"status":"pending"}}' };

      expect(await opened.store.complete(key, stale.commandId, RESPONSE)).toEqual(RESPONSE);
      expect(await opened.store.complete(key, stale.commandId, later)).toEqual(RESPONSE);
      expect(await opened.store.claim(key, claim)).toEqual({ status: 'completed', response: RESPONSE });
    });

    it('keeps the claim of a suspended run', async () => {
      const first = await begin(claim);
      await opened.store.suspend(key, first.commandId, first.run);
      await opened.store.release(key, first.commandId, first.run);

      expect(await opened.store.claim(key, otherRequest)).toEqual({ status: 'conflict' });
      expect(await begin(claim)).toEqual({ ...first, run: 2 });
    });

    it('ignores a run that has lost the claim', async () => {
      const first = await begin(claim);
      await opened.store.release(key, first.commandId, first.run);
      const second = await begin(claim);
      await opened.store.release(key, first.commandId, first.run);
      await opened.store.suspend(key, first.commandId, first.run);
      await opened.store.complete(key, first.commandId, RESPONSE);

      expect(await opened.store.claim(key, claim)).toEqual({ status: 'in_progress' });
      await opened.store.complete(key, second.commandId, RESPONSE);
      expect(await opened.store.claim(key, claim)).toEqual({ status: 'completed', response: RESPONSE });
    });

    it('never frees a completed key', async () => {
      const { commandId, run } = await begin(claim);
      await opened.store.complete(key, commandId, RESPONSE);
      await opened.store.release(key, commandId, run);
      await opened.store.suspend(key, commandId, run);

      expect(await opened.store.claim(key, claim)).toEqual({ status: 'completed', response: RESPONSE });
    });

    it('keeps a response for 24 hours from the first run, and starts the request again after that', async () => {
      const first = await begin(claim);
      await opened.advanceTime(LEASE_MS / 2);
      await opened.store.complete(key, first.commandId, RESPONSE);

      await opened.advanceTime(first.at + DAY_MS - 1_000 - opened.now());
      expect(await opened.store.claim(key, claim)).toMatchObject({ status: 'completed' });
      await opened.advanceTime(1_000);
      const later = await opened.store.claim(key, otherRequest);
      expect(later).toMatchObject({ status: 'started', run: 1 });
      expect(later).not.toMatchObject({ commandId: first.commandId });
    });

    it('ends a key 24 hours after its first run, although another run has resumed it since', async () => {
      const { commandId, run, at } = await begin(claim);
      await opened.store.suspend(key, commandId, run);
      await opened.advanceTime(DAY_MS / 2);
      await begin(claim);
      await opened.store.complete(key, commandId, RESPONSE);

      await opened.advanceTime(at + DAY_MS - opened.now());
      expect(await opened.store.claim(key, otherRequest)).toMatchObject({ status: 'started', run: 1 });
    });

    it('reports a run as in progress that resumed just before the end of the 24 hours', async () => {
      const { commandId, run, at } = await begin(claim);
      await opened.store.suspend(key, commandId, run);
      await opened.advanceTime(at + DAY_MS - LEASE_MS / 2 - opened.now());
      expect(await opened.store.claim(key, claim)).toMatchObject({ status: 'started', commandId, run: 2 });
      await opened.advanceTime(LEASE_MS * 0.75);

      expect(await opened.store.claim(key, claim)).toEqual({ status: 'in_progress' });
    });

    it('lists the claims of the last 24 hours page by page, with and without a response', async () => {
      const { commandId, at } = await begin(claim);
      await opened.store.complete(key, commandId, RESPONSE);
      const open = await opened.store.claim({ ...key, key: 'open' }, claim);
      const kept = await listAll();

      expect(kept).toHaveLength(2);
      expect(kept).toContainEqual({
        ...key,
        fingerprint: claim.fingerprint,
        commandId,
        at,
        run: 1,
        response: RESPONSE,
      });
      expect(kept).toContainEqual(
        expect.objectContaining({ key: 'open', response: null, commandId: (open as { commandId: string }).commandId }),
      );
      await opened.advanceTime(at + DAY_MS - opened.now());
      expect(await listAll()).not.toContainEqual(expect.objectContaining({ commandId }));
    });

    it('restores claims with their responses, or with their command, run and age', async () => {
      const at = opened.now() - DAY_MS + 10_000;
      const restored: StoredClaim = {
        ...key,
        fingerprint: claim.fingerprint,
        commandId: newUuid(),
        at,
        run: 2,
        response: null,
      };
      await opened.store.restore([restored, { ...restored, key: 'answered', response: RESPONSE }]);

      expect(await opened.store.claim({ ...key, key: 'answered' }, claim)).toEqual({
        status: 'completed',
        response: RESPONSE,
      });
      expect(await opened.store.claim(key, otherRequest)).toEqual({ status: 'conflict' });
      expect(await begin(claim)).toEqual({ status: 'started', commandId: restored.commandId, at, run: 3 });
      await opened.advanceTime(10_000);
      expect(await opened.store.claim({ ...key, key: 'answered' }, otherRequest)).toMatchObject({
        status: 'started',
        run: 1,
      });
    });

    it('does not restore a claim over an existing key', async () => {
      const { commandId, at } = await begin(claim);
      await opened.store.restore([
        { ...key, fingerprint: 'another', commandId: newUuid(), at, run: 7, response: RESPONSE },
      ]);
      await opened.store.complete(key, commandId, RESPONSE);

      expect(await opened.store.claim(key, claim)).toEqual({ status: 'completed', response: RESPONSE });
    });

    /** Lists the claims of this test one by one. */
    async function listAll(): Promise<StoredClaim[]> {
      const all: StoredClaim[] = [];
      for (
        let page = await opened.store.listClaims(null, 1);
        page.length > 0;
        page = await opened.store.listClaims(all.at(-1)!, 1)
      )
        all.push(...page);
      return all.filter(({ scope }) => scope === key.scope);
    }

    async function begin(one: ClaimRequest) {
      const claimed = await opened.store.claim(key, one);
      if (claimed.status !== 'started') throw new Error(`expected to start, and it is ${claimed.status}`);
      return claimed;
    }
  });
}
