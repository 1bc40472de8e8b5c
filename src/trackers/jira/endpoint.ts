import type { JiraQuestion } from './jira-client.ts';

/** Which limit a question counts for: Jira limits by method and path, whatever issue or project the path is about. */
export function endpointOf({ method, path, api = 'platform' }: JiraQuestion): string {
  const pattern = path
    .replace(/^\/project\/[^/]+(?=\/)/, '/project/*')
    .replaceAll(/\/(\d+|[A-Za-z]\w*-\d+)(?=\/|$)/g, '/*');
  return `${method} ${api} ${pattern}`;
}
