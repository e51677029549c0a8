import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Api } from '../support/api.ts';
import { sessionToken } from '../support/ops.ts';
import { ServiceProcess } from '../support/service-process.ts';

/** Where the tour plays: a service, somebody who sells, and somebody who reviews. */
export interface Stage {
  readonly where: string;
  readonly seller: Api;
  readonly reviewer: Api;
  leave(): Promise<void>;
}

/** The service that is named by `--url`, `--key` and `--reviewer-token` (or TOUR_URL, TOUR_KEY, TOUR_REVIEWER_TOKEN); else one of its own. */
export async function openStage(): Promise<Stage> {
  const { url, key, reviewerToken } = wishes();
  if (url === undefined) return ownStage();
  if (key === undefined || reviewerToken === undefined) throw new Error('With --url the tour needs --key and --reviewer-token too.');
  return { where: url, seller: new Api(url, key), reviewer: new Api(url, reviewerToken), leave: async () => undefined };
}

function wishes() {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ options: { url: text, key: text, 'reviewer-token': text } });
  const { TOUR_URL, TOUR_KEY, TOUR_REVIEWER_TOKEN } = process.env;
  return {
    url: (values.url ?? TOUR_URL)?.replace(/\/+$/, ''),
    key: values.key ?? TOUR_KEY,
    reviewerToken: values['reviewer-token'] ?? TOUR_REVIEWER_TOKEN,
  };
}

async function ownStage(): Promise<Stage> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tour-'));
  const service = await ServiceProcess.start(dataDir);
  return {
    where: `${service.url} (its own, in ${dataDir})`,
    seller: service.api(service.firstKey),
    reviewer: service.api(await sessionToken(dataDir, 'reviewer', 'reviewer@example.com', '--reviewer')),
    leave: async () => {
      await service.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
