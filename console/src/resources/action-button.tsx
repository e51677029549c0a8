import { Button, Loader, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import type { Item } from '../api/api';
import { toText } from '../components/format';
import { useSession } from '../session/session';
import { type Action, nameOf } from './resource';

/** Forms are loaded when the first one is opened. */
const ActionForm = lazy(() => import('./action-form').then(({ ActionForm: form }) => ({ default: form })));

interface ActionButtonProps {
  readonly action: Action;
  readonly item: Item;
  /** The values of the placeholders in the action's path. */
  readonly ids: Readonly<Record<string, string>>;
  readonly isPrimary?: boolean;
  readonly isCompact?: boolean;
}

/** A button that opens the form of an action. A credential that may not write does not see it. */
export function ActionButton({ action, item, ids, isPrimary = false, isCompact = false }: ActionButtonProps) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const session = useSession();
  if (session?.access === 'read_only' && !action.isRead) return null;
  return (
    <>
      <Button
        size={isCompact ? 'compact-sm' : undefined}
        variant={isPrimary ? 'filled' : 'default'}
        c={
          action.destroys !== undefined && !isPrimary
            ? 'light-dark(var(--mantine-color-red-9), var(--mantine-color-red-4))'
            : undefined
        }
        onClick={open}
      >
        {action.label}
      </Button>
      <Modal opened={isOpen} onClose={close} title={toTitle(action, item)} closeButtonProps={{ 'aria-label': 'Close' }}>
        <Suspense fallback={<Loader aria-label="Loading" />}>
          {isOpen && <ActionForm action={action} item={item} ids={ids} close={close} />}
        </Suspense>
      </Modal>
    </>
  );
}

/** Returns what the action does to which item, for example “Archive: Makers”. */
function toTitle({ label }: Action, item: Item): string {
  const name = nameOf(item) ?? toText(item['id']);
  return name === '' ? label : `${label}: ${name}`;
}
