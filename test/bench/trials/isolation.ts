import { DnsServer } from '../../support/dns-server.ts';
import { Receiver } from '../../support/receiver.ts';
import { hang } from '../../support/receiver-responses.ts';
import type { Environment } from '../../support/service-process.ts';
import { type Arrivals, READ_PATH } from '../deliveries/arrivals.ts';
import { findFirstArrivals } from '../deliveries/first-arrivals.ts';
import { toPercentiles } from '../deliveries/lag-percentiles.ts';
import { requestSteadily } from '../deliveries/steady-requests.ts';
import { round } from '../numbers.ts';

const ENDPOINTS = 100;
const EVENTS_PER_SECOND = 200;
const WARMING_SECONDS = 5;
const LATE_MS = 1_000;
const SILENT_PATH = '/silent';

/** Publishes events, one event to one endpoint at a time. */
export interface Publisher {
  /** Publishes an event. @returns the id in its data */
  readonly publish: (endpoint: number) => Promise<string>;
  readonly stop: () => Promise<void>;
}

/** Starts a publisher for endpoints with these URLs. */
export type StartPublisher = (urls: readonly string[], environment?: Environment) => Promise<Publisher>;

/** The systems that never respond: the receivers or their DNS servers. */
export type Silence = 'receivers' | 'names';

/** Measures the lags of the responding endpoints while `silent` endpoints never respond. */
export async function measureHealthyLags(
  begin: StartPublisher,
  arrivals: Arrivals,
  silent: number,
  seconds: number,
  of: Silence = 'receivers',
) {
  const isSilent = (endpoint: number) => (endpoint * silent) % ENDPOINTS < silent;
  const silence = of === 'names' ? await startSilentNameServer() : await startSilentReceivers();
  const urls = Array.from({ length: ENDPOINTS }, (_, i) => (isSilent(i) ? silence.url(i) : arrivals.url + READ_PATH));
  const messenger = await begin(urls, silence.environment);
  try {
    await arrivals.forget();
    const pace = { perSecond: EVENTS_PER_SECOND, seconds: WARMING_SECONDS + seconds };
    const asked = [...(await requestSteadily(pace, (i) => messenger.publish(i % ENDPOINTS)))];
    const healthy = asked.filter((_, i) => !isSilent(i % ENDPOINTS));
    const measured = asked.filter((_, i) => i >= WARMING_SECONDS * EVENTS_PER_SECOND && !isSilent(i % ENDPOINTS));
    const arrived = await findFirstArrivals(arrivals, healthy.length);
    return toReport(measured.map(([id, at]) => (arrived.get(id) ?? Infinity) - at));
  } finally {
    await messenger.stop();
    await silence.stop();
  }
}

async function startSilentReceivers() {
  const receiver = await Receiver.start();
  receiver.setResponses(SILENT_PATH, hang());
  return { url: () => receiver.url(SILENT_PATH), environment: {}, stop: () => receiver.stop() };
}

async function startSilentNameServer() {
  const names = Array.from({ length: ENDPOINTS }, (_, i) => `a${i}.silent.example.com`);
  const server = await DnsServer.start(Object.fromEntries(names.map((name) => [name, null])));
  const environment = { WEBHOOK_DNS_SERVERS: server.address };
  return { url: (endpoint: number) => `http://${names[endpoint]!}/`, environment, stop: () => server.stop() };
}

/** Reports the lags; an event that has not arrived counts as the latest. */
function toReport(lags: readonly number[]) {
  const arrived = lags.filter(Number.isFinite);
  return {
    healthy: lags.length,
    never_arrived: lags.length - arrived.length,
    later_than_1_s: lags.filter((lag) => lag > LATE_MS).length,
    ...toPercentiles(lags),
    worst_ms: round(Math.max(...arrived)),
  };
}
