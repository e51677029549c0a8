import { type Command, InvalidArgumentError, Option } from 'commander';
import { DAY_MS } from '../../kernel/clock.js';
import { loadConfig, type OutputOptions, print, withService } from './cli.js';
import { defineCommand, parsePositiveInteger, parseTime } from './command-builder.js';
import { Interrupted, runInterruptible } from './interruption.js';
import { type ReportProgress, showProgress } from './progress-bar.js';

const DEFAULT_SEED = 1;
const DEFAULT_DAYS = 365;

interface SeedOptions extends OutputOptions {
  readonly demo?: boolean;
  readonly seed: number;
  readonly days: number;
  readonly lastDay: number;
}

const HELP = `
The shop and its webhooks are in test mode, the community is in live mode. The test clock stays at the end of the demo.
The receivers of the webhooks do not exist: their answers are part of the demo. The same seed, last day and keys give
the same resources. After Ctrl-C the same command continues where it stopped.`;

export function defineSeedCommand(): Command {
  return defineCommand('seed', 'fill an empty store with a demo', 'seed --demo')
    .option('--demo', 'a shop, its webhooks and a community with a year of history, about 25,000 events')
    .option('--seed <n>', 'number that all choices follow from', parsePositiveInteger, DEFAULT_SEED)
    .option('--days <n>', 'number of days of history', parsePositiveInteger, DEFAULT_DAYS)
    .addOption(
      new Option('--last-day <date>', 'last day of the history, before today')
        .argParser(parseLastDay)
        .default(startOfToday() - DAY_MS, 'yesterday'),
    )
    .addHelpText('after', HELP)
    .action(seed);
}

/** Later events of the service must follow those of the demo. */
function parseLastDay(text: string): number {
  const ms = parseTime(text);
  if (text.includes('T') || ms >= startOfToday())
    throw new InvalidArgumentError('It must be a day before today such as 2026-02-01.');
  return ms;
}

function startOfToday(): number {
  return Math.floor(Date.now() / DAY_MS) * DAY_MS;
}

async function seed(this: Command, { demo, seed, days, lastDay, json }: SeedOptions): Promise<void> {
  if (!demo) return this.error('error: use --demo');
  const [{ Demo }, { DemoPeriod }, { DemoModule, DemoService }] = await Promise.all([
    import('../seed/demo.js'),
    import('../seed/demo-period.js'),
    import('../seed/demo-service.js'),
  ]);
  const seeded = await withService(
    async (service) => {
      const running = new DemoService(service);
      const start = await running.findStart();
      const period = start === null ? DemoPeriod.endingOn(lastDay, days) : DemoPeriod.beginningAt(start, days);
      return runInterruptible((signal) =>
        showProgress('days', String(days), { json }, (report) =>
          running.run(period, () => new Demo(running, { seed, period, signal, onDay: toReport(report) }).create()),
        ).then((created) => (signal.aborted ? stop() : created)),
      );
    },
    loadConfig({ createsStore: true }),
    [DemoModule],
  );
  const { business, community, ...counts } = seeded;
  const totals = Object.entries(counts).map(
    ([name, count]) => `${count.toLocaleString('en-US')} ${name.replace('_', ' ')}`,
  );
  print({ seeded }, { json }, [
    `created the business ${business.id} and the community ${community.id}: ${totals.join(', ')}`,
    'next, with the same DATA_DIR: npm start, and in a second terminal: npm run ops -- console open --mode test',
  ]);
}

function stop(): never {
  throw new Interrupted('stopped; run the same command again to continue from here');
}

/** The progress of a demo is counted in days. */
function toReport(report: ReportProgress): (day: number, events: number) => void {
  const began = performance.now();
  return (day, events) => {
    const perSecond = (events * 1_000) / Math.max(1, performance.now() - began);
    report({ events, perSecond, position: String(day) });
  };
}
