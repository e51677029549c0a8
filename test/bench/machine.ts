import { availableParallelism, cpus, totalmem } from 'node:os';

export function describeMachine() {
  return {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cores: availableParallelism(),
    cpu: cpus()[0]?.model ?? 'unknown',
    memory_bytes: totalmem(),
  };
}
