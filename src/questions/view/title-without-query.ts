const MOST_OF_QUERY = 40;

/** A title in which a query stands, as somebody typed it or shortened, with other words for what it says. */
export function titleWithoutQuery(title: string, query: string | null, instead: string): string {
  if (query === null) return title;
  const said = comparable(title);
  const asked = comparable(query);
  const at = said.indexOf(asked.slice(0, MOST_OF_QUERY));
  if (asked === '' || at < 0) return title;
  const end = said.indexOf('…', at);
  const rest = said.startsWith(asked, at)
    ? said.slice(at + asked.length)
    : end < 0
      ? ''
      : said.slice(end + 1);
  return `${said.slice(0, at)}${instead}${rest}`;
}

/** Blanks and quotes are typed in many ways that mean the same. */
function comparable(text: string): string {
  return text
    .replace(/[“”„‟"'‘’]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
