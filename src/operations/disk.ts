import { statfs } from 'node:fs/promises';

/** Below this nothing more can be promised to be kept. */
const LEAST_FREE_BYTES = 256 * 1024 * 1024;
const GIGABYTE = 1024 ** 3;

/** What is free where the store is, in words. @throws Error when it is too little */
export async function roomIn(directory: string): Promise<string> {
  const { bavail, bsize } = await statfs(directory);
  return roomOf(bavail * bsize);
}

export function roomOf(bytes: number): string {
  const words = `${(bytes / GIGABYTE).toFixed(1)} GB free`;
  if (bytes < LEAST_FREE_BYTES) throw new Error(words);
  return words;
}
