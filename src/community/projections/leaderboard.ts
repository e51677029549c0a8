import { describe, type DocumentOf, integer, resource } from '../../kernel/schema.js';
import { memberUserSchema } from './members.js';

export const leaderboardItemSchema = resource('LeaderboardItem', {
  rank: describe(integer, 'The place of the member, from 1; members with equal points share a place.'),
  user: describe(memberUserSchema, 'The user who is the member.'),
  points: describe(integer, 'The points of the period, less those that were reversed.', 25),
  level: describe(integer, 'The current level of the member, regardless of the period.', 3),
});

export type LeaderboardItem = DocumentOf<typeof leaderboardItemSchema>;
