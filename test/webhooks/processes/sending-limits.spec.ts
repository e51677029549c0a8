import { WebhooksProcess } from '../../support/memory/webhooks-process.js';

const PER_SECOND = 5;
const EVENTS = 80;
const SECOND_MS = 1_000;
/** Longer than the lease of a process, and than a new process waits. */
const SETTLE_MS = 8_000;
/** The time of all events at the rate. */
const FULL_RATE_MS = (EVENTS / PER_SECOND) * SECOND_MS;
/** For hand-overs between processes. */
const SLACK_MS = 15_000;

async function startProcesses(count: number): Promise<readonly WebhooksProcess[]> {
  const first = await WebhooksProcess.create({
    WEBHOOK_ENDPOINT_RATE: String(PER_SECOND),
    REACTOR_PARTS: String(count),
  });
  const all = [first, ...Array.from({ length: count - 1 }, (_, i) => first.createOther(`process-${i + 2}`))];
  for (const process of all) await process.start();
  return all;
}

async function publish(process: WebhooksProcess, endpointId: string, prefix: string, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await process.publish(`evt_${prefix}_${i}`, endpointId);
}

const sendsOf = (processes: readonly WebhooksProcess[]) =>
  processes.flatMap(({ sentAt }) => sentAt).sort((a, b) => a - b);

function findMostInSecond(times: readonly number[]): number {
  return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + SECOND_MS).length));
}

describe.each([1, 3, 5])('The rate of an endpoint, with %i dispatchers', (count) => {
  let processes: readonly WebhooksProcess[];
  let endpointId: string;
  beforeEach(async () => {
    processes = await startProcesses(count);
    endpointId = await processes[0]!.createEndpoint();
    await publish(processes[0]!, endpointId, 'early', count);
    await processes[0]!.clock.advance(SETTLE_MS + count * SECOND_MS);
    processes.forEach(({ sentAt }) => sentAt.splice(0));
  });
  afterEach(() => Promise.all(processes.map((process) => process.stop())));

  it('holds for all of them together, and is used', async () => {
    const [{ clock }] = processes as [WebhooksProcess];
    await publish(processes[0]!, endpointId, 'many', EVENTS);
    await clock.advance(FULL_RATE_MS + SLACK_MS);
    const times = sendsOf(processes);
    expect({ sent: times.length, most: findMostInSecond(times) }).toEqual({ sent: EVENTS, most: PER_SECOND });
  });

  it('holds while one of them ends', async () => {
    const [{ clock }] = processes as [WebhooksProcess];
    await publish(processes[0]!, endpointId, 'many', EVENTS);
    await clock.advance(FULL_RATE_MS / 2);
    const [busiest] = [...processes].sort((a, b) => b.sentAt.length - a.sentAt.length) as [WebhooksProcess];
    if (count > 1) await busiest.stop();
    await clock.advance(FULL_RATE_MS + SLACK_MS);
    const times = sendsOf(processes);
    expect({ sent: times.length, most: findMostInSecond(times) }).toEqual({ sent: EVENTS, most: PER_SECOND });
  });
});
