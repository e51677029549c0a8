import { availableParallelism, cpus, totalmem } from 'node:os';

export function machine() {
  return {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cores: availableParallelism(),
    cpu: cpus()[0]?.model ?? 'unknown',
    memory_bytes: totalmem(),
  };
}
