import { AreaPages } from '../app/area-pages';

export function HistoryArea() {
  return <AreaPages path="/history" resources={[]} />;
}
