import type { ParserContext } from './parser-context.ts';
import { unquoted } from './quotes.ts';

/** What people call some fields. */
const nicknames: ReadonlyMap<string, string> = new Map([
  ['type', 'issuetype'],
  ['component', 'components'],
  ['label', 'labels'],
  ['version', 'fixVersions'],
  ['fix version', 'fixVersions'],
]);

/** What stands behind `by`: a report type, or fields that group. */
type Grouping =
  | { readonly kind: 'report'; readonly reportType: string }
  | { readonly kind: 'group'; readonly groupBy: readonly string[] };

/** A report type by id or title, or fields by id or name with commas or `and` between; null for any other text. */
export async function readGrouping(
  typed: string,
  { reportTypes, isField }: Pick<ParserContext, 'reportTypes' | 'isField'>,
): Promise<Grouping | null> {
  const plain = (name: string) => name.toLowerCase().replaceAll(/\s/g, '');
  const wanted = plain(unquoted(typed));
  const report = reportTypes.find(({ id, title }) => [plain(id), plain(title)].includes(wanted));
  if (report !== undefined) return { kind: 'report', reportType: report.id };
  const fields = typed.split(/\s*,\s*|\s+and\s+/i).map((one) => unquoted(one.trim()));
  const groupBy: string[] = [];
  for (const field of fields) {
    if (field === '') return null;
    const name = nicknames.get(field.toLowerCase()) ?? field;
    if (!(await isField(name))) return null;
    if (!groupBy.includes(name)) groupBy.push(name);
  }
  return { kind: 'group', groupBy };
}
