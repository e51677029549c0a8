// Measures how a replay job of 10,000 deliveries to 100 endpoints, killed twice, slows live deliveries to some of these
// endpoints. Prints one JSON document on standard output and progress on standard error. Node runs this folder without
// a
// build.
import { setTimeout as delay } from 'node:timers/promises';
import { requireData } from '../support/api.ts';
import { Arrivals, READ_PATH } from './deliveries/arrivals.ts';
import { toPercentiles } from './deliveries/lag-percentiles.ts';
import { MeasuredService } from './deliveries/measured-service.ts';
import { describeMachine } from './machine.ts';
import { round } from './numbers.ts';
import { KilledJob } from './trials/killed-job.ts';
import { LiveTraffic, type Outage } from './trials/live-traffic.ts';
import { countRedeliveries } from './trials/redeliveries.ts';
import { createRejectedHistory, type RejectedHistory } from './trials/refused-history.ts';

const ENDPOINTS = 100;
const EVENTS = Number(process.env.BENCH_EVENTS ?? 100);
const LIVE_ENDPOINTS = 10;
const REPLAY_RATE = 100;
const SECONDS_WITHOUT = 20;
const ENVIRONMENT = { WEBHOOK_ENDPOINT_LIMIT: String(ENDPOINTS), WEBHOOK_REPLAY_RATE: String(REPLAY_RATE) };

const [live, replayed] = [await Arrivals.start(), await Arrivals.start()];
const service = await MeasuredService.start(ENVIRONMENT);
try {
  console.log(JSON.stringify(await measureAll(), null, 2));
} finally {
  await service.dispose();
  await Promise.all([live.stop(), replayed.stop()]);
}

async function measureAll() {
  console.error(`${ENDPOINTS * EVENTS} deliveries that get a 4xx response`);
  const history = await createRejectedHistory(service, ENDPOINTS, EVENTS);
  await acceptDeliveries(history);
  const traffic = new LiveTraffic(service, live);
  const alone = () => delay(SECONDS_WITHOUT * 1_000).then((): Outage[] => []);
  console.error('live deliveries without the job');
  const before = await traffic.runDuring(alone);
  console.error('live deliveries during the job');
  const job = new KilledJob(service, history);
  const beside = await traffic.runDuring(() => job.run());
  console.error('live deliveries after the job');
  const without = [...before, ...(await traffic.runDuring(alone))];
  const [lagsWithout, lagsBeside] = [toPercentiles(without), toPercentiles(beside)];
  return {
    bench: 'replay-job',
    machine: describeMachine(),
    live: { endpoints: LIVE_ENDPOINTS, deliveries: beside.length, without: lagsWithout, beside: lagsBeside },
    p95_ratio: round(lagsBeside.p95_ms / lagsWithout.p95_ms),
    job: { ...(await job.report()), ...countRedeliveries(service.dataDir) },
  };
}

/** Lets all receivers accept requests and subscribes some endpoints to live events. */
async function acceptDeliveries({ endpointIds }: RejectedHistory): Promise<void> {
  for (const [i, id] of endpointIds.entries()) {
    const changes =
      i < LIVE_ENDPOINTS ? { url: live.url + READ_PATH } : { url: replayed.url, event_types: ['subscription.created'] };
    requireData(await service.createApi().patch(`/v1/webhooks/endpoints/${id}`, changes));
  }
}
