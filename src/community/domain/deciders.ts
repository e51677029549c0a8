import { community } from './community.js';
import { member } from './member.js';
import { membership } from './membership.js';
import { pointsSource } from './points-source.js';
import { points } from './points.js';
import { post } from './post.js';

/** The deciders of the area. */
export const communityDeciders = [community, member, membership, pointsSource, points, post] as const;
