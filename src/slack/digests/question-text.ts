import type { Question, When } from '../../model/question.ts';
import type { Selection } from '../../model/request.ts';
import { shorten } from '../messages/shorten.ts';

const NAME_LENGTH = 80;
const QUERY_LENGTH = 200;
const KEYS_SHOWN = 5;

/** What a question asks, in a few words and nothing escaped: `the week of project WEB`. */
export function questionText(question: Question): string {
  switch (question.kind) {
    case 'issue':
      return `the time of ${question.key}`;
    case 'report': {
      const { request, range } = question;
      const groups = request.groupBy.length > 0 ? ` by ${request.groupBy.join(' and ')}` : '';
      const moving = range === null ? '' : `, ${range.field} ${whenText(range.when)}`;
      const report = request.reportType.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
      return `${request.statistic?.type ?? 'list'} of ${report} of ${issuesText(request.selection)}${moving}${groups}`;
    }
    case 'saved':
      return 'a saved parameter set';
    case 'weekly':
      return `the week of ${issuesText(question.selection)}`;
    case 'aging':
      return `open work of ${issuesText(question.selection)}`;
    case 'mine':
      return 'what waits on its owner';
    case 'compare':
      return question.sides.map(({ title }) => shorten(title, NAME_LENGTH)).join(' against ');
  }
}

function issuesText(selection: Selection): string {
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

function whenText(when: When): string {
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
