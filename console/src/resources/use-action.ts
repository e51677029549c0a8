import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, callOperations, type Item } from '../api/api';
import { type FormValues, startValues, toBody } from './body';
import { type Action, fillPath } from './resource';

/** The values of the form of an action, and the request that it sends. */
export function useAction(action: Action, item: Item, ids: Readonly<Record<string, string>>, done: () => void) {
  const { fields, method, showResponse } = action;
  const [values, setValues] = useState<FormValues>(() => startValues(fields ?? [], item));
  // One intent has one key: pressing the button again after a lost response repeats the same request.
  const [idempotencyKey, setKey] = useState(() => crypto.randomUUID());
  const queries = useQueryClient();
  const sending = useMutation({
    mutationFn: () => {
      const body = fields === undefined ? action.body : { ...action.body, ...toBody(fields, values) };
      const path = fillPath(action.path, ids);
      if (path.startsWith('/ops/')) return callOperations(method, path, { body });
      return call(method, path, { body, idempotencyKey });
    },
    onSuccess: async () => {
      await queries.invalidateQueries();
      if (showResponse === undefined) done();
    },
  });
  const change = (name: string, value: unknown) => {
    setValues((known) => ({ ...known, [name]: value }));
    setKey(crypto.randomUUID());
  };
  return { values, change, sending };
}
