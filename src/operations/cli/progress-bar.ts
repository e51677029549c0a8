import type { Position } from '../../kernel/position.js';
import type { OutputOptions } from './cli.js';

const BAR_CELLS = 24;
const LINE_EVERY_MS = 2_000;
const SHORT_READ_EVENTS = 100;
const SHARE_UNITS = 10_000n;

/** How far a read of the log has come. */
export interface LogProgress {
  readonly events: number;
  readonly perSecond: number;
  readonly position: Position;
}

export type ReportProgress = (progress: LogProgress) => void;

type Work<T> = (report: ReportProgress) => Promise<T>;

/**
 * Shows the progress of the work: as a bar on a terminal, as lines elsewhere, and not at all with `--json`.
 * @param head position of the last event to read
 */
export async function showProgress<T>(
  title: string,
  head: Position,
  { json }: OutputOptions,
  work: Work<T>,
): Promise<T> {
  if (json) return work(() => undefined);
  return process.stdout.isTTY
    ? showBar(title, new ProgressEstimate(head), work)
    : printLines(title, new ProgressEstimate(head), work);
}

async function showBar<T>(title: string, estimate: ProgressEstimate, work: Work<T>): Promise<T> {
  const { Listr } = await import('listr2');
  const done = Promise.withResolvers<T>();
  const listed = new Listr(
    {
      title,
      task: (_, task) =>
        work((progress) => (task.title = `${title}  ${estimate.formatBar(progress)}`)).then(done.resolve, done.reject),
    },
    // The command handles Ctrl-C itself: it aborts the work, and the end of the work ends the bar.
    { registerSignalListeners: false },
  );
  await listed.run();
  return done.promise;
}

async function printLines<T>(title: string, estimate: ProgressEstimate, work: Work<T>): Promise<T> {
  const lines = new ProgressLines((progress) => console.error(`${title}  ${estimate.formatStatus(progress)}`));
  const result = await work((progress) => lines.report(progress));
  lines.end();
  return result;
}

/**
 * Prints the first progress, then a line every 2 s and the totals at the end. Prints nothing for few events, unless
 * they take 2 s.
 */
export class ProgressLines {
  private printedAt: number;
  private hasPrinted = false;
  private unprinted: LogProgress | null = null;

  constructor(
    private readonly print: ReportProgress,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.printedAt = now();
  }

  report(progress: LogProgress): void {
    this.unprinted = progress;
    const isFirst = !this.hasPrinted && progress.events >= SHORT_READ_EVENTS;
    if (isFirst || this.now() - this.printedAt >= LINE_EVERY_MS) this.flush();
  }

  end(): void {
    if (this.hasPrinted) this.flush();
  }

  private flush(): void {
    if (this.unprinted === null) return;
    this.print(this.unprinted);
    [this.unprinted, this.hasPrinted, this.printedAt] = [null, true, this.now()];
  }
}

/** Estimates the remaining time of a read from its first report, its position and the head. */
class ProgressEstimate {
  private start: { readonly share: number; readonly at: number } | null = null;

  constructor(
    private readonly head: Position,
    private readonly now: () => number = () => performance.now(),
  ) {}

  formatBar(progress: LogProgress): string {
    const full = Math.round(BAR_CELLS * (estimateShare(progress.position, this.head) ?? 0));
    return `${'█'.repeat(full)}${'░'.repeat(BAR_CELLS - full)}  ${this.formatStatus(progress)}`;
  }

  formatStatus({ events, perSecond, position }: LogProgress): string {
    const rate = `${formatNumber(events)} events, ${formatNumber(perSecond)} a second`;
    const share = estimateShare(position, this.head);
    if (share === null) return rate;
    this.start ??= { share, at: this.now() };
    return `${Math.floor(100 * share)} %  ${rate}${this.formatTimeLeft(share, this.start)}`;
  }

  private formatTimeLeft(share: number, start: { readonly share: number; readonly at: number }): string {
    if (share <= start.share || share === 1) return '';
    const ms = ((this.now() - start.at) * (1 - share)) / (share - start.share);
    return `, ${formatDuration(ms)} left`;
  }
}

/**
 * Estimates the share of the log before the position, 0 to 1. Positions are opaque, so the estimate uses their first
 * number: the whole position on the embedded store, the commit position on EventStoreDB. Returns null for a position
 * without a number.
 */
export function estimateShare(at: Position, end: Position): number | null {
  const [position, head] = [at, end].map((one) => /^\d+(?=-|$)/.exec(one)?.[0]);
  if (position === undefined || head === undefined || !/[1-9]/.test(head)) return null;
  return Math.min(1, Number((SHARE_UNITS * BigInt(position)) / BigInt(head)) / Number(SHARE_UNITS));
}

function formatDuration(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

function formatNumber(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
