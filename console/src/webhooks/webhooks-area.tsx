import { AreaPages } from '../app/area-pages';

export function WebhooksArea() {
  return <AreaPages path="/webhooks" resources={[]} />;
}
