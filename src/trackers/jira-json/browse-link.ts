import type { CheckedIssue } from './well-formed-issue.ts';

/** Answers that came through Atlassian's gateway name it instead of the site; nobody can browse there. */
const GATEWAY = 'api.atlassian.com';

/** Where a browser shows the issue, told from its address in Jira's REST interface; null where that names no site. */
export function browseLink({ self, key }: CheckedIssue): string | null {
  const url = URL.parse(self ?? '');
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.host === GATEWAY) return null;
  const [, context] = /^((?:\/[\w.~%-]+)*?)\/rest\/api\//.exec(url.pathname) ?? [];
  return context === undefined ? null : `${url.origin}${context}/browse/${key.toUpperCase()}`;
}
