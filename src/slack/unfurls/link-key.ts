/** The issue a link leads to: its key, upper case; null where it leads to something else, or to a part of one. */
export function linkKey(url: string): string | null {
  const read = readUrl(url);
  const [, key] = /\/browse\/([a-z][a-z0-9_]*-\d+)$/i.exec(read?.pathname ?? '') ?? [];
  return key === undefined ? null : key.toUpperCase();
}

/** Whether a link is an issue's own, whatever stands behind it and however its address is written. */
export function isLinkOf(url: string, link: string | null): boolean {
  const [given, own] = [readUrl(url), readUrl(link ?? '')];
  return given !== null && own !== null && given.host === own.host && pathOf(given) === pathOf(own);
}

function pathOf({ pathname }: URL): string {
  return pathname.toLowerCase();
}

/** Without a slash at its end. */
function readUrl(text: string): URL | null {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return null;
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}
