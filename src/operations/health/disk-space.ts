import { statfs } from 'node:fs/promises';

/** With less free space the service cannot promise to store more data. */
const MIN_FREE_BYTES = 256 * 1024 * 1024;
const GIGABYTE = 1024 ** 3;

/** Returns the free disk space of a folder as text. @throws Error when it is below the minimum */
export async function checkFreeSpace(directory: string): Promise<string> {
  const { bavail, bsize } = await statfs(directory);
  return formatFreeSpace(bavail * bsize);
}

export function formatFreeSpace(bytes: number): string {
  const text = `${(bytes / GIGABYTE).toFixed(1)} GB free`;
  if (bytes < MIN_FREE_BYTES) throw new Error(text);
  return text;
}
