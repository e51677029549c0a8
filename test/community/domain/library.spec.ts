import {
  libraryDownloadsDecider,
  type LibraryDownloadsEvent,
} from '../../../src/community/domain/library-downloads.js';
import { libraryResourceDecider, type LibraryResourceEvent } from '../../../src/community/domain/library-resource.js';
import { given } from '../../support/given.js';
import { NOW } from '../facts.js';

const resource = {
  resourceId: 'res_1',
  communityId: 'com_1',
  createdBy: 'usr_1',
  title: 'Glazes',
  description: null,
  fileUrl: 'https://example.com/glazes.pdf',
  mimeType: null,
  sizeBytes: null,
  requiredLevel: 0,
};
const add = { type: 'AddLibraryResource', resource } as const;
const added: LibraryResourceEvent = { type: 'LibraryResourceAdded', data: { ...resource, at: NOW } };
const change = { resourceId: 'res_1', communityId: 'com_1', at: NOW };
const deleted: LibraryResourceEvent = { type: 'LibraryResourceDeleted', data: { ...change, deletedBy: 'usr_2' } };

describe('A library resource', () => {
  it('is added', () => given(libraryResourceDecider).when(add).then(added));

  it('is added once', () => given(libraryResourceDecider, added).when(add).thenNothing());

  it('records only the fields that an edit changes', () =>
    given(libraryResourceDecider, added)
      .when({ type: 'EditLibraryResource', content: { title: 'Slips', requiredLevel: 0 } })
      .then({ type: 'LibraryResourceEdited', data: { ...change, changes: { title: 'Slips' } } }));

  it('records no event for an edit that changes nothing', () =>
    given(libraryResourceDecider, added)
      .when({ type: 'EditLibraryResource', content: { title: 'Glazes' } })
      .thenNothing());

  it('is deleted', () =>
    given(libraryResourceDecider, added).when({ type: 'DeleteLibraryResource', userId: 'usr_2' }).then(deleted));

  it('is deleted once', () =>
    given(libraryResourceDecider, added, deleted)
      .when({ type: 'DeleteLibraryResource', userId: 'usr_1' })
      .thenNothing());

  it('cannot be edited after its deletion', () =>
    given(libraryResourceDecider, added, deleted)
      .when({ type: 'EditLibraryResource', content: {} })
      .thenRejects('not_found'));

  it.each([
    { type: 'EditLibraryResource', content: {} } as const,
    { type: 'DeleteLibraryResource', userId: 'usr_1' } as const,
  ])('refuses $type when it does not exist', (command) =>
    given(libraryResourceDecider).when(command).thenRejects('not_found'),
  );
});

describe('The downloads of a resource by a user', () => {
  const { fileUrl } = resource;
  const download = { downloadId: 'dl_1', resourceId: 'res_1', communityId: 'com_1', userId: 'usr_1', fileUrl };
  const downloaded = (isFirst: boolean): LibraryDownloadsEvent => ({
    type: 'LibraryResourceDownloaded',
    data: { ...download, isFirst, at: NOW },
  });

  it('begin with the first one', () =>
    given(libraryDownloadsDecider)
      .when({ type: 'RecordDownload', ...download })
      .then(downloaded(true)));

  it('are all recorded', () =>
    given(libraryDownloadsDecider, downloaded(true))
      .when({ type: 'RecordDownload', ...download })
      .then(downloaded(false)));
});
