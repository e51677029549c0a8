import { AreaPages } from '../app/area-pages';

export function OperatorsArea() {
  return <AreaPages path="/operators" resources={[]} />;
}
