// Measures how a replay job of 10,000 deliveries to 100 endpoints, killed twice, slows live deliveries to some of these
// endpoints. Prints one JSON document on standard output and progress on standard error. Node runs this folder without
// a
// build.
import { setTimeout as delay } from 'node:timers/promises';
import { dataOf } from '../support/api.ts';
import { Arrivals, READ_PATH } from './deliveries/arrivals.ts';
import { lagsOf } from './deliveries/lags.ts';
import { MeasuredService } from './deliveries/measured-service.ts';
import { machine } from './machine.ts';
import { rounded } from './numbers.ts';
import { KilledJob } from './trials/killed-job.ts';
import { LiveTraffic, type Absence } from './trials/live-traffic.ts';
import { redeliveriesIn } from './trials/redeliveries.ts';
import { refusedHistory, type RefusedHistory } from './trials/refused-history.ts';

const ENDPOINTS = 100;
const EVENTS = Number(process.env.BENCH_EVENTS ?? 100);
const LIVE_ENDPOINTS = 10;
const REPLAY_RATE = 100;
const SECONDS_WITHOUT = 20;
const ENVIRONMENT = { WEBHOOK_ENDPOINT_LIMIT: String(ENDPOINTS), WEBHOOK_REPLAY_RATE: String(REPLAY_RATE) };

const [live, replayed] = [await Arrivals.start(), await Arrivals.start()];
const service = await MeasuredService.start(ENVIRONMENT);
try {
  console.log(JSON.stringify(await measured(), null, 2));
} finally {
  await service.end();
  await Promise.all([live.stop(), replayed.stop()]);
}

async function measured() {
  console.error(`${ENDPOINTS * EVENTS} deliveries that get a 4xx response`);
  const history = await refusedHistory(service, ENDPOINTS, EVENTS);
  await comeRound(history);
  const traffic = new LiveTraffic(service, live);
  const alone = () => delay(SECONDS_WITHOUT * 1_000).then((): Absence[] => []);
  console.error('live deliveries without the job');
  const before = await traffic.during(alone);
  console.error('live deliveries during the job');
  const job = new KilledJob(service, history);
  const beside = await traffic.during(() => job.run());
  console.error('live deliveries after the job');
  const without = [...before, ...(await traffic.during(alone))];
  const [lagsWithout, lagsBeside] = [lagsOf(without), lagsOf(beside)];
  return {
    bench: 'replay-job',
    machine: machine(),
    live: { endpoints: LIVE_ENDPOINTS, deliveries: beside.length, without: lagsWithout, beside: lagsBeside },
    p95_ratio: rounded(lagsBeside.p95_ms / lagsWithout.p95_ms),
    job: { ...(await job.told()), ...redeliveriesIn(service.dataDir) },
  };
}

/** Lets all receivers accept requests and subscribes some endpoints to live events. */
async function comeRound({ endpointIds }: RefusedHistory): Promise<void> {
  for (const [i, id] of endpointIds.entries()) {
    const changes = i < LIVE_ENDPOINTS ? { url: live.url + READ_PATH } : { url: replayed.url, event_types: ['subscription.created'] };
    dataOf(await service.api().patch(`/v1/webhooks/endpoints/${id}`, changes));
  }
}
