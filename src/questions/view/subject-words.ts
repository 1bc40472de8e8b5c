import { shorten } from '../../block-kit/shorten.ts';
import type { MovingRange, When } from '../../model/question.ts';
import type { Selection } from '../../model/request.ts';
import { countOf, countWords } from './count-words.ts';
import type { Wording } from './wording.ts';

const NAME_LENGTH = 60;
const FEW_KEYS = 3;

/** Which issues are meant, to follow "12 issues"; empty where the keys are too many to be named. */
export function selectionWords(selection: Selection, { words }: Wording): string {
  switch (selection.by) {
    case 'keys':
      return selection.keys.length > FEW_KEYS
        ? ''
        : ` (${words(selection.keys.map((key) => shorten(key, NAME_LENGTH)).join(', '))})`;
    case 'project':
      return ` in ${words(shorten(selection.project, NAME_LENGTH))}`;
    case 'user':
      return ' that one person had';
    case 'savedFilter':
      return ' of a saved filter';
    case 'sprint':
      return ' of a sprint';
    case 'jql':
      return selection.title === undefined ? ' of the filter' : ` ${words(selection.title)}`;
  }
}

/** Whose time it is: `WEB’s time`, `the time`. */
export function ownersTime(selection: Selection, { words }: Wording): string {
  return selection.by === 'project' ? `${words(shorten(selection.project, NAME_LENGTH))}’s time` : 'the time';
}

/** What narrows a selection to a time, such as ` resolved in the last 30 days`; empty where nothing does. */
export function rangeWords(range: MovingRange | null, wording: Wording): string {
  return range === null ? '' : ` ${range.field} ${whenWords(range.when, wording)}`;
}

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
