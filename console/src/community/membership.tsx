import { toText } from '../components/format';
import { id, status, text, time, yesNo } from '../resources/columns';
import type { Resource } from '../resources/resource';

const COMMUNITY = '/v1/community/communities/{id}';
const LEVEL = { name: 'level', label: 'Level', kind: 'integer' } as const;

export const members: Resource = {
  name: 'members',
  title: 'Members',
  listPath: `${COMMUNITY}/members`,
  pagination: 'page',
  key: 'user.id',
  columns: [
    text('user.email', 'E-mail'),
    text('user.name', 'Name'),
    text('role'),
    status(),
    text('level'),
    text('points'),
    id('user.id', 'User id'),
    time('joined_at', 'Joined'),
  ],
  filters: [
    { name: 'role', label: 'Role', kind: 'several', options: ['owner', 'moderator', 'member'] },
    { name: 'status', label: 'Status', kind: 'several', options: ['active', 'pending', 'removed', 'banned'] },
    { name: 'email', label: 'E-mail' },
  ],
  actions: [
    {
      label: 'Change',
      method: 'PATCH',
      path: `${COMMUNITY}/members/{key}`,
      isShown: ({ role }) => role !== 'owner',
      fields: [
        {
          name: 'role',
          label: 'Role',
          kind: 'choice',
          options: ['moderator', 'member'],
          start: (member) => member['role'],
        },
        { ...LEVEL, start: (member) => member['level'] },
        { name: 'status', label: 'Status', kind: 'choice', options: ['active', 'banned'] },
      ],
    },
    {
      label: 'Give the expert badge',
      method: 'PUT',
      path: `${COMMUNITY}/members/{key}/expert-badge`,
      isShown: ({ expert_badge: badge }) => badge === null,
    },
    {
      label: 'Take the expert badge',
      method: 'DELETE',
      path: `${COMMUNITY}/members/{key}/expert-badge`,
      isShown: ({ expert_badge: badge }) => badge !== null,
    },
    {
      label: 'Remove',
      method: 'DELETE',
      path: `${COMMUNITY}/members/{key}`,
      isShown: ({ role, status: current }) => role !== 'owner' && current === 'active',
      destroys: ({ user }) => ({
        effect: 'This person is no member any more.',
        name: toText((user as { id: string }).id),
      }),
    },
  ],
  whenEmpty: 'Invite people, or import them.',
};

export const points: Resource = {
  name: 'points',
  title: 'Points',
  listPath: `${COMMUNITY}/points`,
  pagination: 'page',
  columns: [
    id(),
    text('user.email', 'Member'),
    text('points'),
    text('source_type', 'Source'),
    text('balance'),
    text('level'),
    time(),
  ],
  filters: [{ name: 'target_email', label: 'E-mail of the member' }],
  creations: [
    {
      label: 'Award points',
      method: 'POST',
      path: `${COMMUNITY}/points`,
      fields: [
        { name: 'points', label: 'Points', kind: 'integer', required: true },
        { name: 'target_email', label: 'E-mail of the member', required: true },
        { name: 'source_type', label: 'Kind of source' },
        { name: 'source_id', label: 'Id of the source', help: 'The same source is paid once.' },
      ],
    },
  ],
  actions: [
    {
      label: 'Reverse',
      method: 'POST',
      path: `${COMMUNITY}/points/{key}/reversal`,
      isShown: ({ source_type: source }) => source !== 'reversal',
      fields: [{ name: 'reason', label: 'Reason', required: true }],
    },
  ],
  whenEmpty: 'Nobody has points yet.',
};

export const leaderboard: Resource = {
  name: 'leaderboard',
  title: 'Leaderboard',
  listPath: `${COMMUNITY}/leaderboard`,
  pagination: 'page',
  key: 'user.id',
  columns: [text('rank'), text('user.name', 'Name'), id('user.id', 'User id'), text('points'), text('level')],
  filters: [{ name: 'period', label: 'Period', options: ['7d', '30d', 'all'] }],
  whenEmpty: 'Nobody has points in this period.',
};

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

export const onboardingTasks: Resource = {
  name: 'onboarding',
  title: 'Onboarding',
  listPath: `${COMMUNITY}/onboarding-tasks`,
  pagination: 'page',
  key: 'key',
  columns: [text('key'), text('title'), text('cp_reward', 'Points'), yesNo('required'), text('position')],
  creations: [
    {
      label: 'New task',
      method: 'POST',
      path: `${COMMUNITY}/onboarding-tasks`,
      fields: [
        { name: 'key', label: 'Key', required: true },
        { name: 'title', label: 'Title', required: true },
        { name: 'description', label: 'Description', kind: 'long_text' },
        { name: 'cp_reward', label: 'Points', kind: 'integer' },
        { name: 'required', label: 'Required', kind: 'boolean' },
      ],
    },
  ],
  actions: [
    {
      label: 'Delete',
      method: 'DELETE',
      path: `${COMMUNITY}/onboarding-tasks/{key}`,
      destroys: ({ title }) => ({ effect: 'New members no longer see this task.', name: toText(title) }),
    },
  ],
  whenEmpty: 'Tasks that a new member is asked to do.',
};

export const invites: Resource = {
  name: 'invites',
  title: 'Invites',
  listPath: `${COMMUNITY}/invites`,
  itemPath: '/v1/community/invites/{id}',
  pagination: 'page',
  columns: [text('email', 'E-mail'), status(), text('role'), time('expires_at', 'Expires'), time()],
  creations: [
    {
      label: 'Invite',
      method: 'POST',
      path: `${COMMUNITY}/invites`,
      fields: [
        { name: 'email', label: 'E-mail', required: true },
        { name: 'role', label: 'Role', kind: 'choice', options: ['member', 'moderator'] },
        LEVEL,
        { name: 'message', label: 'Message', kind: 'long_text' },
      ],
    },
  ],
  actions: [
    {
      label: 'Send again',
      method: 'POST',
      path: '/v1/community/invites/{key}/resend',
      isShown: ({ status: current }) => current === 'pending',
    },
    {
      label: 'Revoke',
      method: 'DELETE',
      path: '/v1/community/invites/{key}',
      isShown: ({ status: current }) => current === 'pending',
      destroys: ({ email }) => ({ effect: 'The link in the mail no longer works.', name: toText(email) }),
    },
  ],
  whenEmpty: 'An invite goes out by mail.',
};
