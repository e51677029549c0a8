import { appendFileSync, existsSync, readFileSync, statSync } from 'node:fs';

/** `TEST_LIMIT_MINUTES`: how long no spec file may start or end. Jest's own limit ends only a test that waits. */
const LIMIT_MINUTES = 20;
const MINUTE_MS = 60_000;
/** Named when every spec file has ended and Jest does not exit: one of them has left something open. */
const LAST_ENDED = 3;

/** The file to which the Jest workers write which spec files they start and end. */
export const PROGRESS_FILE = 'TEST_PROGRESS_FILE';

export const limitMs = () => Number(process.env.TEST_LIMIT_MINUTES ?? LIMIT_MINUTES) * MINUTE_MS;

/** Records that this process starts or ends a spec file. Does nothing in a run without a limit. */
export function recordProgress(step, spec) {
  const file = process.env[PROGRESS_FILE];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ step, spec, pid: process.pid })}\n`);
}

/**
 * Calls `onHang` with the message and the processes of the hanging spec files when no spec file has started or ended
 * for the time of the limit. It begins with the first spec file. @returns a function that ends the watch
 */
export function watchProgress(file, limit, onHang) {
  let size = sizeOf(file);
  const timer = setInterval(() => {
    const before = size;
    size = sizeOf(file);
    if (size > before || size === 0) return;
    clearInterval(timer);
    onHang(describeHang(readSteps(file), limit));
  }, limit);
  return () => clearInterval(timer);
}

function describeHang(steps, limit) {
  const ended = steps.filter(({ step }) => step === 'end').map(({ spec }) => spec);
  const running = steps.filter(({ step, spec }) => step === 'start' && !ended.includes(spec));
  const problem =
    running.length > 0
      ? `These specs have not ended: ${running.map(({ spec }) => spec).join(', ')}`
      : `All specs have ended, and one of them keeps Jest open. The last ones: ${ended.slice(-LAST_ENDED).join(', ')}`;
  return { message: `No spec has started or ended for ${limit / MINUTE_MS} minutes. ${problem}`, running };
}

function sizeOf(file) {
  return existsSync(file) ? statSync(file).size : 0;
}

function readSteps(file) {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}
