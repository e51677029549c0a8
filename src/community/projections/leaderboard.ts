import { type DocumentOf, integer, resource } from '../../kernel/schema.js';
import { memberUserSchema } from './members.js';

/** An item of a leaderboard. */
export const leaderboardItemSchema = resource('LeaderboardItem', {
  rank: integer,
  user: memberUserSchema,
  /** The points of the period. */
  points: integer,
  level: integer,
});

export type LeaderboardItem = DocumentOf<typeof leaderboardItemSchema>;
