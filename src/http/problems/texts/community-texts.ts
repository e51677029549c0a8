import type { ProblemText } from './problem-text.js';

/** Texts of the codes about communities. Their operations take no idempotency key. */
export const COMMUNITY_TEXTS = {
  insufficient_level: {
    meaning: 'The content is for members of a higher level. `detail` has the level.',
    action: 'Collect points, or ask a moderator.',
    repeat: 'afterChange',
  },
  not_a_member: {
    meaning: 'Only members of the community can do this.',
    action: 'Join the community first.',
    repeat: 'afterChange',
  },
  posting_restricted: {
    meaning: 'In this channel only the owner and moderators post.',
    action: 'Post in another channel.',
    repeat: 'corrected',
  },
  invite_required: {
    meaning: 'Users join this community only with an invite.',
    action: 'Ask the owner or a moderator for an invite, and accept it.',
    repeat: 'afterChange',
  },
  purchase_required: {
    meaning: 'Users join this community by the purchase of its product.',
    action: 'Buy the product that the community names.',
    repeat: 'afterChange',
  },
  banned: {
    meaning: 'The user is banned from the community.',
    action: 'Ask the owner to lift the ban. For an address in a body the status is 422.',
    repeat: 'afterChange',
  },
  onboarding_task_not_found: {
    meaning: 'The community has no onboarding task with this key.',
    action: 'Read the tasks with `GET /v1/community/communities/{id}/onboarding-tasks`.',
    repeat: 'corrected',
  },
  points_already_awarded: {
    meaning: 'This source (`source_type` and `source_id`) has awarded the member another number of points.',
    action: 'Name another source. To change an award, reverse it and award the points from a new source.',
    repeat: 'corrected',
  },
  content_required: {
    meaning: 'A post or a message has neither content nor an attachment. A post may have a video instead.',
    action: 'Send `content`, `attachments`, or, for a post, `video_url`.',
    repeat: 'corrected',
  },
  name_taken: {
    meaning: 'Another channel of the community has this name.',
    action: 'Choose another name.',
    repeat: 'corrected',
  },
  key_taken: {
    meaning: 'Another onboarding task of the community has this key.',
    action: 'Choose another key.',
    repeat: 'corrected',
  },
  member_not_found: {
    meaning: 'No member of the community has this e-mail address.',
    action: 'Correct the address, or import the member first.',
    repeat: 'corrected',
  },
  already_member: {
    meaning: 'The invited address belongs to a member of the community.',
    action: 'Nothing is left to do.',
    repeat: 'never',
  },
  self_award: {
    meaning: 'Moderators cannot award points to themselves, or reverse such an award.',
    action: 'Ask the owner or another moderator.',
    repeat: 'never',
  },
  owner_protected: {
    meaning: 'The owner of the community cannot be removed, banned, or given another role.',
    action: 'Transfer the community to another owner first.',
    repeat: 'afterChange',
  },
  last_owner: {
    meaning: 'The owner cannot leave the community, because it must have an owner.',
    action: 'Transfer the community to another member first.',
    repeat: 'afterChange',
  },
  banned_member: {
    meaning: 'A row of the import names a banned member.',
    action: 'Lift the ban first, or remove the row.',
    repeat: 'afterChange',
  },
  invalid_range: {
    meaning: 'The challenge would end before it starts.',
    action: 'Send an `ends_at` that is after `starts_at`.',
    repeat: 'corrected',
  },
  invalid_timezone: {
    meaning: 'The IANA database has no such time zone.',
    action: 'Send a name such as `Europe/Berlin` or `UTC`.',
    repeat: 'corrected',
  },
  challenge_ended: {
    meaning: 'The challenge has ended, so it cannot be changed or joined.',
    action: 'Create or join another challenge.',
    repeat: 'never',
  },
  challenge_cancelled: {
    meaning: 'The challenge is cancelled and stays so.',
    action: 'Create or join another challenge.',
    repeat: 'never',
  },
  default_channel_protected: {
    meaning: 'The default channel of a community can neither be deleted nor made private.',
    action: 'Delete or hide other channels, or archive the community.',
    repeat: 'never',
  },
  invite_already_accepted: {
    meaning: 'The invite was accepted: the invited user has joined the community.',
    action: 'Nothing is left to do.',
    repeat: 'never',
  },
  invite_declined: {
    meaning: 'The invited user has declined the invite.',
    action: 'Create a new invite.',
    repeat: 'never',
  },
  invite_revoked: {
    meaning: 'The invite was revoked by the owner or a moderator.',
    action: 'Ask for a new invite.',
    repeat: 'never',
  },
  invite_expired: {
    meaning: 'The invite was not accepted in time.',
    action: 'Ask for a new invite.',
    repeat: 'never',
  },
  reply_target_invalid: {
    meaning: 'The comment or message that is replied to does not exist here, or is deleted.',
    action: 'Reply to a comment of the same post or a message of the same channel.',
    repeat: 'corrected',
  },
  restore_expired: {
    meaning: 'The post was deleted more than 30 days ago, so it can no longer be restored.',
    action: 'Create a new post.',
    repeat: 'never',
  },
  product_required: {
    meaning: 'A community with the tier `paid` needs the product that its members buy.',
    action: 'Send `product_id` together with `tier`.',
    repeat: 'corrected',
  },
  levels_not_rising: {
    meaning:
      'The levels do not rise: the first level starts at 0 points, and each level needs a higher number and more points than the one before.',
    action: 'Sort the levels, and correct their points.',
    repeat: 'corrected',
  },
  community_archived: {
    meaning: 'The community is archived: it can be read, left and cleaned up, but not changed.',
    action: 'Ask its owner to reopen it: edit the community with `"status": "active"`.',
    repeat: 'afterChange',
  },
} as const satisfies Readonly<Record<string, ProblemText>>;
