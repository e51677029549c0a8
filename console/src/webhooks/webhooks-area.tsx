import { lazy } from 'react';
import { AreaPages } from '../app/area-pages';
import { deliveries } from './deliveries';
import { endpoints } from './endpoints';
import { events, eventTypes } from './events';
import { replayJobs } from './replay-jobs';

const SignaturePage = lazy(() => import('./signature-page').then(({ SignaturePage: page }) => ({ default: page })));
const LivePage = lazy(() => import('./live-page').then(({ LivePage: page }) => ({ default: page })));
const DeliveryPage = lazy(() => import('./delivery-page').then(({ DeliveryPage: page }) => ({ default: page })));
const RESOURCES = [endpoints, deliveries, replayJobs, events, eventTypes];
const PAGES = { live: LivePage, signature: SignaturePage };
const ITEM_PAGES = { deliveries: DeliveryPage };

export function WebhooksArea() {
  return <AreaPages path="/webhooks" resources={RESOURCES} pages={PAGES} itemPages={ITEM_PAGES} />;
}
