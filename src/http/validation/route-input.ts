import type { ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';

export function takesQuery(execution: ExecutionContext): boolean {
  return takesInput(execution, RouteParamtypes.QUERY);
}

export function takesBody(execution: ExecutionContext): boolean {
  return takesInput(execution, RouteParamtypes.BODY);
}

function takesInput(execution: ExecutionContext, kind: RouteParamtypes): boolean {
  const parameters = Reflect.getMetadata(ROUTE_ARGS_METADATA, execution.getClass(), execution.getHandler().name) as
    object | undefined;
  return Object.keys(parameters ?? {}).some((key) => key.startsWith(`${kind}:`));
}
