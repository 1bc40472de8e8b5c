import type { Dialect, RouteFacts } from './route.ts';

/** How failures are worded at a path, whether or not some route answers there. Paths are matched as the router does. */
export function dialectAt(path: string, routes: readonly Pick<RouteFacts, 'paths' | 'dialect'>[]): Dialect {
  const wanted = path.toLowerCase().replace(/\/+$/, '');
  const own = routes.find(({ paths }) => paths.some((one) => one.toLowerCase() === wanted));
  if (own !== undefined) return own.dialect ?? 'reporting';
  // What has an id in its path, or is unknown, speaks like the records among which it stands.
  return `${wanted}/`.startsWith('/rest/delegation/') ? 'record' : 'reporting';
}

/** The path of a request's target, which may be a whole address. */
export function pathOf(target: string): string {
  const base = 'http://localhost';
  return URL.canParse(target, base) ? new URL(target, base).pathname : '';
}
