import { AreaPages } from '../app/area-pages';
import { DeadLettersPage } from './dead-letters-page';
import { HealthPage } from './health-page';
import { JobsPage } from './jobs-page';
import { ProjectionsPage } from './projections-page';

const PAGES = {
  health: HealthPage,
  projections: ProjectionsPage,
  'dead-letters': DeadLettersPage,
  jobs: JobsPage,
};

export function OperatorsArea() {
  return <AreaPages path="/operators" resources={[]} pages={PAGES} />;
}
