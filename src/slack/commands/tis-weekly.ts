import type { SlashCommand } from '../command.ts';
import { tellTyped } from '../questions/tell-typed.ts';

/** `/tis weekly`: the aggregates of an ISO week. */
export const tisWeekly: SlashCommand = {
  root: '/tis',
  word: 'weekly',
  usage: '/tis weekly [FILTER] [this week|2026-W46] [in CALENDAR]',
  summary: 'what a week was like: finished issues, cycle time, time in each status, against the weeks before',
  examples: ['/tis weekly WEB', '/tis weekly WEB this week', '/tis weekly WEB W46'],
  details:
    'The last whole week where none is named; weeks begin on Monday, on the clocks of the channel. Without a FILTER it is of the projects chosen for this channel, else of that of which most issues are yours.',
  answer: (asked, parts) =>
    tellTyped(`weekly ${asked.text}`, asked, parts, ({ project }) => [
      `/tis weekly ${project}`,
      `/tis weekly ${project} this week`,
    ]),
};
