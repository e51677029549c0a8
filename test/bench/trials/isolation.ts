import { hang } from '../../support/answers.ts';
import { DnsServer } from '../../support/dns-server.ts';
import { Receiver } from '../../support/receiver.ts';
import type { Environment } from '../../support/service-process.ts';
import { READ_PATH, type Arrivals } from '../deliveries/arrivals.ts';
import { arrivedFirst } from '../deliveries/arrived.ts';
import { lagsOf } from '../deliveries/lags.ts';
import { askSteadily } from '../deliveries/steadily.ts';
import { rounded } from '../numbers.ts';

const ENDPOINTS = 100;
const EVENTS_PER_SECOND = 200;
const WARMING_SECONDS = 5;
const LATE_MS = 1_000;
const SILENT_PATH = '/silent';

/** Publishes events, one event to one endpoint at a time. */
export interface Messenger {
  /** Publishes an event. @returns the id in its data */
  readonly tell: (endpoint: number) => Promise<string>;
  readonly end: () => Promise<void>;
}

/** Starts a publisher for endpoints with these URLs. */
export type BeginMessenger = (urls: readonly string[], environment?: Environment) => Promise<Messenger>;

/** The systems that never respond: the receivers or their DNS servers. */
export type Silence = 'receivers' | 'names';

/** Measures the lags of the responding endpoints while `silent` endpoints never respond. */
export async function healthyLags(begin: BeginMessenger, arrivals: Arrivals, silent: number, seconds: number, of: Silence = 'receivers') {
  const isSilent = (endpoint: number) => (endpoint * silent) % ENDPOINTS < silent;
  const silence = of === 'names' ? await silentNames() : await silentReceivers();
  const urls = Array.from({ length: ENDPOINTS }, (_, i) => (isSilent(i) ? silence.url(i) : arrivals.url + READ_PATH));
  const messenger = await begin(urls, silence.environment);
  try {
    await arrivals.forget();
    const pace = { perSecond: EVENTS_PER_SECOND, seconds: WARMING_SECONDS + seconds };
    const asked = [...(await askSteadily(pace, (i) => messenger.tell(i % ENDPOINTS)))];
    const healthy = asked.filter((_, i) => !isSilent(i % ENDPOINTS));
    const measured = asked.filter((_, i) => i >= WARMING_SECONDS * EVENTS_PER_SECOND && !isSilent(i % ENDPOINTS));
    const arrived = await arrivedFirst(arrivals, healthy.length);
    return told(measured.map(([id, at]) => (arrived.get(id) ?? Infinity) - at));
  } finally {
    await messenger.end();
    await silence.stop();
  }
}

async function silentReceivers() {
  const receiver = await Receiver.start();
  receiver.answers(SILENT_PATH, hang());
  return { url: () => receiver.url(SILENT_PATH), environment: {}, stop: () => receiver.stop() };
}

async function silentNames() {
  const names = Array.from({ length: ENDPOINTS }, (_, i) => `a${i}.silent.example.com`);
  const server = await DnsServer.start(Object.fromEntries(names.map((name) => [name, null])));
  const environment = { WEBHOOK_DNS_SERVERS: server.address };
  return { url: (endpoint: number) => `http://${names[endpoint]!}/`, environment, stop: () => server.stop() };
}

/** Reports the lags; an event that has not arrived counts as the latest. */
function told(lags: readonly number[]) {
  const arrived = lags.filter(Number.isFinite);
  return {
    healthy: lags.length,
    never_arrived: lags.length - arrived.length,
    later_than_1_s: lags.filter((lag) => lag > LATE_MS).length,
    ...lagsOf(lags),
    worst_ms: rounded(Math.max(...arrived)),
  };
}
