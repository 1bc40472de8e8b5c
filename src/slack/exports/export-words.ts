import type { ReportTypeFacts } from '../../api/reporting/reporting-api.ts';
import { badRequest, badRequestAs } from '../../model/error.ts';
import type { Principal } from '../../model/principal.ts';
import { ask, type ReportRequest, type Selection } from '../../model/request.ts';
import { beginsQuery } from '../../questions/parse/read-filter.ts';
import {
  asLiteral,
  type Format,
  formats,
  oneOf,
  plainText,
  readIssueKeys,
  sourceOf,
  straightLiterals,
  type Unit,
  units,
  unquoted,
  type Word,
  wordsOf,
} from '../../questions/parse/typed-words.ts';

/** An export as somebody typed it. */
interface ExportWords {
  readonly format: Format;
  readonly unit: Unit;
  readonly reportType: string;
  readonly selection: Selection;
}

const USUAL_REPORT = 'statusDuration';

/** Keys of projects and names of formats are one word without any mark of JQL. */
const bareWord = /^[a-z][\w-]*$/i;

/** A time as the questions of `/tis` take it. */
const beginsTime =
  /^(?:(?:created|updated|resolved) )?(?:(?:last|past|this) (?:\d+ )?(?:day|week|month|quarter|year)s?|since \S+.*|between .+ and .+)$/i;

/**
 * Reads `[FORMAT] FILTER [in UNIT] [by REPORT]`. A filter that is no project, saved filter, sprint or list of keys is
 * JQL, which is taken as it was typed. What is wrong is a `bad-request`, as far as the words alone tell it.
 */
export function readExportWords(typed: string, reportTypes: readonly ReportTypeFacts[]): ExportWords {
  const words = wordsOf(typed);
  const named = oneOf(formats, words[0]?.plain);
  const { unit, reportType, rest } = takeEnd(named === undefined ? words : words.slice(1), reportTypes);
  const [first, ...others] = rest;
  if (first === undefined) {
    throw badRequestAs(
      'missing-value',
      'The filter is missing. Try: a project, a saved filter, a sprint, issue keys, JQL.',
    );
  }
  if (named === undefined && bareWord.test(first.plain) && others.length > 0) {
    if (simpleSelection(others) !== null && simpleSelection(rest) === null) {
      throw unknownWord('format', first.plain, formats);
    }
  }
  return { format: named ?? 'xlsx', unit, reportType, selection: selectionOf(rest, reportTypes) };
}

/** The unit and the report, which may stand at the end in any order, and what is left. */
function takeEnd(
  words: readonly Word[],
  reportTypes: readonly ReportTypeFacts[],
): { readonly unit: Unit; readonly reportType: string; readonly rest: readonly Word[] } {
  let rest = words;
  let unit: Unit | undefined;
  let reportType: string | undefined;
  for (;;) {
    const endsWith = isWord(rest.at(-2), 'in') ? oneOf(units, rest.at(-1)?.plain) : undefined;
    if (unit === undefined && endsWith !== undefined) {
      unit = endsWith;
      rest = rest.slice(0, -2);
      continue;
    }
    const by = lastBy(rest);
    const named = by < 0 ? undefined : reportCalled(plainText(rest.slice(by + 1)), reportTypes);
    if (reportType !== undefined || named === undefined) break;
    reportType = named;
    rest = rest.slice(0, by);
  }
  return { unit: unit ?? 'hours', reportType: reportType ?? USUAL_REPORT, rest };
}

/** `ORDER BY` belongs to a query. */
function lastBy(words: readonly Word[]): number {
  const at = words.findLastIndex((word) => isWord(word, 'by'));
  return isWord(words[at - 1], 'order') ? -1 : at;
}

function isWord(word: Word | undefined, meant: string): boolean {
  return word?.plain.toLowerCase() === meant;
}

/** By id or title, whatever the case and the blanks. Half a pair of quotes is the end of a literal of a query. */
function reportCalled(text: string, reportTypes: readonly ReportTypeFacts[]): string | undefined {
  const plain = (name: string) => name.toLowerCase().replaceAll(/\s/g, '');
  return reportTypes.find(({ id, title }) => [plain(id), plain(title)].includes(plain(unquoted(text))))?.id;
}

