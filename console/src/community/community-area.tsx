import { AreaPages } from '../app/area-pages';

export function CommunityArea() {
  return <AreaPages path="/community" resources={[]} />;
}
