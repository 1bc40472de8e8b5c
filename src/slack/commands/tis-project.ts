import type { SlashCommand } from '../command.ts';
import { allowedPastDays } from '../days/allowed-days.ts';
import { allowedRanges } from '../questions/read-range.ts';
import { allowedStatistics } from '../questions/read-statistic.ts';
import { tellTyped } from '../questions/tell-typed.ts';

/** `/tis project KEY`: a report on a filter's issues; the other kinds of filters are asked in the same way. */
export const tisProject: SlashCommand = {
  root: '/tis',
  word: 'project',
  usage: '/tis FILTER [RANGE] [by FIELD or REPORT] [STATISTIC] [in CALENDAR]',
  summary: 'time in each status of many issues: on average, or as you say',
  examples: [
    '/tis project WEB last 30 days by assignee',
    '/tis WEB p85 in normalHours',
    '/tis sprint in openSprints() median',
    '/tis filter "Open bugs of the web shop" list',
    '/tis assignee me resolved this month by statusCount',
  ],
  details: [
    'FILTER is `project KEY` or just `KEY`, `sprint NAME`, `filter NAME`, `assignee NAME`, or `jql QUERY`; put names in quotes that hold words known here.',
    `RANGE is ${allowedRanges}; DAY is ${allowedPastDays}. Without a field it means when issues were created.`,
    `STATISTIC is ${allowedStatistics}. What stands behind FILTER may come in any order.`,
    '`in hours` or `in days` is the unit durations are shown in; it changes no calendar.',
  ].join('\n'),
  answer: (asked, parts) =>
    tellTyped(`project ${asked.text}`, asked, parts, ({ project }) => [
      `/tis project ${project} last 30 days by assignee`,
      `/tis ${project} median`,
    ]),
};
