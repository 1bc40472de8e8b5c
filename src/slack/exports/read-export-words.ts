import type { ReportTypeFacts } from '../../api/reporting.ts';
import { badRequest } from '../../model/error.ts';
import type { Selection } from '../../model/request.ts';
import { readIssueKeys } from '../issue-keys.ts';
import { type Format, formats, oneOf, type Unit, units } from './choices.ts';

/** An export as somebody typed it. */
export interface ExportWords {
  readonly format: Format;
  readonly unit: Unit;
  readonly reportType: string;
  readonly selection: Selection;
}

const USUAL_REPORT = 'statusDuration';

/** Keys of projects and names of formats are one word without any mark of JQL. */
const bareWord = /^[a-z][\w-]*$/i;

/** What stands behind a field where a query is meant, and not the name of something. */
const operator = /^(=|!|~|<|>|(not\s+)?in\s*\(|(not\s+)?in\s+\w+\(|is\s+(not\s+)?(empty|null)\b)/i;

/**
 * Reads `[FORMAT] FILTER [in UNIT] [by REPORT]`. A filter that is no project, saved filter, sprint or list of keys is
 * JQL. What is wrong is a `bad-request`, as far as the words alone tell it.
 */
export function readExportWords(
  typed: readonly string[],
  reportTypes: readonly ReportTypeFacts[],
): ExportWords {
  const words = typed.map(straightQuotes);
  const named = oneOf(formats, words[0]);
  const { unit, reportType, rest } = takeEnd(named === undefined ? words : words.slice(1), reportTypes);
  if (rest.length === 0) {
    throw badRequest('The filter is missing; allowed: a project, a saved filter, a sprint, issue keys, JQL.');
  }
  const [first = '', ...others] = rest;
  if (named === undefined && bareWord.test(first) && others.length > 0 && simpleSelection(others) !== null) {
    if (simpleSelection(rest) === null) throw unknownWord('format', first, formats);
  }
  return { format: named ?? 'xlsx', unit, reportType, selection: selectionOf(rest, reportTypes) };
}

/** Phones and word processors bend the quotes that a query needs straight. */
function straightQuotes(word: string): string {
  return word.replaceAll(/[“”„‟]/g, '"').replaceAll(/[‘’‚‛]/g, "'");
}

/** The unit and the report, which may stand at the end in any order, and what is left. */
function takeEnd(
  words: readonly string[],
  reportTypes: readonly ReportTypeFacts[],
): { readonly unit: Unit; readonly reportType: string; readonly rest: readonly string[] } {
  let rest = words;
  let unit: Unit | undefined;
  let reportType: string | undefined;
  for (;;) {
    const endsWith =
      rest.length >= 2 && rest.at(-2)?.toLowerCase() === 'in' ? oneOf(units, rest.at(-1)) : undefined;
    if (unit === undefined && endsWith !== undefined) {
      unit = endsWith;
      rest = rest.slice(0, -2);
      continue;
    }
    const by = lastBy(rest);
    const named = by < 0 ? undefined : reportCalled(rest.slice(by + 1).join(' '), reportTypes);
    if (reportType !== undefined || named === undefined) break;
    reportType = named;
    rest = rest.slice(0, by);
  }
  return { unit: unit ?? 'hours', reportType: reportType ?? USUAL_REPORT, rest };
}

/** `ORDER BY` belongs to a query. */
function lastBy(words: readonly string[]): number {
  const at = words.findLastIndex((word) => word.toLowerCase() === 'by');
  return words[at - 1]?.toLowerCase() === 'order' ? -1 : at;
}

/** By id or title, whatever the case and the blanks. */
function reportCalled(text: string, reportTypes: readonly ReportTypeFacts[]): string | undefined {
  const plain = (name: string) => name.toLowerCase().replaceAll(/[\s"']/g, '');
  return reportTypes.find(({ id, title }) => [plain(id), plain(title)].includes(plain(text)))?.id;
}

function selectionOf(words: readonly string[], reportTypes: readonly ReportTypeFacts[]): Selection {
  const simple = simpleSelection(words);
  refuseMisspeltEnd(words, reportTypes);
  if (simple !== null) return simple;
  const jql = words[0]?.toLowerCase() === 'jql' ? words.slice(1) : words;
  return { by: 'jql', jql: jql.join(' ') };
}

/** Everything but JQL; null for that. */
function simpleSelection(words: readonly string[]): Exclude<Selection, { by: 'user' }> | null {
  const { keys, others } = readIssueKeys(words);
  if (keys.length > 0 && others.length === 0) return { by: 'keys', keys };
  const [first = '', ...more] = words;
  const kind = oneOf(['project', 'filter', 'sprint', 'jql'], first);
  const name = unquoted(more.join(' '));
  if (kind === undefined)
    return words.length === 1 && bareWord.test(first) ? { by: 'project', project: first } : null;
  if (more.length === 0) {
    throw badRequest(
      `What stands behind '${first}' is missing; allowed: ${kind === 'jql' ? 'JQL' : 'a name'}.`,
    );
  }
  if (kind === 'jql' || operator.test(more.join(' '))) return null;
  if (kind === 'project') return { by: 'project', project: name };
  const isId = /^\d+$/.test(name);
  if (kind === 'filter')
    return isId ? { by: 'savedFilter', id: name } : { by: 'jql', jql: `filter = ${quoted(name)}` };
  return isId ? { by: 'sprint', id: name } : { by: 'jql', jql: `sprint = ${quoted(name)}` };
}

/** Behind what cannot be JQL, a last `in …` or `by …` was meant for us. */
function refuseMisspeltEnd(words: readonly string[], reportTypes: readonly ReportTypeFacts[]): void {
  const plainly = (some: readonly string[]) =>
    some.length > 0 &&
    oneOf(['filter', 'sprint', 'jql'], some[0]) === undefined &&
    !(some.length === 1 && oneOf(['project'], some[0])) &&
    simpleSelection(some) !== null;
  if (
    words.at(-2)?.toLowerCase() === 'in' &&
    bareWord.test(words.at(-1) ?? '') &&
    plainly(words.slice(0, -2))
  ) {
    throw unknownWord('unit', words.at(-1) ?? '', units);
  }
  const by = lastBy(words);
  if (by > 0 && plainly(words.slice(0, by))) {
    throw unknownWord(
      'report',
      words.slice(by + 1).join(' '),
      reportTypes.map(({ id }) => id),
    );
  }
}

function unknownWord(what: string, word: string, allowed: readonly string[]): Error {
  return badRequest(`${what} '${word}' is not known; allowed: ${allowed.join(', ')}.`);
}

function unquoted(text: string): string {
  return /^(["']).+\1$/.test(text) ? text.slice(1, -1) : text;
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
