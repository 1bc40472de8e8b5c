import type { SlashCommand } from '../command.ts';
import { tellTyped } from '../questions/tell-typed.ts';

/** `/tis compare`: two selections of issues, or two times of one, side by side. */
export const tisCompare: SlashCommand = {
  root: '/tis',
  word: 'compare',
  usage: '/tis compare FILTER [RANGE] with FILTER [RANGE] [in CALENDAR]',
  summary: 'two filters, or two times of one, side by side',
  examples: [
    '/tis compare WEB with APP last 30 days',
    '/tis compare WEB resolved last month with resolved this month',
  ],
  details: 'What one side does not say it takes from the other: the filter, or the time.',
  answer: (asked, parts) =>
    tellTyped(`compare ${asked.text}`, asked, parts, ({ project }) => [
      `/tis compare ${project} last month with this month`,
    ]),
};
