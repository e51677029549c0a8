/** Where a test lets the process die: the seams between two steps that a crash can part. */
export const CRASH_POINTS = [
  'before-append',
  'after-append-before-answer',
  'after-claim-before-append',
  'after-attempt-started-before-send',
  'after-send-before-response',
  'after-response-before-attempt-recorded',
  'mid-projection-page',
  'after-documents-before-checkpoint',
  'during-build-switch',
  'during-rotation',
  'during-lease-renewal',
  'mid-export',
  'during-shutdown',
] as const;

export type CrashPoint = (typeof CRASH_POINTS)[number];

export interface Crash {
  readonly point: CrashPoint;
  /** At which of the times that the process comes by: 1 for the first. */
  readonly hit: number;
}

let armed: CrashPoint | null = null;
let hitsLeft = 0;
let die = () => {};

/** From now on the process dies at this point, as it does of kill −9: nothing behind it runs, nothing is flushed. */
export function arm({ point, hit }: Crash, end: () => void = () => process.kill(process.pid, 'SIGKILL')): void {
  armed = point;
  hitsLeft = hit;
  die = end;
}

/** Nothing, unless it is armed. */
export function crashPoint(point: CrashPoint): void {
  if (point === armed && --hitsLeft === 0) die();
}

/** `before-append:3`, or without a number the first time; undefined for what is none. */
export function crashOf(text: string): Crash | undefined {
  const [, name, hit = '1'] = /^([a-z-]+)(?::([1-9]\d{0,8}))?$/.exec(text) ?? [];
  const point = CRASH_POINTS.find((one) => one === name);
  return point && { point, hit: Number(hit) };
}
