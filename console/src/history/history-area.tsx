import { AreaPages } from '../app/area-pages';
import { auditEvents, auditExports } from './audit-events';
import { ChainPage } from './chain-page';
import { CorrelationPage } from './correlation-page';
import { EntryPage } from './entry-page';
import { VerifyPage } from './verify-page';

const PAGES = { chain: ChainPage, verify: VerifyPage };
const ITEM_PAGES = { events: EntryPage, correlations: CorrelationPage };

export function HistoryArea() {
  return <AreaPages path="/history" resources={[auditEvents, auditExports]} pages={PAGES} itemPages={ITEM_PAGES} />;
}
