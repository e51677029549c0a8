import { toText } from '../components/format';
import { text, time } from '../resources/columns';
import type { Resource } from '../resources/resource';
import { COMMUNITY } from './community-path';

export const library: Resource = {
  name: 'library',
  title: 'Library',
  listPath: `${COMMUNITY}/library/resources`,
  pagination: 'page',
  columns: [
    text('title'),
    text('mime_type', 'Kind'),
    text('required_level', 'Level'),
    text('download_count', 'Downloads'),
    time(),
  ],
  creations: [
    {
      label: 'New file',
      method: 'POST',
      path: `${COMMUNITY}/library/resources`,
      fields: [
        { name: 'title', label: 'Title', required: true },
        { name: 'file_url', label: 'Address of the file (https)', required: true },
        { name: 'description', label: 'Description', kind: 'long_text' },
        { name: 'mime_type', label: 'Media type' },
        { name: 'required_level', label: 'Level that opens it', kind: 'integer' },
      ],
    },
  ],
  actions: [
    {
      label: 'Delete',
      method: 'DELETE',
      path: '/v1/community/library/resources/{key}',
      destroys: ({ title }) => ({ effect: 'Members no longer see this file.', name: toText(title) }),
    },
  ],
  whenEmpty: 'The library holds files for members of a level.',
};
