import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Environment } from '../../support/service-process.ts';
import type { Arrivals } from './arrivals.ts';
import { recordPublicEvents } from './backlog.ts';
import { IN_FLIGHT, MeasuredService, UNLIMITED } from './measured-service.ts';
import { computeRate } from './rate.ts';
import type { Sample } from './sample.ts';

const WARMING = 2_000;

/** Hooks that run before the deliveries of a warm service and after they have ended. */
interface DrainHooks {
  readonly environment?: Environment;
  readonly before?: (dataDir: string) => void;
  readonly after?: (dataDir: string) => void;
}

export interface Drain {
  readonly perSecond: number;
  readonly cpuMicros: number;
}

/** Measures a running service that delivers `count` public events, recorded at once, to one endpoint. */
export async function drainService(
  arrivals: Arrivals,
  count: number,
  { data }: Sample,
  beside: DrainHooks = {},
): Promise<Drain> {
  const service = await MeasuredService.start({ ...UNLIMITED, ...beside.environment });
  const businessId = await service.readBusinessId();
  const publish = async (events: number) => {
    await arrivals.forget();
    await recordPublicEvents(service.dataDir, businessId, events, data);
    const arrived = await arrivals.waitForFirst(events);
    return { arrived, cpuMicros: await service.takeCpuMicros() };
  };
  try {
    await service.createEndpoint(arrivals.url);
    await publish(WARMING);
    beside.before?.(service.dataDir);
    const { arrived, cpuMicros } = count > 0 ? await publish(count) : { arrived: [], cpuMicros: 0 };
    beside.after?.(service.dataDir);
    return { perSecond: computeRate(arrived), cpuMicros: cpuMicros / count };
  } finally {
    await service.dispose();
  }
}

/** Measures a loop that only signs and posts. */
export async function drainBareLoop(arrivals: Arrivals, count: number, { body }: Sample): Promise<Drain> {
  await arrivals.forget();
  const posts = JSON.stringify({ url: arrivals.url, body, count, concurrency: IN_FLIGHT });
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare.ts')], {
    env: { PATH: process.env.PATH, BARE_POSTS: posts },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [[used]] = (await Promise.all([once(child.stdout, 'data'), once(child, 'exit')])) as [[Buffer], unknown];
  return { perSecond: computeRate(await arrivals.waitForFirst(count)), cpuMicros: Number(used.toString()) / count };
}
