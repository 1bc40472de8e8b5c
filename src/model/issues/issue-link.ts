const issueKey = '([a-z][a-z0-9_]*-\\d+)';
/** Ends of the paths of an issue: its own page, and that of its project. */
const pages = new RegExp(`/(?:browse|issues)/${issueKey}$`, 'i');
const wholeKey = new RegExp(`^${issueKey}$`, 'i');

/** The issue a link leads to, be it on a board: its key, upper case; null where it leads to something else. */
export function linkKey(url: string): string | null {
  const read = readUrl(url);
  if (read === null) return null;
  const [, selected] = wholeKey.exec(read.searchParams.get('selectedIssue') ?? '') ?? [];
  const [, key = selected] = pages.exec(read.pathname) ?? [];
  return key === undefined ? null : key.toUpperCase();
}

/** True if a link leads to an issue of the same tracker: below the address that the issue's own link is below. */
export function isLinkOf(url: string, link: string | null): boolean {
  const [given, own] = [readUrl(url), readUrl(link ?? '')];
  if (given === null || own === null || given.host !== own.host) return false;
  const root = own.pathname.toLowerCase().replace(/\/browse\/[^/]*$/, '');
  const path = given.pathname.toLowerCase();
  return linkKey(url) === linkKey(link ?? '') && path.startsWith(`${root}/`) && !hasOtherRoot(path, root);
}

/** Jira's own pages begin below its root; before `browse` there is nothing else. */
function hasOtherRoot(path: string, root: string): boolean {
  const at = path.lastIndexOf('/browse/');
  return at >= 0 && at !== root.length;
}

/** The URL of a text, without a slash at its end; null for any other text. */
function readUrl(text: string): URL | null {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return null;
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}
