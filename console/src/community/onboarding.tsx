import { toText } from '../components/format';
import { text, yesNo } from '../resources/columns';
import type { Resource } from '../resources/resource';
import { COMMUNITY } from './community-path';

export const onboardingTasks: Resource = {
  name: 'onboarding',
  title: 'Onboarding',
  listPath: `${COMMUNITY}/onboarding-tasks`,
  pagination: 'page',
  key: 'key',
  columns: [text('key'), text('title'), text('cp_reward', 'Points'), yesNo('required'), text('position')],
  creations: [
    {
      label: 'New task',
      method: 'POST',
      path: `${COMMUNITY}/onboarding-tasks`,
      fields: [
        { name: 'key', label: 'Key', required: true },
        { name: 'title', label: 'Title', required: true },
        { name: 'description', label: 'Description', kind: 'long_text' },
        { name: 'cp_reward', label: 'Points', kind: 'integer' },
        { name: 'required', label: 'Required', kind: 'boolean' },
      ],
    },
  ],
  actions: [
    {
      label: 'Delete',
      method: 'DELETE',
      path: `${COMMUNITY}/onboarding-tasks/{key}`,
      destroys: ({ title }) => ({ effect: 'New members no longer see this task.', name: toText(title) }),
    },
  ],
  whenEmpty: 'Tasks that a new member is asked to do.',
};
