/** The points, each between two steps, at which a test can kill the process. */
export const CRASH_POINTS = [
  'before-append',
  'after-append-before-answer',
  'after-claim-before-append',
  'after-command-before-answer',
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
  /** The number of the pass at which the process is killed: 1 for the first. */
  readonly hit: number;
}

let armedPoint: CrashPoint | null = null;
let hitsLeft = 0;
let killProcess = () => {};

/** Arms a point: the process is killed there as by kill −9, so no later code runs and nothing is flushed. */
export function armCrashPoint(
  { point, hit }: Crash,
  end: () => void = () => process.kill(process.pid, 'SIGKILL'),
): void {
  armedPoint = point;
  hitsLeft = hit;
  killProcess = end;
}

/** Kills the process if this point is armed and its pass is reached. */
export function passCrashPoint(point: CrashPoint): void {
  if (point === armedPoint && --hitsLeft === 0) killProcess();
}

/** Parses `before-append:3`; without a number the first pass is meant. Returns undefined for an unknown point. */
export function parseCrashPoint(text: string): Crash | undefined {
  const [, name, hit = '1'] = /^([a-z-]+)(?::([1-9]\d{0,8}))?$/.exec(text) ?? [];
  const point = CRASH_POINTS.find((one) => one === name);
  return point && { point, hit: Number(hit) };
}
