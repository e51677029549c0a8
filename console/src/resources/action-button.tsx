import { Button, Loader, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import type { Item } from '../api/api';
import { useSession } from '../session/session';
import type { Action } from './resource';

/** Forms are loaded when the first one is opened. */
const ActionForm = lazy(() => import('./action-form').then(({ ActionForm: form }) => ({ default: form })));

interface ActionButtonProps {
  readonly action: Action;
  readonly item: Item;
  /** The values of the placeholders in the action's path. */
  readonly ids: Readonly<Record<string, string>>;
  readonly isPrimary?: boolean;
}

/** A button that opens the form of an action. A credential that may not write does not see it. */
export function ActionButton({ action, item, ids, isPrimary = false }: ActionButtonProps) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const session = useSession();
  if (session?.access === 'read_only' && !action.isRead) return null;
  return (
    <>
      <Button
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
      <Modal opened={isOpen} onClose={close} title={action.label} closeButtonProps={{ 'aria-label': 'Close' }}>
        <Suspense fallback={<Loader aria-label="Loading" />}>
          {isOpen && <ActionForm action={action} item={item} ids={ids} close={close} />}
        </Suspense>
      </Modal>
    </>
  );
}
