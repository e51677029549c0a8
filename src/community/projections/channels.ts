import { omitUndefined } from '../../kernel/omit-undefined.js';
import { pickId, type Projection } from '../../kernel/projection.js';
import { toReference } from '../../kernel/reference.js';
import {
  boolean,
  dateTime,
  type DocumentOf,
  enumOf,
  id,
  integer,
  nullable,
  ref,
  resource,
  string,
} from '../../kernel/schema.js';
import { type ChannelContent, type ChannelEvent, POSTER_GROUPS, VISIBILITIES } from '../domain/channel.js';
import { deletedFields } from './deletions.js';

const channelFields = {
  id: id('chan'),
  object: enumOf('channel'),
  community: ref('community', 'com'),
  name: string,
  description: nullable(string),
  visibility: enumOf(...VISIBILITIES),
  who_can_post: enumOf(...POSTER_GROUPS),
  required_level: integer,
  is_default: boolean,
  created_by: ref('user', 'usr'),
  created_at: dateTime,
  deleted_at: nullable(dateTime),
};

export const channelSchema = resource('Channel', channelFields);
/** The answer to a deletion. */
export const deletedChannelSchema = resource('DeletedChannel', { ...channelFields, ...deletedFields });

export interface ChannelDocument extends DocumentOf<typeof channelSchema> {
  readonly _deletedBy: string | null;
}

export const channels: Projection<ChannelDocument, ChannelEvent> = {
  name: 'channels',
  version: 1,
  id: pickId('channelId'),
  indexes: [['community.id', 'deleted_at', 'visibility', 'created_at']],
  totals: [['community.id', 'deleted_at', 'visibility']],
  on: {
    ChannelCreated: (_, { data }) => ({
      id: data.channelId,
      object: 'channel',
      community: toReference('community', data.communityId),
      name: data.name,
      description: data.description,
      visibility: data.visibility,
      who_can_post: data.whoCanPost,
      required_level: data.requiredLevel,
      is_default: data.isDefault,
      created_by: toReference('user', data.createdBy),
      created_at: data.at,
      deleted_at: null,
      _deletedBy: null,
    }),
    ChannelEdited: (channel, { data }) => channel && { ...channel, ...toContentFields(data.changes) },
    ChannelDeleted: (channel, { data }) => channel && { ...channel, deleted_at: data.at, _deletedBy: data.deletedBy },
    ChannelNamingAbandoned: (channel) => channel,
  },
};

function toContentFields({ whoCanPost, requiredLevel, ...same }: Partial<ChannelContent>) {
  return omitUndefined({ ...same, who_can_post: whoCanPost, required_level: requiredLevel });
}

export type DeletedChannel = DocumentOf<typeof deletedChannelSchema>;
