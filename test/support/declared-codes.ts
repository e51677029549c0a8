import { type DynamicModule, RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, MODULE_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { AppModule } from '../../src/app.module.js';
import { readRoute, type Route } from '../../src/http/openapi/route.js';
import { codesFor } from '../../src/http/openapi/route-codes.js';

export interface DeclaredOperation {
  /** `POST /v1/commerce/carts/{id}/checkout`. */
  readonly name: string;
  /** The codes that the OpenAPI document declares for the operation. */
  readonly codes: ReadonlySet<string>;
  /** Those of them that the kind of the route does not explain: its own, and those of the fields of its body. */
  readonly ownCodes: readonly string[];
}

interface Operation extends DeclaredOperation {
  readonly method: string;
  readonly path: RegExp;
  /** The number of fixed segments: of two templates that match a path, the one with more of them has the route. */
  readonly fixed: number;
}

let operations: readonly Operation[] | null = null;

/** Lists the documented operations. */
export function listDeclaredOperations(): readonly DeclaredOperation[] {
  return listOperations();
}

/** Returns the operation of a request; null for a request to no documented operation. */
export function findDeclaredOperation(method: string, path: string): DeclaredOperation | null {
  const verb = method === 'HEAD' ? 'GET' : method;
  const [pathname] = path.split('?');
  const matching = listOperations().filter((each) => each.method === verb && each.path.test(pathname!));
  return matching.sort((a, b) => b.fixed - a.fixed)[0] ?? null;
}

function listOperations(): readonly Operation[] {
  operations ??= listControllers(AppModule).flatMap(listOperationsOf);
  return operations;
}

function listControllers(module: Type): readonly Type[] {
  const imports = (Reflect.getMetadata(MODULE_METADATA.IMPORTS, module) ?? []) as (Type | DynamicModule)[];
  const controllers = (Reflect.getMetadata(MODULE_METADATA.CONTROLLERS, module) ?? []) as Type[];
  return [...controllers, ...imports.flatMap((each) => ('module' in each ? [] : listControllers(each)))];
}

function listOperationsOf(controller: Type): Operation[] {
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
  const codes = codesFor(route);
  const ofKind = codesFor({ ...route, body: null, rejects: [], rejectsFields: [] });
  return {
    name: `${method} ${route.path}`,
    method,
    path: new RegExp(`^${pattern}$`),
    fixed,
    codes: new Set(codes),
    ownCodes: codes.filter((code) => !ofKind.includes(code)),
  };
}
