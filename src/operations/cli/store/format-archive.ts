import type { ArchiveContent } from '../../migration/archive.js';
import { formatFields } from '../format.js';

export function formatArchive({ file, events, counts, sha256 }: ArchiveContent & { readonly file: string }): string[] {
  const { key: keys, claim: claims, job: jobs, note: notes, checkpoint: checkpoints } = counts;
  return formatFields({ file, events, keys, claims, jobs, notes, checkpoints, sha256 });
}
