import type { MovingRange, When } from '../model/question.ts';
import type { DateRangeField, Selection } from '../model/request.ts';
import { countOf, countWords } from './figure-words.ts';
import { shorten } from './readable-text.ts';
import { capital, type Wording } from './wording.ts';

const NAME_LENGTH = 60;
const FEW_KEYS = 3;

/** The issues of a selection, to follow "12 issues"; empty where the keys are too many to be named. */
export function selectionWords(selection: Selection, { words }: Wording): string {
  switch (selection.by) {
    case 'keys':
      return selection.keys.length > FEW_KEYS
        ? ''
        : ` (${words(selection.keys.map((key) => shorten(key, NAME_LENGTH)).join(', '))})`;
    case 'project':
      return ` in ${words(shorten(selection.project, NAME_LENGTH))}`;
    case 'user':
      return ' ever assigned to one person';
    case 'savedFilter':
      return ' in a saved filter';
    case 'sprint':
      return ' in a sprint';
    case 'jql':
      return selection.title === undefined ? ' matching the filter' : ` ${words(selection.title)}`;
  }
}

/** The number of issues and their selection: `WEB · 38 issues finished in the last 30 days`, `12 issues matching the filter`. */
export function subjectWords(
  selection: Selection,
  count: number,
  range: MovingRange | null,
  wording: Wording,
): string {
  const many = count === 0 ? 'no issues' : countOf(count, 'issue');
  const when = range === null ? '' : ` ${happened[range.field]} ${whenWords(range.when, wording)}`;
  if (selection.by === 'project')
    return `${wording.words(shorten(selection.project, NAME_LENGTH))} · ${many}${when}`;
  return capital(`${many}${selectionWords(selection, wording)}${when}`);
}

/** The event of a date field in words, by the field. */
export const happened: Readonly<Record<DateRangeField, string>> = {
  finished: 'finished',
  created: 'created',
  resolved: 'resolved',
  updated: 'updated',
};

function whenWords(when: When, { date }: Wording): string {
  switch (when.by) {
    case 'days':
      return when.days === 1 ? 'in the last day' : `in the last ${countWords(when.days)} days`;
    case 'period':
      if (when.back === 0) return `this ${when.period}`;
      return when.back === 1 ? `last ${when.period}` : `${countOf(when.back, when.period)} ago`;
    case 'dates':
      if (when.from === null) return when.to === null ? 'at any time' : `before ${date(when.to)}`;
      return when.to === null ? `since ${date(when.from)}` : `from ${date(when.from)} to ${date(when.to)}`;
  }
}

const TITLE_LENGTH = 80;
const QUERY_LENGTH = 200;
const KEYS_SHOWN = 5;

/** The issues of a selection, in a few words and nothing escaped: `project WEB`. */
export function issuesText(selection: Selection): string {
  switch (selection.by) {
    case 'keys': {
      const more = selection.keys.length - KEYS_SHOWN;
      return selection.keys.slice(0, KEYS_SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '');
    }
    case 'project':
      return `project ${shorten(selection.project, TITLE_LENGTH)}`;
    case 'user':
      return 'the issues of one person';
    case 'savedFilter':
      return `filter ${shorten(selection.id, TITLE_LENGTH)}`;
    case 'sprint':
      return `sprint ${shorten(selection.id, TITLE_LENGTH)}`;
    case 'jql':
      return selection.title === undefined
        ? `the query ${shorten(selection.jql, QUERY_LENGTH)}`
        : `issues ${shorten(selection.title, TITLE_LENGTH)}`;
  }
}

/** The time of a range: `in the last 30 days`. */
export function whenText(when: When): string {
  switch (when.by) {
    case 'days':
      return `in the last ${when.days} days`;
    case 'period':
      if (when.back === 0) return `this ${when.period}`;
      return when.back === 1 ? `last ${when.period}` : `${when.back} ${when.period}s ago`;
    case 'dates':
      return 'within fixed dates';
  }
}

const MAX_OF_QUERY = 40;

/** A title with other words instead of the query in it, which can be shortened there. */
export function titleWithoutQuery(title: string, query: string | null, instead: string): string {
  if (query === null) return title;
  const text = comparable(title);
  const wanted = comparable(query);
  const at = text.indexOf(wanted.slice(0, MAX_OF_QUERY));
  if (wanted === '' || at < 0) return title;
  const ellipsis = text.indexOf('…', at);
  const cutEnd = ellipsis < 0 ? text.length : ellipsis + 1;
  const end = text.startsWith(wanted, at) ? at + wanted.length : cutEnd;
  return `${text.slice(0, at)}${instead}${text.slice(end)}`;
}

/** Blanks and quotes are typed in many ways that mean the same. */
function comparable(text: string): string {
  return text
    .replace(/[“”„‟"'‘’]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
