import { AreaPages } from '../app/area-pages';
import { communities } from './communities';
import { challenges, channels, posts } from './conversations';
import { invites } from './membership';

/** Posts, channels, challenges and invites have pages of their own; their lists are tabs of their community. */
const RESOURCES = [communities, posts, channels, challenges, invites];

export function CommunityArea() {
  return <AreaPages path="/community" resources={RESOURCES} />;
}
