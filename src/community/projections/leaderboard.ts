import { type DocumentOf, integer, resource } from '../../kernel/schema.js';
import { memberUserSchema } from './members.js';

export const leaderboardItemSchema = resource('LeaderboardItem', {
  rank: integer,
  user: memberUserSchema,
  points: integer,
  level: integer,
});

export type LeaderboardItem = DocumentOf<typeof leaderboardItemSchema>;
