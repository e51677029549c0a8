// Runs every benchmark in sequence. Prints one JSON document on standard output and progress on standard error.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const NAMES = [
  'edge',
  'bodies',
  'append',
  'post',
  'breakdown',
  'rebuild',
  'deliveries',
  'bullmq',
  'isolation',
  'shared-host',
  'backlog',
  'drain',
  'replay-job',
  'backfill',
  'eventstoredb',
  'confirmation',
  'mongodb',
  'checkouts',
  'external-checkouts',
  'history',
  'likes',
  'streams',
];

const found = NAMES.map((name) => {
  const file = join(import.meta.dirname, `${name}.bench.ts`);
  const output = execFileSync(process.execPath, [...process.execArgv, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  return JSON.parse(output) as object;
});
console.log(JSON.stringify(found, null, 2));
