/** What a search asks for; only what our tracker sends is understood. */
export interface JiraSearch {
  readonly created: number | null;
  readonly updated: number | null;
  /** Ids or keys. */
  readonly ids: readonly string[] | null;
  readonly projects: readonly string[] | null;
  readonly by: 'created' | 'updated';
  /** No restriction at all. */
  readonly unbounded: boolean;
}

/** Which of two instants a minute names that comes twice when clocks go back. */
export type Overlap = 'earlier' | 'later';

type Clause =
  | { readonly field: 'created' | 'updated'; readonly at: number }
  | { readonly field: 'id' | 'project'; readonly values: readonly string[] };

/** The search that a query asks for, or what Jira says against it. */
export function readJql(
  jql: string,
  zone: string,
  overlap: Overlap,
): JiraSearch | { readonly error: string } {
  const [, restriction = '', ordering] = /^(.*?)(?:\s*\bORDER BY (.*))?$/is.exec(jql.trim()) ?? [];
  const order = /^(created|updated)(?: ASC)?(?:, ?key(?: ASC)?)?$/i.exec(ordering?.trim() ?? 'created');
  if (order === null) return { error: `Error in the JQL Query: cannot sort by '${ordering}'.` };
  const tokens = restriction.match(/"[^"]*"|>=|[(),=]|[^\s(),=>"]+|\S/g) ?? [];
  const clauses: Clause[] = [];
  let at = 0;
  const eat = (word: string) => tokens[at]?.toLowerCase() === word && Boolean(++at);

  function conjunction(): boolean {
    do if (!term()) return false;
    while (eat('and'));
    return true;
  }

  function term(): boolean {
    if (eat('(')) return conjunction() && eat(')');
    const field = tokens[at++]?.toLowerCase();
    if ((field === 'created' || field === 'updated') && eat('>=')) {
      const instant = instantOf(text(), zone, overlap);
      if (instant === null) return false;
      clauses.push({ field, at: instant });
      return true;
    }
    const name = field === 'key' || field === 'issue' || field === 'issuekey' ? 'id' : field;
    if (name !== 'id' && name !== 'project') return false;
    if (eat('=')) clauses.push({ field: name, values: [text()] });
    else if (eat('in') && eat('(')) {
      const values: string[] = [];
      do values.push(text());
      while (eat(','));
      if (!eat(')')) return false;
      clauses.push({ field: name, values });
    } else return false;
    return true;
  }

  const text = () => (tokens[at++] ?? '').replaceAll('"', '');

  if (tokens.length > 0 && (!conjunction() || at < tokens.length)) {
    const word = tokens[Math.min(Math.max(at - 1, 0), tokens.length - 1)] ?? '';
    return { error: `Error in the JQL Query: '${word.replaceAll('"', '')}' is not understood here.` };
  }
  const latest = (field: 'created' | 'updated') =>
    clauses.reduce<number | null>(
      (known, one) => (one.field === field && 'at' in one ? Math.max(known ?? one.at, one.at) : known),
      null,
    );
  const common = (field: 'id' | 'project') =>
    clauses.reduce<readonly string[] | null>(
      (known, one) =>
        one.field === field && 'values' in one
          ? one.values.filter((value) => known === null || known.includes(value))
          : known,
      null,
    );
  return {
    created: latest('created'),
    updated: latest('updated'),
    ids: common('id'),
    projects: common('project'),
    by: order[1]?.toLowerCase() === 'updated' ? 'updated' : 'created',
    unbounded: clauses.length === 0,
  };
}

/** `2026-03-02 09:00` or `2026-03-02` on the clock of a zone. */
function instantOf(text: string, zone: string, overlap: Overlap): number | null {
  const [, day, time = '00:00'] =
    /^(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d))?$/.exec(text.replaceAll('/', '-')) ?? [];
  if (day === undefined) return null;
  const wall = Date.parse(`${day}T${time}:00Z`);
  if (Number.isNaN(wall)) return null;
  const clock = clockOf(zone);
  const readings = [...new Set([-86_400_000, 86_400_000].map((ms) => wall - aheadOf(clock, wall + ms)))];
  const right = readings.filter((at) => at + aheadOf(clock, at) === wall).toSorted((a, b) => a - b);
  // A minute that the clocks leave out is read as the one after.
  return (overlap === 'later' ? right.at(-1) : right[0]) ?? Math.max(...readings);
}

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  clocks.set(timeZone, made);
  return made;
}

function aheadOf(clock: Intl.DateTimeFormat, at: number): number {
  return Date.parse(`${clock.format(at).replace(' ', 'T')}Z`) - Math.floor(at / 1000) * 1000;
}
