import type { SlashCommand } from '../command.ts';
import { tellTyped } from '../questions/tell-typed.ts';

/** `/tis jql`: a report on the issues of a query. */
export const tisJql: SlashCommand = {
  root: '/tis',
  word: 'jql',
  usage: '/tis jql QUERY [RANGE] [by FIELD or REPORT] [STATISTIC] [in CALENDAR]',
  summary: 'the same of the issues that JQL finds',
  examples: [
    '/tis jql project = WEB AND status changed by ada',
    '/tis jql labels = urgent by priority median',
  ],
  details:
    'The query is everything behind jql up to words that are known here; words within quotes belong to it. `/tis help project` tells what may stand behind.',
  answer: (asked, parts) =>
    tellTyped(`jql ${asked.text}`, asked, parts, ({ project }) => [
      `/tis jql project = ${project} ORDER BY created by statusCount`,
    ]),
};
