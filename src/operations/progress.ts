import type { Position } from '../kernel/position.js';
import type { Printing } from './toolbox.js';

const BAR_CELLS = 24;
const LINE_EVERY_MS = 2_000;
const SHORT_WALK_EVENTS = 100;
const SHARES = 10_000n;

/** How far a read of the log has come. */
export interface Progress {
  readonly events: number;
  readonly perSecond: number;
  readonly position: Position;
}

export type Report = (progress: Progress) => void;

type Work<T> = (report: Report) => Promise<T>;

/**
 * Shows the progress of the work: as a bar on a terminal, as lines elsewhere, and not at all with `--json`.
 * @param head position of the last event to read
 */
export async function showing<T>(title: string, head: Position, { json }: Printing, work: Work<T>): Promise<T> {
  if (json) return work(() => undefined);
  return process.stdout.isTTY ? onTerminal(title, new Walk(head), work) : inLines(title, new Walk(head), work);
}

async function onTerminal<T>(title: string, walk: Walk, work: Work<T>): Promise<T> {
  const { Listr } = await import('listr2');
  const done = Promise.withResolvers<T>();
  const listed = new Listr(
    { title, task: (_, task) => work((progress) => (task.title = `${title}  ${walk.bar(progress)}`)).then(done.resolve, done.reject) },
    // The command handles Ctrl-C itself: it aborts the work, and the end of the work ends the bar.
    { registerSignalListeners: false },
  );
  await listed.run();
  return done.promise;
}

async function inLines<T>(title: string, walk: Walk, work: Work<T>): Promise<T> {
  const lines = new ProgressLines((progress) => console.error(`${title}  ${walk.told(progress)}`));
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
  private unprinted: Progress | null = null;

  constructor(
    private readonly print: Report,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.printedAt = now();
  }

  report(progress: Progress): void {
    this.unprinted = progress;
    const isFirst = !this.hasPrinted && progress.events >= SHORT_WALK_EVENTS;
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
class Walk {
  private began: { readonly share: number; readonly at: number } | null = null;

  constructor(
    private readonly head: Position,
    private readonly now: () => number = () => performance.now(),
  ) {}

  bar(progress: Progress): string {
    const full = Math.round(BAR_CELLS * (shareOf(progress.position, this.head) ?? 0));
    return `${'█'.repeat(full)}${'░'.repeat(BAR_CELLS - full)}  ${this.told(progress)}`;
  }

  told({ events, perSecond, position }: Progress): string {
    const rate = `${number(events)} events, ${number(perSecond)} a second`;
    const share = shareOf(position, this.head);
    if (share === null) return rate;
    this.began ??= { share, at: this.now() };
    return `${Math.floor(100 * share)} %  ${rate}${this.left(share, this.began)}`;
  }

  private left(share: number, began: { readonly share: number; readonly at: number }): string {
    if (share <= began.share || share === 1) return '';
    const ms = ((this.now() - began.at) * (1 - share)) / (share - began.share);
    return `, ${duration(ms)} left`;
  }
}

/**
 * Estimates the share of the log before the position, 0 to 1. Positions are opaque, so the estimate uses their first
 * number: the whole position on the embedded store, the commit position on EventStoreDB. Returns null for a position
 * without a number.
 */
export function shareOf(at: Position, end: Position): number | null {
  const [position, head] = [at, end].map((one) => /^\d+(?=-|$)/.exec(one)?.[0]);
  if (position === undefined || head === undefined || !/[1-9]/.test(head)) return null;
  return Math.min(1, Number((SHARES * BigInt(position)) / BigInt(head)) / Number(SHARES));
}

function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

function number(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
