import { statfs } from 'node:fs/promises';

const MEGABYTE = 1024 ** 2;
const GIGABYTE = 1024 ** 3;

/** Returns the free disk space of a folder as text. @throws Error when it is below the minimum */
export async function checkFreeSpace(directory: string, minFreeMegabytes: number): Promise<string> {
  const { bavail, bsize } = await statfs(directory);
  return formatFreeSpace(bavail * bsize, minFreeMegabytes);
}

export function formatFreeSpace(bytes: number, minFreeMegabytes: number): string {
  const text = `${(bytes / GIGABYTE).toFixed(1)} GB free`;
  if (bytes < minFreeMegabytes * MEGABYTE) throw new Error(text);
  return text;
}
