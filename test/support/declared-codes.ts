import { type DynamicModule, RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, MODULE_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { AppModule } from '../../src/app.module.js';
import { readRoute, type Route } from '../../src/http/openapi/route.js';
import { codesFor } from '../../src/http/openapi/route-codes.js';

interface Operation {
  readonly method: string;
  readonly path: RegExp;
  /** The number of fixed segments: of two templates that match a path, the one with more of them has the route. */
  readonly fixed: number;
  readonly codes: ReadonlySet<string>;
}

let operations: readonly Operation[] | null = null;

/**
 * Returns the codes that the OpenAPI document declares for an operation; null for a request to no documented operation.
 */
export function findDeclaredCodes(method: string, path: string): ReadonlySet<string> | null {
  operations ??= listControllers(AppModule).flatMap(listOperations);
  const verb = method === 'HEAD' ? 'GET' : method;
  const [pathname] = path.split('?');
  const matching = operations.filter((each) => each.method === verb && each.path.test(pathname!));
  return matching.sort((a, b) => b.fixed - a.fixed)[0]?.codes ?? null;
}

function listControllers(module: Type): readonly Type[] {
  const imports = (Reflect.getMetadata(MODULE_METADATA.IMPORTS, module) ?? []) as (Type | DynamicModule)[];
  const controllers = (Reflect.getMetadata(MODULE_METADATA.CONTROLLERS, module) ?? []) as Type[];
  return [...controllers, ...imports.flatMap((each) => ('module' in each ? [] : listControllers(each)))];
}

function listOperations(controller: Type): Operation[] {
  const prefix = Reflect.getMetadata(PATH_METADATA, controller) as string;
  return Object.entries(Object.getOwnPropertyDescriptors(controller.prototype)).flatMap(([name, { value }]) => {
    const handler = value as object | undefined;
    if (handler === undefined) return [];
    const verb = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
    if (verb === undefined) return [];
    const template = joinPath(prefix, Reflect.getMetadata(PATH_METADATA, handler) as string);
    const route = readRoute(controller, name, template.replace(/:(\w+)/g, '{$1}'));
    return route === null ? [] : [toOperation(RequestMethod[verb], template, route)];
  });
}

function joinPath(...parts: readonly string[]): string {
  return `/${parts
    .flatMap((part) => part.split('/'))
    .filter((part) => part !== '')
    .join('/')}`;
}

function toOperation(method: string, template: string, route: Route): Operation {
  const pattern = template.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+');
  const fixed = template.split('/').filter((part) => !part.startsWith(':')).length;
  return { method, path: new RegExp(`^${pattern}$`), fixed, codes: new Set(codesFor(route)) };
}
