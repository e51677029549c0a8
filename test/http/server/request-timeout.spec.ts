import { RESPONSE_TIMEOUT_MS } from '../../../src/http/server/request-timeout.js';
import { Clock } from '../../../src/kernel/clock.js';
import { Idempotency } from '../../../src/kernel/idempotency.js';
import type { Api, ApiResponse } from '../../support/api.js';
import { type Service, startService } from '../../support/service.js';
import { Probe, ProbeModule } from '../support/probe.js';

const PATH = '/v1/commerce/probes';
const BODY = { name: 'a' };
const TIMEOUT_MS = 1_000;

let service: Service;
let probe: Probe;
let api: Api;
beforeAll(async () => {
  service = await startService({}, [ProbeModule]);
  shortenTimeout(service.get(Clock));
  probe = service.get(Probe);
  api = service.createApi(await service.createKey(await service.createBusiness()));
});
afterAll(() => service.stop());

/** Sleeps that are longer belong to the request timeout. */
const LONGEST_OTHER_MS = 5_000;

/** Shortens the request timeout. */
function shortenTimeout(clock: Clock): void {
  const sleep = clock.sleep.bind(clock);
  clock.sleep = (ms, signal) => sleep(isRequestTimeout(ms) ? TIMEOUT_MS : ms, signal);
}

function isRequestTimeout(ms: number): boolean {
  return ms > LONGEST_OTHER_MS && ms <= RESPONSE_TIMEOUT_MS;
}

/** Sends a request that times out before its handler ends. `go` ends the handler with `end`. */
async function sendOvertaken(headers: Record<string, string>, end: () => void = () => undefined) {
  const { promise: letGo, resolve: go } = Promise.withResolvers<void>();
  probe.next = () => letGo.then(end);
  const reply = await api.post(PATH, BODY, headers);
  return { reply, go };
}

function repeatRequest(headers: Record<string, string>): Promise<ApiResponse> {
  return repeatWith(BODY, headers);
}

async function repeatWith(body: object, headers: Record<string, string>): Promise<ApiResponse> {
  const reply = await api.post(PATH, body, headers);
  return reply.body.code === 'idempotency_key_in_progress' || reply.body.code === 'idempotency_key_conflict'
    ? repeatWith(body, headers)
    : reply;
}

describe('A request whose handler takes too long', () => {
  it('gets a 503, and a repeated request gets its response after the handler ends', async () => {
    const headers = { 'idempotency-key': 'slow' };
    const runs = probe.runs.length;
    const { reply, go } = await sendOvertaken(headers);
    const repeated = await api.post(PATH, BODY, headers);
    go();
    const again = await repeatRequest(headers);

    expect([reply.status, reply.body.code, reply.headers.get('retry-after')]).toEqual([
      503,
      'service_unavailable',
      '1',
    ]);
    expect(repeated.body.code).toBe('idempotency_key_in_progress');
    expect([again.status, probe.runs.length]).toEqual([201, runs + 1]);
  });

  it('is resumed as the same command when its outcome is unknown', async () => {
    const headers = { 'idempotency-key': 'slow-and-lost' };
    const { go } = await sendOvertaken(headers, () => {
      throw new Error('surprise');
    });
    go();
    const again = await repeatRequest(headers);
    const [first, second] = probe.runs.slice(-2);

    expect(again.status).toBe(201);
    expect([second!.commandId, second!.at]).toEqual([first!.commandId, first!.at]);
  });

  it('does not run when its key is claimed after the 503, and releases the key for another request', async () => {
    const headers = { 'idempotency-key': 'claimed-late' };
    const { promise: letGo, resolve: go } = Promise.withResolvers<void>();
    const claims = service.get(Idempotency);
    const begin = claims.claim.bind(claims);
    const claimed = Promise.withResolvers<void>();
    claims.claim = async (...claim) => {
      await letGo;
      claims.claim = begin;
      return begin(...claim).finally(claimed.resolve);
    };
    probe.next = () => Promise.resolve();
    const runs = probe.runs.length;
    const late = await api.post(PATH, BODY, headers);
    go();
    await claimed.promise;
    const other = await repeatWith({ name: 'b' }, headers);

    expect([late.status, other.status, probe.runs.length]).toEqual([503, 201, runs + 1]);
  });
});
