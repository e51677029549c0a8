// Preloaded into a server that is measured: tells over the channel to its parent what it has used.
import { monitorEventLoopDelay } from 'node:perf_hooks';

const NANOSECONDS = 1_000_000;
const delay = monitorEventLoopDelay({ resolution: 1 });

/** Since the last reading. */
export interface Reading {
  /** Of the whole process, with its threads. */
  readonly cpuMicros: number;
  readonly eventLoopDelayMs: { readonly p50: number; readonly p99: number; readonly max: number };
}

let before = process.cpuUsage();
process.on('message', (message) => {
  if (message === 'read') process.send!(read());
});
process.channel?.unref();
delay.enable();

function read(): Reading {
  const { user, system } = process.cpuUsage(before);
  const [p50, p99, max] = [delay.percentile(50), delay.percentile(99), delay.max].map((ns) => ns / NANOSECONDS) as [number, number, number];
  before = process.cpuUsage();
  delay.reset();
  return { cpuMicros: user + system, eventLoopDelayMs: { p50, p99, max } };
}
