import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Api } from '../support/api.ts';
import { signSessionToken } from '../support/ops.ts';
import { ServiceProcess } from '../support/service-process.ts';

/** The environment of the tour: a service, a seller and a reviewer. */
export interface TourEnvironment {
  readonly location: string;
  readonly seller: Api;
  readonly reviewer: Api;
  close(): Promise<void>;
}

/**
 * Uses the service given by `--url`, `--key` and `--reviewer-token` (or TOUR_URL, TOUR_KEY, TOUR_REVIEWER_TOKEN), or
 * else starts a service.
 */
export async function openEnvironment(): Promise<TourEnvironment> {
  const { url, key, reviewerToken } = readOptions();
  if (url === undefined) return startOwnService();
  if (key === undefined || reviewerToken === undefined)
    throw new Error('With --url the tour also needs --key and --reviewer-token.');
  return {
    location: url,
    seller: new Api(url, key),
    reviewer: new Api(url, reviewerToken),
    close: async () => undefined,
  };
}

function readOptions() {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ options: { url: text, key: text, 'reviewer-token': text } });
  const { TOUR_URL, TOUR_KEY, TOUR_REVIEWER_TOKEN } = process.env;
  return {
    url: (values.url ?? TOUR_URL)?.replace(/\/+$/, ''),
    key: values.key ?? TOUR_KEY,
    reviewerToken: values['reviewer-token'] ?? TOUR_REVIEWER_TOKEN,
  };
}

async function startOwnService(): Promise<TourEnvironment> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tour-'));
  const service = await ServiceProcess.start(dataDir);
  return {
    location: `${service.url} (started by the tour, in ${dataDir})`,
    seller: service.createApi(service.firstTestKey),
    reviewer: service.createApi(await signSessionToken(dataDir, 'reviewer', 'reviewer@example.com', '--reviewer')),
    close: async () => {
      await service.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
