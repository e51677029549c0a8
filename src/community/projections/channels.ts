import { omitUndefined } from '../../kernel/omit-undefined.js';
import { pickId, type Projection } from '../../kernel/projection.js';
import { toReference } from '../../kernel/reference.js';
import {
  boolean,
  describe,
  type DocumentOf,
  enumOf,
  integer,
  nullable,
  resource,
  string,
} from '../../kernel/schema.js';
import { type ChannelContent, type ChannelEvent, POSTER_GROUPS, VISIBILITIES } from '../domain/channel.js';
import { deletedFields } from './deletions.js';
import { communityFields, creationTime, creatorReference, deletionTime } from './fields.js';

const channelFields = {
  ...communityFields('channel', 'chan'),
  name: describe(string, 'The name, unique among the live channels of the community.'),
  description: describe(nullable(string), 'The topic of the channel; null for none.', 'Questions about the course'),
  visibility: describe(
    enumOf(...VISIBILITIES),
    'Whether all members see the channel (`public`), or only the owner and moderators (`private`).',
  ),
  who_can_post: describe(
    enumOf(...POSTER_GROUPS),
    'Whether every member who reads the channel may send messages (`everyone`), or only the owner and moderators (`moderators`).',
  ),
  required_level: describe(integer, 'The lowest level of a member who may read the channel; 0 admits all members.', 0),
  is_default: describe(
    boolean,
    'Whether the community began with this channel, which cannot be made private or deleted.',
  ),
  created_by: creatorReference,
  created_at: creationTime,
  deleted_at: deletionTime,
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
