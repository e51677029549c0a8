import { statfs } from 'node:fs/promises';

/** With less free space the service cannot promise to store more data. */
const LEAST_FREE_BYTES = 256 * 1024 * 1024;
const GIGABYTE = 1024 ** 3;

/** Returns the free disk space of a folder as text. @throws Error when it is below the minimum */
export async function roomIn(directory: string): Promise<string> {
  const { bavail, bsize } = await statfs(directory);
  return roomOf(bavail * bsize);
}

export function roomOf(bytes: number): string {
  const words = `${(bytes / GIGABYTE).toFixed(1)} GB free`;
  if (bytes < LEAST_FREE_BYTES) throw new Error(words);
  return words;
}
