import { createJsonBaseline, type Decider, type DecisionContext } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';
import { idOf } from '../../kernel/ids.js';

interface Download {
  readonly downloadId: string;
  readonly resourceId: string;
  readonly communityId: string;
  readonly userId: string;
  readonly fileUrl: string;
}

/** `isFirst`: the user has not downloaded the resource before. */
export type LibraryDownloadsEvent = Fact<'LibraryResourceDownloaded', Download & { isFirst: boolean; at: string }>;

/** The downloads of one resource by one user; null before the first one. */
export interface LibraryDownloads {
  readonly latest: { readonly downloadId: string; readonly at: string } | null;
}

export interface LibraryDownloadsCommand extends Download {
  readonly type: 'RecordDownload';
}

function decide(
  { type: _, ...download }: LibraryDownloadsCommand,
  { latest }: LibraryDownloads,
  { now: at }: DecisionContext,
): readonly LibraryDownloadsEvent[] {
  return [{ type: 'LibraryResourceDownloaded', data: { ...download, isFirst: latest === null, at } }];
}

/** A user may download a resource any number of times, so the stream is unbounded. */
export const libraryDownloadsDecider: Decider<LibraryDownloads, LibraryDownloadsCommand, LibraryDownloadsEvent> = {
  category: 'libraryDownloads',
  unbounded: true,
  baseline: createJsonBaseline(1),
  versions: { LibraryResourceDownloaded: 1 },
  initial: { latest: null },
  evolve: (_, { data: { downloadId, at } }) => ({ latest: { downloadId, at } }),
  decide,
};

export function libraryDownloadsIdOf(resourceId: string, userId: string): string {
  return idOf('downloads', 0, resourceId, userId);
}
