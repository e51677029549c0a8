import type { Decider, DecisionContext } from '../../kernel/decider.js';
import { diff } from '../../kernel/diff.js';
import type { Fact } from '../../kernel/event.js';
import { Rejection } from '../../kernel/rejection.js';

export interface LibraryResourceContent {
  readonly title: string;
  readonly description: string | null;
  readonly fileUrl: string;
  readonly mimeType: string | null;
  readonly sizeBytes: number | null;
  readonly requiredLevel: number;
}

interface NewResource extends LibraryResourceContent {
  readonly resourceId: string;
  readonly communityId: string;
  readonly createdBy: string;
}

interface ResourceChange {
  readonly resourceId: string;
  readonly communityId: string;
  readonly at: string;
}

export type LibraryResourceEvent =
  | Fact<'LibraryResourceAdded', NewResource & { at: string }>
  | Fact<'LibraryResourceEdited', ResourceChange & { changes: Partial<LibraryResourceContent> }>
  | Fact<'LibraryResourceDeleted', ResourceChange & { deletedBy: string }>;

export interface KnownLibraryResource {
  readonly status: 'available' | 'deleted';
  readonly id: string;
  readonly communityId: string;
  readonly content: LibraryResourceContent;
}

export type LibraryResource = { readonly status: 'unknown' } | KnownLibraryResource;

function evolve(resource: LibraryResource, event: LibraryResourceEvent): LibraryResource {
  if (event.type === 'LibraryResourceAdded') {
    const { resourceId: id, communityId, title, description, fileUrl, mimeType, sizeBytes, requiredLevel } = event.data;
    const content = { title, description, fileUrl, mimeType, sizeBytes, requiredLevel };
    return { status: 'available', id, communityId, content };
  }
  if (resource.status === 'unknown') return resource;

  switch (event.type) {
    case 'LibraryResourceEdited':
      return { ...resource, content: { ...resource.content, ...event.data.changes } };
    case 'LibraryResourceDeleted':
      return { ...resource, status: 'deleted' };
  }
}

export type LibraryResourceCommand =
  | { readonly type: 'AddLibraryResource'; readonly resource: NewResource }
  | { readonly type: 'EditLibraryResource'; readonly content: Partial<LibraryResourceContent> }
  | { readonly type: 'DeleteLibraryResource'; readonly userId: string };

function decide(
  command: LibraryResourceCommand,
  resource: LibraryResource,
  { now: at }: DecisionContext,
): readonly LibraryResourceEvent[] {
  if (command.type === 'AddLibraryResource')
    return resource.status === 'unknown' ? [{ type: 'LibraryResourceAdded', data: { ...command.resource, at } }] : [];
  if (resource.status === 'unknown') throw Rejection.notFound();

  const { id: resourceId, communityId } = resource;
  switch (command.type) {
    case 'EditLibraryResource': {
      if (resource.status === 'deleted') throw Rejection.notFound();
      const changes = diff(command.content, resource.content);
      if (Object.keys(changes).length === 0) return [];
      return [{ type: 'LibraryResourceEdited', data: { resourceId, communityId, at, changes } }];
    }
    case 'DeleteLibraryResource':
      if (resource.status === 'deleted') return [];
      return [{ type: 'LibraryResourceDeleted', data: { resourceId, communityId, at, deletedBy: command.userId } }];
  }
}

export const libraryResourceDecider: Decider<LibraryResource, LibraryResourceCommand, LibraryResourceEvent> = {
  category: 'libraryResource',
  versions: { LibraryResourceAdded: 1, LibraryResourceEdited: 1, LibraryResourceDeleted: 1 },
  initial: { status: 'unknown' },
  evolve,
  decide,
};