function selectionOf(words: readonly Word[], reportTypes: readonly ReportTypeFacts[]): Selection {
  const simple = simpleSelection(words);
  refuseMisspeltEnd(words, reportTypes);
  if (simple !== null) return simple;
  const query = sourceOf(isWord(words[0], 'jql') ? words.slice(1) : words);
  return { by: 'jql', jql: straightLiterals(query) };
}

/** Everything but JQL; null for that. */
function simpleSelection(words: readonly Word[]): Exclude<Selection, { by: 'user' }> | null {
  const { keys, others } = readIssueKeys(words.map(({ plain }) => plain));
  if (keys.length > 0 && others.length === 0) return { by: 'keys', keys };
  const [first = '', ...more] = words.map(({ plain }) => plain);
  const kind = oneOf(['project', 'filter', 'sprint', 'jql'], first);
  const name = unquoted(sourceOf(words.slice(1)));
  if (kind === undefined)
    return words.length === 1 && bareWord.test(first) ? { by: 'project', project: first } : null;
  if (more.length === 0) {
    throw badRequestAs(
      'missing-value',
      `What stands behind '${first}' is missing. Try: ${kind === 'jql' ? 'JQL' : 'a name'}.`,
    );
  }
  if (kind === 'jql' || beginsQuery(more.join(' '))) return null;
  if (kind === 'project') return { by: 'project', project: name };
  const isId = /^\d+$/.test(name);
  if (kind === 'filter')
    return isId ? { by: 'savedFilter', id: name } : { by: 'jql', jql: `filter = ${asLiteral(name)}` };
  return isId ? { by: 'sprint', id: name } : { by: 'jql', jql: `sprint = ${asLiteral(name)}` };
}

/** Behind what cannot be JQL, a last `in …` or `by …` was meant for us. */
function refuseMisspeltEnd(words: readonly Word[], reportTypes: readonly ReportTypeFacts[]): void {
  const plainly = (some: readonly Word[]) =>
    some.length > 0 &&
    oneOf(['filter', 'sprint', 'jql'], some[0]?.plain) === undefined &&
    !(some.length === 1 && isWord(some[0], 'project')) &&
    simpleSelection(some) !== null;
  const time = words.findIndex((_, i) => i > 0 && beginsTime.test(plainText(words.slice(i))));
  if (time > 0 && plainly(words.slice(0, time))) {
    throw refuseTime(words.slice(0, time), plainText(words.slice(time)));
  }
  const last = words.at(-1)?.plain ?? '';
  if (isWord(words.at(-2), 'in') && bareWord.test(last) && plainly(words.slice(0, -2))) {
    throw unknownWord('unit', last, units);
  }
  const by = lastBy(words);
  if (by > 0 && plainly(words.slice(0, by))) {
    throw unknownWord(
      'report',
      plainText(words.slice(by + 1)),
      reportTypes.map(({ id }) => id),
    );
  }
}

/** The line that means about the same. */
function refuseTime(before: readonly Word[], time: string): Error {
  const [, field = 'created', count = '30', unit = 'd'] =
    /^(?:(created|updated|resolved) )?(?:(?:last|past) (\d+) ([dw]))?/i.exec(time) ?? [];
  const simple = simpleSelection(before);
  const issues =
    simple?.by === 'keys'
      ? `key in (${simple.keys.join(', ')})`
      : `project = ${simple?.by === 'project' ? asJqlWord(simple.project) : 'KEY'}`;
  return badRequest(
    `A file takes a time as JQL, and not as '${time}'. Try: /tis export jql ${issues} AND ${field.toLowerCase()} >= -${count}${unit.toLowerCase()}.`,
  );
}

function asJqlWord(text: string): string {
  return bareWord.test(text) ? text : asLiteral(text);
}

function unknownWord(what: string, word: string, allowed: readonly string[]): Error {
  return badRequestAs('unknown-name', `${what} '${word}' is not known. Try: ${allowed.join(', ')}.`);
}

/** The list that is meant by what somebody typed or chose. */
export function requestOfWords(
  { reportType, selection }: Pick<ExportWords, 'reportType' | 'selection'>,
  principal: Principal,
): ReportRequest {
  return ask({ principal, reportType, selection, includeDeletedStatuses: true });
}
