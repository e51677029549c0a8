import type { ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { rememberPerRoute } from '../server/per-route.js';

export const takesQuery = rememberPerRoute((execution) => takesInput(execution, RouteParamtypes.QUERY));

export const takesBody = rememberPerRoute((execution) => takesInput(execution, RouteParamtypes.BODY));

function takesInput(execution: ExecutionContext, kind: RouteParamtypes): boolean {
  const parameters = Reflect.getMetadata(ROUTE_ARGS_METADATA, execution.getClass(), execution.getHandler().name) as
    object | undefined;
  return Object.keys(parameters ?? {}).some((key) => key.startsWith(`${kind}:`));
}
