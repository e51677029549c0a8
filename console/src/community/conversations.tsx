import { toText } from '../components/format';
import { status, text, time } from '../resources/columns';
import type { Field, Resource } from '../resources/resource';
import { COMMUNITY } from './community-path';

const REQUIRED_LEVEL: Field = { name: 'required_level', label: 'Level that opens it', kind: 'integer' };

const comments: Resource = {
  name: 'comments',
  title: 'Comments',
  listPath: '/v1/community/posts/{id}/comments',
  pagination: 'page',
  columns: [text('content'), text('author.id', 'Author'), time()],
  creations: [
    {
      label: 'Comment',
      method: 'POST',
      path: '/v1/community/posts/{id}/comments',
      fields: [{ name: 'content', label: 'Text', kind: 'long_text', required: true }],
    },
  ],
  actions: [
    {
      label: 'Delete',
      method: 'DELETE',
      path: '/v1/community/comments/{key}',
      isShown: ({ deleted }) => deleted === false,
      destroys: ({ id }) => ({ effect: 'Members no longer see this comment.', name: toText(id) }),
    },
  ],
  whenEmpty: 'Nobody has commented yet.',
};

export const posts: Resource = {
  name: 'posts',
  title: 'Posts',
  listPath: `${COMMUNITY}/posts`,
  itemPath: '/v1/community/posts/{id}',
  pagination: 'page',
  columns: [text('id'), text('content'), text('like_count', 'Likes'), text('comment_count', 'Comments'), time()],
  creations: [
    {
      label: 'New post',
      method: 'POST',
      path: `${COMMUNITY}/posts`,
      fields: [{ name: 'content', label: 'Text', kind: 'long_text', required: true }, REQUIRED_LEVEL],
    },
  ],
  actions: [
    {
      label: 'Change',
      method: 'PATCH',
      path: '/v1/community/posts/{id}',
      isShown: ({ deleted_at: deleted }) => deleted === null,
      fields: [{ name: 'content', label: 'Text', kind: 'long_text', start: (post) => post['content'] }, REQUIRED_LEVEL],
    },
    {
      label: 'Restore',
      method: 'POST',
      path: '/v1/community/posts/{id}/restore',
      isShown: ({ deleted_at: deleted }) => deleted !== null,
    },
    {
      label: 'Delete post',
      method: 'DELETE',
      path: '/v1/community/posts/{id}',
      isShown: ({ deleted_at: deleted }) => deleted === null,
      destroys: ({ id }) => ({
        effect: 'Members no longer see this post. It can be restored for a while.',
        name: toText(id),
      }),
    },
  ],
  children: [comments],
  whenEmpty: 'Nobody has posted yet.',
};

const messages: Resource = {
  name: 'messages',
  title: 'Messages',
  listPath: '/v1/community/channels/{id}/messages',
  pagination: 'cursor',
  refreshMs: 5_000,
  columns: [text('content'), text('author.id', 'Author'), time()],
  creations: [
    {
      label: 'Send a message',
      method: 'POST',
      path: '/v1/community/channels/{id}/messages',
      fields: [{ name: 'content', label: 'Text', kind: 'long_text', required: true }],
    },
  ],
  actions: [
    {
      label: 'Delete',
      method: 'DELETE',
      path: '/v1/community/messages/{key}',
      isShown: ({ deleted }) => deleted === false,
      destroys: ({ id }) => ({ effect: 'Members no longer see this message.', name: toText(id) }),
    },
  ],
  whenEmpty: 'Nobody has written here yet.',
};

const CHANNEL_FIELDS: readonly Field[] = [
  { name: 'name', label: 'Name', required: true, start: (channel) => channel['name'] },
  { name: 'description', label: 'Description', kind: 'long_text', start: (channel) => channel['description'] },
  {
    name: 'who_can_post',
    label: 'Who may write',
    kind: 'choice',
    options: ['everyone', 'moderators'],
    start: (channel) => channel['who_can_post'],
  },
  REQUIRED_LEVEL,
];

export const channels: Resource = {
  name: 'channels',
  title: 'Channels',
  listPath: `${COMMUNITY}/channels`,
  itemPath: '/v1/community/channels/{id}',
  pagination: 'page',
  columns: [
    text('name'),
    text('visibility'),
    text('who_can_post', 'Who may write'),
    text('required_level', 'Level'),
    time(),
  ],
  creations: [{ label: 'New channel', method: 'POST', path: `${COMMUNITY}/channels`, fields: CHANNEL_FIELDS }],
  actions: [
    { label: 'Change', method: 'PATCH', path: '/v1/community/channels/{id}', fields: CHANNEL_FIELDS },
    {
      label: 'Delete channel',
      method: 'DELETE',
      path: '/v1/community/channels/{id}',
      isShown: ({ is_default: isDefault }) => isDefault === false,
      destroys: ({ name }) => ({ effect: 'The channel and its messages are no longer shown.', name: toText(name) }),
    },
  ],
  children: [messages],
  whenEmpty: 'A channel holds messages.',
};

const CHALLENGE_FIELDS: readonly Field[] = [
  { name: 'title', label: 'Title', required: true, start: (challenge) => challenge['title'] },
  {
    name: 'goal_type',
    label: 'Goal',
    kind: 'choice',
    options: ['posts', 'comments', 'cp', 'streak', 'missions', 'custom'],
    required: true,
    start: (challenge) => challenge['goal_type'],
  },
  {
    name: 'goal_target',
    label: 'Target',
    kind: 'integer',
    required: true,
    start: (challenge) => challenge['goal_target'],
  },
  { name: 'cp_reward', label: 'Points as a reward', kind: 'integer', start: (challenge) => challenge['cp_reward'] },
  { name: 'starts_at', label: 'Starts', kind: 'time', start: (challenge) => challenge['starts_at'] },
  { name: 'ends_at', label: 'Ends', kind: 'time', start: (challenge) => challenge['ends_at'] },
];

export const challenges: Resource = {
  name: 'challenges',
  title: 'Challenges',
  listPath: `${COMMUNITY}/challenges`,
  itemPath: '/v1/community/challenges/{id}',
  pagination: 'page',
  columns: [
    text('title'),
    status(),
    text('goal_type', 'Goal'),
    text('participant_count', 'Participants'),
    time('ends_at', 'Ends'),
  ],
  creations: [{ label: 'New challenge', method: 'POST', path: `${COMMUNITY}/challenges`, fields: CHALLENGE_FIELDS }],
  actions: [
    { label: 'Change', method: 'PATCH', path: '/v1/community/challenges/{id}', fields: CHALLENGE_FIELDS },
    {
      label: 'Cancel challenge',
      method: 'DELETE',
      path: '/v1/community/challenges/{id}',
      isShown: ({ status: current }) => current !== 'cancelled',
      destroys: ({ title }) => ({ effect: 'Nobody can reach its goal any more.', name: toText(title) }),
    },
  ],
  whenEmpty: 'A challenge counts what members do, and pays points once.',
};
