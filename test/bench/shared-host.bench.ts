// Measures 100 endpoints on one host that get 100 events at once, with the default limits of the host and without any, in
// alternating rounds. Counts the deliveries that succeeded on the first attempt and those that started in another order
// than that of the events. Prints one JSON document on standard output and progress on standard error. Node runs this
// folder without a build.
import { Arrivals } from './deliveries/arrivals.ts';
import { recordPublicEvents } from './deliveries/backlog.ts';
import { MeasuredService } from './deliveries/measured-service.ts';
import { readFirstAttempts } from './deliveries/read-first-attempts.ts';
import { captureSample, type Sample } from './deliveries/sample.ts';
import { getTime } from './deliveries/steady-requests.ts';
import { describeMachine } from './machine.ts';
import { computeMedian, round } from './numbers.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const ENDPOINTS = 100;
const EVENTS = 100;
const WARMING = 20;
const DELIVERIES = ENDPOINTS * EVENTS;
const NO_LIMIT = { WEBHOOK_HOST_CONCURRENCY: '0', WEBHOOK_HOST_RATE: '0' };

const arrivals = await Arrivals.start();
try {
  const sample = await captureSample(arrivals);
  const [limited, unlimited]: [Found[], Found[]] = [[], []];
  for (let i = 1; i <= ROUNDS; i++) {
    console.error(`round ${i} of ${ROUNDS}`);
    limited.push(await measure({}, sample));
    unlimited.push(await measure(NO_LIMIT, sample));
  }
  const [withLimit, without] = [summarize(limited), summarize(unlimited)];
  const cpuRatio = round(withLimit.cpu_us_per_delivery / without.cpu_us_per_delivery);
  const conditions = { machine: describeMachine(), endpoints: ENDPOINTS, events: EVENTS, rounds: ROUNDS };
  console.log(
    JSON.stringify({ bench: 'shared-host', ...conditions, limited: withLimit, without, cpu_ratio: cpuRatio }, null, 2),
  );
} finally {
  await arrivals.stop();
}

interface Found {
  readonly seconds: number;
  readonly cpuMicros: number;
  readonly onFirstAttempt: number;
  readonly outOfOrder: number;
}

async function measure(environment: object, { data }: Sample): Promise<Found> {
  const service = await MeasuredService.start({ WEBHOOK_ENDPOINT_LIMIT: String(ENDPOINTS), ...environment });
  try {
    const businessId = await service.readBusinessId();
    for (let i = 0; i < ENDPOINTS; i++) await service.createEndpoint(`${arrivals.url}/${i}`);
    const publish = async (events: number) => {
      await arrivals.forget();
      const began = getTime();
      await recordPublicEvents(service.dataDir, businessId, events, data);
      const arrived = await arrivals.waitForFirst(events * ENDPOINTS);
      return { seconds: (arrived.at(-1)!.at - began) / 1_000, cpuMicros: await service.takeCpuMicros() };
    };
    await publish(WARMING);
    const { seconds, cpuMicros } = await publish(EVENTS);
    return { seconds, cpuMicros, ...(await readFirstAttempts(service.dataDir, WARMING * ENDPOINTS)) };
  } finally {
    await service.dispose();
  }
}

function summarize(found: readonly Found[]) {
  return {
    seconds: round(computeMedian(found.map(({ seconds }) => seconds))),
    cpu_us_per_delivery: round(computeMedian(found.map(({ cpuMicros }) => cpuMicros / DELIVERIES))),
    cpu_us_of_each_round: found.map(({ cpuMicros }) => round(cpuMicros / DELIVERIES)),
    on_first_attempt: found.map(({ onFirstAttempt }) => `${onFirstAttempt} of ${DELIVERIES}`),
    out_of_order: found.map(({ outOfOrder }) => outOfOrder),
  };
}
