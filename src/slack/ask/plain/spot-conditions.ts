import { isoDay } from '../../../time/date-text.ts';
import { countOf, readPastSpan } from '../../../time/past-spans.ts';
import type { Slot } from './slots.ts';
import { statusMeant } from './spot-values.ts';
import { fieldWords } from './vocabulary.ts';

/** The context of a condition: the wall day of today, the statuses, and the word behind the text. */
interface ConditionFacts {
  readonly after: string;
  readonly today: number;
  readonly statuses: readonly string[];
}

/** No condition has more words. */
export const MAX_CONDITION = 12;

/** Conditions that are said in several words, as the whole of some text in lower case without apostrophes. */
export function spotCondition(text: string, { today, statuses, after }: ConditionFacts): Slot | null {
  return (
    spotAge(text) ??
    (after === 'ago' ? null : spotLongStay(text)) ??
    spotNoMove(text, today) ??
    spotChange(text, statuses)
  );
}

const lengths =
  '(\\d{1,4}|an?|one|two|three|four|five|six|seven|ten) ?(?:calendar )?(days?|d|weeks?|w|hours?|h|months?)';
const longer = '(?:more than|longer than|over|at least|>)';
const longAgo = new RegExp(
  `^(finished|closed|done|completed|resolved|created|opened|filed|raised|reported|updated|touched) ${longer} ?${lengths} ago$`,
);
const old = new RegExp(`^(?:older than|open (?:for )?${longer}) ?${lengths}$`);

/** `finished more than 30 days ago`, `older than 2 weeks`, `open for more than a month`: it happened before that. */
function spotAge(text: string): Slot | null {
  const [, verb = 'created', count, unit = ''] =
    longAgo.exec(text) ?? old.exec(text)?.toSpliced(1, 0, 'created') ?? [];
  if (count === undefined) return null;
  const isFinish = /^(?:finished|closed|done|completed)$/.test(verb);
  const isUpdate = /^(?:updated|touched)$/.test(verb);
  const field = isFinish ? 'finished' : verb === 'resolved' ? verb : isUpdate ? 'updated' : 'created';
  return { kind: 'clause', jql: `${field} < -${agoOf(count, unit)}`, state: isUpdate || field === 'created' };
}

const longStay = new RegExp(
  `^(?:(?:for|since|been|already) )*(?:${longer}|exceeding) ?${lengths}(?: (?:already|now|or more))?$`,
);

/** `for more than 10 days`: the status has not changed for so long. */
function spotLongStay(text: string): Slot | null {
  const [, count, unit = ''] = longStay.exec(text) ?? [];
  return count === undefined ? null : stateClause(unmovedSince(`-${agoOf(count, unit)}`));
}

/** Issues whose status has not changed since a time, for which they have to be that old. */
export function unmovedSince(since: string): string {
  return `NOT status CHANGED AFTER ${since} AND created < ${since}`;
}

function agoOf(count: string, unit: string): string {
  const number = countOf(count);
  return /^m/.test(unit) ? `${30 * number}d` : `${number}${unit.charAt(0)}`;
}

function stateClause(jql: string): Slot {
  return { kind: 'clause', jql, state: true };
}

/** `hasnt moved since wednesday`, `not updated for 5 days`. */
function spotNoMove(text: string, today: number): Slot | null {
  const [, verb = '', how = '', when = ''] =
    /^(?:that )?(?:has ?nt|have ?nt|did ?nt|not|no|without|with no|never)(?: been| any| a)? ?(move[ds]?|moving|movement|change[ds]?|changing|progress(?:ed)?|activity|touched|updated?|updates|transition(?:ed)?|status changes?)(?: status)? (since|for|in)(?: the| at least| over| more than)?(?: last)? (.+)$/.exec(
      text.replace(/^unchanged/, 'not changed').replace(/^untouched/, 'not touched'),
    ) ?? [];
  if (when === '') return null;
  const [, count, unit = ''] = new RegExp(`^${lengths}$`).exec(when) ?? [];
  const first = how === 'since' ? (readPastSpan(when, today)?.first ?? null) : null;
  if (count === undefined && first === null) return null;
  const since = count === undefined ? `"${isoDay(first ?? today)}"` : `-${agoOf(count, unit)}`;
  const isUpdate = /^(?:touched|update|activity)/.test(verb);
  return stateClause(isUpdate ? `updated < ${since}` : unmovedSince(since));
}

/** `without a component`, `overdue`. */
export function spotEmpty(text: string): Slot | null {
  if (/^(?:overdue|past (?:their |its )?due(?: date)?)$/.test(text)) {
    return stateClause('due < now() AND statusCategory != Done');
  }
  const [, name = ''] =
    /^(?:without|with no|no|missing|lacking)(?: an?| any| the)? (?:fix )?([a-z]+)$/.exec(text) ?? [];
  const field = fieldWords.get(name);
  return field === undefined || field === 'status' || field === 'issuetype'
    ? null
    : { kind: 'clause', jql: `${field} is EMPTY`, state: false };
}

/** `bounce from QA back to In Progress`, `moved to QA`. */
function spotChange(text: string, statuses: readonly string[]): Slot | null {
  const [, into = ''] =
    /^(?:moved?|moving|went|goes|sent|transitioned|pushed|put) (?:(?:issues|tickets|items|cards) )?(?:back )?(?:in)?to (.+)$/.exec(
      text,
    ) ?? [];
  const only = into === '' ? null : statusMeant(into, statuses);
  if (only !== null) return { kind: 'change', from: null, to: only };
  const [, from = '', to = ''] =
    /^(?:bounc\w+|mov\w+|went|go|goes|gone|sent|return\w*|kicked|came|come|comes|thrown|fell|fall|falls|transition\w*|pushed|put|reopened)?(?: back)? ?from (.+?)(?: back)? (?:in)?to (.+)$/.exec(
      text,
    ) ?? [];
  const [one, other] = [from, to].map((name) => statusMeant(name, statuses));
  return one && other ? { kind: 'change', from: one, to: other } : null;
}
