// Measures how a backfill of the events of the past (20,000; `BENCH_EVENTS=200000` is the long form) slows the live
// deliveries to the same endpoint, at 100 past events a second (`BENCH_RATE`; the default of the service is 10). Prints
// one JSON document on standard output and progress on standard error. Node runs this folder without a build.
import { setTimeout as delay } from 'node:timers/promises';
import { requireData } from '../support/api.ts';
import { Arrivals, READ_PATH } from './deliveries/arrivals.ts';
import { toPercentiles } from './deliveries/lag-percentiles.ts';
import { MeasuredService } from './deliveries/measured-service.ts';
import { getTime } from './deliveries/steady-requests.ts';
import { describeMachine } from './machine.ts';
import { round } from './numbers.ts';
import { LiveTraffic, type Outage } from './trials/live-traffic.ts';

const EVENTS = Number(process.env.BENCH_EVENTS ?? 20_000);
const REPLAY_RATE = Number(process.env.BENCH_RATE ?? 100);
/** Replay jobs get at most half of what an endpoint takes. */
const ENDPOINT_RATE = Math.max(50, 2 * REPLAY_RATE);
const REQUESTS_AT_ONCE = 16;
const SECONDS = 20;
const BACKFILLS = '/v1/webhooks/replay-jobs';

const live = await Arrivals.start();
const service = await MeasuredService.start({
  WEBHOOK_REPLAY_RATE: String(REPLAY_RATE),
  WEBHOOK_ENDPOINT_RATE: String(ENDPOINT_RATE),
});
try {
  console.log(JSON.stringify(await measureAll(), null, 2));
} finally {
  await service.dispose();
  await live.stop();
}

async function measureAll() {
  console.error(`${EVENTS} events of the past`);
  await causeAll(EVENTS);
  const window = { scope: 'never_planned', created_from: '2020-01-01', endpoint_id: await createEndpoint() };
  const dryRun = await count(window);
  const traffic = new LiveTraffic(service, live);
  const alone = () => delay(SECONDS * 1_000).then((): Outage[] => []);
  console.error('live deliveries without the backfill');
  const before = await traffic.runDuring(alone);
  console.error('live deliveries during the backfill');
  const { id } = requireData(await service.createApi().post(BACKFILLS, window));
  const beside = await traffic.runDuring(alone);
  const job = requireData(await service.createApi().post(`${BACKFILLS}/${id}/cancel`));
  console.error('live deliveries after the backfill');
  const without = [...before, ...(await traffic.runDuring(alone))];
  const [lagsWithout, lagsBeside] = [toPercentiles(without), toPercentiles(beside)];
  return {
    bench: 'backfill',
    machine: describeMachine(),
    events: EVENTS,
    dry_run: dryRun,
    live: { deliveries: beside.length, without: lagsWithout, beside: lagsBeside },
    p95_ratio: round(lagsBeside.p95_ms / lagsWithout.p95_ms),
    job: {
      limit_per_second: REPLAY_RATE,
      redelivered_per_second: round(job.redelivered / (SECONDS + 7)),
      succeeded: job.succeeded,
      failed: job.failed,
    },
  };
}

async function causeAll(events: number): Promise<void> {
  let left = events;
  const causeSome = async () => {
    while (left-- > 0) await service.causeEvent();
  };
  await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, causeSome));
}

function createEndpoint(): Promise<string> {
  return service.createEndpoint(live.url + READ_PATH);
}

async function count(window: object): Promise<{ matched: number; ms: number }> {
  const began = getTime();
  const { matched } = requireData(await service.createApi().post(BACKFILLS, { ...window, dry_run: true }));
  return { matched, ms: round(getTime() - began) };
}
