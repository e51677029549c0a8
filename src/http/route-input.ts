import type { ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';

export function takesQuery(execution: ExecutionContext): boolean {
  return takes(execution, RouteParamtypes.QUERY);
}

export function takesBody(execution: ExecutionContext): boolean {
  return takes(execution, RouteParamtypes.BODY);
}

function takes(execution: ExecutionContext, what: RouteParamtypes): boolean {
  const taken = Reflect.getMetadata(ROUTE_ARGS_METADATA, execution.getClass(), execution.getHandler().name) as object | undefined;
  return Object.keys(taken ?? {}).some((key) => key.startsWith(`${what}:`));
}
