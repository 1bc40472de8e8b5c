import { shorten } from '../../block-kit/shorten.ts';
import type { When } from '../../model/question.ts';
import type { Selection } from '../../model/request.ts';

const NAME_LENGTH = 80;
const QUERY_LENGTH = 200;
const KEYS_SHOWN = 5;

/** Which issues are meant, in a few words and nothing escaped: `project WEB`. */
export function issuesText(selection: Selection): string {
  switch (selection.by) {
    case 'keys': {
      const more = selection.keys.length - KEYS_SHOWN;
      return selection.keys.slice(0, KEYS_SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '');
    }
    case 'project':
      return `project ${shorten(selection.project, NAME_LENGTH)}`;
    case 'user':
      return 'the issues of one person';
    case 'savedFilter':
      return `filter ${shorten(selection.id, NAME_LENGTH)}`;
    case 'sprint':
      return `sprint ${shorten(selection.id, NAME_LENGTH)}`;
    case 'jql':
      return selection.title === undefined
        ? `the query ${shorten(selection.jql, QUERY_LENGTH)}`
        : `issues ${shorten(selection.title, NAME_LENGTH)}`;
  }
}

/** Which time is meant: `in the last 30 days`. */
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
