import { AreaPages } from '../app/area-pages';
import { deliveries } from './deliveries';
import { DeliveryPage } from './delivery-page';
import { endpoints } from './endpoints';
import { events, eventTypes } from './events';
import { LivePage } from './live-page';
import { replayJobs } from './replay-jobs';
import { SignaturePage } from './signature-page';

const RESOURCES = [endpoints, deliveries, replayJobs, events, eventTypes];
const PAGES = { live: LivePage, signature: SignaturePage };
const ITEM_PAGES = { deliveries: DeliveryPage };

export function WebhooksArea() {
  return <AreaPages path="/webhooks" resources={RESOURCES} pages={PAGES} itemPages={ITEM_PAGES} />;
}
